//! What can be called on an offset store.

use serde::{Deserialize, Serialize};

/// A queue of a topic at a broker; ordered by topic, broker and number. Its text form is a list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "(String, String, i32)", into = "(String, String, i32)")]
pub struct OffsetQueue {
    /// The topic.
    pub topic: String,
    /// The name of the broker.
    pub broker: String,
    /// The number of the queue at that broker.
    pub queue_id: i32,
}

impl From<(String, String, i32)> for OffsetQueue {
    fn from((topic, broker, queue_id): (String, String, i32)) -> Self {
        Self {
            topic,
            broker,
            queue_id,
        }
    }
}

impl From<OffsetQueue> for (String, String, i32) {
    fn from(queue: OffsetQueue) -> Self {
        (queue.topic, queue.broker, queue.queue_id)
    }
}

/// Where a read looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadFrom {
    /// The table in memory.
    Memory,
    /// The file.
    Store,
    /// The table, then the file.
    MemoryThenStore,
}

/// An operation on a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum OffsetOp {
    /// Opens the store, which loads its table.
    Open,
    /// Opens it for reading only, which changes nothing on disk.
    OpenReadOnly,
    /// Asks for the offset of a queue.
    Read {
        /// Which.
        queue: OffsetQueue,
        /// Where to look.
        from: ReadFrom,
    },
    /// Sets the offset of a queue in the table.
    Update {
        /// Which.
        queue: OffsetQueue,
        /// To what.
        offset: i64,
        /// Never lowers it.
        increase_only: bool,
    },
    /// Makes the offsets of these queues durable.
    Persist {
        /// Which.
        queues: Vec<OffsetQueue>,
    },
    /// Makes the file equal to the table.
    PersistAll,
    /// Takes a queue out of the table.
    Remove {
        /// Which.
        queue: OffsetQueue,
    },
    /// Asks for all offsets of a topic.
    Offsets {
        /// Which.
        topic: String,
    },
    /// Persists the table and closes the store.
    Close,
    /// The process dies here. Only an open can follow.
    Kill,
}

impl OffsetOp {
    /// The queues that it names.
    #[must_use]
    pub fn queues(&self) -> &[OffsetQueue] {
        match self {
            Self::Read { queue, .. } | Self::Update { queue, .. } | Self::Remove { queue } => {
                std::slice::from_ref(queue)
            }
            Self::Persist { queues } => queues,
            Self::Open
            | Self::OpenReadOnly
            | Self::PersistAll
            | Self::Offsets { .. }
            | Self::Close
            | Self::Kill => &[],
        }
    }

    /// The same, to be changed.
    pub fn queues_mut(&mut self) -> &mut [OffsetQueue] {
        match self {
            Self::Read { queue, .. } | Self::Update { queue, .. } | Self::Remove { queue } => {
                std::slice::from_mut(queue)
            }
            Self::Persist { queues } => queues,
            Self::Open
            | Self::OpenReadOnly
            | Self::PersistAll
            | Self::Offsets { .. }
            | Self::Close
            | Self::Kill => &mut [],
        }
    }
}
