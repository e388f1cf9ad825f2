//! What is done with a crash image of a log: it is recovered, looked at, goes on, and must end
//! with nothing lost that it promised after recovery.

use super::program::LogCase;
use super::record::look_at_directory;
use super::recovery::{open_all, read_all};
use super::script::LogScript;
use super::session::LogSession;
use super::words;
use crate::explore::timeline::Entry;
use crate::oracle::{LogHistory, LogObservation, LogOracle, LogRecovery, Violation, judge_log};
use crate::scenario::{
    CrashKind, LogOp, LogOutcome, LogPayloads, LogPosition, LogReply, ReaderOp, WriterOp,
};
use crate::simfs::SimFs;

/// Size of the messages that a tail puts, as far as the limits allow it.
const SIZE: u32 = 8;

/// A reader reads at most so many messages more than there are: one that does not end is wrong.
const READS_MORE: usize = 100;

/// One tail on one image.
pub(super) struct LogTail<'s, 'a> {
    session: &'s mut LogSession<'a>,
    case: &'s LogCase<'a>,
    history: &'s LogHistory,
    recovery: LogRecovery<'s>,
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

    /// Recovers: everything after it may be left out.
    pub(super) fn recover(&mut self) {
        let (log, step) = (&mut self.log, &mut self.step);
        open_all(
            self.session,
            &mut self.recovery,
            self.history.readers(),
            &mut |session, op, bytes| noted(log, step, session, op, bytes),
        );
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
        let Some(model) = self.recovery.model() else {
            return;
        };
        let mut life = Life {
            session: &mut *self.session,
            case: self.case,
            readers: self.history.readers().to_vec(),
            oracle: LogOracle::resumed(model, self.case.strengths),
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
fn noted(
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

/// A log that lives on after its recovery, judged by an oracle that begins there.
struct Life<'l, 'a> {
    session: &'l mut LogSession<'a>,
    case: &'l LogCase<'a>,
    readers: Vec<String>,
    oracle: LogOracle,
    violations: Vec<Violation>,
    payloads: LogPayloads,
    /// Steps since the oracle began.
    steps: u32,
    log: &'l mut Option<Vec<Entry>>,
    step: &'l mut u32,
}

impl Life<'_, '_> {
    fn play(&mut self, script: LogScript, crash: &dyn Fn(&SimFs) -> SimFs) {
        match script {
            LogScript::ReadFirst => {}
            LogScript::OpenTwice => self.crash_again(CrashKind::Kill, crash),
            LogScript::PutFirst(kind) => {
                self.put();
                self.flush();
                self.crash_again(kind, crash);
            }
            LogScript::CutFirst(kind) => {
                self.put();
                self.take_back();
                self.put();
                self.flush();
                self.crash_again(kind, crash);
            }
            LogScript::LookFirst => {
                self.close_all();
                self.writer(WriterOp::OpenReadOnly);
                self.writer(WriterOp::Close);
                self.open_all();
            }
        }
        self.read_and_confirm();
        self.put();
        self.flush();
        self.read_and_confirm();
        self.close_all();
        self.open_all();
        self.look_around();
    }

    fn is_over(&self) -> bool {
        !self.violations.is_empty()
    }

    /// Calls one operation, unless a violation was found already.
    fn call(&mut self, op: &LogOp) -> Option<LogOutcome> {
        if self.is_over() {
            return None;
        }
        let op = self.session.resolve(op);
        let bytes = self.payloads.of(&op);
        let outcome = noted(self.log, self.step, self.session, &op, &bytes);
        let number = self.steps;
        self.steps += 1;
        if let Err(failure) = self.session.look() {
            let found = super::record::wrong_look(&failure, number);
            self.violations.push(found);
            return None;
        }
        let states = self.session.states();
        let found = self.oracle.end(number, &op, &bytes, &outcome, states);
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

    /// Every open reader is told the end, reads up to it, and confirms that.
    fn read_and_confirm(&mut self) {
        for name in self.readers.clone() {
            if self.is_over() || !self.session.states().readers.contains_key(&name) {
                continue;
            }
            self.read_on(&name);
        }
    }

    fn read_on(&mut self, name: &str) {
        let reader = |op: ReaderOp| LogOp::Reader(name.to_owned(), op);
        let (end, force) = (LogPosition::SHOWN, false);
        self.call(&reader(ReaderOp::UpdateQueueEnd { end, force }));
        let messages = self.oracle.model().map_or(0, |one| one.boundaries().len());
        for _ in 0..messages + READS_MORE {
            let outcome = self.call(&reader(ReaderOp::TryReadOne));
            let is_message =
                |outcome: &LogOutcome| matches!(outcome.result, Ok(LogReply::Message(_)));
            if !outcome.as_ref().is_some_and(is_message) {
                break;
            }
        }
        let (offset, count) = (-1, 0);
        self.call(&reader(ReaderOp::ConfirmRead { offset, count }));
        self.call(&reader(ReaderOp::Flush { fsync: true }));
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
        let found = look_at_directory(self.session, &mut self.oracle, self.steps);
        self.violations.extend(found.into_iter().map(without_step));
    }

    /// Another crash; what comes back must be what the first recovery and all since promise.
    fn crash_again(&mut self, kind: CrashKind, crash: &dyn Fn(&SimFs) -> SimFs) {
        if self.is_over() {
            return;
        }
        // What a disk keeps whose syncs keep nothing was asked once; it promises no more now.
        let kind = match self.case.strengths.syncs_keep {
            true => kind,
            false => CrashKind::Kill,
        };
        self.session.kill();
        if kind == CrashKind::PowerCut {
            let left = crash(self.session.machine.sim());
            self.session.move_to(left);
        }
        if let Some(log) = &mut self.log {
            log.push(Entry::Note(words::of_second_crash(kind).to_owned()));
            self.session.machine.log_calls();
        }
        let strengths = self.case.strengths;
        let before = LogOracle::new(self.case.program.options, strengths);
        let history = std::mem::replace(&mut self.oracle, before).finish();
        let mut recovery = LogRecovery::new(&history, self.case.program.options, Some(kind));
        let (log, step) = (&mut *self.log, &mut *self.step);
        let mut call = |session: &mut LogSession<'_>, op: &LogOp, bytes: &[u8]| {
            noted(log, step, session, op, bytes)
        };
        open_all(self.session, &mut recovery, &self.readers, &mut call);
        read_all(self.session, &mut recovery, &mut call);
        let model = recovery.model();
        let observation = recovery.finish();
        let windows = history.windows_at(2 * self.steps);
        let violation = windows.and_then(|windows| judge_log(windows, kind, &observation));
        self.violations.extend(violation.map(without_step));
        if let Some(model) = model {
            self.oracle = LogOracle::resumed(model, strengths);
            self.steps = 0;
        }
    }
}

/// Steps of a tail are none of the scenario's.
fn without_step(violation: Violation) -> Violation {
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
