//! One operation on one named object.

use super::FifoOptions;
use serde::{Deserialize, Serialize};

/// An operation and the object it is called on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Which object of the subject: a queue subject has one, `queue`.
    #[serde(default = "default_object", skip_serializing_if = "is_default_object")]
    pub object: String,
    /// What is called.
    #[serde(flatten)]
    pub action: Action,
}

/// What can be called. Sizes are in bytes; a message's bytes follow from the number of the step
/// that puts it and the scenario's seed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Action {
    /// Opens a closed object, with new options where given.
    Open {
        /// Kept until the next `open` that names some.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        options: Option<FifoOptions>,
    },
    /// Opens for reading only.
    OpenReadOnly,
    /// Puts one message.
    Put {
        /// Size of the message.
        size: u32,
    },
    /// Puts several messages in one call.
    PutBatch {
        /// Size of each message.
        sizes: Vec<u32>,
    },
    /// Reads the next message.
    Read,
    /// Shows the next message.
    Peek,
    /// Asks how many messages will still be delivered.
    Depth,
    /// Drops all messages.
    Empty,
    /// Asks for durability.
    Sync,
    /// Time has come this far; it may jump or stand still.
    Tick {
        /// Milliseconds since an arbitrary start.
        now_ms: u64,
    },
    /// Lets an original do the work that it acknowledged before doing it.
    Settle,
    /// Closes the object.
    Close,
    /// Deletes the queue.
    Delete,
    /// The process dies here; all objects are gone. Only an open can follow.
    Kill,
}

impl Action {
    /// The sizes of the messages that it puts.
    #[must_use]
    pub fn sizes(&self) -> &[u32] {
        if let Self::Put { size } = self {
            std::slice::from_ref(size)
        } else if let Self::PutBatch { sizes } = self {
            sizes
        } else {
            &[]
        }
    }
}

impl Step {
    /// A step on the only object of a queue subject.
    #[must_use]
    pub fn queue(action: Action) -> Self {
        Self {
            object: default_object(),
            action,
        }
    }
}

fn default_object() -> String {
    "queue".to_owned()
}

fn is_default_object(object: &str) -> bool {
    object == "queue"
}
