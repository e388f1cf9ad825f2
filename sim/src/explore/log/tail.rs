//! What is done with a crash image of a log: it is recovered, looked at, goes on, and must end
//! with nothing lost that it promised after recovery.

use super::life::Life;
use super::lives::{KnownLives, Left};
use super::moving::moved_in_part;
use super::program::LogCase;
use super::record::written_by_a_look;
use super::recovery::{open_all, read_all};
use super::script::LogScript;
use super::session::LogSession;
use super::words;
use crate::explore::rests::{RestKey, Rests};
use crate::explore::timeline::Entry;
use crate::oracle::{LogHistory, LogObservation, LogRecovery, Violation};
use crate::scenario::{CrashKind, LogOp, LogOutcome, LogPayloads, ReaderOp, WriterOp};
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
    rests: Option<&'s LogRests>,
    log: Option<Vec<Entry>>,
    step: u32,
}

/// What is known to come of disks.
#[derive(Debug, Default)]
pub(super) struct LogRests {
    /// Of those that are opened again after their recovery, with nothing in between.
    opened_twice: Rests<LogObservation>,
    /// Of those that were used.
    lives: Rests<Option<Violation>>,
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
            rests: None,
            log: None,
            step: 0,
        }
    }

    /// Asks what is known to come of disks, and adds what comes of this one.
    pub(super) fn with_rests(mut self, rests: &'s LogRests) -> Self {
        self.rests = Some(rests);
        self
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

    /// The objects go before anything was read, killed or closed. Whether the log is to be opened
    /// again then, and the key of what is left, where what is known of disks is asked.
    fn let_go(&mut self, script: LogScript) -> (bool, Option<RestKey>) {
        if self.is_moved || self.recovery.is_broken() {
            return (false, None);
        }
        let left = match script {
            LogScript::OpenTwice => {
                self.kill();
                Left::OpenAfterKill
            }
            LogScript::CloseFirst => {
                self.close_all();
                Left::OpenAfterClose
            }
            LogScript::ReadFirst
            | LogScript::PutFirst(_)
            | LogScript::CutFirst(_)
            | LogScript::LookFirst
            | LogScript::EmptyFirst(_)
            | LogScript::CleanFirst
            | LogScript::OpenBeside => return (false, None),
        };
        let is_asked = self.rests.is_some() && !self.recovery.is_broken();
        let sim = self.session.machine.sim();
        let key = is_asked.then(|| RestKey::of(sim, false, (left, &self.recovery)));
        (true, key.flatten())
    }

    fn kill(&mut self) {
        self.session.kill();
        if let Some(log) = &mut self.log {
            log.push(Entry::Note(
                crate::explore::words::of_further_crash(CrashKind::Kill).to_owned(),
            ));
        }
    }

    fn close_all(&mut self) {
        let readers = self.history.readers().iter();
        let close = |name: &String| LogOp::Reader(name.clone(), ReaderOp::Close);
        let mut closes: Vec<LogOp> = readers.map(close).collect();
        closes.push(LogOp::Writer(WriterOp::Close));
        for op in closes {
            let outcome = self.call(&op);
            self.recovery.closed(&outcome);
        }
    }

    /// The log is opened again, with nothing done in between.
    fn open_again(&mut self, script: LogScript) {
        if self.recovery.is_broken() {
            return;
        }
        let options = self.case.program.options;
        let crash = (script == LogScript::OpenTwice).then_some(CrashKind::Kill);
        let mut again = LogRecovery::new(self.history, options, crash);
        let (log, step) = (&mut self.log, &mut self.step);
        open_all(
            self.session,
            &mut again,
            self.history.readers(),
            &mut |session, op, bytes| noted(log, step, session, op, bytes),
        );
        self.recovery.opened_again(again);
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

    /// Reads everything, and goes on by the script, to what all of it comes to. `crash` cuts the
    /// power of a disk, keeping nothing that was not durable.
    pub(super) fn go_on(
        mut self,
        script: LogScript,
        crash: &dyn Fn(&SimFs) -> SimFs,
    ) -> (LogObservation, Vec<Entry>) {
        let (is_opened_again, key) = self.let_go(script);
        let twice = self.rests.map(|rests| &rests.opened_twice);
        if let Some(known) = key.and_then(|key| twice?.get(key)) {
            return (known, self.log.unwrap_or_default());
        }
        if is_opened_again {
            self.open_again(script);
        }
        self.read_all();
        self.live_on(script, crash);
        let observation = self.recovery.finish();
        if let (Some(rests), Some(key)) = (self.rests, key) {
            let sim = self.session.machine.sim();
            rests.opened_twice.note(&[key], sim, &observation);
        }
        (observation, self.log.unwrap_or_default())
    }

    fn read_all(&mut self) {
        let (log, step) = (&mut self.log, &mut self.step);
        read_all(
            self.session,
            &mut self.recovery,
            &mut |session, op, bytes| noted(log, step, session, op, bytes),
        );
    }

    fn live_on(&mut self, script: LogScript, crash: &dyn Fn(&SimFs) -> SimFs) {
        let model = self.recovery.model();
        let Some(model) = model.filter(|_| !self.is_moved) else {
            return;
        };
        let lives = self.rests.map(|rests| &rests.lives);
        let mut life = Life {
            known: KnownLives::after(lives, &self.recovery),
            session: &mut *self.session,
            case: self.case,
            readers: self.history.readers().to_vec(),
            oracle: self.case.resumed(model),
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
