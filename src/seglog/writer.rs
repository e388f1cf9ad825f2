//! [`LogWriter`]: its state, and putting, flushing and closing in terms of the parts.

use super::chart::Starts;
use super::error::{Applied, Error};
use super::generations::Generations;
use super::metas::Metas;
use super::options::LogOptions;
use super::position::{End, Position};
use super::quirks::Quirk;
use super::reader_changes::Changes;
use super::recovery::Reject;
use super::store::Store;
use super::sums_writer::SumsLeft;
use super::write_segment::{BUFFER_BYTES, WriteSegment};
use crate::fs::{BootId, FsLock};
use crate::records::frame::record_bytes;
use crate::records::text::NUMBER_MAX;
use std::collections::VecDeque;

/// What may be done with a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Full,
    ReadOnly,
    /// After close, delete or a move.
    Gone,
}

/// What still stands behind the log's end.
#[derive(Debug)]
pub(super) enum Tail {
    /// Nothing.
    Clear,
    /// What recovery rejected: it stays until the first put, cut or close.
    Rejected(Vec<Reject>),
    /// What a cut took away. The meta says so already.
    Cut(SumsLeft),
}

/// What a put did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Put {
    /// The virtual offset of its first byte.
    pub offset: u64,
    /// How many bytes it takes in the log.
    pub size: u64,
    /// The write end behind it.
    pub end: Position,
}

/// The writer of a segmented log. Dropping it writes nothing, as when its process dies: call
/// [`LogWriter::close`].
#[derive(Debug)]
pub struct LogWriter {
    pub(super) store: Store,
    pub(super) options: LogOptions,
    pub(super) access: Access,
    pub(super) lock: Option<Box<dyn FsLock>>,
    pub(super) boot: Option<BootId>,
    pub(super) metas: Metas,
    pub(super) generations: Generations,
    pub(super) segment: WriteSegment,
    pub(super) start: Position,
    pub(super) read_end: Position,
    /// Numbers of the segments there are, ascending, from the log's start on.
    pub(super) segments: VecDeque<u64>,
    /// The largest number that any file of the log has.
    pub(super) number_max: u64,
    pub(super) starts: Starts,
    pub(super) tail: Tail,
    /// Segments before the start that hold what recovery rejected: they are kept aside.
    pub(super) kept: Vec<u64>,
    /// The write segment is full, and the step to the next one failed.
    pub(super) roll_owed: bool,
    /// The first error of an owed sync or roll that no flush or close returned yet.
    pub(super) owed_error: Option<Error>,
    /// A move to another directory began: where the log started then.
    pub(super) moving_from: Option<Position>,
}

impl LogWriter {
    /// Puts one message at the end. It may wait in memory until a flush.
    ///
    /// # Errors
    /// [`Error::MessageSize`], or an IO error of an earlier put or of a step that the log owes;
    /// the message was not put.
    pub fn put(&mut self, message: &[u8]) -> Result<Put, Error> {
        self.begin()?;
        self.check_message(message.len())?;
        let length = u32::try_from(message.len()).expect("the options allow no more than 31 bits");
        self.make_room(record_bytes(length), 1)?;
        let offset = self.segment.end().offset;
        self.segment.push(message, length);
        Ok(self.finish_put(offset))
    }

    /// How the log was opened.
    #[must_use]
    pub fn options(&self) -> &LogOptions {
        &self.options
    }

