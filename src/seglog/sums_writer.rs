//! Writes the sums of the write segment.
//!
//! Invariants: the file's first `written` bytes are right blocks for records before those of
//! `entries`, in order; the last `unsynced.len()` of them may not be durable yet; what stands in
//! the file behind them was cut before anything was put.

use super::error::Error;
use super::store::{PERMISSIONS, Store, is_no_file};
use crate::fs::{FsFile, OpenMode, SyncKind, write_all_at};
use crate::records::frame::record_bytes;
use crate::records::sums::{Entry, Salt, write_blocks, write_seal};
use std::io;

/// So many records wait for their sums at most. Nothing depends on these before the next sync, and
/// computing one takes as long as the put; a log that is never synced still gets them.
const WAITING_MAX: usize = 4_096;

/// The bytes of the segment that are not durable yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unsynced<'a> {
    pub(super) bytes: &'a [u8],
    /// Where they start in the segment.
    pub(super) from: u64,
}

impl<'a> Unsynced<'a> {
    /// A record; nothing if it is not there.
    fn record(&self, offset: u64, length: u32) -> &'a [u8] {
        let record = || {
            let start = usize::try_from(offset.checked_sub(self.from)?).ok()?;
            let size = usize::try_from(record_bytes(length)).ok()?;
            self.bytes.get(start..)?.get(..size)
        };
        record().unwrap_or_default()
    }
}

/// What is right in a sums file that recovery or a cut left, and what belongs behind it.
#[derive(Debug, Clone, Default)]
pub(super) struct SumsLeft {
    /// Bytes of right blocks.
    pub(super) bytes: u64,
    /// Blocks to be written behind them.
    pub(super) blocks: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct SumsWriter {
    file: Option<Box<dyn FsFile>>,
    segment: u64,
    salt: Salt,
    written: u64,
    unsynced: Vec<u8>,
    /// Records whose block is not written yet; the sums of the first `summed` are computed.
    entries: Vec<Entry>,
    summed: usize,
    /// Where the first of them stands.
    first: u64,
    /// A failed sync: `unsynced` must be written again before the next one.
    rewrite_owed: bool,
    /// Bytes beyond `written` may be in the file.
    cut_owed: bool,
}

impl SumsWriter {
    /// Goes on behind `written` bytes of the segment's sums.
    pub(super) fn new(generation: u64, segment: u64, written: u64) -> Self {
        Self {
            file: None,
            segment,
            salt: Salt::new(generation, segment),
            written,
            unsynced: Vec::new(),
            entries: Vec::new(),
            summed: 0,
            first: 0,
            rewrite_owed: false,
            cut_owed: false,
        }
    }

    /// How many bytes of the file hold right blocks.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Whether a sync has anything to make durable.
    pub(super) fn is_dirty(&self) -> bool {
        !self.entries.is_empty() || !self.unsynced.is_empty()
    }

    /// Whether so many wait that their blocks are due.
    pub(super) fn is_due(&self) -> bool {
        self.entries.len() >= WAITING_MAX
    }

    /// Notes a record that stands at `offset`, behind those that wait.
    #[inline]
    pub(super) fn push(&mut self, offset: u64, length: u32) {
        if self.entries.is_empty() {
            self.first = offset;
        }
        self.entries.push(Entry { length, sum: 0 });
    }

    /// Computes the sums that are missing, of records in `unsynced`: several at once take less
    /// time than one after each put.
    fn sum_up(&mut self, unsynced: &Unsynced<'_>) {
        if self.summed == self.entries.len() {
            return;
        }
        let mut offset = self.first;
        for (index, entry) in self.entries.iter_mut().enumerate() {
            if index >= self.summed {
                let record = unsynced.record(offset, entry.length);
                entry.sum = self.salt.sum(offset, record);
            }
            offset += record_bytes(entry.length);
        }
        self.summed = self.entries.len();
    }

    /// Writes the blocks of all that wait.
    pub(super) fn append(&mut self, store: &Store, unsynced: &Unsynced<'_>) -> Result<(), Error> {
        if self.entries.is_empty() {
            return Ok(());
        }
        self.sum_up(unsynced);
        let mark = self.unsynced.len();
        write_blocks(&self.salt, self.first, &self.entries, &mut self.unsynced);
        self.write_unsynced(store, mark)?;
        self.entries.clear();
        self.summed = 0;
        Ok(())
    }

