//! Where a log ends whose last segment is missing or short.
//!
//! The end is lowered to the last border that is left, and its offset goes on from there. Where the
//! segments before hold more than the offsets up to that segment, what is beyond the end would be
//! read as soon as the log grew, or instead of what is. The segments that follow one another count
//! then: the end is the last border in them up to its offset, and what lies behind is rejected like
//! any bytes behind the end.

use super::error::Error;
use super::position::Position;
use super::record_reader::{RecordReader, Step};
use super::record_reader_sums::Generations;
use super::store::Store;
use std::collections::BTreeMap;

/// The lowered end, or the last border up to its offset in the segments before its own, where these
/// reach past the start of that. `sizes` are those of the segments' files.
pub(super) fn within_the_rest(
    store: &Store,
    sizes: &BTreeMap<u64, u64>,
    generations: Generations,
    start: Position,
    lowered: Position,
) -> Result<Position, Error> {
    let before = sizes.range(start.segment..lowered.segment.max(start.segment));
    let held = before.fold(0, |held: u64, (_, size)| held.saturating_add(*size));
    let room = lowered.segment_offset().checked_sub(start.segment_offset());
    if room.is_some_and(|room| held <= room) {
        return Ok(lowered);
    }
    let Some(rest_end) = end_of_run(sizes, start, &lowered) else {
        return Ok(lowered);
    };
    let mut records = RecordReader::new(store.clone(), generations);
    let (last, is_more) = last_border(&mut records, start, (&rest_end, lowered.offset))?;
    let reaches_past = is_more || last.offset > lowered.segment_offset();
    Ok(if reaches_past { last } else { lowered })
}

/// The end of the segments that follow one another from the start on, by the sizes of their files;
/// nothing where that is not past the start of the lowered end's segment.
fn end_of_run(sizes: &BTreeMap<u64, u64>, start: Position, lowered: &Position) -> Option<Position> {
    let mut end = None;
    let mut from = start.segment_offset();
    let numbers = start.segment..lowered.segment;
    for (number, (segment, size)) in numbers.zip(sizes.range(start.segment..)) {
        if number != *segment {
            break;
        }
        let offset = from.checked_add(*size)?;
        end = Some(Position {
            segment: *segment,
            position: *size,
            offset,
            count: lowered.count.max(start.count),
        });
        from = offset;
    }
    end.filter(|end| end.offset > lowered.segment_offset())
}

/// The last border up to an offset that reading to `end` comes to, in the segment that ends there,
/// and whether a record follows it.
fn last_border(
    records: &mut RecordReader,
    start: Position,
    (end, offset): (&Position, u64),
) -> Result<(Position, bool), Error> {
    let (mut at, mut last) = (start, start);
    loop {
        let (behind, next, is_record) = match records.step(at, end)? {
            Step::Record(record) => {
                let bytes = record.next.offset - record.at.offset;
                (record.at.moved(bytes, 1), record.next, true)
            }
            // Bytes that are none, up to the end.
            Step::Lost(next, _) if next == *end => return Ok((last, false)),
            // A damaged one, of which the size is known, or the rest of a segment.
            Step::Lost(next, _) => (next, next, next.segment == at.segment),
            Step::End => return Ok((last, false)),
        };
        if behind.offset > offset {
            return Ok((last, is_record));
        }
        (last, at) = (behind, next);
    }
}
