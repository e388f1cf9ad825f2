//! What quirks do that takes more than a condition; nothing here runs without one.

use super::error::Error;
use super::position::Position;
use super::quirks::Quirk;
use super::reader::LogReader;
use super::writer::LogWriter;

impl LogWriter {
    /// Refuses a message that is too small or too large.
    pub(super) fn check_message(&mut self, size: usize) -> Result<(), Error> {
        let checked = self.options.check_message(size);
        if checked.is_err() && self.store.has(Quirk::RefusedPutFlushes) {
            self.flush(false)?;
        }
        checked
    }

    /// What comes before anything is known of a cut.
    pub(super) fn before_cut(&mut self) -> Result<(), Error> {
        if self.store.has(Quirk::RefusedCutFlushes) {
            self.flush(false)?;
        }
        Ok(())
    }

    /// A place in the write segment that need not be a border.
    pub(super) fn place_off_border(&self, offset: u64, count: u64) -> Option<Position> {
        let is_taken = self.store.has(Quirk::CutOffBoundary);
        hybrid(&self.segment.end(), offset, count).filter(|_| is_taken)
    }

    /// Removes the segments of lower numbers, while the metas still name them.
    pub(super) fn remove_segments_before(&mut self, number: u64) -> Result<(), Error> {
        for segment in &self.segments {
            if *segment < number {
                self.store.remove(&self.store.paths.segment(*segment))?;
            }
        }
        self.store.sync_directory()
    }
}

impl LogReader {
    /// What becomes of a skip to a place that is no border.
    pub(super) fn place_off_border(
        &mut self,
        offset: u64,
        count: Option<u64>,
        end: &Position,
    ) -> Option<Position> {
        let place = hybrid(end, offset, count.unwrap_or(0));
        if self.options.quirks.has(Quirk::FailedSkipMoves) {
            self.confirmed = place.unwrap_or(self.confirmed);
        }
        place.filter(|_| self.options.quirks.has(Quirk::SkipOffBoundary))
    }
}

fn hybrid(end: &Position, offset: u64, count: u64) -> Option<Position> {
    let position = offset.checked_sub(end.segment_offset())?;
    Some(Position {
        segment: end.segment,
        position,
        offset,
        count,
    })
}
