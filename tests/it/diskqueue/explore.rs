//! A small explorer: one scenario, every crash that the profile allows, recovery from each image,
//! and (nested) every crash in recovery. It finds; the gate reports.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use crashline::fs::Fs;
use crashline_sim::crash::{Image, Limits, Point, Profile, State, Visitor, walk};
use crashline_sim::oracle::{
    FifoHistory, FifoOracle, FileSeen, Observation, Strengths, TailObserver, judge,
};
use crashline_sim::scenario::{
    Action, Applied, CrashKind, FailureKind, Outcome, Scenario, payload,
};
use crashline_sim::simfs::{SimFs, TreeEntry};
use crashline_sim::subject::{DiskQueueSubject, Object, OpenRequest, Opened, Subject};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

const DIRECTORY: &str = "/data";

/// What exploring found, in words, and how much was looked at.
#[derive(Debug, Default)]
pub(super) struct Explored {
    pub(super) violations: Vec<String>,
    pub(super) images: u64,
    pub(super) judged: u64,
}

/// Explores one scenario; `depth` 2 crashes recovery as well.
pub(super) fn explore(scenario: &Scenario, profile: &Profile, depth: u32) -> Explored {
    let mut run = Run {
        scenario: scenario.clone(),
        sim: SimFs::new(),
        object: None,
    };
    run.sim.create_dir(Path::new(DIRECTORY)).unwrap();
    run.sim.settle();
    run.object = run.open(false).object;
    assert!(run.object.is_some(), "a new queue opens");
    let mut oracle = FifoOracle::new(scenario, Strengths::DISKQUEUE);
    let mut explored = Explored::default();
    let mut number = 0;
    for (index, step) in scenario.steps.iter().enumerate() {
        let index = u32::try_from(index).unwrap();
        let sizes = step.action.sizes().iter();
        let payloads: Vec<Vec<u8>> = sizes.map(|size| next_payload(&mut number, *size)).collect();
        run.sim.mark(2 * index);
        let outcome = run.apply(&step.action, &payloads);
        run.sim.mark(2 * index + 1);
        for violation in oracle.end(index, &outcome) {
            let words = format!("running: {violation:?} {outcome:?}");
            explored.violations.push(words);
        }
    }
    let history = oracle.finish();
    let mut explorer = Explorer {
        scenario: &run.scenario,
        history: &history,
        profile,
        depth,
        outcomes: Vec::new(),
        explored,
        ran_out: false,
    };
    let recording = run.sim.recording();
    let summary = walk(&recording, profile, &Limits::default(), 1, &mut explorer);
    explorer.explored.images += summary.images;
    explorer.explored.judged += summary.states_judged;
    explorer.explored
}

fn next_payload(number: &mut u32, size: u32) -> Vec<u8> {
    *number += 1;
    payload(*number - 1, size)
}

/// The object and its disk; the scenario's options are those of the last open.
struct Run {
    scenario: Scenario,
    sim: SimFs,
    object: Option<Box<dyn Object>>,
}

impl Run {
    fn open(&self, read_only: bool) -> Opened {
        let fs: Arc<dyn Fs> = Arc::new(self.sim.clone());
        DiskQueueSubject.open(&OpenRequest {
            fs: &fs,
            directory: Path::new(DIRECTORY),
            object: "queue",
            options: &self.scenario.options,
            read_only,
            quirks: &self.scenario.quirks,
        })
    }

    fn apply(&mut self, action: &Action, payloads: &[Vec<u8>]) -> Outcome {
        let opened = match action {
            Action::Kill => {
                self.object = None;
                self.sim.kill();
                return Outcome::ok(crashline_sim::scenario::Reply::Done);
            }
            Action::Open { options } => {
                self.scenario.options = options.unwrap_or(self.scenario.options);
                self.open(false)
            }
            Action::OpenReadOnly => self.open(true),
            action => {
                let Some(object) = &mut self.object else {
                    return Outcome::failed(FailureKind::Closed, Applied::No, "not open");
                };
                let outcome = object.apply(action, payloads);
                if outcome.result.is_ok() && matches!(action, Action::Close | Action::Delete) {
                    self.object = None;
                }
                return outcome;
            }
        };
        self.object = opened.object;
        opened.outcome
    }
}

struct Explorer<'a> {
    scenario: &'a Scenario,
    history: &'a FifoHistory,
    profile: &'a Profile,
    depth: u32,
    /// What came back from each image, also after crashes in its recovery.
    outcomes: Vec<Vec<(CrashKind, Observation)>>,
    explored: Explored,
    ran_out: bool,
}

