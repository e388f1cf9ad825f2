//! Finds the sums of one segment's records, in the order of the records.
//!
//! The file counts up to the first place where no right block stands; a segment without sums is
//! one whose file has no block.

use crate::fs::{FsFile, read_up_to};
use crate::records::frame::record_bytes;
use crate::records::sums::{Entry, Salt, SumsBlock, parse_block};
use std::io;

/// How much is read at first, and at once later on, where so much is there: many sums are only
/// looked into.
const PIECE_BYTES_FIRST: u64 = 1024;
const PIECE_BYTES_MAX: u64 = 64 * 1024;

/// The sums of a segment, open for reading.
#[derive(Debug)]
pub(super) struct SumsReader {
    file: Option<Box<dyn FsFile>>,
    salt: Salt,
    /// How far the file is known to reach.
    limit: u64,
    /// Where the next block stands.
    next: u64,
    /// How much is read next.
    piece_bytes: u64,
    /// Bytes of the file from `start` on.
    buffer: Vec<u8>,
    start: u64,
    /// The entries of the block before `next`, and the one to be told next.
    entries: Vec<Entry>,
    index: usize,
    /// Where the record of that entry stands.
    offset: u64,
    /// Where the segment ends, once its seal was met.
    sealed_at: Option<u64>,
}

impl SumsReader {
    /// No sums.
    pub(super) fn none() -> Self {
        Self {
            file: None,
            salt: Salt::NONE,
            limit: 0,
            next: 0,
            piece_bytes: PIECE_BYTES_FIRST,
            buffer: Vec::new(),
            start: 0,
            entries: Vec::new(),
            index: 0,
            offset: 0,
            sealed_at: None,
        }
    }

    /// Reads `file` from block position `from` up to `limit` from now on.
    pub(super) fn open(
        &mut self,
        file: Option<Box<dyn FsFile>>,
        salt: Salt,
        from: u64,
        limit: u64,
    ) {
        self.limit = if file.is_some() { limit } else { 0 };
        self.file = file;
        self.salt = salt;
        self.next = from;
        self.piece_bytes = PIECE_BYTES_FIRST;
        self.buffer.clear();
        self.start = from;
        self.entries.clear();
        self.index = 0;
        self.sealed_at = None;
    }

    /// The file and its size, unless it ended in something wrong.
    pub(super) fn into_file(self) -> Option<(Box<dyn FsFile>, u64)> {
        let limit = self.limit;
        self.file.map(|file| (file, limit))
    }

    /// Lets go of the file.
    pub(super) fn close(&mut self) {
        self.file = None;
        self.limit = 0;
        self.entries.clear();
    }

    /// Where the sealed segment ends, if the sums looked at so far say so.
    pub(super) fn sealed_at(&self) -> Option<u64> {
        self.sealed_at
    }

    pub(super) fn salt(&self) -> &Salt {
        &self.salt
    }

    /// The file grew, or is known to reach farther.
    pub(super) fn extend_to(&mut self, limit: u64) {
        if self.file.is_some() {
            self.limit = self.limit.max(limit);
        }
    }

    /// What is known of the record at `offset`. Offsets must not decrease from call to call.
    ///
    /// # Errors
    /// That of the file.
    pub(super) fn entry_at(&mut self, offset: u64) -> io::Result<Option<Entry>> {
        loop {
            match self.entries.get(self.index) {
                Some(entry) if self.offset == offset => return Ok(Some(*entry)),
                Some(_) if self.offset > offset => return Ok(None),
                Some(entry) => {
                    self.offset = self.offset.saturating_add(record_bytes(entry.length));
                    self.index += 1;
                }
                None if self.next >= self.limit => return Ok(None),
                None => self.load()?,
            }
        }
    }

