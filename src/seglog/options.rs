//! How a log and its readers are opened.

use super::error::Error;
use super::quirks::{Quirk, Quirks};
pub use crate::fs::LockPolicy;
use crate::records::text::NUMBER_MAX;

/// The largest body that a reader takes for one, as the original: a length beyond it is damage.
pub const BODY_BYTES_MAX: u32 = 1 << 28;

/// The options of a log, for its writer and its readers. Limits bind puts, never what is stored,
/// and may change between runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogOptions {
    /// A segment is finished by the write that brings it to this many bytes or beyond.
    pub segment_bytes_max: u64,
    /// The smallest message accepted, in bytes; at least 1.
    pub message_bytes_min: u32,
    /// The largest message accepted, in bytes; at most [`BODY_BYTES_MAX`].
    pub message_bytes_max: u32,
    /// 1 makes a reader save its position with every skip and reset.
    pub sync_every: u64,
    /// Whether a reader passes a segment that it cannot read by itself.
    pub auto_skip_damaged: bool,
    /// Bytes that may wait in memory until they are durable. Reaching it owes a sync, and while
    /// that fails puts are refused.
    pub unsynced_bytes_max: u64,
    /// What to do where the filesystem has no locks.
    pub lock: LockPolicy,
    /// Defects put back on purpose; none by default.
    pub quirks: Quirks,
}

impl Default for LogOptions {
    fn default() -> Self {
        Self {
            segment_bytes_max: 100 * 1024 * 1024,
            message_bytes_min: 1,
            message_bytes_max: 1024 * 1024 + 26,
            sync_every: 2500,
            auto_skip_damaged: false,
            unsynced_bytes_max: 4 * 1024 * 1024,
            lock: LockPolicy::default(),
            quirks: Quirks::default(),
        }
    }
}

impl LogOptions {
    /// Refuses a message that is too small or too large.
    pub(super) fn check_message(&self, size: usize) -> Result<(), Error> {
        let size = size as u64;
        if size > 0 && self.quirks.has(Quirk::SizeUnchecked) {
            return Ok(());
        }
        let (min, max) = (self.message_bytes_min, self.message_bytes_max);
        if (u64::from(min)..=u64::from(max)).contains(&size) {
            Ok(())
        } else {
            Err(Error::MessageSize { size, min, max })
        }
    }

    /// Refuses options that the format cannot hold.
    pub(super) fn check(&self) -> Result<(), Error> {
        let reason = if self.message_bytes_max > BODY_BYTES_MAX {
            "the largest message would be taken for damage by readers"
        } else if self.message_bytes_min == 0 {
            "a message has at least one byte"
        } else if self.message_bytes_min > self.message_bytes_max {
            "the smallest message is larger than the largest"
        } else if self.segment_bytes_max > NUMBER_MAX {
            "the segment size would not fit a signed 64-bit number"
        } else {
            return Ok(());
        };
        Err(Error::Refused { reason })
    }
}
