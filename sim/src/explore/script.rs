//! What comes after a recovery, chosen by the image's hash, and the messages that it puts.
//!
//! Many images are one disk once they were recovered: the bytes that a crash garbles are what
//! recovery drops. What is done with the object that recovered takes its time for every image; what
//! comes after it was dropped is found out once for each disk. So most images are opened again at
//! once, and the others share what only a living object can show.

use crate::oracle::FifoHistory;
use crate::scenario::{CrashKind, FifoOptions, payload};

/// What comes after recovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    /// Drain, then put, sync, read, close, open again.
    DrainFirst,
    /// Put and sync before anything is read, crash again, open, drain, close, open again.
    PutFirst(CrashKind),
    /// Open, look, drop, open again: the same. Then as `DrainFirst`.
    OpenTwice,
    /// The same, and then a third time with other limits and segments.
    OpenOtherwise,
}

impl Script {
    /// The script for an image.
    pub(crate) fn of(hash: u128) -> Self {
        match hash & 63 {
            0..=9 => Self::PutFirst(CrashKind::PowerCut),
            10 | 11 => Self::PutFirst(CrashKind::Kill),
            12..=19 => Self::DrainFirst,
            20 => Self::OpenOtherwise,
            _ => Self::OpenTwice,
        }
    }
}

/// Messages of the tail that exist before the first image does.
#[derive(Debug)]
pub(crate) struct TailMessages {
    first: u32,
    pub(crate) size: u32,
    payloads: Vec<Vec<u8>>,
}

/// Puts of one tail.
const PUTS_MAX: u32 = 2;

impl TailMessages {
    /// Messages numbered after those of a run, of a size that the options allow.
    pub(crate) fn after(history: &FifoHistory, options: &FifoOptions) -> Self {
        let first = history.messages().count();
        let size = 8.clamp(options.message_bytes_min, options.message_bytes_max);
        let payloads = (first..first + PUTS_MAX)
            .map(|number| payload(number, size))
            .collect();
        Self {
            first,
            size,
            payloads,
        }
    }

    /// Options that accept these messages and no others, on segments of another size.
    pub(crate) fn other_options(&self, options: &FifoOptions) -> FifoOptions {
        FifoOptions {
            segment_bytes_max: (options.segment_bytes_max / 2).max(1),
            message_bytes_min: self.size,
            message_bytes_max: self.size,
            ..*options
        }
    }

    pub(crate) fn get(&self, number: u32) -> &[Vec<u8>] {
        let index = number.saturating_sub(self.first) as usize;
        self.payloads.get(index..=index).unwrap_or_default()
    }
}
