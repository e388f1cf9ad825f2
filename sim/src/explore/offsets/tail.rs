//! What is done with a crash image of an offset store: it is opened and looked at, goes on, and
//! must end with nothing lost that it promised after recovery.

use super::program::OffsetCase;
use super::record::OffsetRecorded;
use super::script::OffsetScript;
use super::session::OffsetSession;
use super::words;
use crate::explore::machine::further_crash;
use crate::explore::timeline::Entry;
use crate::explore::words::{of_calls, of_further_crash};
use crate::oracle::{OffsetHistory, OffsetObservation, OffsetOracle, Violation, judge_offsets};
use crate::scenario::{
    Clause, CrashKind, FailureKind, OffsetOp, OffsetOutcome, OffsetQueue, OffsetTable, ReadFrom,
};
use crate::simfs::SimFs;

/// Writes down calls where that is wanted.
pub(super) struct Log {
    pub(super) entries: Option<Vec<Entry>>,
    pub(super) step: u32,
}

impl Log {
    /// Writes nothing down.
    pub(super) fn none() -> Self {
        Self {
            entries: None,
            step: 0,
        }
    }

    /// Calls an operation.
    pub(super) fn call(&mut self, session: &mut OffsetSession<'_>, op: &OffsetOp) -> OffsetOutcome {
        let Some(entries) = &mut self.entries else {
            return session.apply(op);
        };
        let step = self.step;
        entries.push(Entry::Begin {
            step,
            call: words::of_op(op),
        });
        let outcome = session.apply(op);
        entries.extend(of_calls(&session.machine.new_calls()));
        entries.push(Entry::End {
            step,
            answer: words::of_outcome(&outcome),
        });
        self.step += 1;
        outcome
    }

    fn note(&mut self, words: &str) {
        if let Some(entries) = &mut self.entries {
            entries.push(Entry::Note(words.to_owned()));
        }
    }
}

/// Recovers: opens what a crash has left.
pub(super) fn recover(
    session: &mut OffsetSession<'_>,
    history: &OffsetHistory,
    log: &mut Log,
) -> OffsetObservation {
    let outcome = log.call(session, &OffsetOp::Open);
    let table = session.table();
    let mut observation = OffsetObservation::of(history, table.as_ref().unwrap_or(&EMPTY));
    if let Some(violation) = wrong_open(&outcome) {
        observation.broken(violation);
    }
    observation
}

static EMPTY: OffsetTable = OffsetTable::new();

/// What is wrong with an open after a mere crash.
fn wrong_open(outcome: &OffsetOutcome) -> Option<Violation> {
    let (clause, evidence) = match &outcome.result {
        Err(failure) if matches!(failure.kind, FailureKind::Panic | FailureKind::CutOff) => {
            (Clause::C3, format!("the open {}", failure.message))
        }
        Err(failure) => (
            Clause::C1,
            format!("the open failed after a crash: {}", failure.message),
        ),
        Ok(_) => {
            let loss = outcome.losses.first()?;
            let words = format!(
                "the open reported {} bytes of `{}` as lost after a crash, which damages nothing",
                loss.size, loss.file
            );
            (Clause::C7, words)
        }
    };
    Some(Violation {
        clause,
        evidence,
        step: None,
    })
}

/// Goes on after recovery by the script. `crash` cuts the power of a disk, keeping nothing that
/// was not durable.
pub(super) fn go_on<'a>(
    session: &mut OffsetSession<'a>,
    case: &OffsetCase<'a>,
    history: &OffsetHistory,
    script: OffsetScript,
    crash: &dyn Fn(&SimFs) -> SimFs,
    log: &mut Log,
) -> Option<Violation> {
    let file = session.table()?;
    let mut life = Life::begin(session, case, history.queues().to_vec(), file, log);
    match script {
        OffsetScript::GoOn => {}
        OffsetScript::OpenTwice => life.crash_again(CrashKind::Kill, crash),
        OffsetScript::PersistFirst(kind) => {
            life.persist_one();
            life.crash_again(kind, crash);
        }
    }
    life.go_on();
    life.violations.into_iter().next()
}

/// A store that lives on after its recovery, judged by an oracle that begins there.
struct Life<'l, 'a> {
    session: &'l mut OffsetSession<'a>,
    case: &'l OffsetCase<'a>,
    queues: Vec<OffsetQueue>,
    oracle: OffsetOracle,
    violations: Vec<Violation>,
    steps: u32,
    log: &'l mut Log,
}

