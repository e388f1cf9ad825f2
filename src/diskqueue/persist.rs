//! Replaces the meta, and what may be done only afterwards: removing finished segments.

use super::error::Error;
use super::meta::{META_BYTES, Meta, Note, encode};
use super::quarantine;
use super::queue::DiskQueue;
use super::quirks::Quirk;
use super::store::PERMISSIONS;
use crate::fs::{FsFile, OpenMode, ReplaceStep, replace_file, write_all_at};
use std::path::{Path, PathBuf};

impl DiskQueue {
    /// Makes the present state durable. Everything before the write position is durable already.
    pub(super) fn persist(&mut self, closed: bool) -> Result<(), Error> {
        self.leave_finished();
        let meta = self.meta_now();
        if self.options.quirks.has(Quirk::UnlinkBeforeMeta) {
            self.reclaim(meta.read.segment);
        }
        self.replace_meta(&meta, closed)?;
        self.finish_replace(&meta, closed)
    }

    /// Replaces the meta file: from here on `meta` is what a kill leaves.
    pub(super) fn replace_meta(&mut self, meta: &Meta, closed: bool) -> Result<(), Error> {
        let is_here = meta.write == self.writer.position();
        let note = Note {
            boot: self.noted_boot,
            generation: self.generation,
            closed,
            sums_bytes: if is_here { self.writer.sums_bytes() } else { 0 },
        };
        let bytes = encode(meta, &note);
        let spare = match self.spare.take() {
            Some(spare) => spare,
            None => self.open_spare()?,
        };
        let path = &self.store.paths.spare;
        let fs = self.store.fs.as_ref();
        match replace_file(fs, spare.as_ref(), path, &self.store.paths.meta, &bytes) {
            Ok(()) => Ok(()),
            Err((step, error)) => {
                let operation = match step {
                    ReplaceStep::Write => "write",
                    ReplaceStep::Sync => "sync",
                    ReplaceStep::Rename => "rename",
                };
                let failed = Error::io(operation, path, error);
                self.spare = Some(spare);
                if self.options.quirks.has(Quirk::TemporaryLeak) {
                    self.leak_spare();
                }
                Err(failed)
            }
        }
    }

    /// Opens the spare that an earlier object left, or a new one. Where renames are two changes of
    /// the directory, a crash may leave both names of the meta: writing over it would cost that.
    fn open_spare(&self) -> Result<Box<dyn FsFile>, Error> {
        let fs = self.store.fs.as_ref();
        let path = &self.store.paths.spare;
        let identity_of = |path: &Path| fs.stat(path).ok().map(|stat| stat.identity);
        if let Some(spare) = identity_of(path)
            && identity_of(&self.store.paths.meta) == Some(spare)
        {
            fs.remove_file(path)
                .map_err(|error| Error::io("remove", path, error))?;
        }
        fs.open(path, OpenMode::Create, PERMISSIONS)
            .map_err(|error| Error::io("open", path, error))
    }

    /// Makes the replaced meta durable, removes what it says is finished, and makes a new spare.
    pub(super) fn finish_replace(&mut self, meta: &Meta, closed: bool) -> Result<(), Error> {
        self.store.sync_directory()?;
        self.persisted = (*meta, closed);
        self.meta_owed = false;
        self.stamped = !closed && self.rejects.is_empty() && self.new_segment.is_none();
        self.reclaim(meta.read.segment);
        self.make_spare();
        Ok(())
    }

    /// Removes segments below `read`, which is durable. What cannot be removed is tried again.
    pub(super) fn reclaim(&mut self, read: u64) {
        if self.segments.front().is_none_or(|first| *first >= read) {
            return;
        }
        let finished: Vec<u64> = self
            .segments
            .iter()
            .copied()
            .take_while(|number| *number < read)
            .collect();
        for number in finished {
            let is_kept = self.kept.contains(&number)
                || self.rejects.iter().any(|reject| reject.segment == number);
            let done = match is_kept {
                true => quarantine::keep_segment(&mut self.store, number),
                false => self.store.remove_segment(number),
            };
            if done.is_ok() {
                self.forget_segment(number);
            }
        }
    }

    /// A segment is gone.
    pub(super) fn forget_segment(&mut self, number: u64) {
        self.segments.retain(|segment| *segment != number);
        self.ends.retain(|(segment, _)| *segment != number);
        self.rejects.retain(|reject| reject.segment != number);
        self.kept.retain(|segment| *segment != number);
    }

    /// Takes space for the next meta. Without it the next replace tries again, so errors can wait.
    pub(super) fn make_spare(&mut self) {
        let fs = self.store.fs.as_ref();
        let path = &self.store.paths.spare;
        let Ok(spare) = fs.open(path, OpenMode::Create, PERMISSIONS) else {
            return;
        };
        if write_all_at(spare.as_ref(), 0, &[b' '; META_BYTES]).is_ok() {
            self.spare = Some(spare);
        }
    }

    /// The quirk: goes on with another spare, and what the failed one left stays.
    fn leak_spare(&mut self) {
        self.spare = None;
        let mut name = self.store.paths.spare.clone().into_os_string();
        name.push(".1");
        self.store.paths.spare = PathBuf::from(name);
    }
}
