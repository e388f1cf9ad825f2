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
    /// Empty, put, make it durable, and crash.
    EmptyFirst(CrashKind),
    /// Read all, remove what may go, and crash.
    CleanFirst,
    /// Somebody else tries to open it.
    OpenBeside,
}

impl LogScript {
    /// The script for an image.
    pub(crate) fn of(hash: u128) -> Self {
        match hash & 31 {
            0..=7 => Self::ReadFirst,
            8..=10 => Self::OpenTwice,
            11 | 12 => Self::PutFirst(CrashKind::Kill),
            13..=17 => Self::PutFirst(CrashKind::PowerCut),
            18 | 19 => Self::CutFirst(CrashKind::Kill),
            20..=24 => Self::CutFirst(CrashKind::PowerCut),
            25 | 26 => Self::LookFirst,
            27 => Self::EmptyFirst(CrashKind::Kill),
            28 => Self::EmptyFirst(CrashKind::PowerCut),
            29 | 30 => Self::CleanFirst,
            _ => Self::OpenBeside,
        }
    }

    /// Whether an image is looked at before it is recovered, without writing (L14).
    pub(crate) fn looks_before(hash: u128) -> bool {
        (hash >> 5) & 1 == 0
    }
}
