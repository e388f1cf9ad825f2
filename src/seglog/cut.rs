//! Cutting the log's end: rollback and reset, and clearing what stands behind the end.
//!
//! The order of steps makes a crash leave the old end or the new one: the cut is durable in the
//! cuts file, then the metas name its generation and say `cutting`, then the files are cut, then
//! the metas say `opened`.

use super::error::{Applied, Error};
use super::generations::Begun;
use super::paths::quarantine_path;
use super::position::Position;
use super::quarantine::{keep_range, rename_aside};
use super::quirks::Quirk;
use super::recovery::Reject;
use super::sums_cut::sums_before;
use super::sums_writer::SumsLeft;
use super::write_segment::WriteSegment;
use super::writer::{LogWriter, Tail};
use super::writer_meta::WriterState;
use crate::fs::{OpenMode, SyncKind};

pub(super) const NOT_IN_LOG: Error = Error::Refused {
    reason: "the place is not within the log",
};
pub(super) const NO_BORDER: Error = Error::Refused {
    reason: "the place is not the border of a message, or the count does not fit it",
};

impl LogWriter {
    /// Takes back the last `count` messages: the log ends at `offset` then, which must be where
    /// the first of them starts. Durable when it returns the new end.
    ///
    /// # Errors
    /// [`Error::Refused`] for a place that is not within the log, or a count that does not fit it;
    /// or an IO error, which tells whether the messages are taken back.
    pub fn rollback(&mut self, offset: u64, count: u64) -> Result<Position, Error> {
        self.begin()?;
        let count = self.segment.end().count.checked_sub(count);
        self.cut_end(offset, count.ok_or(NOT_IN_LOG)?)
    }

    /// Cuts the log's end at `offset`, before which there must be exactly `count` messages.
    /// Durable when it returns the new end.
    ///
    /// # Errors
    /// As [`LogWriter::rollback`].
    pub fn reset_write_end(&mut self, offset: u64, count: u64) -> Result<Position, Error> {
        self.begin()?;
        self.cut_end(offset, count)
    }

    fn cut_end(&mut self, offset: u64, count: u64) -> Result<Position, Error> {
        self.before_cut()?;
        let (start, end) = (self.start, self.segment.end());
        let is_across = offset < end.segment_offset() && self.store.has(Quirk::CutWithinSegment);
        if offset < start.offset || count < start.count || offset > end.offset || is_across {
            return Err(NOT_IN_LOG);
        }
        let target = self.border_at(offset)?;
        let target = target.filter(|target| target.count == count);
        let target = target.or_else(|| self.place_off_border(offset, count));
        let target = target.ok_or(NO_BORDER)?;
        self.clear_tail()?;
        self.finish_roll()?;
        self.sync_all()?;
        if target.is_same_place(&end) {
            return self.show_all();
        }
        self.cut_at(target)?;
        Ok(target)
    }

    /// Cuts at a border before the end. Everything in memory is durable.
    pub(super) fn cut_at(&mut self, target: Position) -> Result<(), Error> {
        let counting = self.generations.counting();
        let left = sums_before(&self.store, counting, &target)?;
        let begun = self.generations.begin(&self.store, target)?;
        let mut content = self.content();
        content.generation = begun.generation;
        content.state = WriterState::Cutting;
        content.flushed = target;
        content.durable = target;
        content.sums_bytes = left.bytes;
        let is_durable = !self.store.has(Quirk::CutNotDurable);
        let written = self.metas.write(&self.store, &content, is_durable);
        if let Err(error) = written {
            if error.applied() == Applied::Nothing {
                return Err(error);
            }
            self.adopt_cut(target, left, begun);
            return Err(error);
        }
        self.adopt_cut(target, left, begun);
        self.clear_tail()
            .and_then(|()| self.forget_cuts())
            .map_err(|error| error.with_applied(Applied::Everything))
    }

    fn adopt_cut(&mut self, target: Position, left: SumsLeft, begun: Begun) {
        self.generations.adopt(begun, false);
        let exists = self.segments.contains(&target.segment);
        self.go_on_at(target, exists, left.bytes);
        self.read_end = target;
        self.starts.retain(|number, _| *number <= target.segment);
        self.tail = Tail::Cut(left);
    }

