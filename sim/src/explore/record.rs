//! Runs a scenario once on the simulated disk, with its faults, and keeps everything that judging
//! its crashes needs.

use super::engines::EngineInfo;
use super::error::CheckError;
use super::session::{DIRECTORY, Session};
use super::tail::{TailMessages, live_phase};
use crate::oracle::sometimes::{self, Marks};
use crate::oracle::{FifoHistory, FifoOracle, Violation, judge_running};
use crate::scenario::{Action, Outcome, Scenario, Step};
use crate::simfs::{Call, Recording, SimFs};
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
    engine: &EngineInfo,
    scenario: &Scenario,
    watch: &mut dyn Watch,
) -> Result<Recorded, CheckError> {
    let sim = empty_disk()?;
    let fs: Arc<dyn Fs> = Arc::new(sim.clone());
    let options = scenario.options;
    let mut session = Session::new(engine.subject, &scenario.quirks, options, sim.clone(), fs);
    let mut run = Run {
        oracle: FifoOracle::new(scenario, engine.strengths),
        violations: Vec::new(),
        marks: Marks::default(),
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
    let messages = TailMessages::after(&history, &options);
    if let Some(observation) = live_phase(&mut session, &history, &messages)
        && let Some(windows) = history.windows().last()
    {
        violations.extend(judge_running(history.live(), windows, &observation));
    }
    Ok(Recorded {
        recording,
        history,
        violations,
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

struct Run {
    oracle: FifoOracle,
    violations: Vec<Violation>,
    marks: Marks,
}

impl Run {
    fn steps(&mut self, session: &mut Session<'_>, steps: &[Step], watch: &mut dyn Watch) {
        if watch.wants_calls() {
            session.log_calls();
        }
        let opened = session.open(false);
        if watch.wants_calls() {
            watch.opened(&opened, &session.new_calls());
        }
        self.violations.extend(self.oracle.opened(&opened));
        let mut next = 0;
        for (number, step) in (0_u32..).zip(steps) {
            let payloads = self.payloads(&step.action, &mut next);
            session.sim().mark(2 * number);
            watch.begin(number, &step.action);
            let outcome = session.apply(&step.action, &payloads);
            session.sim().mark(2 * number + 1);
            if watch.wants_calls() {
                watch.end(number, &outcome, &session.new_calls());
            }
            self.violations.extend(self.oracle.end(number, &outcome));
            self.marks.add(sometimes::of_step(&step.action, &outcome));
        }
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
}
