//! How a queue is opened.

use super::error::Error;
use super::position::NUMBER_MAX;
use super::quirks::Quirks;
pub use crate::fs::LockPolicy;

/// The options of a queue; the defaults are what nsqd passes. Limits bind puts, never what is
/// stored already, and may change between runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// A segment that would grow beyond this many bytes is rolled before the put.
    pub segment_bytes_max: u64,
    /// The smallest message accepted, in bytes.
    pub message_bytes_min: u32,
    /// The largest message accepted, in bytes; at most `i32::MAX`.
    pub message_bytes_max: u32,
    /// Puts and reads between syncs; 0 is as 1.
    pub sync_every: u64,
    /// Milliseconds until a tick syncs what is unsynced.
    pub sync_timeout_ms: u64,
    /// Bytes that may wait in memory until they are durable. Reaching it owes a sync, and while
    /// that fails puts are refused.
    pub unsynced_bytes_max: u64,
    /// What to do where the filesystem has no locks.
    pub lock: LockPolicy,
    /// Defects put back on purpose; none by default.
    pub quirks: Quirks,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            segment_bytes_max: 100 * 1024 * 1024,
            message_bytes_min: 0,
            message_bytes_max: 1024 * 1024 + 26,
            sync_every: 2500,
            sync_timeout_ms: 2000,
            unsynced_bytes_max: 4 * 1024 * 1024,
            lock: LockPolicy::default(),
            quirks: Quirks::default(),
        }
    }
}

impl Options {
    /// Refuses options that the format cannot hold.
    pub(super) fn check(&self) -> Result<(), Error> {
        let reason = if i32::try_from(self.message_bytes_max).is_err() {
            "the largest message would not fit a signed 32-bit length"
        } else if self.message_bytes_min > self.message_bytes_max {
            "the smallest message is larger than the largest"
        } else if self.segment_bytes_max > NUMBER_MAX {
            "the segment size would not fit a signed 64-bit number"
        } else {
            return Ok(());
        };
        Err(Error::Refused { reason })
    }

    /// Refuses a message that is too small or too large.
    #[inline]
    pub(crate) fn check_message(&self, size: usize) -> Result<(), Error> {
        let size = size as u64;
        let (min, max) = (self.message_bytes_min, self.message_bytes_max);
        if (u64::from(min)..=u64::from(max)).contains(&size) {
            Ok(())
        } else {
            Err(Error::MessageSize { size, min, max })
        }
    }
}
