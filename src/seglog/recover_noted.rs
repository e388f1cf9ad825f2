//! Recovery under a meta of ours: start and durable end are believed, the tail is judged.
//!
//! | segments | what is decided |
//! |---|---|
//! | before the start | left by a retention or an empty: removed |
//! | missing from the start on | loss; the start is the first one that is there |
//! | missing between start and end | loss; its messages are passed over |
//! | the last one missing, or shorter than the end | loss; the end is the last border before |
//! | so, and those before hold more than that | the end is the place in them that has its offset |
//! | behind the end | by the table in `recovery.rs` |
//!
//! | row | start meta | the start |
//! |---|---|---|
//! | S1 | ours, absent or damaged | that of the note |
//! | S2 | bare, later, the start of a segment with its count | as it says: an original cleaned |
//! | S3 | bare, anything else | that of the note |

use super::believed::is_place;
use super::chart::Chart;
use super::error::{Error, Loss, LossKind};
use super::generations::Generations;
use super::lowered::within_the_rest;
use super::position::Position;
use super::quirks::Quirk;
use super::recovery::{Recovery, may_follow, missing_runs};
use super::start_meta::StartMeta;
use super::store::Store;
use super::survey::Survey;
use super::tail::follow;
use super::walk::Walk;
use super::writer_meta::{WriterMeta, WriterNote, WriterState};

/// Whether unsynced bytes are those that were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BootView {
    /// The note is of this boot.
    This,
    /// The note is of another boot, or one of the two is not known.
    Another,
}

pub(super) fn recover(
    store: &Store,
    survey: &Survey,
    (note, view): (WriterNote, BootView),
    generations: &Generations,
) -> Result<Recovery, Error> {
    let numbers = survey.segments.keys().copied();
    let mut recovery = Recovery {
        start: note.start,
        end: note.durable,
        is_noted: true,
        is_clean: note.state == WriterState::Closed,
        sequence: note.sequence,
        sums_bytes: note.sums_bytes,
        segments: numbers
            .filter(|number| *number >= note.start.segment)
            .collect(),
        // Under sequence 0 the first copy was not written yet.
        is_main_damaged: survey.main == WriterMeta::Damaged && note.sequence > 0,
        ..Recovery::default()
    };
    if recovery.is_main_damaged {
        let path = store.paths.writer_meta();
        let loss = Loss::new(LossKind::Damaged, &path, 0, survey.main_size);
        recovery.losses.push(loss.of(0));
    }
    if note.state == WriterState::Moving {
        recovery.moving_from = Some(note.start);
    }
    if recovery.is_clean {
        // It counts only as far as the file bears it out.
        let sums = store.size(&store.paths.sums(note.durable.segment))?;
        recovery.sums_bytes = recovery.sums_bytes.min(sums.unwrap_or(0));
    }
    let is_lowered = check_end(store, survey, &mut recovery)?;
    check_start(store, survey, &mut recovery)?;
    if is_lowered {
        let (start, lowered) = (recovery.start, recovery.end);
        let (sizes, counting) = (&survey.segments, generations.counting());
        let end = within_the_rest(store, sizes, counting, start, lowered)?;
        recovery.starts.retain(|number, _| *number <= end.segment);
        recovery.end = end;
    }
    let is_followed = may_follow(note.state)
        || note.state == WriterState::Cutting && store.has(Quirk::InterruptedCutFollowed);
    // Behind a lowered end there is nothing that follows it.
    let view = (is_followed && !is_lowered).then_some(view);
    follow(store, survey, &mut recovery, view, generations)?;
    recovery.is_clean &= recovery.losses.is_empty() && recovery.rejects.is_empty();
    Ok(recovery)
}

