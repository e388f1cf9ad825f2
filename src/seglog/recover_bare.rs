//! Recovery without a note: an original wrote last, or both copies of the meta are lost.
//!
//! A bare meta has no checksum, so that it is believed only if the records bear it out: its end is
//! a border of its segment, and the start of the segment that follows from it is what the sidecar
//! of the one before, the start meta or the second copy say as well. Else the segments are scanned.
//!
//! | row | the end | what else there is | believed |
//! |---|---|---|---|
//! | B1 | a border | the sidecar before says the same | yes |
//! | B2 | a border | a start meta of its segment says the same | yes |
//! | B3 | a border | they contradict, both copies say it | yes |
//! | B4 | a border | nothing tells, no copy says another | yes |
//! | B5 | a border | contradicted, or told by nothing while the other copy differs | no |
//! | B6 | no border, behind the file, or next to none | | no |
//! | B7 | a border, and supported | the start that follows from it has a higher count | no |

use super::bare_start::decide_start;
use super::believed::is_place;
use super::chart::sidecar_of;
use super::error::{Error, Loss, LossKind};
use super::position::Position;
use super::recover_scan::{scan, told_by_sidecars};
use super::recovery::{Recovery, Span, missing_runs};
use super::start_meta::StartMeta;
use super::store::Store;
use super::survey::Survey;
use super::tail::reject;
use super::walk::{Walk, Walked};
use super::writer_meta::WriterMeta;
use std::path::Path;

pub(super) fn recover(
    store: &Store,
    survey: &Survey,
    ends: &[Position],
) -> Result<Recovery, Error> {
    let mut recovery = Recovery {
        segments: survey.segments.keys().copied().collect(),
        is_main_damaged: survey.main == WriterMeta::Damaged,
        // One that names no place is as good as damaged.
        is_start_damaged: survey.start != StartMeta::Absent && told_start(survey).is_none(),
        ..Recovery::default()
    };
    let mut decided = None;
    for end in ends {
        let first = first_of_last(store, survey, end)?;
        if let Some(first) = first
            && is_supported(store, survey, &first, ends)?
        {
            decided = with_start(store, survey, &recovery, (end, &first))?;
        }
        if decided.is_some() {
            break;
        }
        recovery.is_main_damaged |= matches!(survey.main, WriterMeta::Bare(_));
    }
    if let Some(decided) = decided {
        recovery = decided;
        sync_all_before(survey, &mut recovery);
        follow(store, survey, &mut recovery, false)?;
    } else {
        recovery.is_main_damaged |= survey.segments.values().any(|size| *size > 0);
        // What a copy said is lost, wherever its segments are.
        recovery.is_main_damaged |= !ends.is_empty();
        scan(store, survey, &mut recovery)?;
    }
    report(store, survey, &mut recovery);
    Ok(recovery)
}

/// The recovery with this end and the start that follows from it; nothing if the counts of the
/// files before the end's segment are not below its own.
fn with_start(
    store: &Store,
    survey: &Survey,
    recovery: &Recovery,
    (end, first): (&Position, &Position),
) -> Result<Option<Recovery>, Error> {
    let mut decided = recovery.clone();
    decided.end = *end;
    decide_start(store, survey, &mut decided, first)?;
    Ok(Some(decided).filter(|decided| decided.start.count <= first.count))
}

/// The start of the end's segment, if the end is a border of it.
fn first_of_last(
    store: &Store,
    survey: &Survey,
    end: &Position,
) -> Result<Option<Position>, Error> {
    let segments = &survey.segments;
    if end.position == 0 {
        let is_near = segments.is_empty()
            || segments.contains_key(&end.segment)
            || end.segment.checked_sub(1).is_some_and(|before| {
                segments.contains_key(&before) && !segments.contains_key(&end.segment)
            });
        return Ok(is_near.then_some(*end));
    }
    let size = segments.get(&end.segment).copied().unwrap_or(0);
    if size < end.position || end.position > end.offset {
        return Ok(None);
    }
    let walked = walk(store, end.segment, 0, end.position)?;
    let count = end.count.checked_sub(walked.records);
    let is_border = walked.position == end.position;
    Ok(count.filter(|_| is_border).map(|count| Position {
        segment: end.segment,
        position: 0,
        offset: end.segment_offset(),
        count,
    }))
}

/// Whether something else says the same of where the last segment starts, or nothing can.
fn is_supported(
    store: &Store,
    survey: &Survey,
    first: &Position,
    ends: &[Position],
) -> Result<bool, Error> {
    let are_all_one = ends.windows(2).all(|pair| matches!(pair, [a, b] if a == b));
    let start = told_start(survey).filter(|start| start.segment == first.segment);
    let start = start.filter(|start| start.position == 0);
    let Some(before) = first.segment.checked_sub(1) else {
        let is_zero = first.offset == 0 && first.count == 0;
        return Ok(start.map_or(is_zero, |start| start == *first) || is_zero && are_all_one);
    };
    let sidecar = sidecar_of(store, before)?;
    let by_sidecar = sidecar.map(|told| told.end == first.offset && told.count == first.count);
    let by_start = start.map(|start| start == *first);
    Ok(match (by_sidecar, by_start) {
        (Some(true), _) | (_, Some(true)) => true,
        (Some(false), _) | (_, Some(false)) => ends.len() > 1 && are_all_one,
        (None, None) => are_all_one,
    })
}

