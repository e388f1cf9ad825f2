//! Counts the records between two positions, as far as their lengths tell.

use super::error::Error;
use super::frame_reader::FrameReader;
use super::position::Position;
use super::recovery::end_of;
use super::store::Store;
use crate::records::frame::{Frame, record_bytes};
use std::collections::VecDeque;

/// How many records follow one another from `from` up to `to`; a broken one ends its segment.
pub(super) fn count(
    store: &mut Store,
    segments: &VecDeque<u64>,
    ends: &[(u64, u64)],
    from: Position,
    to: Position,
) -> Result<u64, Error> {
    let mut reader = FrameReader::default();
    let mut records = 0;
    let range = from.segment..=to.segment;
    for segment in segments
        .iter()
        .copied()
        .filter(|number| range.contains(number))
    {
        if !open(store, &mut reader, segment, ends)? {
            continue;
        }
        let limit = match segment == to.segment {
            true => to.offset.min(reader.limit()),
            false => reader.limit(),
        };
        let mut offset = match segment == from.segment {
            true => from.offset,
            false => 0,
        };
        while offset < limit
            && let Frame::Record { length } = reader
                .at(offset)
                .map_err(|error| store.segment_error("read", segment, error))?
        {
            offset += record_bytes(length);
            records += u64::from(offset <= limit);
        }
    }
    Ok(records)
}

/// Opens a segment up to its end; `false` if it is not there.
pub(super) fn open(
    store: &mut Store,
    reader: &mut FrameReader,
    segment: u64,
    ends: &[(u64, u64)],
) -> Result<bool, Error> {
    let Some(file) = store.find_segment(segment)? else {
        return Ok(false);
    };
    let size = file
        .size()
        .map_err(|error| store.segment_error("stat", segment, error))?;
    let limit = end_of(ends, segment).map_or(size, |end| end.min(size));
    reader.open(file, limit);
    Ok(true)
}
