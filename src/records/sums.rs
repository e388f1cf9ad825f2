//! Sums: one CRC-32C per record, which vouches for its bytes, its place and its log.
//!
//! The sum of a record is the CRC-32C of the generation, the segment's number and the offset
//! (8 bytes each, big-endian) and of the record with its length. A block of the sums file holds
//! generation, segment, offset of its first record, then length and sum of 1 to 64 records. A block
//! of no record ends the sums of a sealed segment, and its offset is the size of that.

use super::frame::record_bytes;
use super::side::{BLOCK_HEADER_BYTES, Block, BlockKind, append_both, first_block, write_block};

/// Records in one block at most, and how many may wait for their block.
pub const BLOCK_RECORDS_MAX: usize = 64;
const PREFIX_BYTES: usize = 24;
const ENTRY_BYTES: usize = 8;

/// What is known of one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Size of the body in bytes.
    pub length: u32,
    /// The record's sum.
    pub sum: u32,
}

/// The part of a sum that all records of a segment share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Salt {
    generation: u64,
    segment: u64,
    state: u32,
}

impl Salt {
    /// That of no segment yet.
    pub(crate) const NONE: Self = Self {
        generation: 0,
        segment: 0,
        state: 0,
    };

    /// That of a segment in one life of the log.
    #[must_use]
    pub fn new(generation: u64, segment: u64) -> Self {
        let state = crc32c::crc32c(&generation.to_be_bytes());
        Self {
            generation,
            segment,
            state: crc32c::crc32c_append(state, &segment.to_be_bytes()),
        }
    }

    /// The number of that life.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The segment's number.
    #[must_use]
    pub fn segment(&self) -> u64 {
        self.segment
    }

    /// The sum of `record` (length and body) at `offset`.
    #[must_use]
    pub fn sum(&self, offset: u64, record: &[u8]) -> u32 {
        append_both(self.state, &offset.to_be_bytes(), record)
    }

    /// Whether `record` at `offset` is what `entry` tells.
    #[must_use]
    pub fn agrees(&self, entry: Entry, offset: u64, record: &[u8]) -> bool {
        record.len() as u64 == record_bytes(entry.length) && self.sum(offset, record) == entry.sum
    }
}

/// Appends the blocks for `entries`, the first of which stands at `offset`.
pub fn write_blocks(salt: &Salt, mut offset: u64, entries: &[Entry], bytes: &mut Vec<u8>) {
    let blocks = entries.len().div_ceil(BLOCK_RECORDS_MAX);
    bytes.reserve(blocks * (BLOCK_HEADER_BYTES + PREFIX_BYTES) + entries.len() * ENTRY_BYTES);
    for block in entries.chunks(BLOCK_RECORDS_MAX) {
        write_block(BlockKind::Sums, bytes, |payload| {
            payload.extend_from_slice(&salt.generation.to_be_bytes());
            payload.extend_from_slice(&salt.segment.to_be_bytes());
            payload.extend_from_slice(&offset.to_be_bytes());
            payload.reserve(block.len() * ENTRY_BYTES);
            for entry in block {
                let both = u64::from(entry.length) << 32 | u64::from(entry.sum);
                payload.extend_from_slice(&both.to_be_bytes());
            }
        });
        let records = block.iter().map(|entry| record_bytes(entry.length));
        offset = offset.saturating_add(records.sum());
    }
}

/// Appends the block without records that ends the sums of a sealed segment of `size` bytes.
pub fn write_seal(salt: &Salt, size: u64, bytes: &mut Vec<u8>) {
    write_block(BlockKind::Sums, bytes, |payload| {
        payload.extend_from_slice(&salt.generation.to_be_bytes());
        payload.extend_from_slice(&salt.segment.to_be_bytes());
        payload.extend_from_slice(&size.to_be_bytes());
    });
}

/// What stands at the start of some bytes of a sums file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SumsBlock {
    /// A block of this log and segment; its entries were appended (none by a seal).
    Whole {
        /// Where its first record stands.
        offset: u64,
        /// Its size in the file.
        bytes: usize,
    },
    /// So many bytes are needed to tell.
    Cut(usize),
    /// Nothing that counts.
    Wrong,
}