    /// Writes that the segment ends at `size`: what stands behind is not its own.
    pub(super) fn seal(
        &mut self,
        store: &Store,
        unsynced: &Unsynced<'_>,
        size: u64,
    ) -> Result<(), Error> {
        self.append(store, unsynced)?;
        let mark = self.unsynced.len();
        write_seal(&self.salt, size, &mut self.unsynced);
        self.write_unsynced(store, mark)
    }

    /// Writes the blocks from `mark` on, or forgets them.
    fn write_unsynced(&mut self, store: &Store, mark: usize) -> Result<(), Error> {
        if let Err(error) = self.write_from(store, mark) {
            self.unsynced.truncate(mark);
            self.cut_owed = true;
            return Err(Error::io("write", &store.paths.sums(self.segment), error));
        }
        self.written += (self.unsynced.len() - mark) as u64;
        Ok(())
    }

    fn write_from(&mut self, store: &Store, mark: usize) -> io::Result<()> {
        let file = match self.file.take() {
            Some(file) => file,
            None => {
                // Without sums in it, whatever stands in the file belongs to nobody.
                let mode = match self.written {
                    0 => OpenMode::Truncate,
                    _ => OpenMode::Create,
                };
                let path = &store.paths.sums(self.segment);
                store.fs.open(path, mode, PERMISSIONS)?
            }
        };
        let file = self.file.insert(file);
        if self.cut_owed {
            file.set_size(self.written)?;
            self.cut_owed = false;
        }
        let bytes = self.unsynced.get(mark..).unwrap_or_default();
        write_all_at(file.as_ref(), self.written, bytes)
    }

    /// Cuts, durably, the sums of records that are not there: they would disagree with those that
    /// are put in their place. Then writes the blocks that belong behind what is left.
    pub(super) fn settle(&mut self, store: &Store, left: &SumsLeft) -> Result<(), Error> {
        self.written = left.bytes;
        self.unsynced.clear();
        let path = &store.paths.sums(self.segment);
        match store.fs.open(path, OpenMode::Write, PERMISSIONS) {
            Ok(file) => {
                let file = self.file.insert(file);
                file.size()
                    .and_then(|size| {
                        self.written = self.written.min(size);
                        if size > self.written {
                            file.set_size(self.written)?;
                        }
                        // A cut that is seen already may be one that was never synced.
                        file.sync(SyncKind::Data)
                    })
                    .map_err(|error| Error::io("cut", path, error))?;
            }
            Err(error) if is_no_file(&error) => {
                self.file = None;
                self.written = 0;
            }
            Err(error) => return Err(Error::io("open", path, error)),
        }
        self.cut_owed = false;
        self.rewrite_owed = false;
        if !left.blocks.is_empty() {
            self.unsynced.extend_from_slice(&left.blocks);
            let written = self.write_unsynced(store, 0);
            match written.and_then(|()| self.sync_written(store)) {
                // Records without sums count all the same, and a full disk must open.
                Err(error) if error.is_full_disk() => self.forget_behind(left.bytes),
                other => other?,
            }
        }
        Ok(())
    }

    fn forget_behind(&mut self, bytes: u64) {
        self.written = self.written.min(bytes);
        self.unsynced.clear();
        self.rewrite_owed = false;
        self.cut_owed = true;
    }

    /// Makes the sums of all records durable.
    pub(super) fn sync(&mut self, store: &Store, unsynced: &Unsynced<'_>) -> Result<(), Error> {
        self.append(store, unsynced)?;
        self.sync_written(store)
    }

    fn sync_written(&mut self, store: &Store) -> Result<(), Error> {
        let Some(file) = self.file.as_deref().filter(|_| !self.unsynced.is_empty()) else {
            return Ok(());
        };
        let path = &store.paths.sums(self.segment);
        let start = self.written - self.unsynced.len() as u64;
        if self.rewrite_owed {
            write_all_at(file, start, &self.unsynced)
                .map_err(|error| Error::io("write", path, error))?;
            self.rewrite_owed = false;
        }
        if let Err(error) = file.sync(SyncKind::Data) {
            self.rewrite_owed = write_all_at(file, start, &self.unsynced).is_err();
            return Err(Error::io("sync", path, error));
        }
        self.unsynced.clear();
        Ok(())
    }
}