impl Visitor for Explorer<'_> {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let mut seen = BTreeSet::new();
        let first = self.recover(image.mount(), image.kind(), image.hash());
        seen.insert((image.kind(), first));
        if self.depth > 1 {
            let disk = image.mount();
            drop(self.run_on(&disk).open(false));
            let mut nested = Nested {
                explorer: self,
                seen: &mut seen,
                first: image.kind(),
            };
            let profile = nested.explorer.profile;
            let limits = Limits {
                states_max: 256,
                samples: 16,
                ..Limits::default()
            };
            let summary = walk(&disk.recording(), profile, &limits, 2, &mut nested);
            self.explored.images += summary.images;
        }
        self.outcomes.push(seen.into_iter().collect());
        u32::try_from(self.outcomes.len() - 1).unwrap()
    }

    fn state(&mut self, point: &Point, state: &State<'_>, outcome: u32) {
        let windows = self.history.windows_at(point.marks).unwrap();
        for (kind, observation) in &self.outcomes[outcome as usize] {
            self.ran_out |= observation.undecided;
            if let Some(violation) = judge(windows, *kind, observation)
                && self.explored.violations.len() < 20
            {
                let choice = state.choice();
                let words = format!("{violation:?} at {choice:?}: {observation:?}");
                self.explored.violations.push(words);
            }
        }
    }
}

/// Crashes in recovery: judged wherever the first crash fell. A power cut after a kill may take
/// what a power cut in its place could have taken.
struct Nested<'e, 'a, 's> {
    explorer: &'e Explorer<'a>,
    seen: &'s mut BTreeSet<(CrashKind, Observation)>,
    first: CrashKind,
}

impl Visitor for Nested<'_, '_, '_> {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let kind = self.first.max(image.kind());
        let observation = self.explorer.recover(image.mount(), kind, image.hash());
        self.seen.insert((kind, observation));
        0
    }

    fn state(&mut self, _: &Point, _: &State<'_>, _: u32) {}
}

impl Explorer<'_> {
    fn run_on(&self, disk: &SimFs) -> Run {
        Run {
            scenario: self.scenario.clone(),
            sim: disk.clone(),
            object: None,
        }
    }

    /// Recovers, drains, goes on, closes, reopens; the order follows from the image.
    fn recover(&self, disk: SimFs, kind: CrashKind, hash: u128) -> Observation {
        let mut observer = TailObserver::new(self.history).after(Some(kind));
        let mut run = self.run_on(&disk);
        if hash & 1 == 0 {
            self.reopen(&mut run, &mut observer);
            run.object = None;
            observer.crashed(CrashKind::Kill);
        }
        self.reopen(&mut run, &mut observer);
        if hash & 2 == 0 {
            drain(&mut run, &mut observer);
            look(&run, &mut observer);
        }
        put(&mut run, &mut observer, 72);
        put(&mut run, &mut observer, 5);
        if hash & 4 == 0 {
            observer.synced(&run.apply(&Action::Sync, &[]));
        }
        if hash & 8 == 0 {
            run.object = None;
            observer.crashed(CrashKind::Kill);
            self.reopen(&mut run, &mut observer);
        }
        drain(&mut run, &mut observer);
        if hash & 16 == 0 {
            put(&mut run, &mut observer, 30);
        }
        observer.closed(&run.apply(&Action::Close, &[]));
        look(&run, &mut observer);
        self.reopen(&mut run, &mut observer);
        drain(&mut run, &mut observer);
        look(&run, &mut observer);
        observer.finish()
    }

    fn reopen(&self, run: &mut Run, observer: &mut TailObserver<'_>) {
        let opened = run.open(false);
        observer.opened(&opened.outcome);
        run.object = opened.object;
        observer.depth(&run.apply(&Action::Depth, &[]));
        observer.peeked(&run.apply(&Action::Peek, &[]));
    }
}

fn put(run: &mut Run, observer: &mut TailObserver<'_>, size: u32) {
    let options = &run.scenario.options;
    let size = size.clamp(options.message_bytes_min, options.message_bytes_max);
    let mut number = observer.next_number();
    let payloads = [next_payload(&mut number, size)];
    let outcome = run.apply(&Action::Put { size }, &payloads);
    observer.put(number - 1, size, &outcome);
}

fn drain(run: &mut Run, observer: &mut TailObserver<'_>) {
    let Some(object) = &mut run.object else {
        return;
    };
    let outcome = object.drain(&mut |message| observer.message(message));
    observer.drained(&outcome);
    observer.depth(&run.apply(&Action::Depth, &[]));
}

/// Shows the directory to the observer.
fn look(run: &Run, observer: &mut TailObserver<'_>) {
    let tree = run.sim.tree();
    let files: Vec<(String, &[u8])> = tree
        .iter()
        .filter_map(|(path, entry)| match entry {
            TreeEntry::File(bytes) => Some((path, bytes.as_slice())),
            TreeEntry::Directory | TreeEntry::Special => None,
        })
        .map(|(path, bytes)| {
            let name = path.file_name().unwrap_or_default();
            (name.to_string_lossy().into_owned(), bytes)
        })
        .collect();
    let seen: Vec<FileSeen<'_>> = files
        .iter()
        .map(|(name, bytes)| FileSeen {
            name,
            size: bytes.len() as u64,
            bytes: Some(bytes),
        })
        .collect();
    observer.directory("queue", &seen, &[]);
}
