//! What comes after a recovery, chosen by the image's hash, so that equal images are treated alike.
//!
//! As with queues (`explore/script.rs`) most images are opened again at once, for what comes then
//! is found out once for each disk that recoveries leave.

use crate::scenario::CrashKind;

/// What comes after recovery, before everything is read, put to, closed and opened again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogScript {
    /// Nothing.
    ReadFirst,
    /// Kill before anything is read, and open once more: the same (C2).
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
        match hash & 63 {
            0..=6 => Self::ReadFirst,
            7 => Self::PutFirst(CrashKind::Kill),
            8..=12 => Self::PutFirst(CrashKind::PowerCut),
            13 => Self::CutFirst(CrashKind::Kill),
            14..=18 => Self::CutFirst(CrashKind::PowerCut),
            19 | 20 => Self::LookFirst,
            21 => Self::EmptyFirst(CrashKind::Kill),
            22 => Self::EmptyFirst(CrashKind::PowerCut),
            23..=25 => Self::CleanFirst,
            26 => Self::OpenBeside,
            _ => Self::OpenTwice,
        }
    }

    /// Whether an image is looked at before it is recovered, without writing (L14).
    pub(crate) fn looks_before(hash: u128) -> bool {
        (hash >> 6) & 3 == 0
    }
}
