//! What the write end does to files: write, cut, sync.

use super::error::Error;
use super::quirks::Quirk;
use super::store::{PERMISSIONS, Store, is_no_file};
use super::sums_writer::Unsynced;
use super::writer::{Mark, Writer};
use crate::fs::{OpenMode, SyncKind, write_all_at};

impl Writer {
    /// Writes all records since `mark`, all or none of them.
    #[inline]
    pub(super) fn write(&mut self, store: &mut Store, mark: Mark) -> Result<(), Error> {
        let mut result = self.write_records(store, mark.bytes);
        if result.is_ok() {
            // A sum must vouch for a record that is empty, or that no boot will vouch for.
            let needs_sums = mark.has_empty || self.sums_with_put;
            if needs_sums || self.sums.is_due() {
                let unsynced = Unsynced {
                    bytes: &self.unsynced,
                    from: self.durable,
                };
                let sums = self.sums.append(store, &unsynced);
                if needs_sums {
                    result = sums;
                }
            }
        }
        if result.is_err() {
            self.take_back(store, mark);
            return result;
        }
        self.position.offset = self.pushed_end();
        Ok(())
    }

    #[inline]
    fn write_records(&mut self, store: &mut Store, from: usize) -> Result<(), Error> {
        if self.cut_owed {
            self.cut_if_owed(store)?;
        }
        let offset = self.position.offset;
        let segment = self.position.segment;
        let file = match &self.file {
            Some(file) => file,
            None => {
                let mode = match self.exists {
                    true => OpenMode::Write,
                    false => OpenMode::CreateNew,
                };
                let file = store.open_segment(segment, mode)?;
                self.exists = true;
                self.file.insert(file)
            }
        };
        let bytes = self.unsynced.get(from..).unwrap_or_default();
        write_all_at(file.as_ref(), offset, bytes)
            .map_err(|error| store.segment_error("write", segment, error))
    }

    /// Forgets the records since `mark` and cuts what a failed write left of them.
    fn take_back(&mut self, store: &mut Store, mark: Mark) {
        self.unsynced.truncate(mark.bytes);
        self.sums.truncate(mark.waiting);
        if self.file.is_some() && !store.quirks.has(Quirk::FailedPutNotCut) {
            self.cut_owed = true;
            // An error stays owed: nothing is written before it is done.
            if self.cut_if_owed(store).is_err() {
                debug_assert!(self.cut_owed, "a failed cut is tried again");
            }
        }
    }

    fn cut_if_owed(&mut self, store: &mut Store) -> Result<(), Error> {
        if !self.cut_owed {
            return Ok(());
        }
        if let Some(file) = &self.file {
            file.set_size(self.position.offset)
                .map_err(|error| store.segment_error("cut", self.position.segment, error))?;
        }
        self.cut_owed = false;
        Ok(())
    }

    /// Makes the size of the segment's file durable, and whatever is written in it.
    pub(super) fn sync_size(&mut self, store: &mut Store) -> Result<(), Error> {
        let segment = self.position.segment;
        if self.file.is_none() {
            let path = store.paths.segment(segment);
            match store.fs.open(path, OpenMode::Write, PERMISSIONS) {
                Ok(file) => self.file = Some(file),
                // Recovery may just have quarantined it.
                Err(error) if is_no_file(&error) => return Ok(()),
                Err(error) => return Err(store.segment_error("open", segment, error)),
            }
        }
        let synced = self
            .file
            .as_ref()
            .map_or(Ok(()), |file| file.sync(SyncKind::Data));
        synced.map_err(|error| store.segment_error("sync", segment, error))
    }

    /// The sums from byte `durable` of their file on are only seen to be there: they owe a sync.
    pub(super) fn doubt_sums(&mut self, store: &mut Store, durable: u64) -> Result<(), Error> {
        self.sums.doubt(store, durable)
    }

    /// Makes everything before [`Writer::position`] durable: bytes, sums, and the names of both.
    pub(super) fn flush(&mut self, store: &mut Store) -> Result<(), Error> {
        self.cut_if_owed(store)?;
        if self.is_dirty() {
            self.prepare(store)?;
            self.sync_segment(store)?;
            let unsynced = Unsynced {
                bytes: &self.unsynced,
                from: self.durable,
            };
            self.sums.sync(store, &unsynced)?;
        }
        if !self.name_durable && self.position.offset > 0 {
            store.sync_directory()?;
            self.name_durable = true;
        }
        self.unsynced.clear();
        self.durable = self.position.offset;
        Ok(())
    }

    fn sync_segment(&mut self, store: &mut Store) -> Result<(), Error> {
        let Some(file) = self.file.as_deref().filter(|_| !self.unsynced.is_empty()) else {
            return Ok(());
        };
        let segment = self.position.segment;
        if self.rewrite_owed {
            write_all_at(file, self.durable, &self.unsynced)
                .map_err(|error| store.segment_error("write", segment, error))?;
            self.rewrite_owed = false;
        }
        if store.quirks.has(Quirk::NoDataSync) {
            return Ok(());
        }
        match file.sync(SyncKind::Data) {
            Err(error) if !store.quirks.has(Quirk::SyncErrorIgnored) => {
                // The system may drop these bytes or think them clean: only writing them again
                // makes the next sync mean anything, and keeps them for a kill before it.
                if !store.quirks.has(Quirk::NoRewriteAfterFailedSync) {
                    self.rewrite_owed = write_all_at(file, self.durable, &self.unsynced).is_err();
                }
                Err(store.segment_error("sync", segment, error))
            }
            _ => Ok(()),
        }
    }
}
