//! Runs a scenario once on the simulated disk, with its faults, and keeps everything that judging
//! its crashes needs.

use super::engines::QueueSystem;
use super::error::CheckError;
use super::machine::with_seen;
use super::manners::Manners;
use super::one::strengths_of;
use super::script::TailMessages;
use super::session::{DIRECTORY, Session};
use super::tail::live_phase;
use crate::fault::{FaultFs, FaultPlan, Fired};
use crate::oracle::sometimes::{self, Marks};
use crate::oracle::{
    FaultNote, FifoHistory, FifoOracle, Violation, judge_running, staying, wrong_second_opener,
};
use crate::scenario::{Action, Outcome, Planted, PlantedKind, RunKind, Scenario, Step};
use crate::simfs::{Call, Recording, SimFs, TreeEntry};
use crate::subject::FsLayer;
use crashline::fs::Fs;
use std::path::Path;
use std::sync::Arc;

/// A finished run.
pub(crate) struct Recorded {
    /// What the disk saw, from the first open on.
    pub(crate) recording: Recording,
    /// What judges its crashes.
    pub(crate) history: FifoHistory,
    /// What was wrong without any crash.
    pub(crate) violations: Vec<Violation>,
    /// What came at the end can be read in too many ways to tell.
    pub(crate) is_undecided: bool,
    /// The faults that fired.
    pub(crate) fired: Vec<Fired>,
    /// The rare states that answers showed.
    pub(crate) marks: Marks,
    /// The disk at the end.
    pub(crate) sim: SimFs,
}

/// What a run is watched by: the timeline of a replay, or nothing.
pub(crate) trait Watch {
    /// The object was opened, before the first step.
    fn opened(&mut self, outcome: &Outcome, calls: &[Call]);
    /// A step begins.
    fn begin(&mut self, step: u32, action: &Action);
    /// A step ended, with these file calls, which are none unless `wants_calls`.
    fn end(&mut self, step: u32, outcome: &Outcome, calls: &[Call]);
    /// Whether file calls are to be kept.
    fn wants_calls(&self) -> bool;
}

/// Watches nothing.
pub(crate) struct NoWatch;

impl Watch for NoWatch {
    fn opened(&mut self, _outcome: &Outcome, _calls: &[Call]) {}
    fn begin(&mut self, _step: u32, _action: &Action) {}
    fn end(&mut self, _step: u32, _outcome: &Outcome, _calls: &[Call]) {}
    fn wants_calls(&self) -> bool {
        false
    }
}

/// Runs `scenario` once.
pub(crate) fn record(
    queue: &QueueSystem,
    scenario: &Scenario,
    watch: &mut dyn Watch,
) -> Result<Recorded, CheckError> {
    let sim = empty_disk()?;
    plant(&sim, &scenario.planted)?;
    let plan = FaultPlan::parse(&scenario.faults).map_err(CheckError::bad_scenario)?;
    let faults =
        (!scenario.faults.is_empty()).then(|| Arc::new(FaultFs::over_sim(sim.clone(), plan)));
    let fs: Arc<dyn Fs> = match &faults {
        Some(faults) => Arc::clone(faults) as Arc<dyn Fs>,
        None => Arc::new(sim.clone()),
    };
    let manners = Manners::of_a_queue(&staying(QUEUE, &scenario.planted));
    let watched = Arc::new(FsLayer::new(fs, manners));
    let fs: Arc<dyn Fs> = Arc::clone(&watched) as Arc<dyn Fs>;
    let options = scenario.options;
    let mut session = Session::new(
        queue.subject_of(scenario),
        &scenario.quirks,
        options,
        sim.clone(),
        fs,
    );
    let mut run = Run {
        oracle: FifoOracle::new(scenario, strengths_of(queue, scenario)?),
        violations: Vec::new(),
        fired: 0,
        marks: sometimes::of_planted(&scenario.planted, QUEUE),
        faults: faults.as_deref(),
        manners: watched.hook(),
    };
    run.steps(&mut session, &scenario.steps, watch);
    let recording = sim.recording();
    let Run {
        oracle,
        mut violations,
        marks,
        ..
    } = run;
    let history = oracle.finish();
    if let Some(faults) = &faults {
        faults.heal();
    }
    let mut is_undecided = false;
    if scenario.run != RunKind::Damage {
        let messages = TailMessages::after(&history, &session.options);
        if let Some(observation) = live_phase(&mut session, &history, &messages)
            && let Some(windows) = history.windows().last()
        {
            is_undecided = observation.has_more_readings;
            violations.extend(judge_running(history.live(), windows, &observation));
        }
    }
    let fired = faults.map(|faults| faults.fired()).unwrap_or_default();
    Ok(Recorded {
        recording,
        history,
        violations,
        is_undecided,
        fired,
        marks,
        sim,
    })
}

