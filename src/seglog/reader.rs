//! A reader: its positions, and what it says of them.
//!
//! Invariants: start <= confirmed <= read, by virtual offset, and both are message borders of the
//! log up to the end that was told. A call that sees that the log was cut lowers them with the end.

use super::error::{Error, Loss};
use super::options::LogOptions;
use super::position::{End, Position};
use super::quirks::Quirk;
use super::reader_changes::Changes;
use super::reader_files::ReaderFiles;
use super::reader_losses::Losses;
use super::reader_meta::ReaderPositions;
use super::reader_view::View;
use super::record_reader::Record;
use crate::fs::FsLock;
use std::ffi::OsString;

/// A reader of a log. Dropping it writes nothing.
///
/// Every call but those that only say where it stands looks first at what became of the log: a
/// confirmed position before the log's start stands at the start then. Calls that succeed although
/// something is lost tell of it with [`LogReader::take_losses`].
#[derive(Debug)]
pub struct LogReader {
    pub(super) view: View,
    pub(super) name: OsString,
    pub(super) options: LogOptions,
    pub(super) files: ReaderFiles,
    /// Held until the reader is closed.
    pub(super) lock: Option<Box<dyn FsLock>>,
    pub(super) confirmed: Position,
    pub(super) read: Position,
    /// The generation of the log that both were corrected for.
    pub(super) since: u64,
    /// The record that was read last.
    pub(super) last: Option<Record>,
    /// Positions or the end changed since they were saved.
    pub(super) is_save_owed: bool,
    /// They changed since they were durable.
    pub(super) is_sync_owed: bool,
    pub(super) losses: Losses,
    pub(super) is_closed: bool,
}

impl LogReader {
    /// Everything before it is confirmed.
    #[must_use]
    pub fn confirmed(&self) -> Position {
        self.confirmed
    }

    /// Everything before it was read, or skipped.
    #[must_use]
    pub fn read_position(&self) -> Position {
        self.read
    }

    /// The end that it was told last, or what is left of it where the log was cut since.
    #[must_use]
    pub fn queue_end(&self) -> End {
        self.view.end
    }

    /// Where its log starts, as far as it looked.
    #[must_use]
    pub fn queue_start(&self) -> Position {
        self.view.start
    }

    /// Losses that calls met which succeeded all the same, since the last time this was asked.
    #[must_use]
    pub fn take_losses(&mut self) -> Vec<Loss> {
        self.losses.take()
    }

    /// Looks at the writer's meta from now on only when a writer in the same process tells of a
    /// change. It has to tell of all.
    pub fn follow(&mut self, changes: &Changes) {
        self.view.follow(changes);
    }

    /// Messages between the confirmed position and the end.
    ///
    /// # Errors
    /// It is closed; that of the filesystem.
    pub fn depth(&mut self) -> Result<u64, Error> {
        self.begin()?;
        let end = self.view.end.position;
        let from = match self.options.quirks.has(Quirk::DepthFromRead) {
            true => self.read,
            false => self.confirmed,
        };
        Ok(end.count.saturating_sub(from.count))
    }

    /// Bytes between the confirmed position and the end.
    ///
    /// # Errors
    /// It is closed; that of the filesystem.
    pub fn depth_size(&mut self) -> Result<u64, Error> {
        self.begin()?;
        let end = self.view.end.position;
        Ok(end.offset.saturating_sub(self.confirmed.offset))
    }

    /// Whether there is nothing between the confirmed position and the end.
    ///
    /// # Errors
    /// It is closed; that of the filesystem.
    pub fn is_waiting_more_data(&mut self) -> Result<bool, Error> {
        let has_read = self.last.is_some() || !self.options.quirks.has(Quirk::WaitingAfterOpen);
        Ok(self.depth_size()? == 0 || !has_read)
    }

    /// Begins a call: looks what became of the log.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        if self.is_closed {
            return Err(Error::Closed);
        }
        self.view.look()?;
        self.catch_up()
    }

    /// Follows the end where the log was cut, and the start where that moved.
    pub(super) fn catch_up(&mut self) -> Result<(), Error> {
        let end = self.view.end;
        if end.generation != self.since {
            self.stand_under(&end)?;
        }
        self.stand_at_start()?;
        // Not before that: what is below the start was left in an earlier generation.
        self.since = end.generation;
        Ok(())
    }

    /// A position before the log's start stands at the start.
    pub(super) fn stand_at_start(&mut self) -> Result<(), Error> {
        if self.options.quirks.has(Quirk::RemovedPositionKept) {
            return Ok(());
        }
        let start = self.view.start;
        for place in [&mut self.confirmed, &mut self.read] {
            // The end of a segment that is gone is this place in another form.
            if place.offset == start.offset {
                *place = start;
            }
        }
        if self.confirmed.offset < start.offset {
            let loss = self.view.lost_before_start(&self.confirmed, self.since)?;
            self.losses.meet(loss);
            self.confirm(start);
            if self.read.offset < start.offset {
                self.go_to(start);
            }
        }
        Ok(())
    }

    /// Moves the confirmed position.
    pub(super) fn confirm(&mut self, to: Position) {
        if to != self.confirmed {
            self.confirmed = to;
            self.owe_save();
        }
    }

    /// Moves the read position elsewhere than behind the record that was read.
    pub(super) fn go_to(&mut self, to: Position) {
        if to != self.read {
            self.view.records.forget();
        }
        self.read = to;
        self.last = None;
    }

    pub(super) fn owe_save(&mut self) {
        self.is_save_owed = true;
        self.is_sync_owed = true;
    }

    pub(super) fn positions(&self) -> ReaderPositions {
        ReaderPositions {
            confirmed: self.confirmed,
            end: self.view.end.position,
        }
    }
}
