//! A machine: the disk that outlives its process, and how it dies.

use super::entry::Entry;
use super::node::Command;
use super::store::DIRECTORY;
use crate::crash::{Profile, materialize, worst};
use crate::fault::{FaultFs, FaultPlan, Fired};
use crate::generate::Prng;
use crate::scenario::{CrashChoice, CrashKind, Fill};
use crate::simfs::{Recording, SimFs};
use crashline::fs::Fs;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

/// A state is looked for so often before the worst one is taken.
const TRIES: u32 = 4;

/// How a machine is about to die.
#[derive(Debug, Clone, Copy)]
pub(super) struct Death {
    pub(super) kind: CrashKind,
    pub(super) choice: u32,
}

/// A host's machine.
#[derive(Debug)]
pub(super) struct Machine {
    disk: SimFs,
    faults: FaultFs,
    /// Its replica ran into its end: nothing more happens until it is buried.
    pub(super) is_dying: bool,
    /// How it dies once its calls are used up.
    pub(super) death: Option<Death>,
    /// A process runs on it.
    pub(super) is_up: bool,
    /// What its replica is told next.
    pub(super) mailbox: VecDeque<Command>,
    /// The last place of its replica's log, while that is open.
    pub(super) last: Option<Entry>,
    fired: Vec<Fired>,
    /// Calls failed by plan since its process or disk began: it may still tell of it.
    had_faults: bool,
}

impl Machine {
    pub(super) fn new() -> Self {
        let disk = SimFs::new();
        disk.create_dir(Path::new(DIRECTORY))
            .expect("a new disk takes a directory");
        disk.settle();
        Self {
            faults: FaultFs::over_sim(disk.clone(), FaultPlan::default()),
            disk,
            is_dying: false,
            death: None,
            is_up: true,
            mailbox: VecDeque::new(),
            last: None,
            fired: Vec::new(),
            had_faults: false,
        }
    }

    /// The disk as the process on it sees it.
    pub(super) fn fs(&self) -> Arc<dyn Fs> {
        Arc::new(self.faults.clone())
    }

    /// Whether its calls were used up: it is dead since the first one that failed.
    pub(super) fn is_cut_off(&self) -> bool {
        self.disk.cut_off()
    }

    /// Whether calls fail by plan, or did since its process began.
    pub(super) fn has_faults(&self) -> bool {
        self.had_faults || self.faults.fired_count() > 0
    }

    /// Makes calls fail by a plan from now on.
    pub(super) fn fail(&mut self, plan: FaultPlan) {
        self.had_faults = true;
        self.fired.extend(self.faults.fired());
        self.faults.start(plan);
    }

    /// Ends all faults of the disk.
    pub(super) fn heal(&mut self) {
        self.faults.heal();
    }

    /// It dies of nothing any more.
    pub(super) fn spare(&mut self) {
        self.death = None;
        self.disk.set_call_limit(None);
    }

    /// It dies after so many calls more.
    pub(super) fn die_after(&mut self, calls: u32, death: Death) {
        self.death = Some(death);
        self.disk.set_call_limit(Some(u64::from(calls)));
    }

    /// Its process is gone, or its power. How many effects were lost; `None`: all that could be.
    pub(super) fn die(&mut self, death: Death, profile: &Profile, seed: u64) -> Option<usize> {
        self.is_up = false;
        self.had_faults = false;
        self.is_dying = false;
        self.death = None;
        self.last = None;
        self.mailbox.clear();
        self.disk.set_call_limit(None);
        if death.kind == CrashKind::Kill {
            self.disk.kill();
            return Some(0);
        }
        let recording = self.disk.recording();
        let (disk, lost) = cut_power(&recording, profile, death.choice, seed);
        self.fired.extend(self.faults.fired());
        self.faults = FaultFs::over_sim(disk.clone(), FaultPlan::default());
        self.disk = disk;
        lost
    }

    /// All faults of the disk that took place.
    pub(super) fn fired(&self) -> Vec<Fired> {
        [self.fired.clone(), self.faults.fired()].concat()
    }
}

/// One of the states that the profile allows: the worst; one that kept a beginning of what was
/// done; one that lost a single effect; or one that lost nothing.
fn cut_power(
    recording: &Recording,
    profile: &Profile,
    choice: u32,
    seed: u64,
) -> (SimFs, Option<usize>) {
    let effects = u32::try_from(recording.effects().count()).unwrap_or(u32::MAX);
    let mut prng = Prng::named(seed, &format!("power cut {choice}"));
    for _ in 0..TRIES {
        let lost: Vec<u32> = match choice % 4 {
            0 => break,
            1 => (effects - prng.below(effects.min(12) + 1)..effects).collect(),
            2 if effects > 0 => vec![effects - 1 - prng.below(effects.min(12))],
            _ => Vec::new(),
        };
        let count = lost.len();
        let fill = profile.fills.contains(&Fill::Garbage) && prng.below(2) == 0;
        let choice = CrashChoice {
            point: effects,
            marks: 0,
            kind: CrashKind::PowerCut,
            lost,
            fill: fill.then_some(Fill::Garbage),
        };
        if let Ok(disk) = materialize(recording, profile, &choice) {
            return (disk, Some(count));
        }
    }
    (worst(recording, profile), None)
}