/// A disk with an empty data directory that outlives every crash.
pub(crate) fn empty_disk() -> Result<SimFs, CheckError> {
    let sim = SimFs::new();
    let made = sim
        .create_dir(Path::new(DIRECTORY))
        .and_then(|()| sim.sync_dir(Path::new("/")));
    made.map_err(|error| CheckError::defect(format!("the simulated disk failed: {error}")))?;
    sim.settle();
    Ok(sim)
}

/// Lets lie in the data directory what is to be there before the queue.
pub(crate) fn plant(sim: &SimFs, planted: &[Planted]) -> Result<(), CheckError> {
    for one in planted {
        let entry = match one.kind {
            PlantedKind::File => TreeEntry::File(one.text.clone().into_bytes()),
            PlantedKind::Directory => TreeEntry::Directory,
            PlantedKind::Special => TreeEntry::Special,
        };
        let path = Path::new(DIRECTORY).join(&one.name);
        sim.place(&path, &entry).map_err(CheckError::bad_scenario)?;
    }
    Ok(())
}

/// What the names of the queue's files start with.
pub(crate) const QUEUE: &str = "queue";

/// The directory is looked at after so many steps: of a long run, the first ones.
const STEPS_LOOKED_AFTER: u32 = 100;

/// How often a first open that met a fault is tried again.
const FIRST_OPENS_MAX: u32 = 30;

struct Run<'f> {
    oracle: FifoOracle,
    violations: Vec<Violation>,
    fired: usize,
    marks: Marks,
    faults: Option<&'f FaultFs>,
    manners: &'f Manners,
}

impl Run<'_> {
    fn steps(&mut self, session: &mut Session<'_>, steps: &[Step], watch: &mut dyn Watch) {
        if watch.wants_calls() {
            session.log_calls();
        }
        let opened = self.first_open(session);
        if opened.result.is_ok()
            && let Some(finding) = wrong_second_opener(&session.open_second())
        {
            self.violations.push(finding.violation(None));
        }
        if watch.wants_calls() {
            watch.opened(&opened, &session.new_calls());
        }
        self.violations.extend(self.oracle.opened(&opened));
        self.note_manners(None);
        let mut next = 0;
        for (number, step) in (0_u32..).zip(steps) {
            let payloads = self.payloads(&step.action, &mut next);
            session.sim().mark(2 * number);
            watch.begin(number, &step.action);
            let outcome = session.apply(&step.action, &payloads);
            self.note_faults(number);
            session.sim().mark(2 * number + 1);
            if watch.wants_calls() {
                watch.end(number, &outcome, &session.new_calls());
            }
            self.violations.extend(self.oracle.end(number, &outcome));
            self.look_around(session, number);
            self.marks.add(sometimes::of_step(&step.action, &outcome));
        }
    }

    /// Looks at the directory after a step, and at what was done to it.
    fn look_around(&mut self, session: &Session<'_>, step: u32) {
        self.note_manners(Some(step));
        if step >= STEPS_LOOKED_AFTER {
            return;
        }
        let files = session.files(self.oracle.planted(), true);
        let found = with_seen(&files, |files| self.oracle.directory(step, QUEUE, files));
        self.violations.extend(found);
    }

    fn note_manners(&mut self, step: Option<u32>) {
        let noted = self.manners.take();
        let violations = noted.into_iter().map(|(clause, what)| Violation {
            clause,
            evidence: what.to_string(),
            step,
        });
        self.violations.extend(violations);
    }

    /// Opens the object for the first time; as long as faults prevent it, again.
    fn first_open(&mut self, session: &mut Session<'_>) -> Outcome {
        let mut outcome = session.open(false);
        for _ in 0..FIRST_OPENS_MAX {
            let faults_before = self.fired;
            self.note_faults(0);
            if outcome.result.is_ok() || self.fired == faults_before {
                break;
            }
            outcome = session.open(false);
        }
        outcome
    }

    /// The messages of a step; their numbers depend on the scenario's steps alone.
    fn payloads(&self, action: &Action, next: &mut u32) -> Vec<Vec<u8>> {
        let count = match action {
            Action::Put { .. } => 1,
            Action::PutBatch { sizes } => u32::try_from(sizes.len()).unwrap_or(u32::MAX),
            Action::Open { .. }
            | Action::OpenReadOnly
            | Action::Read
            | Action::Peek
            | Action::Depth
            | Action::Empty
            | Action::Sync
            | Action::Tick { .. }
            | Action::Settle
            | Action::Close
            | Action::Delete
            | Action::Kill => 0,
        };
        let first = *next;
        *next += count;
        let messages = self.oracle.messages();
        (first..*next)
            .map(|number| messages.bytes(number).unwrap_or_default().to_vec())
            .collect()
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
