//! Reads the blocks of one segment's sums, in the order of the records.
//!
//! The file counts up to the first place where no right block stands. A block is right if it is of
//! this segment and its generation lies within one life of the log; its sums are salted with its
//! own generation, since a cut of the log's end leaves older blocks before it as they are.

use crate::fs::{FsFile, read_up_to};
use crate::records::frame::record_bytes;
use crate::records::side::BLOCK_HEADER_BYTES;
use crate::records::sums::{Entry, Salt, SumsBlock, parse_block};
use std::io;
use std::ops::RangeInclusive;

/// How much is read at once where so much is there.
const PIECE_BYTES: u64 = 64 * 1024;

/// One block of a sums file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlockAt {
    /// Of its generation.
    pub(super) salt: Salt,
    /// Where its first record stands; the size of the segment for a seal, which has no entries.
    pub(super) first: u64,
    /// Where in the file it ends.
    pub(super) end: u64,
}

/// The sums of a segment, open for reading.
#[derive(Debug)]
pub(super) struct SumsScan<'a> {
    file: Option<&'a dyn FsFile>,
    segment: u64,
    generations: RangeInclusive<u64>,
    /// Where the next block stands, and where the file ends.
    next: u64,
    limit: u64,
    buffer: Vec<u8>,
    buffer_start: u64,
    /// The block before `next`, its entries, and the one to be told next.
    block: Option<BlockAt>,
    entries: Vec<Entry>,
    index: usize,
    /// Where the record of that entry stands.
    offset: u64,
}

impl<'a> SumsScan<'a> {
    /// Reads `file`, which has `limit` bytes, from the block at `from` on.
    pub(super) fn new(
        file: Option<&'a dyn FsFile>,
        segment: u64,
        generations: RangeInclusive<u64>,
        (from, limit): (u64, u64),
    ) -> Self {
        Self {
            file,
            segment,
            generations,
            next: from,
            limit: if file.is_some() { limit } else { 0 },
            buffer: Vec::new(),
            buffer_start: from,
            block: None,
            entries: Vec::new(),
            index: 0,
            offset: 0,
        }
    }

    /// Takes the next block, if one is there and right.
    ///
    /// # Errors
    /// That of the file.
    pub(super) fn next_block(&mut self) -> io::Result<Option<(BlockAt, &[Entry])>> {
        self.load()?;
        Ok(self.block.map(|block| (block, self.entries.as_slice())))
    }

    /// What is known of the record at `offset`, and the salt of its sum. Offsets must not decrease
    /// from call to call.
    ///
    /// # Errors
    /// That of the file.
    pub(super) fn entry_at(&mut self, offset: u64) -> io::Result<Option<(Salt, Entry)>> {
        loop {
            let entry = self.entries.get(self.index).copied();
            match (self.block, entry) {
                (Some(block), Some(entry)) if self.offset == offset => {
                    return Ok(Some((block.salt, entry)));
                }
                (Some(_), Some(_)) if self.offset > offset => return Ok(None),
                (Some(_), Some(entry)) => {
                    self.offset = self.offset.saturating_add(record_bytes(entry.length));
                    self.index += 1;
                }
                _ if self.next >= self.limit => return Ok(None),
                _ => self.load()?,
            }
        }
    }

    /// If the entry told last was the last of its block: how many the block had, and where in the
    /// file it ends.
    pub(super) fn block_end(&self) -> Option<(usize, u64)> {
        let block = self.block?;
        (self.index + 1 == self.entries.len()).then_some((self.entries.len(), block.end))
    }

    fn load(&mut self) -> io::Result<()> {
        self.entries.clear();
        self.index = 0;
        self.block = None;
        let mut needed = 1;
        loop {
            if self.buffered().len() < needed && !self.fill(needed)? {
                self.limit = 0;
                return Ok(());
            }
            // A block names its generation first, and its sums are salted with that one.
            let generation = self.buffered().get(BLOCK_HEADER_BYTES..);
            let generation = generation.and_then(<[u8]>::first_chunk);
            let Some(generation) = generation.map(|bytes| u64::from_be_bytes(*bytes)) else {
                needed = BLOCK_HEADER_BYTES + 8;
                continue;
            };
            let salt = Salt::new(generation, self.segment);
            let from = usize::try_from(self.next - self.buffer_start).unwrap_or(usize::MAX);
            let rest = self.buffer.get(from..).unwrap_or_default();
            match parse_block(&salt, rest, &mut self.entries) {
                SumsBlock::Whole { offset, bytes } if self.generations.contains(&generation) => {
                    self.next += bytes as u64;
                    self.offset = offset;
                    self.block = Some(BlockAt {
                        salt,
                        first: offset,
                        end: self.next,
                    });
                    return Ok(());
                }
                SumsBlock::Cut(size) => needed = size,
                SumsBlock::Whole { .. } | SumsBlock::Wrong => {
                    self.entries.clear();
                    self.limit = 0;
                    return Ok(());
                }
            }
        }
    }

    fn buffered(&self) -> &[u8] {
        let from = usize::try_from(self.next - self.buffer_start).unwrap_or(usize::MAX);
        self.buffer.get(from..).unwrap_or_default()
    }

    /// Reads from the next block on; whether `needed` bytes are there.
    fn fill(&mut self, needed: usize) -> io::Result<bool> {
        let left = self.limit.saturating_sub(self.next);
        let Some(file) = self.file.filter(|_| needed as u64 <= left) else {
            return Ok(false);
        };
        let wanted = usize::try_from(left.min(PIECE_BYTES.max(needed as u64)))
            .map_err(|_| io::ErrorKind::OutOfMemory)?;
        self.buffer_start = self.next;
        self.buffer.resize(wanted, 0);
        let count = read_up_to(file, self.next, &mut self.buffer)?;
        self.buffer.truncate(count);
        Ok(count >= needed)
    }
}
