//! What a generator knows of the log.

use crate::scenario::{LogPosition, ReaderState, SnapshotState, WriterState};
use std::collections::BTreeMap;

/// Where things stand.
#[derive(Debug, Clone)]
pub struct LogView {
    /// The writer, where it is open.
    pub writer: Option<WriterState>,
    /// The boundaries of the log, from its start to its end. Never empty.
    pub boundaries: Vec<LogPosition>,
    /// The readers that are open.
    pub readers: BTreeMap<String, ReaderState>,
    /// The snapshot, where it is open.
    pub snapshot: Option<SnapshotState>,
}

impl LogView {
    pub(super) fn start(&self) -> LogPosition {
        self.boundaries.first().copied().unwrap_or_default()
    }

    pub(super) fn end(&self) -> LogPosition {
        self.boundaries.last().copied().unwrap_or_default()
    }

    /// What readers may read.
    pub(super) fn read_end(&self) -> LogPosition {
        self.writer.map_or(self.end(), |writer| writer.read_end)
    }
}