    /// The log goes on at `end`, everything before which is durable.
    pub(super) fn go_on_at(&mut self, end: Position, exists: bool, sums_bytes: u64) {
        let sums_with_write = self.segment.sums_with_write;
        let generation = self.generations.current();
        self.segment = WriteSegment::new(end, exists, generation, sums_bytes);
        self.segment.sums_with_write = sums_with_write;
        self.number_max = self.number_max.max(end.segment);
        self.roll_owed = false;
    }

    /// Clears what stands behind the end, and says so. After an error that is still to be done, and
    /// of the operation that it comes before nothing was done, whatever the metas say.
    pub(super) fn clear_tail(&mut self) -> Result<(), Error> {
        let left = match &self.tail {
            Tail::Clear if self.moving_from.is_none() => return Ok(()),
            Tail::Clear => None,
            Tail::Rejected(rejects) => {
                for reject in rejects.clone() {
                    self.keep_aside(reject)?;
                }
                None
            }
            Tail::Cut(left) => {
                let left = left.clone();
                // A sync of the metas may have failed, and no file is cut before they say so.
                self.persist(!self.store.has(Quirk::CutNotDurable))
                    .map_err(|error| error.with_applied(Applied::Nothing))?;
                Some(left)
            }
        };
        let end = self.segment.end();
        if !self.segment.exists && end.position > 0 {
            // The file was moved away: the log goes on without it.
            self.go_on_at(end.in_next_segment(), false, 0);
        }
        self.cut_file()?;
        if let Some(left) = left {
            self.segment.sums.settle(&self.store, &left)?;
            self.segment.durable_sums = self.segment.sums.written();
        }
        self.set_later_aside()?;
        self.store.sync_directory()?;
        let tail = std::mem::replace(&mut self.tail, Tail::Clear);
        let moving_from = self.moving_from.take();
        if let Err(error) = self.persist(!self.store.has(Quirk::CutNotDurable)) {
            self.tail = tail;
            self.moving_from = moving_from;
            return Err(error.with_applied(Applied::Nothing));
        }
        Ok(())
    }

    /// Quarantines what recovery rejected.
    fn keep_aside(&mut self, reject: Reject) -> Result<(), Error> {
        let Reject { segment, from, to } = reject;
        let path = self.store.paths.segment(segment);
        if from == 0 && to > 0 {
            rename_aside(self.store.fs.as_ref(), &path, |index| {
                quarantine_path(&path, index)
            })?;
            self.forget(segment)?;
        } else if to == 0 {
            self.store.remove(&path)?;
            self.forget(segment)?;
        } else if let Some(file) = self.store.find(&path)?
            && self.store.size(&path)?.is_some_and(|size| size > from)
        {
            keep_range(&self.store, file.as_ref(), &path, from, to)?;
        }
        Ok(())
    }

    /// Cuts the write segment's file at the end, durably.
    fn cut_file(&mut self) -> Result<(), Error> {
        let end = self.segment.end();
        if !self.segment.exists {
            return Ok(());
        }
        let path = self.store.paths.segment(end.segment);
        let file = self.store.open(&path, OpenMode::Write)?;
        let size = file.size();
        size.and_then(
            |size| match size > end.position && !self.store.has(Quirk::TailNotCut) {
                true => file.set_size(end.position),
                false => Ok(()),
            },
        )
        .and_then(|()| file.sync(SyncKind::Data))
        .map_err(|error| Error::io("cut", &path, error))?;
        self.store.remove(&self.store.paths.sidecar(end.segment))
    }

    /// Renames segments behind that of the end.
    fn set_later_aside(&mut self) -> Result<(), Error> {
        let numbers: Vec<u64> = {
            let numbers = self.segments.iter().copied();
            numbers
                .filter(|number| *number > self.segment.number)
                .collect()
        };
        for number in numbers.into_iter().rev() {
            let path = self.store.paths.segment(number);
            rename_aside(self.store.fs.as_ref(), &path, |index| {
                self.store.paths.rolled_back(number, index)
            })?;
            self.forget(number)?;
        }
        Ok(())
    }
}