/// What the start meta says.
pub(super) fn told_start(survey: &Survey) -> Option<Position> {
    match survey.start {
        StartMeta::Bare(start) | StartMeta::Noted(start, _) => Some(start).filter(is_place),
        StartMeta::Absent | StartMeta::Damaged => None,
    }
}

/// Walks a segment's file; a missing one has no records.
pub(super) fn walk(store: &Store, segment: u64, from: u64, to: u64) -> Result<Walked, Error> {
    let path = store.paths.segment(segment);
    let Some(file) = store.find(&path)? else {
        return Ok(Walked {
            position: from,
            records: 0,
        });
    };
    Walk::new(file.as_ref(), from, to)
        .to(to)
        .map_err(|error| Error::io("read", &path, error))
}

/// An original never syncs a segment that it has finished.
fn sync_all_before(survey: &Survey, recovery: &mut Recovery) {
    let segments = survey
        .segments
        .range(recovery.start.segment..=recovery.end.segment);
    for (&segment, &size) in segments {
        let to = match segment == recovery.end.segment {
            true => recovery.end.position,
            false => size,
        };
        recovery.spans.push(Span {
            segment,
            from: 0,
            to,
            rewrite: false,
        });
    }
}

/// Keeps whole records behind the end, which goes on into the next segment at the end of a file.
/// A scan also passes what a sidecar says to be finished, and segments that are missing.
pub(super) fn follow(
    store: &Store,
    survey: &Survey,
    recovery: &mut Recovery,
    is_scan: bool,
) -> Result<(), Error> {
    let mut is_open = true;
    let from = recovery.end.segment;
    for (&segment, &size) in survey.segments.range(from..) {
        if is_open && segment > recovery.end.segment {
            is_open = go_on(store, survey, recovery, (segment, is_scan))?;
        }
        let end = recovery.end;
        if !is_open || segment != end.segment {
            reject(store, recovery, (segment, 0, size));
            continue;
        }
        let walked = walk(store, segment, end.position, size)?;
        recovery.end = end.moved(walked.position - end.position, walked.records);
        if walked.position > end.position {
            recovery.spans.push(Span {
                segment,
                from: end.position,
                to: walked.position,
                rewrite: true,
            });
        }
        let is_last = survey.segments.range(segment + 1..).next().is_none();
        let is_passed = is_scan && !is_last && is_finished(store, recovery, segment, size)?;
        if walked.position < size && !is_passed {
            reject(store, recovery, (segment, walked.position, size));
            is_open = false;
        }
    }
    Ok(())
}

/// Whether a sidecar says that a segment, which has something else than records in it, was
/// finished with the size that it has.
fn is_finished(store: &Store, recovery: &Recovery, segment: u64, size: u64) -> Result<bool, Error> {
    let start = recovery.end.segment_offset();
    let told = sidecar_of(store, segment)?;
    Ok(told.is_some_and(|told| told.start == start && told.end - told.start == size))
}

/// Moves the end from the last segment's end to the start of `next`; whether that can be.
fn go_on(
    store: &Store,
    survey: &Survey,
    recovery: &mut Recovery,
    (next, is_scan): (u64, bool),
) -> Result<bool, Error> {
    let end = recovery.end;
    let is_next = next == end.segment + 1;
    let size = survey.segments.get(&end.segment).copied().unwrap_or(0);
    if !is_next && !is_scan || end.position == 0 && size == 0 && !is_scan {
        return Ok(false);
    }
    let mut start = Position {
        segment: next,
        position: 0,
        ..end
    };
    if !is_next || end.position < size {
        let told = told_by_sidecars(store, survey, next)?;
        if let Some(told) = told.filter(|told| told.offset >= end.offset) {
            start.offset = told.offset;
            start.count = told.count.max(end.count);
        }
        for (first, _) in missing_runs(std::iter::empty(), end.segment + 1, next) {
            let path = store.paths.segment(first);
            let loss = Loss::new(LossKind::Damaged, &path, 0, 0);
            recovery.losses.push(loss);
        }
    }
    recovery.starts.insert(next, (start.offset, start.count));
    recovery.end = start;
    Ok(true)
}

/// Tells of the metas that are not believed.
fn report(store: &Store, survey: &Survey, recovery: &mut Recovery) {
    let mut tell = |path: &Path, size: u64| {
        let loss = Loss::new(LossKind::Damaged, path, 0, size);
        recovery.losses.push(loss.of(0));
    };
    if recovery.is_main_damaged {
        tell(&store.paths.writer_meta(), survey.main_size);
    }
    if recovery.is_start_damaged {
        tell(&store.paths.start_meta(), survey.start_size);
    }
}
