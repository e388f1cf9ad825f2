//! A log that lives on after its recovery, and after faults: used, crashed once more, and judged by
//! an oracle that begins there.

use super::lives::{KnownLives, Left};
use super::program::LogCase;
use super::record::{look_at_directory, written_by_a_look};
use super::script::LogScript;
use super::session::LogSession;
use super::tail::noted;
use crate::explore::timeline::Entry;
use crate::oracle::{LogOracle, Violation};
use crate::scenario::{
    Clause, CleanTarget, CrashKind, LogOp, LogOutcome, LogPayloads, ReaderOp, WriterOp,
};
use crate::simfs::SimFs;

/// Size of the messages that are put, as far as the limits allow it.
const SIZE: u32 = 8;

/// A log that lives on after its recovery, judged by an oracle that begins there.
pub(super) struct Life<'l, 'a> {
    pub(super) session: &'l mut LogSession<'a>,
    pub(super) case: &'l LogCase<'a>,
    pub(super) readers: Vec<String>,
    pub(super) oracle: LogOracle,
    pub(super) violations: Vec<Violation>,
    pub(super) payloads: LogPayloads,
    /// Steps since the oracle began.
    pub(super) steps: u32,
    pub(super) log: &'l mut Option<Vec<Entry>>,
    pub(super) step: &'l mut u32,
    pub(super) known: KnownLives<'l>,
}

impl Life<'_, '_> {
    pub(super) fn play(&mut self, script: LogScript, crash: &dyn Fn(&SimFs) -> SimFs) {
        if !self.begin(script, crash) {
            self.read_and_confirm();
            self.put();
            self.flush();
            self.read_and_confirm();
            self.close_all();
            if !self.is_known(Left::LastOpen) {
                self.open_all();
                self.look_around();
            }
        }
        self.note();
    }

    /// What the script does before everything is read; whether it is known by then how it ends.
    fn begin(&mut self, script: LogScript, crash: &dyn Fn(&SimFs) -> SimFs) -> bool {
        let kind = match script {
            LogScript::ReadFirst | LogScript::OpenTwice | LogScript::CloseFirst => {
                return false;
            }
            LogScript::OpenBeside => {
                self.open_beside();
                return false;
            }
            LogScript::LookFirst => return self.look_first(),
            LogScript::PutFirst(kind) => {
                self.put();
                self.flush();
                kind
            }
            LogScript::CutFirst(kind) => {
                self.put();
                self.take_back();
                self.put();
                self.flush();
                kind
            }
            LogScript::EmptyFirst(kind) => {
                self.writer(WriterOp::Empty);
                self.put();
                self.flush();
                kind
            }
            LogScript::CleanFirst => {
                self.read_and_confirm();
                // A step to the next segment that the crash left owed is done by a put.
                self.put();
                self.flush();
                self.clean();
                CrashKind::PowerCut
            }
        };
        self.crash_again(kind, crash)
    }

    fn look_first(&mut self) -> bool {
        self.close_all();
        if self.is_known(Left::Look) {
            return true;
        }
        self.writer(WriterOp::OpenReadOnly);
        self.writer(WriterOp::Close);
        self.open_all();
        false
    }

    pub(super) fn is_over(&self) -> bool {
        !self.violations.is_empty()
    }

    /// Calls one operation, unless a violation was found already.
    pub(super) fn call(&mut self, op: &LogOp) -> Option<LogOutcome> {
        if self.is_over() {
            return None;
        }
        let op = self.session.resolve(op);
        let bytes = self.payloads.of(&op);
        let effects = self.session.machine.sim().effect_count();
        let outcome = noted(self.log, self.step, self.session, &op, &bytes);
        let written = written_by_a_look(&op, effects, self.session, None);
        self.violations.extend(written);
        self.judge(&op, &bytes, outcome)
    }

