//! Where a log starts whose metas have no note: the start meta is one of several witnesses.
//!
//! Its offset must be that of a segment that is there, as the sizes of all segments up to the end
//! tell, or the sidecars of segments whose sizes have changed. Its count is compared with the
//! sidecar of the segment before, with that of its own segment less the records in it, and with
//! the end's count less all records: what two of them say is believed.
//!
//! | row | start meta | the start |
//! |---|---|---|
//! | S4 | whole, its offset is told by the sizes or by sidecars | as it says |
//! | S5 | absent, damaged or anything else | that of the first segment that is there |
//! | S6 | as S4, and its count is contradicted | the count that two witnesses say |
//!
//! Where no end is believed either, a scan begins: rows S7 to S9 in `recover_scan`.

use super::chart::{Chart, Extent, Starts, sidecar_of};
use super::error::Error;
use super::position::Position;
use super::recover_bare::{told_start, walk};
use super::recovery::Recovery;
use super::sidecar::Sidecar;
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
    let by_size = extents_by_size(store, survey, recovery, first_there)?;
    let told = told_start(survey);
    let mut start = None;
    if let Some(told) = told.filter(|told| told.position == 0) {
        let known = (told.segment, Some(told.count));
        if offset_of(&by_size, last, told.segment) == Some(told.offset) {
            start = Some(with_count(store, &by_size, last, known)?);
        } else if meets(store, survey, &told, last)? {
            let extents = extents_from(store, survey, recovery, told)?;
            start = Some(with_count(store, &extents, last, known)?);
        }
    }
    let start = match start {
        Some(start) => start,
        None => first_of_all(store, survey, recovery, (&by_size, first_there), last)?,
    };
    recovery.is_start_damaged |= told.is_some_and(|told| told != start);
    recovery.start = start;
    recovery.segments.retain(|number| *number >= start.segment);
    Ok(())
}

/// The start of the first segment that is there: where its sidecar says, if that is borne out and
/// all that follows meets the end, else by the sizes.
fn first_of_all(
    store: &Store,
    survey: &Survey,
    recovery: &Recovery,
    (by_size, first): (&[Extent], u64),
    last: &Position,
) -> Result<Position, Error> {
    let size = survey.segments.get(&first).copied();
    let before = match first.checked_sub(1) {
        Some(before) => sidecar_of(store, before)?.map(|before| before.end),
        None => Some(0),
    };
    let is_borne_out =
        |own: &Sidecar| before == Some(own.start) || Some(own.end - own.start) == size;
    if first < last.segment
        && let Some(own) = sidecar_of(store, first)?.filter(is_borne_out)
    {
        let at = Position {
            segment: first,
            offset: own.start,
            ..Position::default()
        };
        if meets(store, survey, &at, last)? {
            let extents = extents_from(store, survey, recovery, at)?;
            return with_count(store, &extents, last, (first, None));
        }
    }
    with_count(store, by_size, last, (first, None))
}

/// Whether the segments from `start` on end where the last one starts, each as large as its
/// sidecar says, if that goes on where the one before ended, or else as its file.
fn meets(store: &Store, survey: &Survey, start: &Position, last: &Position) -> Result<bool, Error> {
    if !survey.segments.contains_key(&start.segment) {
        return Ok(false);
    }
    let mut at = start.offset;
    for number in start.segment..last.segment {
        let told = sidecar_of(store, number)?.filter(|told| told.start == at);
        let size = survey.segments.get(&number).copied();
        let to = match told {
            Some(told) => Some(told.end),
            None => size.and_then(|size| at.checked_add(size)),
        };
        match to.filter(|to| *to <= last.offset) {
            Some(to) => at = to,
            None => return Ok(false),
        }
    }
    Ok(at == last.offset)
}

/// The finished segments, by the sizes of their files.
fn extents_by_size(
    store: &Store,
    survey: &Survey,
    recovery: &Recovery,
    first: u64,
) -> Result<Vec<Extent>, Error> {
    let start = Position {
        segment: first,
        ..Position::default()
    };
    charted(store, survey, recovery, start, |chart| {
        chart.extents_by_size()
    })
}

/// The finished segments of a log that starts there.
fn extents_from(
    store: &Store,
    survey: &Survey,
    recovery: &Recovery,
    start: Position,
) -> Result<Vec<Extent>, Error> {
    charted(store, survey, recovery, start, |chart| chart.extents())
}

fn charted(
    store: &Store,
    survey: &Survey,
    recovery: &Recovery,
    start: Position,
    ask: impl FnOnce(&mut Chart<'_>) -> Result<Vec<Extent>, Error>,
) -> Result<Vec<Extent>, Error> {
    let segments = survey.segments.keys().copied().collect();
    ask(&mut Chart {
        store,
        segments: &segments,
        start,
        end: recovery.end,
        starts: &mut Starts::new(),
    })
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
    let mut witnesses = vec![told, before, zero, behind];
    let count = match said_twice(&witnesses) {
        Some(count) => count,
        None => {
            // Counting all records takes a look at every segment: only where nothing else agrees.
            let (all, is_whole) = count_by_all(store, extents, last, segment)?;
            witnesses.insert(0, Some(all).filter(|_| is_whole));
            let first = witnesses.iter().flatten().next().copied();
            said_twice(&witnesses).or(first).unwrap_or(all)
        }
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

/// The count at a segment's start by the records of it and of all that follow up to the last one;
/// and whether each of them is there and whole.
fn count_by_all(
    store: &Store,
    extents: &[Extent],
    last: &Position,
    from: u64,
) -> Result<(u64, bool), Error> {
    let (mut records, mut next, mut is_whole) = (0, from, true);
    for extent in extents.iter().filter(|extent| extent.number >= from) {
        let size = extent.to - extent.from;
        let walked = walk(store, extent.number, 0, size)?;
        is_whole &= extent.number == next && walked.position == size;
        records += walked.records;
        next = extent.number + 1;
    }
    let count = last.count.checked_sub(records);
    is_whole &= next == last.segment && count.is_some();
    Ok((count.unwrap_or(0), is_whole))
}

/// The first that another one says too.
fn said_twice(witnesses: &[Option<u64>]) -> Option<u64> {
    let mut said = witnesses.iter().flatten().copied();
    said.find(|count| {
        witnesses
            .iter()
            .filter(|other| **other == Some(*count))
            .count()
            > 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_witnesses_are_believed_before_one() {
        assert_eq!(said_twice(&[Some(1), Some(2), None, Some(2)]), Some(2));
        assert_eq!(said_twice(&[Some(1), Some(1), None, Some(2)]), Some(1));
        assert_eq!(said_twice(&[Some(1), None, None, Some(2)]), None);
        assert_eq!(said_twice(&[None, None]), None);
    }
}
