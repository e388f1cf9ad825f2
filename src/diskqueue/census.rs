//! Walks all records of an original's segments, of which only lengths can be checked.

use super::count::open;
use super::error::Error;
use super::frame_reader::FrameReader;
use super::position::Position;
use super::recovery::Reject;
use super::store::Store;
use crate::records::frame::{Frame, record_bytes};
use std::collections::VecDeque;

/// So many empty records in a row are taken for a hole where no depth confirms them.
const HOLE_RECORDS_MIN: usize = 8;

/// Which empty records count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Empty {
    /// Those before the meta's write position.
    BeforeWrite,
    /// The same, but no long runs of them.
    BeforeWriteUnlessManyInARow,
    /// All, but no long runs of them.
    UnlessManyInARow,
    /// All.
    Always,
}

impl Empty {
    fn counts(self, is_before_write: bool) -> bool {
        is_before_write || matches!(self, Self::UnlessManyInARow | Self::Always)
    }

    fn allows_runs(self) -> bool {
        matches!(self, Self::BeforeWrite | Self::Always)
    }
}

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Census {
    /// Complete records from the start of the walk on.
    pub(super) records: u64,
    /// How many of them lie before the meta's write position; `None` if that is no border.
    pub(super) before_write: Option<u64>,
    /// A segment ended with something else than a record before the write position.
    pub(super) is_broken_before_write: bool,
    /// The write segment ends here, before the write position.
    pub(super) short: Option<Position>,
    /// Each segment walked, and where its records end.
    pub(super) ends: Vec<(u64, u64)>,
    /// What stands behind these ends.
    pub(super) rejects: Vec<Reject>,
}

/// Walks the segments from `from` on.
pub(super) fn take(
    store: &mut Store,
    segments: &VecDeque<u64>,
    from: Position,
    write: Option<Position>,
    empty: Empty,
) -> Result<Census, Error> {
    let mut census = Census::default();
    let mut reader = FrameReader::default();
    if write == Some(from) {
        census.before_write = Some(0);
    }
    for segment in segments
        .iter()
        .copied()
        .filter(|number| *number >= from.segment)
    {
        if !open(store, &mut reader, segment, &[])? {
            continue;
        }
        let offset = match segment == from.segment {
            true => from.offset.min(reader.limit()),
            false => 0,
        };
        let place = Position::new(segment, offset);
        if write == Some(place) {
            census.before_write = Some(census.records);
        }
        walk(&mut census, &mut reader, place, write, empty)
            .map_err(|error| store.segment_error("read", segment, error))?;
    }
    // The write segment need not be there yet.
    if let Some(write) = write.filter(|write| write.offset == 0)
        && census.before_write.is_none()
        && segments.iter().all(|segment| *segment < write.segment)
    {
        census.before_write = Some(census.records);
    }
    Ok(census)
}

fn walk(
    census: &mut Census,
    reader: &mut FrameReader,
    mut place: Position,
    write: Option<Position>,
    empty: Empty,
) -> std::io::Result<()> {
    let mut known_run = 0;
    while let Frame::Record { length } = reader.at(place.offset)? {
        let is_before_write = write.is_some_and(|write| place < write);
        if length == 0 {
            if !empty.counts(is_before_write) {
                break;
            }
            if !empty.allows_runs() && known_run == 0 {
                known_run = run_length(reader, place.offset)?;
                if known_run >= HOLE_RECORDS_MIN {
                    break;
                }
            }
        }
        known_run = known_run.saturating_sub(1);
        census.records += 1;
        place.offset += record_bytes(length);
        if write == Some(place) {
            census.before_write = Some(census.records);
        }
    }
    census.ends.push((place.segment, place.offset));
    if place.offset < reader.limit() {
        census.is_broken_before_write |= write.is_some_and(|write| place < write);
        census.rejects.push(Reject {
            segment: place.segment,
            from: place.offset,
            to: reader.limit(),
        });
    } else if write.is_some_and(|write| place < write && place.segment == write.segment) {
        census.is_broken_before_write = true;
        census.short = Some(place);
    }
    Ok(())
}

/// How many empty records follow one another, up to what makes a hole.
fn run_length(reader: &mut FrameReader, mut offset: u64) -> std::io::Result<usize> {
    let mut records = 0;
    while records < HOLE_RECORDS_MIN && reader.at(offset)? == (Frame::Record { length: 0 }) {
        records += 1;
        offset += record_bytes(0);
    }
    Ok(records)
}

/// Whether `place` is the border of a record, counted from the start of its segment.
pub(super) fn is_border(
    store: &mut Store,
    segments: &VecDeque<u64>,
    place: Position,
) -> Result<bool, Error> {
    let mut reader = FrameReader::default();
    let has_segment = segments.contains(&place.segment);
    if !has_segment || !open(store, &mut reader, place.segment, &[])? {
        return Ok(place.offset == 0);
    }
    let mut offset = 0;
    while offset < place.offset {
        match reader
            .at(offset)
            .map_err(|error| store.segment_error("read", place.segment, error))?
        {
            Frame::Record { length } => offset += record_bytes(length),
            Frame::End | Frame::Broken => return Ok(false),
        }
    }
    Ok(offset == place.offset)
}