impl<'l, 'a> Life<'l, 'a> {
    fn begin(
        session: &'l mut OffsetSession<'a>,
        case: &'l OffsetCase<'a>,
        queues: Vec<OffsetQueue>,
        file: OffsetTable,
        log: &'l mut Log,
    ) -> Self {
        let oracle = opened(&queues, file, case);
        Self {
            session,
            case,
            queues,
            oracle,
            violations: Vec::new(),
            steps: 1,
            log,
        }
    }

    fn call(&mut self, op: &OffsetOp) {
        if !self.violations.is_empty() {
            return;
        }
        let outcome = self.log.call(self.session, op);
        let table = self.session.table();
        let found = self.oracle.end(self.steps, op, &outcome, table.as_ref());
        self.steps += 1;
        let found = found.into_iter().map(|violation| Violation {
            step: None,
            ..violation
        });
        self.violations.extend(found);
    }

    fn persist_one(&mut self) {
        let Some(queue) = self.queues.first().cloned() else {
            return;
        };
        self.call(&OffsetOp::Update {
            queue: queue.clone(),
            offset: 1_000_001,
            increase_only: false,
        });
        self.call(&OffsetOp::Persist {
            queues: vec![queue],
        });
    }

    /// Reads everything from the file, goes on, closes, and opens again.
    fn go_on(&mut self) {
        for queue in self.queues.clone() {
            let from = ReadFrom::Store;
            self.call(&OffsetOp::Read { queue, from });
        }
        self.persist_one();
        // An original's removal does nothing.
        if let Some(queue) = self.queues.last().filter(|_| self.case.strengths.tells) {
            let queue = queue.clone();
            self.call(&OffsetOp::Remove { queue });
        }
        self.call(&OffsetOp::PersistAll);
        self.call(&OffsetOp::Close);
        self.call(&OffsetOp::Open);
        self.look_around();
    }

    /// C8: an opened store has no temporary file.
    fn look_around(&mut self) {
        if !self.violations.is_empty() {
            return;
        }
        let files = self.session.machine.sim().tree();
        let is_temporary =
            |path: &std::path::PathBuf| path.to_string_lossy().ends_with(".json.tmp");
        if files.iter().any(|(path, _)| is_temporary(path)) {
            self.violations.push(Violation {
                clause: Clause::C8,
                evidence: "a temporary file is left after an open".to_owned(),
                step: None,
            });
        }
    }

    /// Another crash; what comes back must be what the first recovery and all since promise.
    fn crash_again(&mut self, kind: CrashKind, crash: &dyn Fn(&SimFs) -> SimFs) {
        if !self.violations.is_empty() {
            return;
        }
        let kind = further_crash(kind, self.case.strengths.syncs_keep);
        self.session.crash(kind, crash);
        self.log.note(of_further_crash(kind));
        if self.log.entries.is_some() {
            self.session.machine.log_calls();
        }
        let fresh = opened(&self.queues, OffsetTable::new(), self.case);
        let history = std::mem::replace(&mut self.oracle, fresh).finish();
        let observation = recover(self.session, &history, self.log);
        let violation = judge_offsets(&history, 2 * self.steps, kind, &observation);
        self.violations.extend(violation);
        if let Some(file) = self.session.table() {
            self.oracle = opened(&self.queues, file, self.case);
            self.steps = 1;
        }
    }
}

/// An oracle of a store that was just opened on this.
fn opened(queues: &[OffsetQueue], file: OffsetTable, case: &OffsetCase<'_>) -> OffsetOracle {
    let mut oracle = OffsetOracle::new(queues.to_vec(), file, case.strengths);
    let done = OffsetOutcome::ok(crate::scenario::OffsetReply::Done);
    oracle.end(0, &OffsetOp::Open, &done, None);
    oracle
}

/// After the faults have stopped: the store that lived through them goes on without reopening.
pub(super) fn live_phase<'a>(
    session: &mut OffsetSession<'a>,
    oracle: &mut OffsetOracle,
    case: &OffsetCase<'a>,
) -> Vec<Violation> {
    if !oracle.is_followed() || session.table().is_none() {
        return Vec::new();
    }
    let queues = case.program.queues();
    let fresh = opened(&queues, OffsetTable::new(), case);
    let mut log = Log::none();
    let mut life = Life {
        session,
        case,
        oracle: std::mem::replace(oracle, fresh),
        queues,
        violations: Vec::new(),
        steps: u32::try_from(case.program.steps.len()).unwrap_or(u32::MAX),
        log: &mut log,
    };
    life.go_on();
    let (went_on, violations) = (life.oracle, life.violations);
    *oracle = went_on;
    violations
}

/// The effects of a run: they bound how many files and pages an image can have.
pub(super) fn effects_of(recorded: &OffsetRecorded) -> u64 {
    recorded.recording.effects().count() as u64
}
