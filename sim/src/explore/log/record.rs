//! Runs the program of a log once on the simulated disk, with its faults, and keeps everything
//! that judging its crashes needs.

use super::program::LogCase;
use super::session::{LOG, LogSession};
use crate::explore::error::CheckError;
use crate::explore::machine::with_seen;
use crate::explore::manners::Manners;
use crate::explore::record::{empty_disk, plant};
use crate::explore::session::DIRECTORY;
use crate::explore::watch::StepWatch;
use crate::fault::{FaultFs, FaultPlan, Fired};
use crate::oracle::{
    FaultNote, HeldPlaces, LogHistory, LogOracle, SettledLog, Violation, log_staying,
};
use crate::scenario::{
    Clause, Failure, FailureKind, LogOp, LogOutcome, LogPayloads, Planted, RunKind, WriterOp,
};
use crate::simfs::{Recording, SimFs};
use crate::subject::FsLayer;
use crashline::fs::Fs;
use std::path::Path;
use std::sync::Arc;

/// A finished run.
pub(crate) struct LogRecorded {
    /// What the disk saw, from the first step on.
    pub(crate) recording: Recording,
    /// What judges its crashes.
    pub(crate) history: LogHistory,
    /// What was wrong without any crash.
    pub(crate) violations: Vec<Violation>,
    /// The faults that fired.
    pub(crate) fired: Vec<Fired>,
    /// The disk at the end.
    pub(crate) sim: SimFs,
    /// For damage: what the log is at the end, where nothing went wrong and that is known.
    pub(crate) settled: Option<SettledLog>,
    /// For damage: where the readers stood.
    pub(crate) held: HeldPlaces,
}

/// The directory is looked at after so many steps: of a long run, the first ones.
const STEPS_LOOKED_AFTER: u32 = 100;

/// How often the objects are asked what they say, as long as faults prevent the answer.
const LOOKS_MAX: u32 = 30;

/// Runs the case once.
pub(crate) fn record(
    case: &LogCase<'_>,
    watch: &mut dyn StepWatch<LogOp, LogOutcome>,
) -> Result<LogRecorded, CheckError> {
    let sim = empty_disk()?;
    make_neighbours(&sim, case)?;
    plant(&sim, &case.scenario.planted)?;
    let lines = &case.scenario.faults;
    let plan = FaultPlan::parse(lines).map_err(CheckError::bad_scenario)?;
    let faults = (!lines.is_empty()).then(|| Arc::new(FaultFs::over_sim(sim.clone(), plan)));
    let fs: Arc<dyn Fs> = match &faults {
        Some(faults) => Arc::clone(faults) as Arc<dyn Fs>,
        None => Arc::new(sim.clone()),
    };
    let staying = log_staying(LOG, &case.scenario.planted, case.deletes());
    let manners = Manners::of_a_log(&staying);
    let watched = Arc::new(FsLayer::new(fs, manners));
    let fs: Arc<dyn Fs> = Arc::clone(&watched) as Arc<dyn Fs>;
    let mut session = LogSession::new(case.setup, sim.clone(), fs);
    let mut run = Run {
        oracle: LogOracle::new(case.program.options, case.strengths),
        violations: Vec::new(),
        fired: 0,
        faults: faults.as_deref(),
        manners: watched.hook(),
        planted: &case.scenario.planted,
        held: (case.scenario.run == RunKind::Damage).then(HeldPlaces::default),
    };
    run.steps(&mut session, &case.program.steps, watch);
    let recording = sim.recording();
    if let Some(faults) = &faults {
        faults.heal();
    }
    let Run {
        mut oracle,
        mut violations,
        held,
        ..
    } = run;
    let settled = held.as_ref().and_then(|_| oracle.settled());
    if held.is_none() {
        violations.extend(super::life::live_phase(&mut session, &mut oracle, case));
    }
    let fired = faults.map(|faults| faults.fired()).unwrap_or_default();
    Ok(LogRecorded {
        recording,
        history: oracle.finish(),
        violations,
        fired,
        sim,
        settled,
        held: held.unwrap_or_default(),
    })
}

/// The directories that the log is moved to; they outlive every crash.
fn make_neighbours(sim: &SimFs, case: &LogCase<'_>) -> Result<(), CheckError> {
    for op in &case.program.steps {
        let LogOp::Writer(WriterOp::RemoveTo { directory }) = op else {
            continue;
        };
        let path = Path::new(DIRECTORY).with_file_name(directory);
        if sim.stat(&path).is_ok() {
            continue;
        }
        let made = sim
            .create_dir(&path)
            .and_then(|()| sim.sync_dir(Path::new("/")));
        made.map_err(|error| CheckError::defect(format!("the simulated disk failed: {error}")))?;
        sim.settle();
    }
    Ok(())
}