/// Parses the block at the start of `bytes` and appends what it tells to `entries`.
pub fn parse_block(salt: &Salt, bytes: &[u8], entries: &mut Vec<Entry>) -> SumsBlock {
    let payload = match first_block(BlockKind::Sums, bytes) {
        Block::Whole(payload) => payload,
        Block::Cut(needed) => return SumsBlock::Cut(needed),
        Block::Wrong => return SumsBlock::Wrong,
    };
    let Some((prefix, rest)) = payload.split_first_chunk::<PREFIX_BYTES>() else {
        return SumsBlock::Wrong;
    };
    let is_ours = prefix.starts_with(&salt.generation.to_be_bytes())
        && prefix[8..].starts_with(&salt.segment.to_be_bytes());
    let count = rest.len() / ENTRY_BYTES;
    let [.., a, b, c, d, e, f, g, h] = *prefix;
    if !is_ours || rest.len() % ENTRY_BYTES != 0 || count > BLOCK_RECORDS_MAX {
        return SumsBlock::Wrong;
    }
    entries.extend(rest.as_chunks::<ENTRY_BYTES>().0.iter().map(|entry| {
        let [a, b, c, d, e, f, g, h] = *entry;
        Entry {
            length: u32::from_be_bytes([a, b, c, d]),
            sum: u32::from_be_bytes([e, f, g, h]),
        }
    }));
    SumsBlock::Whole {
        offset: u64::from_be_bytes([a, b, c, d, e, f, g, h]),
        bytes: BLOCK_HEADER_BYTES + payload.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back() {
        let salt = Salt::new(3, 9);
        let mut records = Vec::new();
        for body in 0..100u32 {
            records.extend_from_slice(&body.to_be_bytes());
            records.extend(std::iter::repeat_n(7, body as usize));
        }
        let mut entries = Vec::new();
        let mut offset = 0;
        while let Some(header) = records.get(offset..).and_then(<[u8]>::first_chunk) {
            let length = u32::from_be_bytes(*header);
            let record = &records[offset..][..4 + length as usize];
            let sum = salt.sum(1000 + offset as u64, record);
            entries.push(Entry { length, sum });
            offset += record.len();
        }
        assert_eq!(entries.len(), 100);
        let mut bytes = Vec::new();
        write_blocks(&salt, 1000, &entries, &mut bytes);

        let mut parsed = Vec::new();
        let SumsBlock::Whole {
            offset,
            bytes: first,
        } = parse_block(&salt, &bytes, &mut parsed)
        else {
            panic!("the first block is whole");
        };
        assert_eq!(offset, 1000);
        assert_eq!(parsed.len(), BLOCK_RECORDS_MAX);
        assert!(matches!(
            parse_block(&salt, &bytes[first..], &mut parsed),
            SumsBlock::Whole { .. }
        ));
        assert_eq!(parsed, entries);
    }

    #[test]
    fn another_log_segment_or_place_does_not_agree() {
        let record = [0, 0, 0, 1, 5];
        let entry = Entry {
            length: 1,
            sum: Salt::new(1, 2).sum(3, &record),
        };
        assert!(Salt::new(1, 2).agrees(entry, 3, &record));
        assert!(!Salt::new(2, 2).agrees(entry, 3, &record));
        assert!(!Salt::new(1, 1).agrees(entry, 3, &record));
        assert!(!Salt::new(1, 2).agrees(entry, 4, &record));
        let mut bytes = Vec::new();
        write_blocks(&Salt::new(1, 2), 3, &[entry], &mut bytes);
        let mut parsed = Vec::new();
        assert_eq!(
            parse_block(&Salt::new(1, 3), &bytes, &mut parsed),
            SumsBlock::Wrong
        );
        assert_eq!(
            parse_block(&Salt::new(2, 2), &bytes, &mut parsed),
            SumsBlock::Wrong
        );
    }
}
