//! Writes the sums of the write segment.
//!
//! Invariants: the file's first `written` bytes are right blocks for all records before those of
//! `entries`, in order; the last `unsynced.len()` of them may not be durable yet.

use super::error::Error;
use super::position::Position;
use super::store::{PERMISSIONS, Store, is_no_file};
use crate::fs::{FsFile, OpenMode, SyncKind, read_exact_at, write_all_at};
use crate::records::frame::record_bytes;
use crate::records::sums::{BLOCK_RECORDS_MAX, Entry, Salt, write_blocks, write_seal};
use std::io;

/// The bytes of the segment that are not durable yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unsynced<'a> {
    pub(super) bytes: &'a [u8],
    /// Where they start.
    pub(super) from: u64,
}

impl<'a> Unsynced<'a> {
    /// A record; nothing if it is not there.
    pub(super) fn record(&self, offset: u64, length: u32) -> &'a [u8] {
        let record = || {
            let start = usize::try_from(offset.checked_sub(self.from)?).ok()?;
            let size = usize::try_from(record_bytes(length)).ok()?;
            self.bytes.get(start..)?.get(..size)
        };
        record().unwrap_or_default()
    }
}

#[derive(Debug)]
pub(super) struct SumsWriter {
    file: Option<Box<dyn FsFile>>,
    segment: u64,
    salt: Salt,
    written: u64,
    unsynced: Vec<u8>,
    /// Records whose block is not written yet.
    entries: Vec<Entry>,
    /// So many of them have their sums. The others get them together, when the block is written:
    /// the sums of several records at once take less time than one after each put.
    summed: usize,
    /// Where the first of them stands.
    first: u64,
    /// A failed sync: `unsynced` must be written again before the next one.
    rewrite_owed: bool,
    /// Bytes beyond `written` may be in the file.
    cut_owed: bool,
    /// There was no file when the queue was opened.
    is_absent: bool,
}

impl SumsWriter {
    /// Goes on behind `written` bytes of the segment's sums, which reach up to `position`.
    pub(super) fn new(generation: u64, position: Position, written: u64) -> Self {
        Self {
            file: None,
            segment: position.segment,
            salt: Salt::new(generation, position.segment),
            written,
            unsynced: Vec::new(),
            entries: Vec::new(),
            summed: 0,
            first: position.offset,
            rewrite_owed: false,
            cut_owed: false,
            is_absent: false,
        }
    }

    /// Takes over entries that recovery found to be missing in the file.
    pub(super) fn owe(&mut self, first: u64, entries: Vec<Entry>) {
        debug_assert!(self.entries.is_empty(), "nothing was put yet");
        self.first = first;
        self.summed = entries.len();
        self.entries = entries;
    }

    /// How many bytes of the file hold right blocks.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// How many records wait for their block.
    #[inline]
    pub(super) fn waiting(&self) -> usize {
        self.entries.len()
    }

    /// Whether a sync has anything to make durable: a seal may be written when nothing waits.
    pub(super) fn is_dirty(&self) -> bool {
        !self.entries.is_empty() || !self.unsynced.is_empty()
    }

    /// Whether so many wait that a block is due.
    #[inline]
    pub(super) fn is_due(&self) -> bool {
        self.entries.len() >= BLOCK_RECORDS_MAX
    }

    /// Notes a record that stands at `offset`, behind those that wait.
    #[inline]
    pub(super) fn push(&mut self, offset: u64, length: u32) {
        if self.entries.is_empty() {
            self.first = offset;
        }
        self.entries.push(Entry { length, sum: 0 });
    }

    /// Computes the sums that are missing, of records in `unsynced`.
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

    /// Forgets all but the first `count` that wait.
    pub(super) fn truncate(&mut self, count: usize) {
        self.entries.truncate(count);
        self.summed = self.summed.min(count);
    }

    /// Writes the blocks of all that wait.
    pub(super) fn append(
        &mut self,
        store: &mut Store,
        unsynced: &Unsynced<'_>,
    ) -> Result<(), Error> {
        if self.entries.is_empty() {
            return Ok(());
        }
        self.sum_up(unsynced);
        let mark = self.unsynced.len();
        let (salt, first) = (self.salt, self.first);
        write_blocks(&salt, first, &self.entries, &mut self.unsynced);
        self.write_unsynced(store, mark)?;
        self.truncate(0);
        Ok(())
    }

