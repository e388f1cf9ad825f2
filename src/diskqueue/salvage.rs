//! Recovery without a note: an original wrote last, or the meta is lost or damaged.
//!
//! Nothing vouches for a record, so all complete ones count. A bare meta is believed as far as
//! the records bear it out: the format has no checksum, but the depth is one of a kind.

use super::census::{Census, Empty, is_border, take};
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
        Some(meta) => hold(store, &mut recovery, &meta)?,
        None => false,
    };
    if !held {
        let first = recovery.segments.front().copied();
        recovery.read = Position::start_of(first.unwrap_or(next_segment));
        let census = take(
            store,
            &recovery.segments,
            recovery.read,
            None,
            Empty::UnlessManyInARow,
        )?;
        adopt(store, &mut recovery, census, None);
        if survey.meta != MetaState::Absent {
            let size = survey.meta_bytes.len() as u64;
            let loss = Loss::new(LossKind::Damaged, &store.paths.meta, 0, size);
            recovery.losses.insert(0, loss.of(0));
        }
    }
    if bare.is_some_and(|meta| meta.write.segment >= recovery.next_segment) {
        recovery.next_segment = bare.map_or(0, |meta| meta.write.segment) + 1;
    }
    recovery.end = Position::start_of(recovery.next_segment);
    Ok(recovery)
}

/// Adopts what a bare meta says, if the records bear it out.
fn hold(store: &mut Store, recovery: &mut Recovery, meta: &Meta) -> Result<bool, Error> {
    if meta.read > meta.write && !store.quirks.has(Quirk::MetaUnchecked) {
        return Ok(false);
    }
    let mut read = meta.read;
    let segments = &recovery.segments;
    let until = meta.write.segment + u64::from(meta.write.offset > 0);
    let missing = missing_runs(segments, read.segment, until);
    let has_read_segment = recovery.segment_from(read.segment) == Some(read.segment);
    if !has_read_segment {
        // Normal after a kill: an original removes a finished segment before it says so.
        let next = recovery.segment_from(read.segment);
        read = Position::start_of(next.unwrap_or(meta.write.segment));
    }
    let write = Some(meta.write);
    let census = take(store, segments, read, write, Empty::BeforeWrite)?;
    let is_exact = census.before_write == u64::try_from(meta.depth).ok();
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
    let is_enough = census
        .before_write
        .is_some_and(|records| i64::try_from(records).unwrap_or(i64::MAX) >= meta.depth);
    let explains = !missing.is_empty() || census.is_broken_before_write;
    let is_believed = store.quirks.has(Quirk::MetaHalfParsed)
        || is_enough
        || explains && is_border(store, segments, read)?;
    if !is_believed {
        return Ok(false);
    }
    recovery.read = read;
    report_missing(store, recovery, meta, &missing);
    adopt(store, recovery, census, Some(meta.write));
    if store.quirks.has(Quirk::DepthIsACounter) {
        recovery.depth = u64::try_from(meta.depth).unwrap_or(0);
    }
    Ok(true)
}

fn report_missing(store: &mut Store, recovery: &mut Recovery, meta: &Meta, runs: &[(u64, u64)]) {
    for (first, _) in runs {
        let offset = match *first == meta.read.segment {
            true => meta.read.offset,
            false => 0,
        };
        let path = store.paths.segment(*first);
        recovery
            .losses
            .push(Loss::new(LossKind::Damaged, path, offset, 0));
    }
}

/// Takes over what a census found. Everything from the write segment on may be unsynced.
fn adopt(store: &mut Store, recovery: &mut Recovery, census: Census, write: Option<Position>) {
    recovery.depth = census.records;
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
