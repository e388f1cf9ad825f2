//! Removing whole segments from the log's start, as far as their sidecars tell where they end.

use super::base::Base;
use super::error::LogError;
use super::writer::Writer;
use crate::scenario::{CleanTarget, LogPosition};
use std::io;

/// Sidecars of so many segments before the start are kept.
pub(super) const SIDECARS_KEPT: i64 = 100;

/// What is to be removed: the segments from `first` to before `end`.
struct Removal {
    start: LogPosition,
    first: i64,
    end: i64,
}

impl Writer {
    /// Removes segments before `target`, never the one before the read end's; with `dry_run` only
    /// tells the new start. `None`: there is nothing to do. `offset_max` of 0 is no limit.
    ///
    /// # Errors
    /// A sidecar that cannot be read, a segment that ends behind the limit.
    pub fn clean_old_data(
        &mut self,
        target: CleanTarget,
        dry_run: bool,
        offset_max: i64,
    ) -> Result<Option<LogPosition>, LogError> {
        self.base.steps.begin();
        let removal = match target {
            CleanTarget::Position(at) => self.segments_before(at, offset_max)?,
            CleanTarget::Offset(offset) => Some(self.segments_below(offset, offset_max)?),
        };
        let Some(removal) = removal else {
            return Ok(None);
        };
        if !dry_run {
            self.state.queue_start = removal.start;
            self.store_start();
            self.remove_segments(&removal)?;
        }
        Ok(Some(removal.start))
    }

    /// By segment: up to the start of the target's, or of the first one behind it whose
    /// predecessor has a sidecar.
    fn segments_before(
        &mut self,
        target: LogPosition,
        offset_max: i64,
    ) -> Result<Option<Removal>, LogError> {
        let last = self.last_segment();
        let mut segment = target.segment.min(last);
        if segment <= self.state.queue_start.segment {
            return Ok(None);
        }
        if offset_max != 0 && target.offset > offset_max {
            return Ok(None);
        }
        let sidecar = loop {
            self.base.step()?;
            match self.base.sidecar(segment.wrapping_sub(1)) {
                Err(error) if error.is_not_found() && segment < last => {
                    segment = segment.wrapping_add(1);
                }
                other => break other?,
            }
        };
        if offset_max != 0 && sidecar.end > offset_max {
            return Err(LogError::CleanLimit);
        }
        Ok(Some(self.removal(sidecar.next_start(segment), segment)))
    }

    /// By offset: every segment that ends below it. The start's segment is looked at even where
    /// nothing lies below the offset.
    fn segments_below(&mut self, offset: i64, offset_max: i64) -> Result<Removal, LogError> {
        let read_end = self.state.read_end;
        let mut offset = offset.min(read_end.offset.wrapping_sub(read_end.position));
        if offset_max != 0 {
            offset = offset.min(offset_max);
        }
        let last = self.last_segment();
        let mut start = self.state.queue_start;
        let mut segment = start.segment;
        let mut end = 0;
        let mut is_searching = offset >= 0;
        while is_searching {
            self.base.step()?;
            match self.base.sidecar(segment) {
                Err(error) if error.is_not_found() && segment < last => {
                    segment = segment.wrapping_add(1);
                }
                Err(error) => return Err(error),
                Ok(sidecar) if sidecar.end < offset && segment < last => {
                    segment = segment.wrapping_add(1);
                    end = segment;
                    start = sidecar.next_start(segment);
                }
                Ok(_) => is_searching = false,
            }
        }
        Ok(self.removal(start, end))
    }

    /// The last segment that may become the first one.
    fn last_segment(&self) -> i64 {
        self.state.read_end.segment.wrapping_sub(1)
    }

    fn removal(&self, start: LogPosition, end: i64) -> Removal {
        let first = self.first_to_remove();
        Removal { start, first, end }
    }

    /// Where removing begins: sidecars were left before the start.
    pub(super) fn first_to_remove(&self) -> i64 {
        let start = self.state.queue_start.segment;
        start.wrapping_sub(SIDECARS_KEPT + 1).max(0)
    }

    /// Removes segments, and the sidecars of all but the newest of them. Failures go unnoticed; a
    /// segment that could not be removed keeps its sidecar.
    fn remove_segments(&mut self, removal: &Removal) -> Result<(), LogError> {
        let last_sidecar = removal.end.wrapping_sub(SIDECARS_KEPT);
        let mut segment = removal.first;
        while segment < removal.end {
            self.base.step()?;
            self.remove_segment(segment, segment <= last_sidecar);
            segment = segment.wrapping_add(1);
        }
        Ok(())
    }

    pub(super) fn remove_segment(&self, segment: i64, with_sidecar: bool) {
        let Base { fs, names, .. } = &self.base;
        let removed = fs.remove_file(&names.segment(segment));
        let is_gone = match &removed {
            Ok(()) => true,
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        if is_gone && with_sidecar {
            drop(fs.remove_file(&names.sidecar(segment)));
        }
    }
}
