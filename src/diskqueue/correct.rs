//! Finds the read position of a bare meta of which one bit was changed.
//!
//! The format has no checksum, but the depth bears the positions out: the border of a record from
//! which exactly as many records lead to the write position, and whose text differs from what the
//! meta says in one bit, is what the meta said.

use super::count::open;
use super::error::Error;
use super::frame_reader::FrameReader;
use super::meta::Meta;
use super::position::Position;
use super::store::Store;
use crate::records::frame::{Frame, record_bytes};
use std::collections::VecDeque;

/// The read position that the depth bears out, if one changed bit explains it.
pub(super) fn corrected_read(
    store: &mut Store,
    segments: &VecDeque<u64>,
    meta: &Meta,
) -> Result<Option<Position>, Error> {
    let mut reader = FrameReader::default();
    let mut candidates = Vec::new();
    let mut records: i64 = 0;
    for segment in segments.iter().copied() {
        if segment > meta.write.segment || !open(store, &mut reader, segment, &[])? {
            continue;
        }
        let mut place = Position::start_of(segment);
        loop {
            if place == meta.write {
                let mut exact = candidates
                    .iter()
                    .filter(|(_, before)| records - before == meta.depth);
                return Ok(exact.next().map(|(place, _)| *place));
            }
            if is_one_bit_off(place, meta.read) {
                candidates.push((place, records));
            }
            let frame = reader
                .at(place.offset)
                .map_err(|error| store.segment_error("read", segment, error))?;
            let Frame::Record { length } = frame else {
                break;
            };
            place.offset += record_bytes(length);
            records += 1;
        }
    }
    Ok(None)
}

fn is_one_bit_off(one: Position, other: Position) -> bool {
    let segments = bits_off(one.segment, other.segment);
    let offsets = bits_off(one.offset, other.offset);
    matches!((segments, offsets), (Some(0), Some(1)) | (Some(1), Some(0)))
}

/// How many bits of their digits differ; `None` if one number has more digits.
fn bits_off(mut one: u64, mut other: u64) -> Option<u32> {
    let mut off = 0;
    loop {
        off += ((one % 10) ^ (other % 10)).count_ones();
        (one, other) = (one / 10, other / 10);
        match (one, other) {
            (0, 0) => return Some(off),
            (0, _) | (_, 0) => return None,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_compared_in_place() {
        assert_eq!(bits_off(0, 0), Some(0));
        assert_eq!(bits_off(740, 742), Some(1));
        assert_eq!(bits_off(740, 340), Some(1));
        assert_eq!(bits_off(740, 840), Some(4));
        assert_eq!(bits_off(40, 740), None);
        assert!(is_one_bit_off(Position::new(0, 7), Position::new(1, 7)));
        assert!(!is_one_bit_off(Position::new(0, 7), Position::new(0, 7)));
        assert!(!is_one_bit_off(Position::new(0, 7), Position::new(1, 6)));
    }
}
