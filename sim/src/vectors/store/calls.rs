//! What vectors of the offset store call, as their steps have it.

use super::super::vector::{Bytes, Name, StoreOptions};
use crashline::offsets::{self, MessageQueue};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Call {
    Open {
        #[serde(default)]
        options: Option<StoreOptions>,
    },
    OpenReadOnly {
        #[serde(default)]
        options: Option<StoreOptions>,
    },
    Read {
        queue: Queue,
        from: ReadFrom,
    },
    Update {
        queue: Queue,
        offset: i64,
        #[serde(default)]
        increase_only: bool,
    },
    Persist {
        queues: Vec<Queue>,
    },
    PersistAll {},
    Remove {
        queue: Queue,
    },
    Offsets {
        topic: String,
    },
    Close {},
    /// All stores are dropped as their process dies.
    Kill {},
    /// Something else writes a file, or makes a directory where there are no bytes.
    Place {
        name: Name,
        #[serde(default)]
        data_b64: Option<Bytes>,
        /// The name is a path from the root, not from the store's directory.
        #[serde(default)]
        from_root: bool,
    },
    /// Something else removes a file of the store's directory.
    Erase {
        name: Name,
    },
    /// The disk goes wrong, as these lines say.
    Fault {
        faults: Vec<String>,
    },
    /// It is right again.
    Heal {},
}

/// A queue: topic, broker, number.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Queue((String, String, i32));

impl From<&Queue> for MessageQueue {
    fn from(Queue((topic, broker, queue_id)): &Queue) -> Self {
        Self::new(topic.as_str(), broker.as_str(), *queue_id)
    }
}

/// Where a read looks.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ReadFrom {
    Memory,
    Store,
    MemoryThenStore,
}

impl From<ReadFrom> for offsets::ReadFrom {
    fn from(from: ReadFrom) -> Self {
        match from {
            ReadFrom::Memory => Self::Memory,
            ReadFrom::Store => Self::Store,
            ReadFrom::MemoryThenStore => Self::MemoryThenStore,
        }
    }
}