    /// Judges what came of an operation.
    pub(super) fn judge(
        &mut self,
        op: &LogOp,
        bytes: &[u8],
        outcome: LogOutcome,
    ) -> Option<LogOutcome> {
        let number = self.steps;
        self.steps += 1;
        if let Err(failure) = self.session.look() {
            let found = super::record::wrong_look(&failure, number);
            self.violations.push(found);
            return None;
        }
        let states = self.session.states();
        self.known.tell(&outcome, states);
        let found = self.oracle.end(number, op, bytes, &outcome, states);
        self.violations.extend(found.into_iter().map(without_step));
        Some(outcome)
    }

    fn writer(&mut self, op: WriterOp) {
        self.call(&LogOp::Writer(op));
    }

    fn put(&mut self) {
        let options = &self.case.program.options;
        let size = SIZE.clamp(options.message_bytes_min.max(1), options.message_bytes_max);
        self.writer(WriterOp::Put { size });
    }

    fn flush(&mut self) {
        self.writer(WriterOp::Flush { fsync: true });
    }

    /// Removes all that may go.
    fn clean(&mut self) {
        let offset = self.oracle.model().map_or(0, |model| model.end().offset);
        self.writer(WriterOp::CleanOldData {
            target: CleanTarget::Offset(offset),
            dry_run: false,
            offset_max: 0,
        });
    }

    /// C10: while it is open nobody else opens it for writing. Originals take no lock.
    fn open_beside(&mut self) {
        if self.case.strengths.seglog_files && self.session.opens_beside() {
            self.violations.push(Violation {
                clause: Clause::C10,
                evidence: "a second opener got the log that is open for writing".to_owned(),
                step: None,
            });
        }
    }

    /// Takes the last message back.
    fn take_back(&mut self) {
        let Some(model) = self.oracle.model() else {
            return;
        };
        let boundaries = model.boundaries();
        if let [.., before, _] = boundaries.as_slice() {
            let offset = before.offset;
            self.writer(WriterOp::Rollback { offset, count: 1 });
        }
    }

    fn close_all(&mut self) {
        let open: Vec<String> = self.session.states().readers.keys().cloned().collect();
        for name in open {
            self.call(&LogOp::Reader(name, ReaderOp::Close));
        }
        self.writer(WriterOp::Close);
    }

    fn open_all(&mut self) {
        self.writer(WriterOp::Open);
        for name in self.readers.clone() {
            self.call(&LogOp::Reader(name, ReaderOp::Open));
        }
    }

    fn look_around(&mut self) {
        if self.is_over() {
            return;
        }
        let planted = &self.case.scenario.planted;
        let found = look_at_directory(self.session, &mut self.oracle, self.steps, planted);
        self.violations.extend(found.into_iter().map(without_step));
    }
}

/// Steps of a tail are none of the scenario's.
pub(super) fn without_step(violation: Violation) -> Violation {
    Violation {
        step: None,
        ..violation
    }
}

/// After the faults have stopped: the objects that lived through them go on without reopening.
/// What an earlier failed sync still owes its caller may be said once more; then everything works.
pub(super) fn live_phase<'a>(
    session: &mut LogSession<'a>,
    oracle: &mut LogOracle,
    case: &LogCase<'a>,
) -> Vec<Violation> {
    let steps = u32::try_from(case.program.steps.len()).unwrap_or(u32::MAX);
    let readers: Vec<String> = session.states().readers.keys().cloned().collect();
    if oracle.model().is_none() || session.states().writer.is_none() {
        return Vec::new();
    }
    let begun = LogOracle::new(case.program.options, case.strengths);
    let (mut log, mut step) = (None, 0);
    let mut life = Life {
        session,
        case,
        readers,
        oracle: std::mem::replace(oracle, begun),
        violations: Vec::new(),
        payloads: LogPayloads::behind(&case.program.steps),
        steps,
        log: &mut log,
        step: &mut step,
        known: KnownLives::default(),
    };
    life.flush();
    life.put();
    life.flush();
    life.read_and_confirm();
    life.close_all();
    life.open_all();
    life.look_around();
    let (went_on, violations) = (life.oracle, life.violations);
    *oracle = went_on;
    violations
}