struct Run<'f> {
    oracle: LogOracle,
    violations: Vec<Violation>,
    fired: usize,
    faults: Option<&'f FaultFs>,
    manners: &'f Manners,
    planted: &'f [Planted],
    /// Kept in damage runs only.
    held: Option<HeldPlaces>,
}

impl Run<'_> {
    fn steps(
        &mut self,
        session: &mut LogSession<'_>,
        steps: &[LogOp],
        watch: &mut dyn StepWatch<LogOp, LogOutcome>,
    ) {
        if watch.wants_calls() {
            session.machine.log_calls();
        }
        let mut payloads = LogPayloads::default();
        for (number, step) in (0_u32..).zip(steps) {
            let bytes = payloads.of(step);
            let op = session.resolve(step);
            session.machine.sim().mark(2 * number);
            watch.begin(number, &op);
            let effects = session.machine.sim().effect_count();
            let outcome = session.apply(&op, &bytes);
            let written = written_by_a_look(&op, effects, session, Some(number));
            self.violations.extend(written);
            self.note_faults(number);
            session.machine.sim().mark(2 * number + 1);
            if watch.wants_calls() {
                watch.end(number, &outcome, &session.machine.new_calls());
            }
            if !self.look(session, number) {
                self.oracle.lose_sight(number);
            }
            let found = self
                .oracle
                .end(number, &op, &bytes, &outcome, session.states());
            self.violations.extend(found);
            if let (Some(held), Some(model)) = (&mut self.held, self.oracle.model()) {
                held.note(model);
            }
            self.look_around(session, number);
        }
    }

    /// Asks the objects where they stand; as long as faults prevent it, again. Whether they told:
    /// a bad sector may never let them.
    fn look(&mut self, session: &mut LogSession<'_>, step: u32) -> bool {
        for _ in 0..LOOKS_MAX {
            let faults_before = self.fired;
            let failure = session.look().err();
            self.note_faults(step);
            match failure {
                None => return true,
                Some(_) if self.fired > faults_before => {}
                Some(failure) => {
                    self.violations.push(wrong_look(&failure, step));
                    return true;
                }
            }
        }
        false
    }

    /// Looks at the directory after a step, and at what was done to it.
    fn look_around(&mut self, session: &LogSession<'_>, step: u32) {
        let noted = self.manners.take().into_iter();
        let violation = |(clause, what): (_, crate::oracle::What)| Violation {
            clause,
            evidence: what.to_string(),
            step: Some(step),
        };
        self.violations.extend(noted.map(violation));
        if step < STEPS_LOOKED_AFTER {
            let found = look_at_directory(session, &mut self.oracle, step, self.planted);
            self.violations.extend(found);
        }
    }

    fn note_faults(&mut self, step: u32) {
        let Some(faults) = self.faults else { return };
        if faults.fired_count() == self.fired {
            return;
        }
        let fired = faults.fired();
        for fault in fired.iter().skip(self.fired) {
            let name = fault.path.file_name().unwrap_or_default().to_string_lossy();
            if let Some(note) = FaultNote::of(fault.kind, &name) {
                self.oracle.fault_fired(step, note);
            }
        }
        self.fired = fired.len();
    }
}

/// Asking for the depth failed although nothing did.
pub(crate) fn wrong_look(failure: &Failure, step: u32) -> Violation {
    let clause = match failure.kind {
        FailureKind::Panic | FailureKind::CutOff => Clause::C3,
        FailureKind::Damage => Clause::C7,
        FailureKind::Io(_)
        | FailureKind::Refused
        | FailureKind::Locked
        | FailureKind::Closed
        | FailureKind::Foreign
        | FailureKind::Unsupported => Clause::L12,
    };
    Violation {
        clause,
        evidence: format!("the depth cannot be told: {}", failure.message),
        step: Some(step),
    }
}

/// L14: opening for reading only changed something on the disk, which had seen so many effects
/// before.
pub(super) fn written_by_a_look(
    op: &LogOp,
    effects: u32,
    session: &LogSession<'_>,
    step: Option<u32>,
) -> Option<Violation> {
    let is_look = *op == LogOp::Writer(WriterOp::OpenReadOnly);
    let written = session.machine.sim().effect_count() - effects;
    (is_look && written > 0).then(|| Violation {
        clause: Clause::L14,
        evidence: format!("opening for reading only changed the disk {written} times"),
        step,
    })
}

/// What is wrong with the files of the log's directory.
pub(crate) fn look_at_directory(
    session: &LogSession<'_>,
    oracle: &mut LogOracle,
    step: u32,
    planted: &[Planted],
) -> Vec<Violation> {
    let files = session.machine.files(planted, false);
    with_seen(&files, |files| oracle.directory(step, LOG, files, planted))
}
