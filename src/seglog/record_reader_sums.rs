//! The sums of one segment's records, in the order of the records.
//!
//! A block counts if its generation is one of this life of the log, and its sums are salted with
//! that generation. Nothing counts from the first place on where no such block stands; but the
//! file of the last segment grows, so that place is looked at again when the end has moved.

use crate::fs::{FsFile, read_up_to};
use crate::records::frame::record_bytes;
use crate::records::side::BLOCK_HEADER_BYTES;
use crate::records::sums::{Entry, Salt, SumsBlock, parse_block};
use std::io;
use std::ops::RangeInclusive;

/// How much is read at first, and at once later on: most sums are short, and many are only looked
/// into.
const PIECE_BYTES_FIRST: usize = 1024;
const PIECE_BYTES_MAX: usize = 64 * 1024;
/// A block without records: its header, generation, segment and the segment's size.
const SEAL_BYTES: usize = BLOCK_HEADER_BYTES + 24;

/// The generations whose sums count: those of this life of the log.
pub(super) type Generations = RangeInclusive<u64>;

/// No sums count.
pub(super) const NO_GENERATIONS: Generations = RangeInclusive::new(1, 0);

/// The sums of a segment, open for reading.
#[derive(Debug)]
pub(super) struct SumsReader {
    file: Option<Box<dyn FsFile>>,
    generations: Generations,
    segment: u64,
    /// Where the next block stands, and whether none was found there.
    next: u64,
    is_at_end: bool,
    buffer: Vec<u8>,
    /// How much is read next.
    piece_bytes: usize,
    /// Where the buffer's first byte stands.
    start: u64,
    /// The block before `next`: its salt, its entries, the one to be told next and where its
    /// record stands.
    salt: Salt,
    entries: Vec<Entry>,
    index: usize,
    position: u64,
    /// The position that was asked for last.
    asked: u64,
}

impl SumsReader {
    /// The sums in `file` of the segment of this number.
    pub(super) fn new(
        file: Option<Box<dyn FsFile>>,
        segment: u64,
        generations: Generations,
    ) -> Self {
        Self {
            is_at_end: file.is_none() || generations.is_empty(),
            file,
            generations,
            segment,
            next: 0,
            buffer: Vec::new(),
            piece_bytes: PIECE_BYTES_FIRST,
            start: 0,
            salt: Salt::new(0, segment),
            entries: Vec::new(),
            index: 0,
            position: 0,
            asked: 0,
        }
    }

    /// The file may have grown.
    pub(super) fn look_again(&mut self) {
        self.is_at_end = self.file.is_none() || self.generations.is_empty();
        self.buffer.clear();
        self.start = self.next;
    }

    /// The salt of the entry that was told last.
    pub(super) fn salt(&self) -> &Salt {
        &self.salt
    }

    /// What is known of the record at `position`. Asking for an earlier one than before begins at
    /// the start of the file.
    pub(super) fn entry_at(&mut self, position: u64) -> io::Result<Option<Entry>> {
        if position < self.asked {
            self.next = 0;
            self.entries.clear();
            self.look_again();
        }
        self.asked = position;
        loop {
            match self.entries.get(self.index) {
                Some(entry) if self.position == position => return Ok(Some(*entry)),
                Some(_) if self.position > position => return Ok(None),
                Some(entry) => {
                    self.position = self.position.saturating_add(record_bytes(entry.length));
                    self.index += 1;
                }
                None if self.is_at_end => return Ok(None),
                None => self.load_block()?,
            }
        }
    }

    fn load_block(&mut self) -> io::Result<()> {
        self.entries.clear();
        self.index = 0;
        let mut needed = BLOCK_HEADER_BYTES + size_of::<u64>();
        loop {
            if !self.load(needed)? {
                break;
            }
            let rest = rest(&self.buffer, self.next - self.start);
            let Some(generation) = generation_of(rest) else {
                break;
            };
            if !self.generations.contains(&generation) {
                break;
            }
            let salt = Salt::new(generation, self.segment);
            match parse_block(&salt, rest, &mut self.entries) {
                SumsBlock::Whole { offset, bytes } => {
                    self.salt = salt;
                    self.position = offset;
                    self.next += bytes as u64;
                    return Ok(());
                }
                SumsBlock::Cut(size) if size > needed => needed = size,
                SumsBlock::Cut(_) | SumsBlock::Wrong => break,
            }
        }
        self.is_at_end = true;
        Ok(())
    }

    /// Sees to it that so many bytes from `next` on are in memory; whether the file has them.
    fn load(&mut self, needed: usize) -> io::Result<bool> {
        if rest(&self.buffer, self.next - self.start).len() >= needed {
            return Ok(true);
        }
        let Some(file) = &self.file else {
            return Ok(false);
        };
        self.start = self.next;
        self.buffer.resize(self.piece_bytes.max(needed), 0);
        self.piece_bytes = (self.piece_bytes * 2).min(PIECE_BYTES_MAX);
        let count = read_up_to(file.as_ref(), self.next, &mut self.buffer)?;
        self.buffer.truncate(count);
        Ok(count >= needed)
    }
}

fn rest(buffer: &[u8], from: u64) -> &[u8] {
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    buffer.get(from..).unwrap_or_default()
}

/// The generation that a block of sums claims.
fn generation_of(block: &[u8]) -> Option<u64> {
    let (_, payload) = block.split_first_chunk::<BLOCK_HEADER_BYTES>()?;
    payload.first_chunk().copied().map(u64::from_be_bytes)
}

/// The size that the last block of a sums file says its segment has, if that block is a seal.
pub(super) fn sealed_size(
    file: &dyn FsFile,
    segment: u64,
    generations: &Generations,
) -> io::Result<Option<u64>> {
    let mut block = [0; SEAL_BYTES];
    let Some(start) = file.size()?.checked_sub(block.len() as u64) else {
        return Ok(None);
    };
    if read_up_to(file, start, &mut block)? < block.len() {
        return Ok(None);
    }
    let generation = generation_of(&block).filter(|number| generations.contains(number));
    Ok(generation.and_then(|generation| {
        match parse_block(&Salt::new(generation, segment), &block, &mut Vec::new()) {
            SumsBlock::Whole { offset, .. } => Some(offset),
            SumsBlock::Cut(_) | SumsBlock::Wrong => None,
        }
    }))
}
