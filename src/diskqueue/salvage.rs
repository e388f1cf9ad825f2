//! Recovery without a note: an original wrote last, or the meta is lost or damaged.
//!
//! Nothing vouches for a record, so all complete ones count. A bare meta is believed as far as
//! the records bear it out: the format has no checksum, but the depth is one of a kind.

use super::census::{Census, Empty, is_border, take};
use super::correct::corrected_read;
use super::error::{Error, Loss, LossKind};
use super::meta::{Meta, MetaState};
use super::position::Position;
use super::quirks::Quirk;
use super::recovery::{Recovery, Span, missing_runs};
use super::store::Store;
use super::survey::Survey;
use std::collections::VecDeque;

/// Reads what the files of `survey` hold.
pub(super) fn recover(store: &mut Store, survey: &Survey) -> Result<Recovery, Error> {
    let segments = VecDeque::from(survey.segments.clone());
    let next_segment = survey.number_max.map_or(0, |number| number + 1);
    let mut recovery = Recovery {
        segments,
        next_segment,
        end: Position::start_of(next_segment),
        may_be_this_boot: true,
        needs_new_segment: true,
        ..Recovery::default()
    };
    let bare = match survey.meta {
        MetaState::Bare(meta) => Some(meta),
        MetaState::Absent if store.quirks.has(Quirk::LostMetaRestartsAtZero) => {
            recovery.end = Position::default();
            return Ok(recovery);
        }
        MetaState::Absent | MetaState::Damaged | MetaState::Noted(..) => None,
    };
    let held = match bare {
        Some(meta) => hold(store, survey, &mut recovery, &meta)?,
        None => false,
    };
    if !held {
        let first = recovery.segments.front().copied();
        let read = Position::start_of(first.unwrap_or(next_segment));
        // Files of ours tell that the meta was lost to damage, not to a crash: no hole is near.
        let is_ours = survey.has_spare || !survey.sums.is_empty();
        let empty = match is_ours {
            true => Empty::Always,
            false => Empty::UnlessManyInARow,
        };
        let census = take(store, &recovery.segments, read, None, empty)?;
        // Numbers without any file may never have been given; what has sums was there.
        let mut missing = missing(survey, read.segment, 0);
        missing.retain(|(from, to)| survey.sums.iter().any(|sums| (from..to).contains(&sums)));
        report_missing(store, &mut recovery, read, &missing);
        adopt(store, &mut recovery, read, census, None);
        if survey.meta != MetaState::Absent {
            recovery.is_meta_damaged = true;
            let size = survey.meta_bytes.as_slice().len() as u64;
            let loss = Loss::new(LossKind::Damaged, &store.paths.meta, 0, size);
            recovery.losses.insert(0, loss.of(0));
        }
    }
    if bare.is_some_and(|meta| meta.write.segment >= recovery.next_segment) {
        recovery.next_segment = bare.map_or(0, |meta| meta.write.segment) + 1;
    }
    recovery.end = Position::start_of(recovery.next_segment);
    if recovery.segment_from(recovery.read.segment).is_none() {
        // Nothing is left to read: an original names a segment before it creates it.
        recovery.read = recovery.end;
    }
    Ok(recovery)
}

/// Adopts what a bare meta says, if the records bear it out.
fn hold(
    store: &mut Store,
    survey: &Survey,
    recovery: &mut Recovery,
    meta: &Meta,
) -> Result<bool, Error> {
    if meta.read > meta.write && !store.quirks.has(Quirk::MetaUnchecked) {
        return Ok(false);
    }
    let mut read = meta.read;
    let segments = &recovery.segments;
    let until = meta.write.segment + u64::from(meta.write.offset > 0);
    let missing = missing(survey, read.segment, until);
    let is_missing_between = missing.first().is_some_and(|(first, _)| *first < until);
    let has_read_segment = recovery.segment_from(read.segment) == Some(read.segment);
    if !has_read_segment {
        // Normal after a kill: an original removes a finished segment before it says so.
        let next = recovery.segment_from(read.segment);
        read = Position::start_of(next.unwrap_or(meta.write.segment));
    }
    let write = Some(meta.write);
    let census = take(store, segments, read, write, Empty::BeforeWrite)?;
    let is_exact = census
        .before_write
        .is_some_and(|records| i64::try_from(records) == Ok(meta.depth));
    let census = match is_exact {
        true => census,
        false => take(
            store,
            segments,
            read,
            write,
            Empty::BeforeWriteUnlessManyInARow,
        )?,
    };
    let records = census
        .before_write
        .map(|records| i64::try_from(records).unwrap_or(i64::MAX));
    let is_at_border = is_exact || is_border(store, segments, read)?;
    // A depth that is too low is normal for an original that was killed; where a segment is
    // missing, so is a depth that is too high.
    let is_explained = records.is_some_and(|records| records >= meta.depth || is_missing_between);
    let holds = is_at_border && (is_explained || census.is_broken_before_write);
    if holds || store.quirks.has(Quirk::MetaHalfParsed) {
        report_missing(store, recovery, meta.read, &missing);
        adopt(store, recovery, read, census, Some(meta.write));
    } else {
        // Records are missing although none is broken: one of the meta's numbers is wrong, and
        // the write position may be the one.
        let corrected = corrected_read(store, segments, meta)?;
        let Some(read) = corrected.or(is_at_border.then_some(read)) else {
            return Ok(false);
        };
        let census = take(store, segments, read, None, Empty::UnlessManyInARow)?;
        let lost = match (corrected, records) {
            (None, Some(records)) => meta.depth - records,
            _ => 0,
        };
        report_meta(store, recovery, meta, u64::try_from(lost).unwrap_or(0));
        report_missing(store, recovery, meta.read, &missing);
        adopt(store, recovery, read, census, None);
    }
    if store.quirks.has(Quirk::DepthIsACounter) {
        recovery.depth = u64::try_from(meta.depth).unwrap_or(0);
    }
    Ok(true)
}

