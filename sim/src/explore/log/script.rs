//! What comes after a recovery, chosen by the image's hash, so that equal images are treated alike.
//!
//! As with queues (`explore/script.rs`) most images are opened again at once, for what comes then
//! is found out once for each disk. A kill leaves what a crash left behind the end of the log, so
//! that nearly every image is a disk of its own still; a close takes it away.

use crate::scenario::CrashKind;

/// What comes after recovery, before everything is read, put to, closed and opened again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogScript {
    /// Nothing.
    ReadFirst,
    /// Kill before anything is read, and open once more: the same (C2).
    OpenTwice,
    /// Close before anything is read, and open once more: the same (C11).
    CloseFirst,
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
        match hash & 63 {
            0..=2 => Self::ReadFirst,
            3 => Self::PutFirst(CrashKind::Kill),
            4..=6 => Self::PutFirst(CrashKind::PowerCut),
            7 => Self::CutFirst(CrashKind::Kill),
            8..=10 => Self::CutFirst(CrashKind::PowerCut),
            11 => Self::LookFirst,
            12 => Self::EmptyFirst(CrashKind::Kill),
            13 => Self::EmptyFirst(CrashKind::PowerCut),
            14 => Self::CleanFirst,
            15 => Self::OpenBeside,
            16..=47 => Self::CloseFirst,
            _ => Self::OpenTwice,
        }
    }

    /// Whether an image is looked at before it is recovered, without writing (L14).
    pub(crate) fn looks_before(hash: u128) -> bool {
        (hash >> 6) & 3 == 0
    }
}
