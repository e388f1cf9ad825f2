//! What is done with a crash image of a log: it is recovered, looked at, goes on, and must end
//! with nothing lost that it promised after recovery.

use super::life::Life;
use super::moving::moved_in_part;
use super::program::LogCase;
use super::record::written_by_a_look;
use super::recovery::{open_all, read_all};
use super::script::LogScript;
use super::session::LogSession;
use super::words;
use crate::explore::timeline::Entry;
use crate::oracle::{LogHistory, LogObservation, LogOracle, LogRecovery};
use crate::scenario::{CrashKind, LogOp, LogOutcome, LogPayloads, WriterOp};
use crate::simfs::SimFs;

/// One tail on one image.
pub(super) struct LogTail<'s, 'a> {
    pub(super) session: &'s mut LogSession<'a>,
    pub(super) case: &'s LogCase<'a>,
    history: &'s LogHistory,
    pub(super) recovery: LogRecovery<'s>,
    /// A crash had cut a move off, which was finished: readers are not moved along.
    is_moved: bool,
    payloads: LogPayloads,
    log: Option<Vec<Entry>>,
    step: u32,
}

impl<'s, 'a> LogTail<'s, 'a> {
    /// A tail of `session`, which stands on the image of a crash with nothing open.
    pub(super) fn new(
        session: &'s mut LogSession<'a>,
        case: &'s LogCase<'a>,
        history: &'s LogHistory,
        kind: CrashKind,
    ) -> Self {
        Self {
            session,
            case,
            history,
            recovery: LogRecovery::new(history, case.program.options, Some(kind)),
            is_moved: false,
            payloads: LogPayloads::behind(&case.program.steps),
            log: None,
            step: 0,
        }
    }

    /// Writes down everything that happens, numbering operations from `step` on.
    pub(super) fn with_log(mut self, step: u32) -> Self {
        self.log = Some(Vec::new());
        self.step = step;
        self
    }

    /// What was written down so far.
    pub(super) fn take_log(&mut self) -> Vec<Entry> {
        self.log.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Recovers the image of this hash: everything after it may be left out. Some are looked at
    /// before, without writing.
    pub(super) fn recover(&mut self, hash: u128) {
        if let Some(target) = moved_in_part(self.case, self.session.machine.sim()) {
            self.is_moved = true;
            self.move_again(target);
        } else if LogScript::looks_before(hash) {
            self.look();
        }
        let readers = match self.is_moved {
            true => &[],
            false => self.history.readers(),
        };
        if self.is_moved && self.recovery.is_broken() {
            return;
        }
        let (log, step) = (&mut self.log, &mut self.step);
        open_all(
            self.session,
            &mut self.recovery,
            readers,
            &mut |session, op, bytes| noted(log, step, session, op, bytes),
        );
    }

    /// Calls an operation of the writer.
    pub(super) fn call(&mut self, op: &LogOp) -> LogOutcome {
        noted(&mut self.log, &mut self.step, self.session, op, &[])
    }

    fn look(&mut self) {
        let (log, step) = (&mut self.log, &mut self.step);
        let effects = self.session.machine.sim().effect_count();
        let op = LogOp::Writer(WriterOp::OpenReadOnly);
        let outcome = noted(log, step, self.session, &op, &[]);
        let outcome = super::recovery::looked(self.session, outcome);
        self.recovery.looked(&outcome, self.session.states());
        noted(
            log,
            step,
            self.session,
            &LogOp::Writer(WriterOp::Close),
            &[],
        );
        if let Some(found) = written_by_a_look(&op, effects, self.session, None) {
            self.recovery.broken_later(found);
        }
    }

    /// Reads everything, and goes on by the script. `crash` cuts the power of a disk, keeping
    /// nothing that was not durable.
    pub(super) fn go_on(&mut self, script: LogScript, crash: &dyn Fn(&SimFs) -> SimFs) {
        let (log, step) = (&mut self.log, &mut self.step);
        read_all(
            self.session,
            &mut self.recovery,
            &mut |session, op, bytes| noted(log, step, session, op, bytes),
        );
        let model = self.recovery.model();
        let Some(model) = model.filter(|_| !self.is_moved) else {
            return;
        };
        let mut life = Life {
            session: &mut *self.session,
            case: self.case,
            readers: self.history.readers().to_vec(),
            oracle: LogOracle::resumed(model, self.case.strengths).judged_at_end(),
            violations: Vec::new(),
            payloads: self.payloads,
            steps: 0,
            log: &mut self.log,
            step: &mut self.step,
        };
        life.play(script, crash);
        let violations = life.violations;
        for violation in violations.into_iter().take(1) {
            self.recovery.broken_later(violation);
        }
    }

    /// What all of it comes to.
    pub(super) fn observation(self) -> LogObservation {
        self.recovery.finish()
    }
}

/// Calls an operation, writing it down where that is wanted.
pub(super) fn noted(
    log: &mut Option<Vec<Entry>>,
    step: &mut u32,
    session: &mut LogSession<'_>,
    op: &LogOp,
    bytes: &[u8],
) -> LogOutcome {
    let op = session.resolve(op);
    let Some(log) = log else {
        return session.apply(&op, bytes);
    };
    log.push(Entry::Begin {
        step: *step,
        call: words::of_op(&op),
    });
    let outcome = session.apply(&op, bytes);
    log.extend(crate::explore::words::of_calls(
        &session.machine.new_calls(),
    ));
    log.push(Entry::End {
        step: *step,
        answer: words::of_outcome(&outcome),
    });
    *step += 1;
    outcome
}