    /// Whether it still has the log: not after a close, a delete, or a move, even one that failed
    /// half way.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.access != Access::Gone
    }

    /// Where the log ends, what waits in memory included.
    #[must_use]
    pub fn write_end(&self) -> Position {
        self.segment.end()
    }

    /// What readers and snapshots in this process can follow, to save looks at the metas.
    #[must_use]
    pub fn changes(&self) -> Changes {
        if self.access != Access::Full {
            // It tells of nothing that another writer does.
            self.metas.changes.end();
        }
        self.metas.changes.clone()
    }

    /// Up to where readers may read: what was flushed.
    #[must_use]
    pub fn read_end(&self) -> End {
        End {
            position: self.read_end,
            generation: self.generations.current(),
        }
    }

    /// Where the log starts.
    #[must_use]
    pub fn queue_start(&self) -> Position {
        self.start
    }

    /// Writes what waits in memory and the meta; with `fsync` makes both durable.
    ///
    /// # Errors
    /// An IO error, or that of an earlier owed step that reached nobody yet: no promise is made.
    pub fn flush(&mut self, fsync: bool) -> Result<(), Error> {
        self.begin()?;
        let unreported = if fsync { self.owed_error.take() } else { None };
        self.finish_roll()?;
        let everything = |error: Error| error.with_applied(Applied::Everything);
        if self.options.quirks.has(Quirk::FlushErrorIgnored)
            && self.segment.write(&self.store).is_err()
        {
            self.read_end = self.segment.end();
            return Ok(());
        }
        if fsync {
            self.sync_all()?;
            self.show_all()?;
        } else if self.read_end != self.segment.end() || !self.metas.says(&self.content()) {
            if !self.options.quirks.has(Quirk::ReadEndBeforeWrite) {
                self.segment.write(&self.store)?;
                self.note_segment();
            }
            self.read_end = self.segment.end();
            self.persist(false).map_err(everything)?;
        }
        unreported.map_or(Ok(()), Err)
    }

    /// Writes what waits in memory, so that readers may read it; the meta stays. Whether there was
    /// anything.
    ///
    /// # Errors
    /// An IO error; readers may read what they could before.
    pub fn flush_buffer(&mut self) -> Result<bool, Error> {
        self.begin()?;
        if self.read_end == self.segment.end() {
            return Ok(false);
        }
        self.finish_roll()?;
        self.segment.write(&self.store)?;
        self.note_segment();
        self.read_end = self.segment.end();
        Ok(true)
    }

    /// Makes everything durable and closes the log, so that opening it gives exactly this state.
    /// After an error it is still open. Closing a closed one does nothing.
    ///
    /// # Errors
    /// As [`LogWriter::flush`].
    pub fn close(&mut self) -> Result<(), Error> {
        if self.access == Access::Full {
            if !matches!(self.tail, Tail::Clear) {
                self.clear_tail()?;
            }
            self.finish_roll()?;
            self.sync_all()?;
            self.read_end = self.segment.end();
            // An unreported error leaves the log open, so the meta must not say closed.
            if let Some(unreported) = self.owed_error.take() {
                self.persist(true)?;
                return Err(unreported);
            }
            self.persist_closed()?;
        }
        self.let_go();
        Ok(())
    }

    /// Lets go of all files and of the lock.
    pub(super) fn let_go(&mut self) {
        self.access = Access::Gone;
        self.segment.let_go();
        self.metas.let_go();
        self.generations.let_go();
        self.lock = None;
    }

    /// What every writing operation begins with.
    #[inline]
    pub(super) fn begin(&self) -> Result<(), Error> {
        match self.access {
            Access::Full => Ok(()),
            Access::ReadOnly => Err(Error::ReadOnly),
            Access::Gone => Err(Error::Closed),
        }
    }

    /// Makes everything in memory durable, without telling readers or the meta.
    pub(super) fn sync_all(&mut self) -> Result<(), Error> {
        self.segment.sync(&self.store)?;
        self.note_segment();
        Ok(())
    }

    /// The write segment's file is there once something was written to it.
    pub(super) fn note_segment(&mut self) {
        let number = self.segment.number;
        if self.segment.exists && self.segments.back().is_none_or(|last| *last < number) {
            self.segments.push_back(number);
        }
    }

    /// What a put of so many bytes and messages needs before it: a clear tail, a segment that is
    /// not full, and room in memory.
    #[inline]
    pub(super) fn make_room(&mut self, size: u64, count: u64) -> Result<(), Error> {
        let end = self.segment.end();
        let reaches = |number: u64, more: u64| number.saturating_add(more) > NUMBER_MAX;
        if reaches(end.offset, size) || reaches(end.count, count) || reaches(end.segment, 1) {
            return Err(Error::Exhausted {
                reason: "an offset, count or segment number would pass 63 bits",
            });
        }
        if !matches!(self.tail, Tail::Clear) || self.moving_from.is_some() {
            self.clear_tail()?;
        }
        if self.metas.may_say_closed() {
            self.persist(false)?;
        }
        if self.roll_owed {
            self.finish_roll()?;
        }
        let unsynced = self.segment.unsynced_bytes();
        if unsynced > 0 && unsynced.saturating_add(size) > self.options.unsynced_bytes_max {
            self.sync_all()?;
        }
        if self.segment.buffered_bytes().saturating_add(size) > BUFFER_BYTES {
            self.segment.write(&self.store)?;
            self.note_segment();
        }
        Ok(())
    }

    /// Rolls if the segment is full. A roll that fails is owed: it fails no put, but the next one.
    #[inline]
    pub(super) fn finish_put(&mut self, offset: u64) -> Put {
        let size = self.segment.end().offset - offset;
        if self.segment.end().position >= self.options.segment_bytes_max {
            self.roll_owed = true;
            if let Err(error) = self.finish_roll() {
                self.owed_error.get_or_insert(error);
            }
        }
        let told = match self.options.quirks.has(Quirk::PutTellsItsEnd) {
            true => offset + size,
            false => offset,
        };
        Put {
            offset: told,
            size,
            end: self.segment.end(),
        }
    }
}
