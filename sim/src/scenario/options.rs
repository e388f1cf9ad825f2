//! How a FIFO queue is opened.

use serde::{Deserialize, Serialize};

/// The options of a FIFO queue, as the original names and defaults them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FifoOptions {
    /// A segment that would grow beyond this is rolled before the write.
    pub segment_bytes_max: u64,
    /// The smallest message accepted.
    pub message_bytes_min: u32,
    /// The largest message accepted.
    pub message_bytes_max: u32,
    /// Puts and reads between syncs.
    pub sync_every: u64,
    /// Time between syncs while something is unsynced.
    pub sync_timeout_ms: u64,
}

impl Default for FifoOptions {
    /// What nsqd passes.
    fn default() -> Self {
        Self {
            segment_bytes_max: 100 * 1024 * 1024,
            message_bytes_min: 0,
            message_bytes_max: 1024 * 1024 + 26,
            sync_every: 2500,
            sync_timeout_ms: 2000,
        }
    }
}
