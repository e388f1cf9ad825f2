//! Recovery under a meta with a note: positions are believed, the tail is judged.

use super::count::count;
use super::error::{Error, Loss, LossKind};
use super::frame_reader::FrameReader;
use super::meta::{Meta, Note};
use super::position::Position;
use super::quirks::Quirk;
use super::recovery::{Recovery, Reject, Span, Tail, missing_runs};
use super::short::end_of_records;
use super::store::{Store, is_no_file};
use super::sums_reader::SumsReader;
use super::survey::Survey;
use crate::fs::FileKind;
use crate::records::frame::{Frame, record_bytes};
use crate::records::sums::{Entry, Salt};

/// Whether unsynced bytes are those that were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BootView {
    /// The note is of this boot.
    This,
    /// The note is of another boot.
    Another,
    /// One of the two is not known.
    Unknown,
}

/// Reads what a noted meta says of the files of `survey`.
pub(super) fn recover(
    store: &mut Store,
    survey: &Survey,
    (meta, note): (Meta, Note),
    view: BootView,
) -> Result<Recovery, Error> {
    let mut recovery = Recovery {
        read: meta.read,
        end: meta.write,
        depth: u64::try_from(meta.depth).unwrap_or(0),
        segments: survey.segments.iter().copied().collect(),
        note: Some(note),
        may_be_this_boot: view != BootView::Another,
        sums_bytes: note.sums_bytes,
        sums_durable: note.sums_bytes,
        next_segment: survey.number_max.map_or(0, |number| number + 1),
        ..Recovery::default()
    };
    recovery.next_segment = recovery.next_segment.max(meta.write.segment + 1);
    let write_size = report_missing(store, survey, &mut recovery)?;
    let has_damage = !recovery.losses.is_empty();
    if let Some(size) = write_size
        && !store.quirks.has(Quirk::StaleMetaOverwritesTail)
    {
        follow(store, &mut recovery, view, size)?;
    }
    if recovery.segment_from(recovery.read.segment) != Some(recovery.read.segment)
        && recovery.read.segment < recovery.end.segment
    {
        let next = recovery.segment_from(recovery.read.segment);
        let next = next.map_or(recovery.end, Position::start_of);
        recovery.read = next.min(recovery.end);
    }
    if has_damage && !store.quirks.has(Quirk::DepthIsACounter) {
        let (segments, ends) = (&recovery.segments, &recovery.ends);
        recovery.is_depth_counted = true;
        recovery.depth = count(store, segments, ends, recovery.read, recovery.end)?;
    }
    Ok(recovery)
}

/// Reports segments between the positions that are not there, or not as long as they were.
/// Returns the size of the write segment, if it is as long as the meta says.
fn report_missing(
    store: &mut Store,
    survey: &Survey,
    recovery: &mut Recovery,
) -> Result<Option<u64>, Error> {
    let (read, write) = (recovery.read, recovery.end);
    let until = write.segment + u64::from(write.offset > 0);
    let known = survey.known_segments(write.segment);
    for (first, _) in missing_runs(&known, read.segment, until) {
        let offset = if first == read.segment {
            read.offset
        } else {
            0
        };
        // Only of the write segment it is known how long it was.
        let size = match first == write.segment {
            true => write.offset - offset,
            false => 0,
        };
        let path = store.paths.segment(first);
        let loss = Loss::new(LossKind::Damaged, path, offset, size);
        recovery.losses.push(loss);
    }
    if recovery.segment_from(write.segment) != Some(write.segment) {
        let was_created = write.offset > 0;
        recovery.needs_new_segment = was_created;
        if was_created {
            recovery.end = Position::start_of(recovery.next_segment);
        }
        return Ok((!was_created).then_some(0));
    }
    let size = segment_size(store, write.segment)?;
    if size >= write.offset {
        return Ok(Some(size));
    }
    cut_short(store, recovery, size)?;
    Ok(None)
}

/// The size of a segment; 0 where it is not there.
pub(super) fn segment_size(store: &mut Store, segment: u64) -> Result<u64, Error> {
    let path = store.paths.segment(segment);
    match store.fs.stat(path) {
        Ok(stat) if stat.kind == FileKind::Regular => Ok(stat.size),
        Ok(_) => Ok(0),
        Err(error) if is_no_file(&error) => Ok(0),
        Err(error) => Err(Error::io("stat", path, error)),
    }
}

/// The write segment lost its end: what follows its last whole record is damage.
fn cut_short(store: &mut Store, recovery: &mut Recovery, size: u64) -> Result<(), Error> {
    let write = recovery.end;
    let begin = match recovery.read.segment == write.segment {
        true => recovery.read.offset.min(size),
        false => 0,
    };
    let generation = recovery.note.unwrap_or_default().generation;
    let salt = Salt::new(generation, write.segment);
    let offset = end_of_records(store, salt, begin, size)?;
    let path = store.paths.segment(write.segment);
    let loss = Loss::new(LossKind::Damaged, path, offset, write.offset - offset);
    recovery.losses.push(loss);
    recovery.ends.push((write.segment, offset));
    recovery.needs_new_segment = true;
    recovery.end = Position::start_of(recovery.next_segment);
    recovery.sums_bytes = 0;
    recovery.sums_durable = 0;
    recovery.short = Some((write.segment, offset));
    if offset < size {
        recovery.rejects.push(Reject {
            segment: write.segment,
            from: offset,
            to: size,
        });
    }
    Ok(())
}

