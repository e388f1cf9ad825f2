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
    let at = |offset, count| Position {
        segment: first,
        position: 0,
        offset,
        count,
    };
    let before = match first.checked_sub(1) {
        Some(before) => sidecar_of(store, before)?,
        None => return Ok(at(0, 0)),
    };
    if let Some(told) = before {
        return Ok(at(told.end, told.count));
    }
    let size = survey.segments.get(&first).copied().unwrap_or(0);
    let own = sidecar_of(store, first)?.filter(|own| own.end - own.start == size);
    let Some(own) = own else {
        return Ok(at(0, 0));
    };
    let records = walk(store, first, 0, size)?.records;
    Ok(at(own.start, own.count.saturating_sub(records)))
}