/// The segment of the durable end may be missing or too short. That is damage: it was synced.
/// Whether the end was lowered for that.
fn check_end(store: &Store, survey: &Survey, recovery: &mut Recovery) -> Result<bool, Error> {
    let end = recovery.end;
    let size = survey.segments.get(&end.segment).copied();
    let is_moved = size.is_none() && recovery.moving_from.is_some();
    if end.position == 0 || is_moved || size.is_some_and(|size| size >= end.position) {
        return Ok(false);
    }
    let (first, is_counted) = {
        let mut chart = Chart {
            store,
            segments: &recovery.segments,
            start: recovery.start,
            end,
            starts: &mut recovery.starts,
        };
        let extents = chart.extents()?;
        let first = chart.first_of(end.segment, &extents)?;
        (first, chart.is_counted(end.segment, &extents)?)
    };
    let path = store.paths.segment(end.segment);
    let mut left = first;
    if let (Some(file), Some(size)) = (store.find(&path)?, size) {
        let walked = Walk::new(file.as_ref(), first.position, size).to(size);
        let walked = walked.map_err(|error| Error::io("read", &path, error))?;
        left = first.moved(walked.position - first.position, walked.records);
    }
    let size = end.position - left.position;
    let mut loss = Loss::new(LossKind::Damaged, &path, left.position, size);
    // Else messages of the segments that are missing before it would be told as its own.
    loss.messages = is_counted.then(|| end.count.saturating_sub(left.count));
    recovery.losses.push(loss);
    recovery.end = left;
    recovery.sums_bytes = 0;
    Ok(true)
}

/// The log starts with the first segment that is there; an original may have cleaned meanwhile.
fn check_start(store: &Store, survey: &Survey, recovery: &mut Recovery) -> Result<(), Error> {
    if let StartMeta::Bare(start) = survey.start
        && is_place(&start)
        && start.offset > recovery.start.offset
        && is_start_of_a_segment(store, recovery, start)?
    {
        recovery.start = start;
        recovery.segments.retain(|number| *number >= start.segment);
    }
    let (start, end) = (recovery.start, recovery.end);
    let until = end.segment + u64::from(end.position > 0);
    let numbers = recovery.segments.iter().copied();
    let runs = missing_runs(numbers, start.segment, until);
    let is_moving = recovery.moving_from.is_some();
    for (first, _) in runs.iter().filter(|_| !is_moving) {
        let offset = match *first == start.segment {
            true => start.position,
            false => 0,
        };
        let path = store.paths.segment(*first);
        let is_told = recovery
            .losses
            .iter()
            .any(|loss| Some(loss.file.as_os_str()) == path.file_name());
        if !is_told {
            let loss = Loss::new(LossKind::Damaged, &path, offset, 0);
            recovery.losses.push(loss);
        }
    }
    let is_missing = runs
        .first()
        .is_some_and(|(first, _)| *first == start.segment);
    if is_missing {
        recovery.start = first_there(store, recovery)?;
    }
    Ok(())
}

/// The start of the first segment that is there, or the end.
fn first_there(store: &Store, recovery: &mut Recovery) -> Result<Position, Error> {
    let end = recovery.end;
    let first = recovery.segments.front().copied();
    let Some(first) = first.filter(|first| *first < end.segment) else {
        return Ok(match first == Some(end.segment) && end.position > 0 {
            true => start_of_last(store, recovery)?,
            false => end,
        });
    };
    let mut chart = Chart {
        store,
        segments: &recovery.segments,
        start: recovery.start,
        end,
        starts: &mut recovery.starts,
    };
    let extents = chart.extents()?;
    let start = chart.first_of(first, &extents)?;
    Ok(Position {
        count: start.count.min(end.count),
        ..start
    })
}

/// The start of the end's segment, counted back from the end.
fn start_of_last(store: &Store, recovery: &Recovery) -> Result<Position, Error> {
    let end = recovery.end;
    let path = store.paths.segment(end.segment);
    let mut records = 0;
    if let Some(file) = store.find(&path)? {
        let walked = Walk::new(file.as_ref(), 0, end.position).to(end.position);
        records = walked
            .map_err(|error| Error::io("read", &path, error))?
            .records;
    }
    Ok(Position {
        segment: end.segment,
        position: 0,
        offset: end.segment_offset(),
        count: end.count.saturating_sub(records),
    })
}

/// Whether a start that an original wrote is that of a segment, count included.
fn is_start_of_a_segment(
    store: &Store,
    recovery: &mut Recovery,
    start: Position,
) -> Result<bool, Error> {
    let end = recovery.end;
    if start.offset >= end.offset {
        return Ok(start.is_same_place(&end) && start.segment == end.segment);
    }
    let mut chart = Chart {
        store,
        segments: &recovery.segments,
        start: recovery.start,
        end,
        starts: &mut recovery.starts,
    };
    let extents = chart.extents()?;
    Ok(chart.first_of(start.segment, &extents)? == start)
}
