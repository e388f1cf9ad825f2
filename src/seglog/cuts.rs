//! The cuts file: where each generation of the log began.
//!
//! A block of the side file format for each: generation, segment, position, offset, count, 8 bytes
//! each. Generations grow. Blocks of later generations than that of the note do not count.

use super::error::Error;
use super::position::Position;
use super::store::Store;
use crate::records::side::{BLOCK_HEADER_BYTES, Block, BlockKind, first_block, write_block};

/// The largest cuts file that is looked at: far beyond what readers of a log can have missed.
const CUTS_BYTES_MAX: usize = 16 * 1024 * 1024;
/// How much of it is read at first: it is whole pages, most of which are zeros.
const CUTS_BYTES_FIRST: usize = 512;
const PAYLOAD_BYTES: usize = 40;
const BLOCK_BYTES: usize = BLOCK_HEADER_BYTES + PAYLOAD_BYTES;

/// Where a generation began: the end that was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// The generation that began.
    pub generation: u64,
    /// The end that was left.
    pub end: Position,
}

/// The cuts that count up to `generation`, in order, and how many bytes of the file they take.
#[must_use]
pub fn parse(bytes: &[u8], generation: u64) -> (Vec<Cut>, usize) {
    let mut cuts: Vec<Cut> = Vec::new();
    let mut used = 0;
    while let Some(rest) = bytes.get(used..)
        && let Block::Whole(payload) = first_block(BlockKind::Cut, rest)
        && let Some(cut) = parse_cut(payload)
        && cut.generation <= generation
        && cuts
            .last()
            .is_none_or(|last| last.generation < cut.generation)
    {
        cuts.push(cut);
        used += BLOCK_BYTES;
    }
    (cuts, used)
}

/// Appends the block of a cut.
pub fn write(cut: &Cut, bytes: &mut Vec<u8>) {
    write_block(BlockKind::Cut, bytes, |payload| {
        let Position {
            segment,
            position,
            offset,
            count,
        } = cut.end;
        for number in [cut.generation, segment, position, offset, count] {
            payload.extend_from_slice(&number.to_be_bytes());
        }
    });
}

/// The first bytes of the cuts file of a log, with all blocks that count; none if it is not there.
///
/// # Errors
/// That of the filesystem.
pub(super) fn read_blocks(store: &Store) -> Result<Vec<u8>, Error> {
    let path = store.paths.cuts();
    let mut wanted = CUTS_BYTES_FIRST;
    loop {
        let bytes = store.read(&path, wanted)?.unwrap_or_default();
        let (_, used) = parse(&bytes, u64::MAX);
        // The next block may begin within what was read and end behind it.
        let is_cut_off = bytes.len() == wanted && bytes.len() - used < BLOCK_BYTES;
        if !is_cut_off || wanted == CUTS_BYTES_MAX {
            return Ok(bytes);
        }
        wanted = (16 * wanted).min(CUTS_BYTES_MAX);
    }
}

/// The cuts up to generation `now` in the cuts file of a log.
///
/// # Errors
/// That of the filesystem.
pub(super) fn read(store: &Store, now: u64) -> Result<Vec<Cut>, Error> {
    Ok(parse(&read_blocks(store)?, now).0)
}

/// The lowest end that any generation after `since` up to `now` began with. `None` where one of
/// them is not among `cuts`, so that nothing can be said; the caller stands at its own position
/// where `since` is `now`.
#[must_use]
pub fn lowest_since(cuts: &[Cut], since: u64, now: u64) -> Option<Position> {
    let from = cuts.partition_point(|cut| cut.generation <= since);
    let newer = cuts.get(from..).unwrap_or_default();
    let is_complete = u64::try_from(newer.len()) == Ok(now.saturating_sub(since));
    // Of several at one offset the last: its segment is the one in which the log went on.
    let ends = newer.iter().rev().map(|cut| cut.end);
    let lowest = ends.min_by_key(|end| end.offset);
    lowest.filter(|_| is_complete)
}

fn parse_cut(payload: &[u8]) -> Option<Cut> {
    let payload: &[u8; PAYLOAD_BYTES] = payload.try_into().ok()?;
    let mut numbers = payload
        .as_chunks::<8>()
        .0
        .iter()
        .copied()
        .map(u64::from_be_bytes);
    Some(Cut {
        generation: numbers.next()?,
        end: Position {
            segment: numbers.next()?,
            position: numbers.next()?,
            offset: numbers.next()?,
            count: numbers.next()?,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(generation: u64, offset: u64) -> Cut {
        Cut {
            generation,
            end: Position {
                segment: 1,
                position: 2,
                offset,
                count: 4,
            },
        }
    }

    #[test]
    fn cuts_come_back_up_to_a_generation() {
        let all = [cut(1, 90), cut(2, 50), cut(3, 70)];
        let mut bytes = Vec::new();
        all.iter().for_each(|cut| write(cut, &mut bytes));
        assert_eq!(parse(&bytes, 3), (all.to_vec(), bytes.len()));
        assert_eq!(parse(&bytes, 2), (all[..2].to_vec(), bytes.len() / 3 * 2));
        bytes.truncate(bytes.len() - 1);
        assert_eq!(parse(&bytes, 9).0, all[..2]);
    }

    #[test]
    fn a_reader_stands_at_the_lowest_since_its_own() {
        let cuts = [cut(1, 90), cut(2, 50), cut(3, 70)];
        let offset = |since, now| lowest_since(&cuts, since, now).map(|end| end.offset);
        assert_eq!(offset(0, 3), Some(50));
        assert_eq!(offset(2, 3), Some(70));
        assert_eq!(offset(3, 3), None, "none since");
        assert_eq!(offset(3, 4), None, "one is not known");
    }
}