    /// Writes the blocks from `mark` on, or forgets them.
    fn write_unsynced(&mut self, store: &mut Store, mark: usize) -> Result<(), Error> {
        let result = self.write_from(store, mark);
        if let Err(error) = result {
            self.unsynced.truncate(mark);
            self.cut_owed = true;
            return Err(store.sums_error("write", self.segment, error));
        }
        self.written += (self.unsynced.len() - mark) as u64;
        Ok(())
    }

    /// Writes that the segment ends at `size`: what stands behind is not its own.
    pub(super) fn seal(
        &mut self,
        store: &mut Store,
        unsynced: &Unsynced<'_>,
        size: u64,
    ) -> Result<(), Error> {
        self.append(store, unsynced)?;
        let mark = self.unsynced.len();
        write_seal(&self.salt, size, &mut self.unsynced);
        self.write_unsynced(store, mark)
    }

    fn write_from(&mut self, store: &mut Store, mark: usize) -> io::Result<()> {
        let file = match self.file.take() {
            Some(file) => file,
            None => {
                // Without sums in it, whatever stands in the file belongs to nobody.
                let mode = match self.written {
                    0 => OpenMode::Truncate,
                    _ => OpenMode::Create,
                };
                store
                    .fs
                    .open(store.paths.sums(self.segment), mode, PERMISSIONS)?
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

    /// Cuts, durably, what stands behind the right blocks: sums of records that a crash took would
    /// disagree with those that are put in their place. A cut that is seen already may be one that
    /// a killed recovery did not sync.
    pub(super) fn prepare(&mut self, store: &mut Store) -> Result<(), Error> {
        if self.is_absent {
            return Ok(());
        }
        let path = store.paths.sums(self.segment);
        let file = match self.file.take() {
            Some(file) => file,
            None => match store.fs.open(path, OpenMode::Write, PERMISSIONS) {
                Ok(file) => file,
                Err(error) if is_no_file(&error) => {
                    self.written = 0;
                    return Ok(());
                }
                Err(error) => return Err(Error::io("open", path, error)),
            },
        };
        file.size()
            .and_then(|size| {
                // The note counts only as far as the file bears it out.
                self.written = self.written.min(size);
                if size > self.written {
                    file.set_size(self.written)?;
                }
                file.sync(SyncKind::Data)
            })
            .map_err(|error| Error::io("cut", path, error))?;
        self.file = Some(file);
        Ok(())
    }

    /// Takes over the file that recovery opened, and its size.
    pub(super) fn adopt(&mut self, file: Box<dyn FsFile>, size: u64) {
        self.written = self.written.min(size);
        self.file = Some(file);
    }

    /// What the file holds from byte `durable` on may never have been synced, or be what is left of
    /// a failed sync: it is written again by the next one.
    pub(super) fn doubt(&mut self, store: &mut Store, durable: u64) -> Result<(), Error> {
        let Some(file) = self.file.as_deref().filter(|_| durable < self.written) else {
            return Ok(());
        };
        let size = usize::try_from(self.written - durable).unwrap_or(usize::MAX);
        self.unsynced.resize(size, 0);
        self.rewrite_owed = true;
        read_exact_at(file, durable, &mut self.unsynced)
            .map_err(|error| store.sums_error("read", self.segment, error))
    }

    /// The file's name is about to go.
    pub(super) fn let_go(&mut self) {
        self.file = None;
    }

    /// There is no file.
    pub(super) fn is_known_absent(&mut self) {
        self.is_absent = true;
        self.written = 0;
    }

    /// Makes the sums of all records durable.
    pub(super) fn sync(&mut self, store: &mut Store, unsynced: &Unsynced<'_>) -> Result<(), Error> {
        self.append(store, unsynced)?;
        let Some(file) = self.file.as_deref().filter(|_| !self.unsynced.is_empty()) else {
            return Ok(());
        };
        let start = self.written - self.unsynced.len() as u64;
        if self.rewrite_owed {
            write_all_at(file, start, &self.unsynced)
                .map_err(|error| store.sums_error("write", self.segment, error))?;
            self.rewrite_owed = false;
        }
        if let Err(error) = file.sync(SyncKind::Data) {
            self.rewrite_owed = write_all_at(file, start, &self.unsynced).is_err();
            return Err(store.sums_error("sync", self.segment, error));
        }
        self.unsynced.clear();
        Ok(())
    }
}