    /// What is known of the record at `offset`, where it is the next one, what is needed of the
    /// file is in memory, and the one before it was told last.
    #[inline]
    pub(super) fn next_loaded(&mut self, offset: u64) -> Option<Entry> {
        let entry = *self.entries.get(self.index)?;
        if self.offset == offset {
            return Some(entry);
        }
        if self.offset.saturating_add(record_bytes(entry.length)) != offset {
            return None;
        }
        let Some(next) = self.entries.get(self.index + 1) else {
            return self.first_of_next(offset);
        };
        self.offset = offset;
        self.index += 1;
        Some(*next)
    }

    /// What the next block, if it is in memory, knows of the record at `offset`, its first one.
    fn first_of_next(&mut self, offset: u64) -> Option<Entry> {
        if self.next >= self.limit {
            return None;
        }
        let from = usize::try_from(self.next - self.start).ok()?;
        let rest = self.buffer.get(from..)?;
        self.entries.clear();
        self.index = 0;
        match parse_block(&self.salt, rest, &mut self.entries) {
            SumsBlock::Whole { offset: at, bytes } if !self.entries.is_empty() => {
                self.offset = at;
                self.next += bytes as u64;
                self.entries.first().copied().filter(|_| at == offset)
            }
            // The next call for an entry loads it again, and judges it.
            SumsBlock::Whole { .. } | SumsBlock::Cut(_) | SumsBlock::Wrong => {
                self.entries.clear();
                None
            }
        }
    }

    /// If the entry told last was the last of its block: how many the block had, and where in the
    /// file it ends.
    pub(super) fn block_end(&self) -> Option<(usize, u64)> {
        (self.index + 1 == self.entries.len()).then_some((self.entries.len(), self.next))
    }

    /// How many records from `offset` on the sums tell of. Consumes them.
    ///
    /// # Errors
    /// That of the file.
    pub(super) fn count_from(&mut self, mut offset: u64) -> io::Result<u64> {
        let mut records = 0;
        while let Some(entry) = self.entry_at(offset)? {
            offset = offset.saturating_add(record_bytes(entry.length));
            records += 1;
        }
        Ok(records)
    }

    /// Takes the next block; where none is right, nothing more counts.
    fn load(&mut self) -> io::Result<()> {
        self.entries.clear();
        self.index = 0;
        let mut needed = 1;
        loop {
            let from = usize::try_from(self.next - self.start).unwrap_or(usize::MAX);
            let rest = self.buffer.get(from..).unwrap_or_default();
            if rest.len() < needed && !self.fill(needed)? {
                // A cut block; a file that grows goes on behind it only after being cut itself.
                self.file = None;
                self.limit = 0;
                return Ok(());
            }
            let from = usize::try_from(self.next - self.start).unwrap_or(usize::MAX);
            let rest = self.buffer.get(from..).unwrap_or_default();
            match parse_block(&self.salt, rest, &mut self.entries) {
                SumsBlock::Whole { offset, bytes } => {
                    if self.entries.is_empty() {
                        self.sealed_at = Some(offset);
                    }
                    self.offset = offset;
                    self.next += bytes as u64;
                    return Ok(());
                }
                SumsBlock::Cut(size) => needed = size,
                SumsBlock::Wrong => {
                    self.file = None;
                    self.limit = 0;
                    return Ok(());
                }
            }
        }
    }

    /// Reads from the next block on; whether `needed` bytes are there.
    fn fill(&mut self, needed: usize) -> io::Result<bool> {
        let left = self.limit.saturating_sub(self.next);
        let Some(file) = self.file.as_ref().filter(|_| needed as u64 <= left) else {
            return Ok(false);
        };
        let wanted = usize::try_from(left.min(self.piece_bytes.max(needed as u64)))
            .map_err(|_| io::ErrorKind::OutOfMemory)?;
        self.piece_bytes = (4 * self.piece_bytes).min(PIECE_BYTES_MAX);
        self.start = self.next;
        self.buffer.resize(wanted, 0);
        let count = read_up_to(file.as_ref(), self.next, &mut self.buffer)?;
        self.buffer.truncate(count);
        Ok(count >= needed)
    }
}
