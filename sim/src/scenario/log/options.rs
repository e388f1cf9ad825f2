//! How a log is opened.

use serde::{Deserialize, Serialize};

/// The options of a log, for its writer and its readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogOptions {
    /// A segment is finished by the write that brings it to this size.
    pub segment_bytes_max: u64,
    /// The smallest message accepted.
    pub message_bytes_min: u32,
    /// The largest message accepted.
    pub message_bytes_max: u32,
    /// 1 makes a reader save its position with every skip and reset.
    pub sync_every: u64,
    /// Whether a reader passes a segment that it cannot read.
    pub auto_skip_damaged: bool,
}

impl Default for LogOptions {
    /// What nsqd passes.
    fn default() -> Self {
        Self {
            segment_bytes_max: 100 * 1024 * 1024,
            message_bytes_min: 1,
            message_bytes_max: 1024 * 1024 + 26,
            sync_every: 2500,
            auto_skip_damaged: false,
        }
    }
}
