//! Recovery where nothing tells the end: all records from the first segment on count.
//!
//! | row | what there is | the start |
//! |---|---|---|
//! | S7 | the start meta is whole, its segment is there | as it says |
//! | S8 | else a sidecar tells where the first segment starts | there |
//! | S9 | nothing tells | offset 0, count 0 in the first segment |

use super::chart::sidecar_of;
use super::error::Error;
use super::position::Position;
use super::recover_bare::{follow, told_start, walk};
use super::recovery::Recovery;
use super::store::Store;
use super::survey::Survey;

/// Nothing tells the end: all records from the first segment on count.
pub(super) fn scan(store: &Store, survey: &Survey, recovery: &mut Recovery) -> Result<(), Error> {
    let told = told_start(survey);
    let first = survey.segments.keys().next().copied();
    let is_there = |start: &Position| {
        let size = survey.segments.get(&start.segment);
        size.is_some_and(|size| *size >= start.position) || first.is_none()
    };
    let start = match (told.filter(is_there), first) {
        (Some(start), _) => start,
        (None, Some(first)) => scanned_start(store, survey, first)?,
        (None, None) => Position::default(),
    };
    recovery.is_start_damaged |= told.is_some_and(|told| told != start);
    recovery.start = start;
    recovery.end = start;
    recovery.segments.retain(|number| *number >= start.segment);
    follow(store, survey, recovery, true)
}

/// Where the first segment starts, as far as sidecars tell.
fn scanned_start(store: &Store, survey: &Survey, first: u64) -> Result<Position, Error> {
    let nothing = Position {
        segment: first,
        ..Position::default()
    };
    match first {
        0 => Ok(nothing),
        _ => Ok(told_by_sidecars(store, survey, first)?.unwrap_or(nothing)),
    }
}

/// Where a segment starts by the sidecar of the one before, or else by its own if that fits its
/// size, less its records.
pub(super) fn told_by_sidecars(
    store: &Store,
    survey: &Survey,
    segment: u64,
) -> Result<Option<Position>, Error> {
    let at = |offset, count| Position {
        segment,
        position: 0,
        offset,
        count,
    };
    let before = segment.checked_sub(1);
    let before = before.map_or(Ok(None), |before| sidecar_of(store, before))?;
    if let Some(told) = before {
        return Ok(Some(at(told.end, told.count)));
    }
    let size = survey.segments.get(&segment).copied().unwrap_or(0);
    let own = sidecar_of(store, segment)?.filter(|own| own.end - own.start == size);
    let Some(own) = own else {
        return Ok(None);
    };
    let records = walk(store, segment, 0, size)?.records;
    Ok(Some(at(own.start, own.count.saturating_sub(records))))
}
