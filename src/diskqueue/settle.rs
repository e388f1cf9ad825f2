//! What recovery writes: kept bytes are made durable, rejected ones quarantined and cut.

use super::error::{Error, Loss};
use super::quarantine;
use super::queue::DiskQueue;
use super::recovery::{Recovery, Reject, Span, Tail};
use super::short::cut_sums;
use super::store::{PERMISSIONS, Store, remove};
use super::survey::Survey;
use crate::fs::{FsFile, OpenMode, SyncKind, read_up_to, write_all_at};
use crate::records::frame::record_bytes;
use crate::records::side::{generation_bytes, parse_generation};
use crate::records::sums::{Entry, Salt};
use std::io;
use std::path::PathBuf;

const PIECE_BYTES: u64 = 1024 * 1024;

/// Makes the bytes of `span` durable.
fn secure(store: &mut Store, span: &Span, tail: Option<&Tail>) -> Result<(), Error> {
    let tail = tail.filter(|tail| tail.segment == span.segment);
    let opened;
    let file = match tail.and_then(|tail| tail.reader.file()) {
        Some(file) => file,
        None => {
            opened = store.open_segment(span.segment, OpenMode::Write)?;
            opened.as_ref()
        }
    };
    let known = tail.and_then(|tail| tail.reader.bytes(span.from, span.to));
    let rewritten = match (span.rewrite, known) {
        (true, Some(bytes)) => write_all_at(file, span.from, bytes),
        (true, None) => rewrite(file, span.from, span.to),
        (false, _) => Ok(()),
    };
    rewritten
        .and_then(|()| file.sync(SyncKind::Data))
        .map_err(|error| store.segment_error("sync", span.segment, error))
}

/// Writes what is there again: a failed sync may have left the system thinking it is durable.
fn rewrite(file: &dyn FsFile, from: u64, to: u64) -> io::Result<()> {
    let size = usize::try_from((to - from).min(PIECE_BYTES)).unwrap_or_default();
    let mut buffer = vec![0; size];
    let mut offset = from;
    while offset < to {
        let left = usize::try_from(to - offset).unwrap_or(usize::MAX);
        let room = buffer.get_mut(..size.min(left)).unwrap_or_default();
        let count = read_up_to(file, offset, room)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        write_all_at(file, offset, room.get(..count).unwrap_or_default())?;
        offset += count as u64;
    }
    Ok(())
}

impl DiskQueue {
    /// Takes over what recovery decided, without writing.
    pub(super) fn adopt(&mut self, recovery: Recovery) {
        self.reader.move_to(recovery.read);
        self.depth = recovery.depth;
        self.is_depth_counted = recovery.is_depth_counted;
        if let Some(note) = recovery.note {
            self.generation = note.generation;
            self.noted_boot = note.boot;
            self.stamped = !note.closed && recovery.may_be_this_boot && note.boot == self.boot;
        }
        self.writer.write_sums_with_put(self.boot.is_none());
        let waits = !recovery.rejects.is_empty() || recovery.needs_new_segment;
        self.new_segment = recovery.needs_new_segment.then_some(recovery.next_segment);
        if !waits {
            self.noted_boot = self.boot;
        }
        self.segments = recovery.segments;
        self.ends = recovery.ends;
        self.rejects = recovery.rejects;
    }

    /// Makes true and durable what recovery decided.
    pub(super) fn settle(
        &mut self,
        survey: &Survey,
        mut recovery: Recovery,
    ) -> Result<Vec<Loss>, Error> {
        let losses = std::mem::take(&mut recovery.losses);
        let spans = std::mem::take(&mut recovery.spans);
        let entries = std::mem::take(&mut recovery.entries);
        let short = recovery.short;
        let tail = recovery.tail.take();
        let is_noted = recovery.note.is_some();
        let is_meta_damaged = recovery.is_meta_damaged;
        let may_be_this_boot = recovery.may_be_this_boot;
        let is_changed = !is_noted
            || !spans.is_empty()
            || !recovery.rejects.is_empty()
            || recovery.needs_new_segment;
        let kept_from = spans.last().map_or(0, |span| span.from);
        let sums_durable = recovery.sums_durable;
        self.adopt(recovery);
        for span in &spans {
            secure(&mut self.store, span, tail.as_ref())?;
        }
        if let Some(tail) = tail {
            self.writer.adopt(tail);
        }
        if spans.iter().any(|span| span.from == 0) {
            self.store.sync_directory()?;
        }
        if let Some((segment, end)) = short {
            cut_sums(&mut self.store, &Salt::new(self.generation, segment), end)?;
        }
        if is_noted {
            self.writer.doubt_sums(&mut self.store, sums_durable)?;
            self.owe_sums(kept_from, entries);
            self.flush_writer()?;
        } else {
            let damaged_meta = is_meta_damaged.then_some(survey.meta_bytes.as_slice());
            self.begin_generation(damaged_meta)?;
        }
        if is_changed {
            match self.discharge() {
                Err(error) if error.is_full_disk() && is_noted => {}
                result => result?,
            }
            self.persist(false)?;
        } else if may_be_this_boot {
            // What is seen may be what no crash had to keep so far.
            self.store.sync_directory()?;
        }
        self.tidy(survey, is_noted);
        Ok(losses)
    }

