//! [`OffsetGenerator`]: one operation at a time.

use crate::generate::Choices;
use crate::scenario::{OffsetDialect, OffsetOp, OffsetOptions, OffsetQueue, ReadFrom};

/// Topics whose text a dialect must get right; the first one is plain.
const TOPICS: [&str; 6] = [
    "orders",
    "orders2",
    "%RETRY%g",
    "\u{4e3b}\u{9898}\"\\",
    "<a&b>\n\u{2028}\u{7f}",
    "",
];
const CLIENTS: [&str; 3] = ["10.0.0.1@7", "::1%eth0@7", "\u{5ba2}#1"];

/// What a run of operations is made of.
#[derive(Debug, Clone)]
pub struct OffsetGenerator {
    queues: Vec<OffsetQueue>,
    options: OffsetOptions,
}

impl OffsetGenerator {
    /// Draws the queues and the options of a run.
    pub fn draw(choices: &mut Choices) -> Self {
        let count = choices.between(1, 5);
        let queues = (0..count).map(|_| OffsetQueue {
            topic: choices.pick(&TOPICS).to_owned(),
            broker: choices.pick(&["broker-a", "broker-b"]).to_owned(),
            queue_id: choices.pick(&[0, 1, 2, i32::MAX, -1]),
        });
        let queues = queues.collect();
        let options = OffsetOptions {
            client: choices.pick(&CLIENTS).to_owned(),
            dialect: choices.pick(&[OffsetDialect::Go, OffsetDialect::Java]),
            ..OffsetOptions::default()
        };
        Self { queues, options }
    }

    /// Two queues and the default options: what walks through all sequences take.
    #[must_use]
    pub fn small() -> Self {
        let queues = [0, 1].map(|queue_id| OffsetQueue {
            topic: "orders".to_owned(),
            broker: "broker-a".to_owned(),
            queue_id,
        });
        Self {
            queues: queues.to_vec(),
            options: OffsetOptions::default(),
        }
    }

    /// The queues of the run.
    #[must_use]
    pub fn queues(&self) -> &[OffsetQueue] {
        &self.queues
    }

    /// How the store is opened.
    #[must_use]
    pub fn options(&self) -> &OffsetOptions {
        &self.options
    }

    fn queue(&self, choices: &mut Choices) -> OffsetQueue {
        let indices: Vec<usize> = (0..self.queues.len()).collect();
        let index = choices.pick(&indices);
        let queue = self.queues.get(index);
        queue.expect("the index was picked from theirs").clone()
    }

    /// The next operation of a random run.
    pub fn next(&self, choices: &mut Choices) -> OffsetOp {
        match choices.weighted(&[12, 6, 5, 6, 2, 2, 2, 1, 2, 1]) {
            0 => OffsetOp::Update {
                queue: self.queue(choices),
                offset: offset(choices),
                increase_only: choices.chance(1, 2),
            },
            1 => OffsetOp::Persist {
                queues: (0..choices.below(4)).map(|_| self.queue(choices)).collect(),
            },
            2 => OffsetOp::PersistAll,
            3 => OffsetOp::Read {
                queue: self.queue(choices),
                from: read_from(choices),
            },
            4 => OffsetOp::Remove {
                queue: self.queue(choices),
            },
            5 => OffsetOp::Offsets {
                topic: self.queue(choices).topic,
            },
            6 => OffsetOp::Close,
            7 => OffsetOp::OpenReadOnly,
            8 => OffsetOp::Open,
            _ => OffsetOp::Kill,
        }
    }

    /// One of the few operations of which walks take all sequences.
    pub fn next_small(&self, choices: &mut Choices) -> OffsetOp {
        match choices.below(6) {
            0 => OffsetOp::Persist {
                queues: vec![self.queue(choices)],
            },
            1 => OffsetOp::Update {
                queue: self.queue(choices),
                offset: choices.pick(&[7, 3]),
                increase_only: choices.below(2) == 1,
            },
            2 => OffsetOp::PersistAll,
            3 => OffsetOp::Read {
                queue: self.queue(choices),
                from: read_from(choices),
            },
            4 => OffsetOp::Remove {
                queue: self.queue(choices),
            },
            // A process that dies is followed by another one.
            _ => OffsetOp::Open,
        }
    }
}

fn offset(choices: &mut Choices) -> i64 {
    match choices.weighted(&[20, 2, 1, 1]) {
        0 => i64::from(choices.below(100)),
        1 => i64::MAX,
        2 => -1,
        _ => i64::MIN,
    }
}

fn read_from(choices: &mut Choices) -> ReadFrom {
    choices.pick(&[ReadFrom::MemoryThenStore, ReadFrom::Store, ReadFrom::Memory])
}
