//! Where a log starts whose metas have no note: the start meta is one of several witnesses.
//!
//! Its offset must be that of a segment that is there, as the sizes of all segments up to the end
//! tell. Its count is compared with the sidecar of the segment before, and with that of its own
//! segment less the records in it: what two of them say is believed.
//!
//! | row | start meta | the start |
//! |---|---|---|
//! | S4 | whole, its offset is told by the sizes | as it says |
//! | S5 | absent, damaged or anything else | that of the first segment that is there |
//! | S6 | as S4, and its count is contradicted | the count that two witnesses say |
//!
//! Where no end is believed either, a scan begins: rows S7 to S9 in `recover_scan`.

use super::chart::{Chart, Extent, Starts, sidecar_of};
use super::error::Error;
use super::position::Position;
use super::recover_bare::{told_start, walk};
use super::recovery::Recovery;
use super::store::Store;
use super::survey::Survey;

/// Sets the start of a log whose last segment starts at `last`.
pub(super) fn decide_start(
    store: &Store,
    survey: &Survey,
    recovery: &mut Recovery,
    last: &Position,
) -> Result<(), Error> {
    let numbers = survey.segments.keys().copied();
    let first_there = numbers.take_while(|number| *number < last.segment).next();
    let first_there = first_there.unwrap_or(last.segment);
    let extents = extents(store, survey, recovery, first_there)?;
    let told = told_start(survey);
    let mut start = None;
    if let Some(told) = told
        && told.position == 0
        && offset_of(&extents, last, told.segment) == Some(told.offset)
    {
        start = Some(with_count(
            store,
            &extents,
            last,
            (told.segment, Some(told.count)),
        )?);
    }
    let start = match start {
        Some(start) => start,
        None => with_count(store, &extents, last, (first_there, None))?,
    };
    recovery.is_start_damaged |= told.is_some_and(|told| told != start);
    recovery.start = start;
    recovery.segments.retain(|number| *number >= start.segment);
    Ok(())
}

/// The finished segments, by the sizes of their files.
fn extents(
    store: &Store,
    survey: &Survey,
    recovery: &Recovery,
    first: u64,
) -> Result<Vec<Extent>, Error> {
    let segments = survey.segments.keys().copied().collect();
    let start = Position {
        segment: first,
        ..Position::default()
    };
    let mut chart = Chart {
        store,
        segments: &segments,
        start,
        end: recovery.end,
        starts: &mut Starts::new(),
    };
    chart.extents_by_size()
}

fn offset_of(extents: &[Extent], last: &Position, segment: u64) -> Option<u64> {
    if segment == last.segment {
        return Some(last.offset);
    }
    let extent = extents.iter().find(|extent| extent.number == segment)?;
    Some(extent.from)
}

/// The start of a segment, with the count that most witnesses give.
fn with_count(
    store: &Store,
    extents: &[Extent],
    last: &Position,
    (segment, told): (u64, Option<u64>),
) -> Result<Position, Error> {
    if segment == last.segment {
        return Ok(*last);
    }
    let offset = offset_of(extents, last, segment).unwrap_or(last.offset);
    let before = match segment.checked_sub(1) {
        Some(before) => sidecar_of(store, before)?,
        None => None,
    };
    let before = before.filter(|before| before.end == offset);
    let before = before.map(|before| before.count);
    let zero = (segment == 0 && offset == 0).then_some(0);
    let behind = count_by_own(store, extents, segment)?;
    let witnesses = [told, before, zero, behind];
    let count = match most_said(&witnesses) {
        Some(count) => count,
        None => last
            .count
            .saturating_sub(all_records(store, extents, segment)?),
    };
    Ok(Position {
        segment,
        position: 0,
        offset,
        count,
    })
}

/// The count at a segment's start by its own sidecar.
fn count_by_own(store: &Store, extents: &[Extent], segment: u64) -> Result<Option<u64>, Error> {
    let Some(extent) = extents.iter().find(|extent| extent.number == segment) else {
        return Ok(None);
    };
    let size = extent.to - extent.from;
    let own = sidecar_of(store, segment)?.filter(|own| own.end == extent.to);
    let Some(own) = own else {
        return Ok(None);
    };
    let walked = walk(store, segment, 0, size)?;
    let is_whole = walked.position == size;
    Ok(own.count.checked_sub(walked.records).filter(|_| is_whole))
}

fn all_records(store: &Store, extents: &[Extent], from: u64) -> Result<u64, Error> {
    let mut records = 0;
    for extent in extents.iter().filter(|extent| extent.number >= from) {
        records += walk(store, extent.number, 0, extent.to - extent.from)?.records;
    }
    Ok(records)
}

/// The first that another one says too; else the first.
fn most_said(witnesses: &[Option<u64>]) -> Option<u64> {
    let mut said = witnesses.iter().flatten();
    let is_said_twice = |count: &u64| {
        witnesses
            .iter()
            .filter(|other| **other == Some(*count))
            .count()
            > 1
    };
    let first = said.next().copied();
    let all = witnesses.iter().flatten().copied();
    all.clone().find(|count| is_said_twice(count)).or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_witnesses_are_believed_before_one() {
        assert_eq!(most_said(&[Some(1), Some(2), None, Some(2)]), Some(2));
        assert_eq!(most_said(&[Some(1), Some(1), None, Some(2)]), Some(1));
        assert_eq!(most_said(&[Some(1), None, None, Some(2)]), Some(1));
        assert_eq!(most_said(&[None, None]), None);
    }
}
