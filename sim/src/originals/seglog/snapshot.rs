//! A snapshot: a cursor of its own between a start and an end that it was told. It saves nothing.

use super::base::Base;
use super::error::LogError;
use super::sequential::SequentialFile;
use crate::scenario::{LogPosition, SnapshotState};
use crashline::fs::Fs;
use std::path::Path;
use std::sync::Arc;

/// An open snapshot.
#[derive(Debug)]
pub struct Snapshot {
    pub(super) base: Base,
    pub(super) start: LogPosition,
    pub(super) read: LogPosition,
    pub(super) end: LogPosition,
    closed: bool,
    pub(super) file: Option<SequentialFile>,
}

impl Snapshot {
    /// Opens a snapshot of `log` that ends at `end`. It stands at offset 0 of segment 0 until it
    /// is told a start behind that.
    #[must_use]
    pub fn open(fs: Arc<dyn Fs>, directory: &Path, log: &str, end: LogPosition) -> Self {
        let mut snapshot = Self {
            base: Base::new(fs, directory, log),
            start: LogPosition::default(),
            read: LogPosition::default(),
            end: LogPosition::default(),
            closed: false,
            file: None,
        };
        snapshot.update_queue_end(end);
        snapshot
    }

    /// The place of the next read.
    #[must_use]
    pub fn state(&self) -> SnapshotState {
        let LogPosition {
            segment,
            position,
            offset,
            ..
        } = self.read;
        SnapshotState {
            segment,
            position,
            offset,
        }
    }

    /// Tells it where the log starts; a read position before that moves there, but the segment it
    /// has open stays open.
    pub fn set_queue_start(&mut self, start: LogPosition) {
        if !self.closed {
            self.start = start;
            if start.is_behind(&self.read) {
                self.read = start;
            }
        }
    }

    /// Tells it where the log ends; a read position behind that moves there, but the segment it
    /// has open stays open.
    pub fn update_queue_end(&mut self, end: LogPosition) {
        if !self.closed {
            if self.read.is_behind(&end) {
                self.read = end;
            }
            self.end = end;
        }
    }

    /// Closes it. Reading still works afterwards, but start and end stay.
    pub fn close(&mut self) {
        self.closed = true;
        self.file = None;
    }

    /// Moves forward to `offset`; its count is taken to be `count`.
    ///
    /// # Errors
    /// An offset before the read position or the start, behind the end, or not found.
    pub fn seek_to(&mut self, offset: i64, count: i64) -> Result<(), LogError> {
        self.seek(offset, count, false)
    }

    /// Moves to `offset`, also backward.
    ///
    /// # Errors
    /// An offset before the start, behind the end, or not found.
    pub fn reset_seek_to(&mut self, offset: i64, count: i64) -> Result<(), LogError> {
        self.seek(offset, count, true)
    }

    /// Moves to the end.
    pub fn seek_to_end(&mut self) {
        self.file = None;
        self.read = self.end;
    }

    /// Moves to the start of the next segment that has a sidecar before it.
    ///
    /// # Errors
    /// There is none before the end; a sidecar that cannot be read.
    pub fn skip_to_next(&mut self) -> Result<(), LogError> {
        self.base.steps.begin();
        let mut segment = self.read.segment;
        while segment < self.end.segment {
            self.base.step()?;
            self.file = None;
            let sidecar = self.base.sidecar(segment);
            segment = segment.wrapping_add(1);
            match sidecar {
                Ok(sidecar) => {
                    self.read = sidecar.next_start(segment);
                    return Ok(());
                }
                Err(error) if error.is_not_found() => {}
                Err(error) => return Err(error),
            }
        }
        Err(LogError::EndOfLog)
    }

    fn seek(&mut self, offset: i64, count: i64, back: bool) -> Result<(), LogError> {
        self.base.steps.begin();
        self.file = None;
        let (read, end) = (self.read, self.end);
        let place = if offset > end.offset {
            return Err(LogError::MoveBehindEnd);
        } else if offset == end.offset {
            end
        } else if offset < self.start.offset {
            return Err(LogError::Cleaned);
        } else {
            let distance = offset.wrapping_sub(read.offset);
            if distance < 0 && !back {
                return Err(LogError::Backward);
            }
            self.base.place_at(read, distance, &end)?
        };
        self.read = LogPosition {
            offset,
            count,
            ..place
        };
        Ok(())
    }
}
