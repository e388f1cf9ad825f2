//! What the objects of a log say of themselves at any time.

use super::LogPosition;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a writer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriterState {
    /// Where the log starts.
    pub queue_start: LogPosition,
    /// Up to where there are messages, buffered ones included.
    pub write_end: LogPosition,
    /// Up to where readers may read.
    pub read_end: LogPosition,
}

/// What a reader says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReaderState {
    /// Up to where messages were confirmed.
    pub confirmed: LogPosition,
    /// Up to where messages were read.
    pub read: LogPosition,
    /// The end that it was told last.
    pub end: LogPosition,
    /// Messages between confirmed and end.
    pub depth: i64,
    /// Bytes between confirmed and end.
    pub depth_size: i64,
    /// Whether it says that everything was confirmed.
    pub waiting: bool,
}

/// What a snapshot says: the place of the next read. It counts no messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SnapshotState {
    /// The number of the segment.
    pub segment: i64,
    /// Bytes from the start of that segment.
    pub position: i64,
    /// The virtual offset.
    pub offset: i64,
}

/// What all open objects of a log say of themselves.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct LogStates {
    /// The writer, where it is open.
    pub writer: Option<WriterState>,
    /// The open readers, by name.
    pub readers: BTreeMap<String, ReaderState>,
    /// The snapshot, where one is open.
    pub snapshot: Option<SnapshotState>,
}
