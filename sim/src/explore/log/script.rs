//! What comes after a recovery, chosen by the image's hash, so that equal images are treated alike.

use crate::scenario::CrashKind;

/// What comes after recovery, before everything is read, put to, closed and opened again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogScript {
    /// Nothing.
    ReadFirst,
    /// Kill, and recover once more: the same (C2).
    OpenTwice,
    /// Put and make it durable, and crash.
    PutFirst(CrashKind),
    /// Take the last message back, put another one, and crash.
    CutFirst(CrashKind),
    /// Look without writing, and open for writing then.
    LookFirst,
}

impl LogScript {
    /// The script for an image.
    pub(crate) fn of(hash: u128) -> Self {
        match hash & 15 {
            0..=4 => Self::ReadFirst,
            5 | 6 => Self::OpenTwice,
            7 => Self::PutFirst(CrashKind::Kill),
            8..=10 => Self::PutFirst(CrashKind::PowerCut),
            11 => Self::CutFirst(CrashKind::Kill),
            12..=14 => Self::CutFirst(CrashKind::PowerCut),
            _ => Self::LookFirst,
        }
    }
}