    /// The kept records behind `from` whose sums are not in the file.
    fn owe_sums(&mut self, from: u64, entries: Vec<Entry>) {
        if entries.is_empty() {
            return;
        }
        let size: u64 = entries.iter().map(|entry| record_bytes(entry.length)).sum();
        let first = self.writer.position().offset - size;
        debug_assert!(first >= from, "only kept records owe sums");
        self.writer.owe_sums(first, entries);
    }

    /// Begins a new life of the log: under a number that no sums of an earlier one bear.
    fn begin_generation(&mut self, damaged_meta: Option<&[u8]>) -> Result<(), Error> {
        let path = &self.store.paths.lock;
        let fs = self.store.fs.as_ref();
        let file = fs
            .open(path, OpenMode::Create, PERMISSIONS)
            .map_err(|error| Error::io("open", path, error))?;
        let mut bytes = [0; 24];
        let count = read_up_to(file.as_ref(), 0, &mut bytes)
            .map_err(|error| Error::io("read", path, error))?;
        let last = parse_generation(bytes.get(..count).unwrap_or_default());
        self.generation = last.unwrap_or(0).saturating_add(1);
        write_all_at(file.as_ref(), 0, &generation_bytes(self.generation))
            .and_then(|()| file.sync(SyncKind::Data))
            .map_err(|error| Error::io("write", path, error))?;
        self.store.sync_directory()?;
        self.writer.set_generation(self.generation);
        if let Some(bytes) = damaged_meta {
            let path = self.store.paths.meta.clone();
            quarantine::keep_bytes(&self.store, &path, bytes)?;
        }
        Ok(())
    }

    /// Removes what nobody needs. What cannot be removed is met by a delete, or the next open.
    fn tidy(&mut self, survey: &Survey, is_noted: bool) {
        self.reclaim(self.persisted.0.read.segment);
        let names = survey.temporaries.iter();
        let mut superfluous: Vec<PathBuf> =
            names.map(|name| self.store.paths.sibling(name)).collect();
        for number in &survey.sums {
            let is_used = is_noted && self.segments.contains(number);
            let is_new = *number == self.writer.position().segment && self.writer.exists();
            if !is_used && !is_new {
                superfluous.push(self.store.paths.sums(*number).to_owned());
            }
        }
        let fs = self.store.fs.as_ref();
        superfluous.retain(|path| remove(fs, path).is_err());
        self.superfluous = superfluous;
        if self.spare.is_none() && !survey.has_spare {
            self.make_spare();
        }
    }

    /// Quarantines everything that recovery rejected, and leaves the segment it was in.
    pub(super) fn discharge(&mut self) -> Result<(), Error> {
        let had_rejects = !self.rejects.is_empty();
        while let Some(reject) = self.rejects.last().copied() {
            self.discharge_one(reject)?;
            self.rejects.pop();
            self.ends.retain(|(segment, _)| *segment != reject.segment);
        }
        if had_rejects {
            // A later meta seals these segments: by then their rejected bytes must be gone.
            self.store.sync_directory()?;
        }
        if let Some(next) = self.new_segment {
            // Sums of rejected records would tell of a loss where there is none.
            self.writer.prepare(&mut self.store)?;
            self.move_writer(next);
            self.new_segment = None;
            self.meta_owed = true;
        }
        // Whatever a later kill leaves behind the write position was put in this boot.
        self.noted_boot = self.boot;
        Ok(())
    }

    fn discharge_one(&mut self, reject: Reject) -> Result<(), Error> {
        let Reject { segment, from, to } = reject;
        let read = self.reader.position();
        let holds_unread =
            read.segment <= segment && (read.segment < segment || read.offset < from);
        if from == to {
            if from == 0 {
                self.writer.let_go_of(segment);
                self.store.remove_segment(segment)?;
                self.segments.retain(|number| *number != segment);
            }
            return Ok(());
        }
        if from == 0 || !holds_unread {
            self.writer.let_go_of(segment);
            quarantine::keep_segment(&mut self.store, segment)?;
            self.segments.retain(|number| *number != segment);
            if read.segment == segment {
                self.reader.close();
                if self.writer.position().segment != segment {
                    // Its loss was reported: the reader must not meet it again.
                    self.go_to_next(segment);
                }
            }
            return Ok(());
        }
        let opened;
        let file = match self.writer.file_of(segment) {
            Some(file) => file,
            None => {
                opened = self.store.open_segment(segment, OpenMode::Write)?;
                opened.as_ref()
            }
        };
        let path = self.store.paths.segment(segment).to_owned();
        quarantine::keep_range(&self.store, file, &path, from, to)?;
        file.set_size(from)
            .and_then(|()| file.sync(SyncKind::Data))
            .map_err(|error| Error::io("cut", &path, error))
    }
}