/// Keeps the records beyond the write position that are vouched for; the rest of the write segment
/// is rejected. If there is a later one it is empty, and goes.
fn follow(
    store: &mut Store,
    recovery: &mut Recovery,
    view: BootView,
    size: u64,
) -> Result<(), Error> {
    let Position { segment, offset } = recovery.end;
    if size > offset {
        let end = follow_segment(store, recovery, view, (segment, offset, size))?;
        if end < size {
            reject(store, recovery, (segment, end, size));
        }
    }
    if let Some(empty) = recovery.segment_from(segment + 1) {
        let (from, to) = (0, 0);
        recovery.rejects.push(Reject {
            segment: empty,
            from,
            to,
        });
        recovery.ends.push((empty, from));
    }
    Ok(())
}

fn reject(store: &mut Store, recovery: &mut Recovery, (segment, from, to): (u64, u64, u64)) {
    recovery.rejects.push(Reject { segment, from, to });
    recovery.ends.push((segment, from));
    recovery.needs_new_segment = true;
    let path = store.paths.segment(segment);
    let loss = Loss::new(LossKind::Rejected, path, from, to - from);
    recovery.losses.push(loss);
}

/// Keeps what is vouched for in one segment, and returns where that ends.
fn follow_segment(
    store: &mut Store,
    recovery: &mut Recovery,
    view: BootView,
    (segment, start, size): (u64, u64, u64),
) -> Result<u64, Error> {
    let Some(file) = store.find_tail(segment)? else {
        return Ok(start);
    };
    let mut reader = FrameReader::default();
    reader.open(file, size);
    let note = recovery.note.unwrap_or_default();
    let sums_from = if start > 0 { note.sums_bytes } else { 0 };
    let mut sums = open_sums(store, Salt::new(note.generation, segment), sums_from)?;
    let mut kept_sums = sums_from;
    let mut entries: Vec<Entry> = Vec::new();
    let mut offset = start;
    let mut records = 0;
    while let Frame::Record { length } = reader
        .at(offset)
        .map_err(|error| store.segment_error("read", segment, error))?
    {
        let known = sums
            .entry_at(offset)
            .map_err(|error| store.sums_error("read", segment, error))?;
        let record = reader.record(offset, length);
        let is_kept = match known {
            Some(entry) => sums.salt().agrees(entry, offset, record),
            None => view == BootView::This && length > 0,
        };
        if !is_kept && !store.quirks.has(Quirk::TrustTheTail) {
            let is_hole = length == 0 && known.is_none();
            if !(is_hole && store.quirks.has(Quirk::HoleReadAsEmpty)) {
                break;
            }
        }
        entries.push(Entry {
            length,
            sum: sums.salt().sum(offset, record),
        });
        records += 1;
        offset += record_bytes(length);
        // A block whose records are all kept, and none before it lacks a sum, stays as it is.
        let whole_block = known.and(sums.block_end());
        if let Some((_, end)) = whole_block.filter(|(count, _)| *count == entries.len()) {
            kept_sums = end;
            entries.clear();
        }
    }
    keep(store, recovery, (segment, start, offset), records);
    if offset > start {
        recovery.sums_bytes = kept_sums;
        recovery.sums_durable = sums_from;
        recovery.entries = entries;
    }
    // What is rejected here is cut with the same files.
    recovery.tail = Some(Tail {
        segment,
        reader,
        sums: sums.into_file(),
    });
    Ok(offset)
}

/// Moves the end to `to`: the records between are delivered and must be made durable.
fn keep(
    store: &Store,
    recovery: &mut Recovery,
    (segment, from, to): (u64, u64, u64),
    records: u64,
) {
    if from == to {
        return;
    }
    recovery.end = Position::new(segment, to);
    if !store.quirks.has(Quirk::DepthIsACounter) {
        recovery.depth += records;
    }
    recovery.spans.push(Span {
        segment,
        from,
        to,
        rewrite: true,
    });
}

/// The sums of a segment from byte `from` of their file on.
pub(super) fn open_sums(store: &mut Store, salt: Salt, from: u64) -> Result<SumsReader, Error> {
    let mut sums = SumsReader::none();
    let segment = salt.segment();
    let file = store.find_tail_sums(segment)?;
    let limit = match &file {
        Some(file) => file
            .size()
            .map_err(|error| store.sums_error("stat", segment, error))?,
        None => 0,
    };
    sums.open(file, salt, from, limit);
    Ok(sums)
}
