//! What can go wrong.

pub use crate::records::loss::{Applied, Loss, LossKind};
use std::io;
use std::path::{Path, PathBuf};

/// An operation that failed. Unless it says otherwise, nothing changed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The filesystem failed.
    #[error("cannot {operation} {}: {source}", path.display())]
    Io {
        /// What was tried, as a verb.
        operation: &'static str,
        /// On which file.
        path: PathBuf,
        /// How much of the queue's operation took place.
        applied: Applied,
        /// The cause.
        source: io::Error,
    },
    /// A message is smaller or larger than the options allow. Nothing of its batch was put.
    #[error("a message of {size} bytes is refused: {min} to {max} are allowed")]
    MessageSize {
        /// Its size in bytes.
        size: u64,
        /// The smallest allowed.
        min: u32,
        /// The largest allowed.
        max: u32,
    },
    /// An option or the queue's name cannot be used.
    #[error("refused: {reason}")]
    Refused {
        /// Why.
        reason: &'static str,
    },
    /// A number would pass what the format can hold.
    #[error("the log is full: {reason}")]
    Exhausted {
        /// Which number.
        reason: &'static str,
        /// How much of the batch was put.
        applied: Applied,
    },
    /// Somebody else has the queue open for writing.
    #[error("the queue is already open: {} is locked", path.display())]
    Locked {
        /// The lock file.
        path: PathBuf,
    },
    /// The queue was closed or deleted.
    #[error("the queue is closed")]
    Closed,
    /// A thread panicked inside the shared handle: the queue was given up, as when its process
    /// dies. What was running then may have taken place; opening the queue again tells.
    #[error("the queue was given up, since a thread panicked inside it; open it again")]
    Abandoned,
    /// The queue was opened for reading only.
    #[error("the queue is open for reading only")]
    ReadOnly,
    /// Damage was met and passed: the next call goes on behind it.
    #[error("damage was passed over: {}", describe(losses))]
    Damage {
        /// What it cost.
        losses: Vec<Loss>,
    },
}

impl Error {
    pub(crate) fn io(operation: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io {
            operation,
            path: path.to_owned(),
            applied: Applied::Nothing,
            source,
        }
    }

    /// How much of the operation took place.
    #[must_use]
    pub fn applied(&self) -> Applied {
        match self {
            Self::Io { applied, .. } | Self::Exhausted { applied, .. } => *applied,
            Self::MessageSize { .. }
            | Self::Refused { .. }
            | Self::Locked { .. }
            | Self::Closed
            | Self::Abandoned
            | Self::ReadOnly
            | Self::Damage { .. } => Applied::Nothing,
        }
    }

    /// What damage cost, where this is damage.
    #[must_use]
    pub fn losses(&self) -> &[Loss] {
        match self {
            Self::Damage { losses } => losses,
            Self::Io { .. }
            | Self::MessageSize { .. }
            | Self::Refused { .. }
            | Self::Exhausted { .. }
            | Self::Locked { .. }
            | Self::Closed
            | Self::Abandoned
            | Self::ReadOnly => &[],
        }
    }

    pub(crate) fn with_applied(mut self, now: Applied) -> Self {
        if let Self::Io { applied, .. } | Self::Exhausted { applied, .. } = &mut self {
            *applied = now;
        }
        self
    }

    /// Whether the cause is a lack of space, which may pass.
    #[must_use]
    pub fn is_full_disk(&self) -> bool {
        let Self::Io { source, .. } = self else {
            return false;
        };
        matches!(
            source.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
        )
    }
}

fn describe(losses: &[Loss]) -> String {
    let describe_one = |loss: &Loss| {
        let messages = match loss.messages {
            Some(count) => format!("{count} messages"),
            None => "an unknown number of messages".to_owned(),
        };
        format!(
            "{messages} in {} bytes at {} of {}",
            loss.size,
            loss.offset,
            loss.file.display()
        )
    };
    losses
        .iter()
        .map(describe_one)
        .collect::<Vec<_>>()
        .join(", ")
}
