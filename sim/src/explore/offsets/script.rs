//! What comes after a recovery, chosen by the image's hash, so that equal images are treated alike.

use crate::scenario::CrashKind;

/// What comes after recovery, by the image's hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OffsetScript {
    /// Nothing before the usual.
    GoOn,
    /// Kill, and open once more: the same (C2).
    OpenTwice,
    /// Persist, and crash.
    PersistFirst(CrashKind),
}

impl OffsetScript {
    /// The script for an image.
    pub(super) fn of(hash: u128) -> Self {
        match hash & 7 {
            0 | 1 => Self::OpenTwice,
            2 => Self::PersistFirst(CrashKind::Kill),
            3 | 4 => Self::PersistFirst(CrashKind::PowerCut),
            _ => Self::GoOn,
        }
    }
}
