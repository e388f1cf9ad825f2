//! What a trace says, once its file is parsed and checked.

use super::damage::FileDamage;
use crate::scenario::FifoOptions;
use std::collections::BTreeMap;
use std::fmt;

/// What kinds of operations a trace has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// Puts, reads, reopenings.
    Clean,
    /// Also refused sizes, emptying, kills, changed options.
    Corner,
    /// Also damage.
    Damage,
}

/// A trace.
#[derive(Debug, Clone)]
pub struct Trace {
    /// The queue's name.
    pub queue: String,
    /// What kinds of operations it has.
    pub tier: Tier,
    /// The options of the first open.
    pub options: FifoOptions,
    /// The steps; the first one opens the queue in an empty directory, no other one does.
    pub steps: Vec<TraceStep>,
}

/// One step.
#[derive(Debug, Clone)]
pub struct TraceStep {
    /// What was called.
    pub operation: Operation,
    /// What it answered.
    pub recorded: Recorded,
    /// The depth after it.
    pub depth: i64,
    /// Fingerprints of all files after it, by (masked) name.
    pub files: BTreeMap<String, String>,
}

/// What a step calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// Opens the queue in an empty directory.
    Open,
    /// Puts this message.
    Put(Vec<u8>),
    /// Reads a message if there is one.
    Read,
    /// Drops all messages.
    Empty,
    /// Closes and opens, with changed options.
    Reopen(OptionsChange),
    /// Drops the object and opens the directory as it stands.
    KillAndOpen,
    /// Closes, damages a file, and opens.
    CloseDamageOpen(FileDamage),
}

/// Options that change at a reopening; they stay until changed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OptionsChange {
    pub(super) segment_bytes_max: Option<u64>,
    pub(super) message_bytes_min: Option<u32>,
    pub(super) message_bytes_max: Option<u32>,
    pub(super) sync_every: Option<u64>,
}

impl OptionsChange {
    /// Changes what is to be changed.
    pub fn apply(self, options: &mut FifoOptions) {
        let old = *options;
        options.segment_bytes_max = self.segment_bytes_max.unwrap_or(old.segment_bytes_max);
        options.message_bytes_min = self.message_bytes_min.unwrap_or(old.message_bytes_min);
        options.message_bytes_max = self.message_bytes_max.unwrap_or(old.message_bytes_max);
        options.sync_every = self.sync_every.unwrap_or(old.sync_every);
    }
}

/// What a step answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recorded {
    /// Success without a value.
    Done,
    /// An error, in the original's words.
    Failed(String),
    /// A message.
    Message(Vec<u8>),
    /// No message.
    Nothing,
}

impl fmt::Display for Recorded {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => write!(to, "success"),
            Self::Failed(error) => write!(to, "the error `{error}`"),
            Self::Message(message) => write!(to, "the message `{}`", message.escape_ascii()),
            Self::Nothing => write!(to, "no message"),
        }
    }
}
