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
        /// How much of the log's operation took place.
        applied: Applied,
        /// The cause.
        source: io::Error,
    },
    /// A message is smaller or larger than the options allow.
    #[error("a message of {size} bytes is refused: {min} to {max} are allowed")]
    MessageSize {
        /// Its size in bytes.
        size: u64,
        /// The smallest allowed.
        min: u32,
        /// The largest allowed.
        max: u32,
    },
    /// An argument, an option or a name cannot be used.
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
    },
    /// Somebody else has the log or the reader open.
    #[error("already open: {} is locked", path.display())]
    Locked {
        /// The lock file.
        path: PathBuf,
    },
    /// The object was closed or deleted.
    #[error("it is closed")]
    Closed,
    /// The log was opened for reading only.
    #[error("the log is open for reading only")]
    ReadOnly,
    /// Damage was met. Unless it was passed, the next call meets it again.
    #[error("damage was met: {}", describe(losses))]
    Damage {
        /// What it costs, as far as it was not reported before.
        losses: Vec<Loss>,
    },
}

impl Error {
    pub(super) fn io(operation: &'static str, path: &Path, source: io::Error) -> Self {
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
            Self::Io { applied, .. } => *applied,
            Self::MessageSize { .. }
            | Self::Refused { .. }
            | Self::Exhausted { .. }
            | Self::Locked { .. }
            | Self::Closed
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
            | Self::ReadOnly => &[],
        }
    }

    pub(super) fn with_applied(mut self, now: Applied) -> Self {
        if let Self::Io { applied, .. } = &mut self {
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
    let mut words = Vec::new();
    for loss in losses {
        let messages = match loss.messages {
            Some(count) => format!("{count} messages"),
            None => "an unknown number of messages".to_owned(),
        };
        let file = loss.file.display();
        let Loss { offset, size, .. } = loss;
        words.push(format!("{messages} in {size} bytes at {offset} of {file}"));
    }
    words.join(", ")
}
