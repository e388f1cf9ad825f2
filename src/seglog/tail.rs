//! Judges what stands behind the durable end: records that count are kept, and the log ends
//! behind them; the rest does not count.

use super::error::{Error, Loss, LossKind};
use super::generations::Generations;
use super::position::Position;
use super::recover_noted::BootView;
use super::recovery::{Recovery, Reject, Span};
use super::store::Store;
use super::sums_scan::SumsScan;
use super::survey::Survey;
use crate::fs::{FsFile, read_up_to};
use crate::records::frame::{Frame, HEADER_BYTES, judge, record_bytes};
use crate::records::sums::{Entry, Salt};
use std::io;

/// Keeps what `view` vouches for behind the end; nothing where there is no view.
pub(super) fn follow(
    store: &Store,
    survey: &Survey,
    recovery: &mut Recovery,
    view: Option<BootView>,
    generations: &Generations,
) -> Result<(), Error> {
    let from = recovery.end.segment;
    let mut is_open = view.is_some();
    for (&segment, &size) in survey.segments.range(from..) {
        if is_open && segment == recovery.end.segment + 1 && recovery.end.position > 0 {
            // The one before was followed to the end of its file.
            recovery.end = recovery.end.in_next_segment();
            recovery.sums_bytes = 0;
            // Those of the one before, which nothing is added to.
            recovery.entries.clear();
            let Position { offset, count, .. } = recovery.end;
            recovery.starts.insert(segment, (offset, count));
        }
        let is_here = segment == recovery.end.segment;
        let start = if is_here { recovery.end.position } else { 0 };
        if let Some(view) = view.filter(|_| is_open && is_here && size > start) {
            follow_segment(store, recovery, (view, size), generations)?;
        }
        let end = if is_here { recovery.end.position } else { 0 };
        is_open &= is_here && end == size;
        if end < size || !is_here {
            reject(store, recovery, (segment, end, size));
        }
    }
    Ok(())
}

/// What stands from `from` on does not count.
pub(super) fn reject(store: &Store, recovery: &mut Recovery, (segment, from, to): (u64, u64, u64)) {
    recovery.rejects.push(Reject { segment, from, to });
    if from < to {
        let path = store.paths.segment(segment);
        let loss = Loss::new(LossKind::Rejected, &path, from, to - from);
        recovery.losses.push(loss);
    }
}

/// Reads records one by one.
struct Records<'a> {
    file: &'a dyn FsFile,
    size: u64,
    buffer: Vec<u8>,
    start: u64,
}

impl Records<'_> {
    /// The record at `position`, its header first; `None` for anything else.
    fn at(&mut self, position: u64) -> io::Result<Option<&[u8]>> {
        let left = self.size.saturating_sub(position);
        if left < HEADER_BYTES || !self.fill(position, HEADER_BYTES, left)? {
            return Ok(None);
        }
        let header = self.rest(position).first_chunk().copied();
        let Some(Frame::Record { length }) = header.map(|header| judge(header, left)) else {
            return Ok(None);
        };
        let size = record_bytes(length);
        if !self.fill(position, size, left)? {
            return Ok(None);
        }
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        Ok(self.rest(position).get(..size))
    }

    fn rest(&self, position: u64) -> &[u8] {
        let from = position.checked_sub(self.start);
        let from = from.and_then(|from| usize::try_from(from).ok());
        from.and_then(|from| self.buffer.get(from..))
            .unwrap_or_default()
    }

    fn fill(&mut self, position: u64, needed: u64, left: u64) -> io::Result<bool> {
        const PIECE_BYTES: u64 = 64 * 1024;
        if self.rest(position).len() as u64 >= needed {
            return Ok(true);
        }
        let wanted = usize::try_from(left.min(PIECE_BYTES.max(needed)));
        self.buffer
            .resize(wanted.map_err(|_| io::ErrorKind::OutOfMemory)?, 0);
        self.start = position;
        let count = read_up_to(self.file, position, &mut self.buffer)?;
        self.buffer.truncate(count);
        Ok(count as u64 >= needed)
    }
}

/// Moves the end over the records of its segment that are vouched for.
fn follow_segment(
    store: &Store,
    recovery: &mut Recovery,
    (view, size): (BootView, u64),
    generations: &Generations,
) -> Result<(), Error> {
    let Position {
        segment, position, ..
    } = recovery.end;
    let path = store.paths.segment(segment);
    let Some(file) = store.find(&path)? else {
        return Ok(());
    };
    let sums_path = store.paths.sums(segment);
    let sums = store.find(&sums_path)?;
    let sums_size = sums.as_ref().map_or(Ok(0), |file| file.size());
    let sums_size = sums_size.map_err(|error| Error::io("stat", &sums_path, error))?;
    let from = if position > 0 { recovery.sums_bytes } else { 0 };
    let newest = generations.newest();
    let mut scan = SumsScan::new(sums.as_deref(), segment, newest, (from, sums_size));
    let mut records = Records {
        file: file.as_ref(),
        size,
        buffer: Vec::new(),
        start: 0,
    };
    let own = Salt::new(generations.next(), segment);
    let mut kept_sums = from;
    let mut entries: Vec<Entry> = Vec::new();
    let (mut at, mut count) = (position, 0);
    while let Some(record) = records
        .at(at)
        .map_err(|error| Error::io("read", &path, error))?
    {
        let known = scan.entry_at(at);
        let known = known.map_err(|error| Error::io("read", &sums_path, error))?;
        let is_empty = record.len() as u64 == HEADER_BYTES;
        let is_kept = match known {
            Some((salt, entry)) => !is_empty && salt.agrees(entry, at, record),
            None => view == BootView::This && !is_empty,
        };
        if !is_kept {
            break;
        }
        let length = u32::try_from(record.len() as u64 - HEADER_BYTES).unwrap_or(u32::MAX);
        let sum = own.sum(at, record);
        entries.push(Entry { length, sum });
        at += record_bytes(length);
        count += 1;
        // A block whose records are all kept, and none before it lacks a sum, stays as it is.
        let whole_block = known.and(scan.block_end());
        if let Some((_, end)) = whole_block.filter(|(count, _)| *count == entries.len()) {
            kept_sums = end;
            entries.clear();
        }
    }
    if at > position {
        recovery.end = recovery.end.moved(at - position, count);
        recovery.sums_bytes = kept_sums;
        recovery.entries = entries;
        recovery.spans.push(Span {
            segment,
            from: position,
            to: at,
            rewrite: true,
        });
    }
    Ok(())
}

/// The sums of the records between two borders of a segment.
pub(super) fn entries_between(
    store: &Store,
    salt: &Salt,
    from: u64,
    to: u64,
) -> Result<Vec<Entry>, Error> {
    let path = store.paths.segment(salt.segment());
    let Some(file) = store.find(&path)? else {
        return Ok(Vec::new());
    };
    let mut records = Records {
        file: file.as_ref(),
        size: to,
        buffer: Vec::new(),
        start: 0,
    };
    let mut entries = Vec::new();
    let mut at = from;
    while let Some(record) = records
        .at(at)
        .map_err(|error| Error::io("read", &path, error))?
    {
        let length = u32::try_from(record.len() as u64 - HEADER_BYTES).unwrap_or(u32::MAX);
        let sum = salt.sum(at, record);
        entries.push(Entry { length, sum });
        at += record_bytes(length);
    }
    Ok(entries)
}