/// The meta, or segments that end at the border of a record, cost so many messages.
fn report_meta(store: &Store, recovery: &mut Recovery, meta: &Meta, messages: u64) {
    let size = bare_bytes(meta);
    let loss = Loss::new(LossKind::Damaged, &store.paths.meta, 0, size);
    recovery.losses.push(loss.of(messages));
}

fn bare_bytes(meta: &Meta) -> u64 {
    let Meta { depth, read, write } = meta;
    let digits = |number: u64| number.checked_ilog10().unwrap_or(0) + 1;
    let numbers = [read.segment, read.offset, write.segment, write.offset];
    let numbers: u32 = numbers.into_iter().map(digits).sum();
    let depth = digits(depth.unsigned_abs()) + u32::from(*depth < 0);
    u64::from(numbers + depth + 5)
}

/// The runs of segments from `from` on that are not there, and are to be: those before `until`, and
/// those before the last one that there is. A quarantined one was told of.
fn missing(survey: &Survey, from: u64, until: u64) -> Vec<(u64, u64)> {
    let known = survey.known_segments(u64::MAX);
    let last = survey.segments.last().copied().unwrap_or(0);
    missing_runs(&known, from, until.max(last))
}

fn report_missing(store: &mut Store, recovery: &mut Recovery, read: Position, runs: &[(u64, u64)]) {
    for (first, _) in runs {
        let offset = match *first == read.segment {
            true => read.offset,
            false => 0,
        };
        let path = store.paths.segment(*first);
        recovery
            .losses
            .push(Loss::new(LossKind::Damaged, path, offset, 0));
    }
}

/// Takes over what a census found. Everything from the write segment on may be unsynced.
fn adopt(
    store: &mut Store,
    recovery: &mut Recovery,
    read: Position,
    census: Census,
    write: Option<Position>,
) {
    recovery.read = read;
    recovery.depth = census.records;
    recovery.is_depth_counted = census.records > 0;
    let unsynced_from = write.map_or(0, |write| write.segment);
    recovery.spans = census
        .ends
        .iter()
        .filter(|(segment, _)| *segment >= unsynced_from)
        .map(|(segment, end)| Span {
            segment: *segment,
            from: 0,
            to: *end,
            rewrite: false,
        })
        .collect();
    for reject in census.rejects {
        let is_tail = recovery.segments.back() == Some(&reject.segment)
            || write.is_some_and(|write| Position::new(reject.segment, reject.from) >= write);
        let kind = match is_tail {
            true => LossKind::Rejected,
            false => LossKind::Damaged,
        };
        recovery.ends.push((reject.segment, reject.from));
        recovery.rejects.push(reject);
        let path = store.paths.segment(reject.segment);
        let loss = Loss::new(kind, path, reject.from, reject.to - reject.from);
        recovery.losses.push(loss);
    }
    if let (Some(short), Some(write)) = (census.short, write) {
        let path = store.paths.segment(short.segment);
        let size = write.offset - short.offset;
        let loss = Loss::new(LossKind::Damaged, path, short.offset, size);
        recovery.losses.push(loss);
    }
    // The last record of a segment may be read already: then the next message is in a later one.
    let at_end = census
        .ends
        .iter()
        .any(|(segment, end)| Position::new(*segment, *end) == recovery.read);
    if at_end {
        let next = recovery.segment_from(recovery.read.segment + 1);
        recovery.read = Position::start_of(next.unwrap_or(recovery.next_segment));
    }
}
