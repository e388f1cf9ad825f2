//! What an open for writing writes: kept bytes are made durable and get their sums, a generation
//! begins, the metas say what was decided, and what nobody needs is removed.

use super::error::Error;
use super::known_readers::oldest_generation;
use super::quarantine;
use super::recover_bare::told_start;
use super::recovery::{Recovery, Span};
use super::store::{PERMISSIONS, Store, is_no_file};
use super::sums_writer::SumsLeft;
use super::survey::Survey;
use super::writer::{LogWriter, Tail};
use crate::fs::{FsFile, OpenMode, SyncKind, read_up_to, write_all_at};
use crate::records::frame::record_bytes;
use crate::records::sums::{Salt, write_blocks};
use std::io;

const PIECE_BYTES: u64 = 1024 * 1024;

/// Sidecars of so many removed segments are kept: readers skip by them.
pub(super) const SIDECARS_KEPT: u64 = 100;

impl LogWriter {
    /// Makes true and durable what recovery decided.
    pub(super) fn settle(&mut self, survey: &Survey, recovery: Recovery) -> Result<(), Error> {
        for span in &recovery.spans {
            secure(&self.store, span)?;
        }
        let end = recovery.end;
        if recovery.is_clean {
            return self.finish_settling(survey, &recovery);
        }
        // The sums of a bare log vouch for nothing: it may have been made anew in between.
        let left = match recovery.is_noted {
            true => sums_left(&recovery, self.generations.next()),
            false => SumsLeft::default(),
        };
        self.segment.sums.settle(&self.store, &left)?;
        let paths = &self.store.paths;
        if recovery.is_main_damaged {
            quarantine::keep_file(&self.store, &paths.writer_meta())?;
        }
        if recovery.is_start_damaged {
            quarantine::keep_file(&self.store, &paths.start_meta())?;
        }
        self.store.sync_directory()?;
        // A full segment is finished before the next put, also by a later open: only one that the
        // end was grown to on purpose is gone on in.
        let roll_owed = self.roll_owed;
        let begins_at = match roll_owed {
            true => end.in_next_segment(),
            false => end,
        };
        let begun = self.generations.begin(&self.store, begins_at)?;
        self.generations.adopt(begun, !recovery.is_noted);
        let exists = self.segment.exists;
        let sums_bytes = self.segment.sums.written();
        self.go_on_at(end, exists, sums_bytes);
        self.roll_owed = roll_owed;
        self.finish_settling(survey, &recovery)
    }

    fn finish_settling(&mut self, survey: &Survey, recovery: &Recovery) -> Result<(), Error> {
        if !recovery.rejects.is_empty() {
            self.tail = Tail::Rejected(recovery.rejects.clone());
        }
        self.persist(true)?;
        if told_start(survey) != Some(self.start) {
            let written = self.write_start();
            match written.and_then(|()| self.store.sync_directory()) {
                // It is derived, and a full disk must open.
                Err(error) if error.is_full_disk() => {}
                other => other?,
            }
        }
        self.tidy(survey, recovery.is_noted);
        self.forget_cuts()
    }

    /// Drops the cuts that no reader needs, now and then. A full disk can wait.
    pub(super) fn forget_cuts(&mut self) -> Result<(), Error> {
        if !self.generations.are_many() {
            return Ok(());
        }
        let current = self.generations.current();
        let oldest = oldest_generation(&self.store)?.unwrap_or(current);
        match self.generations.forget_to(&self.store, oldest) {
            Err(error) if !error.is_full_disk() => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// A segment is gone: so are its sums and its sidecar.
    pub(super) fn forget(&mut self, segment: u64) -> Result<(), Error> {
        self.store.remove(&self.store.paths.sums(segment))?;
        self.store.remove(&self.store.paths.sidecar(segment))?;
        self.segments.retain(|number| *number != segment);
        if segment == self.segment.number {
            self.segment.exists = false;
            self.segment.let_go();
        }
        Ok(())
    }

    /// Removes what nobody needs. What cannot be removed is met by the next open.
    fn tidy(&mut self, survey: &Survey, is_noted: bool) {
        let paths = &self.store.paths;
        let mut superfluous = Vec::new();
        let names = survey.temporaries.iter();
        superfluous.extend(names.map(|name| paths.directory.join(name)));
        if self.moving_from.is_none() {
            let old = survey.segments.range(..self.start.segment);
            superfluous.extend(old.map(|(number, _)| paths.segment(*number)));
            let oldest = self.start.segment.saturating_sub(SIDECARS_KEPT);
            // Those of a cut are left where a crash fell between a segment and its sidecar.
            let end = self.segment.number;
            let is_orphan = |number: u64| {
                number == end || number > end && !survey.segments.contains_key(&number)
            };
            let sidecars = survey.sidecars.iter().copied();
            let sidecars = sidecars.filter(|number| *number < oldest || is_orphan(*number));
            superfluous.extend(sidecars.map(|number| paths.sidecar(number)));
        }
        for number in survey.sums.iter().copied() {
            let is_used = is_noted && self.segments.contains(&number);
            let is_of_end = number == self.segment.number && self.segment.durable_sums > 0;
            // The segment may have been moved already; its sums follow it.
            let is_moved = is_noted && self.moving_from.is_some();
            if !is_used && !is_of_end && !is_moved {
                superfluous.push(paths.sums(number));
            }
        }
        let failed = superfluous
            .iter()
            .filter(|path| self.store.remove(path).is_err())
            .count();
        debug_assert!(failed <= superfluous.len(), "each is tried once");
    }
}

/// What belongs behind the right blocks of the end's sums.
fn sums_left(recovery: &Recovery, generation: u64) -> SumsLeft {
    let mut left = SumsLeft {
        bytes: recovery.sums_bytes,
        blocks: Vec::new(),
    };
    let sizes = recovery
        .entries
        .iter()
        .map(|entry| record_bytes(entry.length));
    let first = recovery.end.position - sizes.sum::<u64>();
    let salt = Salt::new(generation, recovery.end.segment);
    write_blocks(&salt, first, &recovery.entries, &mut left.blocks);
    left
}

/// Makes the bytes of `span` durable.
pub(super) fn secure(store: &Store, span: &Span) -> Result<(), Error> {
    let path = store.paths.segment(span.segment);
    let file = match store.fs.open(&path, OpenMode::Write, PERMISSIONS) {
        Ok(file) => file,
        Err(error) if is_no_file(&error) && span.from == span.to => return Ok(()),
        Err(error) => return Err(Error::io("open", &path, error)),
    };
    let rewritten = match span.rewrite {
        true => rewrite(file.as_ref(), span.from, span.to),
        false => Ok(()),
    };
    rewritten
        .and_then(|()| file.sync(SyncKind::Data))
        .map_err(|error| Error::io("sync", &path, error))
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
