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
        /// How much of the store's operation took place.
        applied: Applied,
        /// The cause.
        source: io::Error,
    },
    /// An argument or a part of the path cannot be used.
    #[error("refused: {reason}")]
    Refused {
        /// Why.
        reason: &'static str,
    },
    /// Somebody else has the store open for writing.
    #[error("the store is already open: {} is locked", path.display())]
    Locked {
        /// The lock file.
        path: PathBuf,
    },
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
    /// The store was opened for reading only.
    #[error("the store is open for reading only")]
    ReadOnly,
    /// Damage was met and passed: the next call goes on with the backup.
    #[error("damage was passed over: {}", describe(losses))]
    Damage {
        /// What it cost.
        losses: Vec<Loss>,
    },
    /// Neither the file nor its backup can be read, so whether the queue has an offset is not
    /// known. This lasts until something is persisted.
    #[error("the file of offsets and its backup are both damaged{}", lost(losses))]
    BothDamaged {
        /// What it cost, as far as it was not reported before.
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
            Self::Refused { .. }
            | Self::Locked { .. }
            | Self::Closed
            | Self::ReadOnly
            | Self::Damage { .. }
            | Self::BothDamaged { .. } => Applied::Nothing,
        }
    }

    /// What damage cost, where this is damage.
    #[must_use]
    pub fn losses(&self) -> &[Loss] {
        match self {
            Self::Damage { losses } | Self::BothDamaged { losses } => losses,
            Self::Io { .. }
            | Self::Refused { .. }
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
        let Loss {
            offset, size, file, ..
        } = loss;
        words.push(format!("{size} bytes from {offset} of {}", file.display()));
    }
    words.join(", ")
}

fn lost(losses: &[Loss]) -> String {
    match losses {
        [] => String::new(),
        _ => format!(": {}", describe(losses)),
    }
}
