//! The small scenarios whose crash images become vectors. What is changed here, or in the calls
//! that the engine makes, gives new vectors; the old ones stay true and stay in the corpus.

use crate::scenario::{Action, FORMAT, FifoOptions, RunKind, Scenario, Step};

/// A scenario and its name in the ids.
pub(super) struct Recipe {
    pub(super) name: &'static str,
    segment_bytes_max: u64,
    steps: &'static [Op],
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
    Recipe {
        name: "put-sync-put-read",
        segment_bytes_max: 1024,
        steps: &[Op::Put(12), Op::Sync, Op::Put(9), Op::Read],
    },
    Recipe {
        name: "roll-and-remove",
        segment_bytes_max: 40,
        steps: &[Op::Put(20), Op::Put(20), Op::Read, Op::Read, Op::Sync],
    },
    Recipe {
        name: "batch-over-a-roll",
        segment_bytes_max: 56,
        steps: &[Op::Batch(&[20, 20, 20]), Op::Sync],
    },
    Recipe {
        name: "empty-and-go-on",
        segment_bytes_max: 1024,
        steps: &[Op::Put(10), Op::Sync, Op::Empty, Op::Put(6), Op::Sync],
    },
    Recipe {
        name: "delete",
        segment_bytes_max: 1024,
        steps: &[Op::Put(10), Op::Sync, Op::Delete],
    },
    Recipe {
        name: "close-and-reopen",
        segment_bytes_max: 1024,
        steps: &[
            Op::Put(8),
            Op::Close,
            Op::Open,
            Op::Read,
            Op::Put(7),
            Op::Close,
        ],
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
            run: RunKind::Crashes,
            with_dir_sync: false,
            seed: 1,
            steps: self.steps.iter().map(step).collect(),
            faults: Vec::new(),
            damage: Vec::new(),
            planted: Vec::new(),
            crashes: Vec::new(),
        }
    }
}
