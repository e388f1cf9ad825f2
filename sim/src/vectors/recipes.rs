//! The small scenarios whose crash images become vectors. What is changed here, or in the calls
//! that the engine makes, gives new vectors; the old ones stay true and stay in the corpus.

use crate::oracle::Windows;
use crate::scenario::{Action, FORMAT, FifoOptions, RunKind, Scenario, Step};

/// A scenario and its name in the ids.
pub(super) struct Recipe {
    pub(super) name: &'static str,
    segment_bytes_max: u64,
    steps: &'static [Op],
    faults: &'static [&'static str],
    /// What its images test beside what all do.
    pub(super) clause: Option<Blamed>,
}

/// A clause about calls that failed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Blamed {
    /// C5: a sync failed.
    NoLie,
    /// C6: the disk was full.
    FullDisk,
}

impl Blamed {
    /// The clause's id.
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::NoLie => "C5",
            Self::FullDisk => "C6",
        }
    }

    /// Whether such a call had failed by then.
    pub(super) fn is_met(self, windows: &Windows) -> bool {
        match self {
            Self::NoLie => windows.sync_failed.is_some(),
            Self::FullDisk => windows.disk_full.is_some(),
        }
    }
}

impl Recipe {
    const fn of(name: &'static str, segment_bytes_max: u64, steps: &'static [Op]) -> Self {
        Self {
            name,
            segment_bytes_max,
            steps,
            faults: &[],
            clause: None,
        }
    }
}

#[derive(Clone, Copy)]
enum Op {
    Put(u32),
    Batch(&'static [u32]),
    Read,
    Sync,
    Empty,
    Delete,
    Close,
    Open,
}

/// All of them.
pub(super) const RECIPES: &[Recipe] = &[
    Recipe::of(
        "put-sync-put-read",
        1024,
        &[Op::Put(12), Op::Sync, Op::Put(9), Op::Read],
    ),
    Recipe::of(
        "roll-and-remove",
        40,
        &[Op::Put(20), Op::Put(20), Op::Read, Op::Read, Op::Sync],
    ),
    Recipe::of(
        "batch-over-a-roll",
        56,
        &[Op::Batch(&[20, 20, 20]), Op::Sync],
    ),
    Recipe::of(
        "empty-and-go-on",
        1024,
        &[Op::Put(10), Op::Sync, Op::Empty, Op::Put(6), Op::Sync],
    ),
    Recipe::of("delete", 1024, &[Op::Put(10), Op::Sync, Op::Delete]),
    Recipe::of(
        "close-and-reopen",
        1024,
        &[
            Op::Put(8),
            Op::Close,
            Op::Open,
            Op::Read,
            Op::Put(7),
            Op::Close,
        ],
    ),
    Recipe {
        name: "failed-sync",
        segment_bytes_max: 1024,
        steps: &[Op::Put(12), Op::Sync, Op::Put(9), Op::Sync],
        faults: &["1 sync on *.000000.dat: EIO, clean"],
        clause: Some(Blamed::NoLie),
    },
    Recipe {
        name: "full-disk",
        segment_bytes_max: 1024,
        steps: &[Op::Put(12), Op::Sync, Op::Put(9), Op::Read, Op::Sync],
        faults: &["2- write_at on *.000000.dat: ENOSPC after 5 bytes"],
        clause: Some(Blamed::FullDisk),
    },
];

impl Recipe {
    /// The scenario on the weakest honest profile: no other leaves more.
    pub(super) fn scenario(&self) -> Scenario {
        let step = |op: &Op| {
            Step::queue(match *op {
                Op::Put(size) => Action::Put { size },
                Op::Batch(sizes) => Action::PutBatch {
                    sizes: sizes.to_vec(),
                },
                Op::Read => Action::Read,
                Op::Sync => Action::Sync,
                Op::Empty => Action::Empty,
                Op::Delete => Action::Delete,
                Op::Close => Action::Close,
                Op::Open => Action::Open { options: None },
            })
        };
        Scenario {
            format: FORMAT,
            engine: "diskqueue".to_owned(),
            options: FifoOptions {
                segment_bytes_max: self.segment_bytes_max,
                ..FifoOptions::default()
            },
            quirks: Vec::new(),
            profile: "posix-min".to_owned(),
            run: match self.faults {
                [] => RunKind::Crashes,
                _ => RunKind::Errors,
            },
            with_dir_sync: false,
            seed: 1,
            steps: self.steps.iter().map(step).collect(),
            log: None,
            offsets: None,
            cluster: None,
            faults: self.faults.iter().map(|line| (*line).to_owned()).collect(),
            damage: Vec::new(),
            planted: Vec::new(),
            crashes: Vec::new(),
        }
    }
}
