//! Opening a reader: it finds where it stands, and is registered before anything is handed out.

use super::error::{Error, Loss};
use super::names::{check_name, check_reader_length};
use super::options::{LockPolicy, LogOptions};
use super::position::End;
use super::quirks::Quirk;
use super::reader::LogReader;
use super::reader_files::{Believed, ReaderFiles, Saved};
use super::reader_losses::Losses;
use super::reader_standing::Standing;
use super::reader_start::log_start;
use super::reader_view::View;
use super::registry::{self, Registration};
use super::store::{PERMISSIONS, Store};
use crate::fs::{Fs, FsLock};
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A reader, and what open found to be lost.
#[derive(Debug)]
pub struct OpenedReader {
    /// The reader.
    pub reader: LogReader,
    /// What is lost; metas that had to be replaced among it.
    pub losses: Vec<Loss>,
}

impl LogReader {
    /// Opens the reader `reader` of `log`, which ends at `end`. It stands where it was saved; a
    /// reader that the log does not know stands at the end, and is known when this returns.
    /// The end is taken at its word: [`LogWriter::read_end`](crate::seglog::LogWriter::read_end)
    /// tells it, also of a log that is open for reading only.
    ///
    /// # Errors
    /// A name, an option or an end that cannot be; the reader is open already; that of the
    /// filesystem.
    pub fn open(
        fs: Arc<dyn Fs>,
        directory: &Path,
        log: &OsStr,
        reader: &OsStr,
        options: LogOptions,
        end: End,
    ) -> Result<OpenedReader, Error> {
        options.check()?;
        check_name(reader)?;
        check_reader_length(log, reader)?;
        let mut view = View::open(fs, directory, log, end, options.quirks)?;
        let lock = take_lock(&view.store, reader, options.lock)?;
        view.start = log_start(&view)?;
        let saved = ReaderFiles::load(&view.store, reader)?;
        let registration = registry::load(&view.store, reader)?;
        let standing = Standing::decide(&mut view, &saved, registration)?;
        if standing.is_damaged {
            saved.files.quarantine()?;
        }
        let is_saved = is_saved(&saved, &standing, &view);
        let is_new = registration == Registration::None && !saved.is_there;
        let is_durable = is_saved && saved.is_durable;
        let is_only_cached = !saved.is_durable && matches!(saved.believed, Believed::Noted(..));
        let mut reader = Self {
            name: reader.to_owned(),
            options,
            files: saved.files,
            lock,
            confirmed: standing.at,
            read: standing.at,
            since: view.end.generation,
            view,
            last: None,
            is_save_owed: !is_saved,
            // What was saved and not synced is only in the cache if the machine lived on.
            is_sync_owed: !is_durable,
            losses: Losses::default(),
            is_closed: false,
        };
        // An open that succeeded is a durable point; and without the save of what is damaged the
        // next open would tell of the same loss.
        let is_owed = standing.is_damaged || standing.is_lowered || is_only_cached;
        if let Err(error) = reader.register(registration, is_owed) {
            if is_new {
                reader.take_back();
            }
            return Err(error);
        }
        Ok(OpenedReader {
            reader,
            losses: standing.losses,
        })
    }

    /// Makes the reader known, and its position durable if it was not.
    fn register(&mut self, registration: Registration, is_owed: bool) -> Result<(), Error> {
        let (store, name, first) = (&self.view.store, &self.name, &self.confirmed);
        if registration == Registration::Done {
            return match self.save_if_owed(is_owed) {
                Err(error) if error.is_full_disk() => Ok(()),
                result => result,
            };
        }
        if store.has(Quirk::FirstOpenNotKept) {
            return Ok(());
        }
        registry::write(store, name, first, false)?;
        store.sync_directory()?;
        self.files.save(&self.positions(), self.since, true)?;
        registry::write(&self.view.store, &self.name, &self.confirmed, true)?;
        self.is_save_owed = false;
        self.is_sync_owed = false;
        Ok(())
    }

    /// Leaves nothing of a first open that failed, so that the next one is the first. It is the
    /// error of the open that is told: what cannot be removed is what a crash would have left.
    fn take_back(&mut self) {
        if registry::remove(&self.view.store, &self.name).is_ok() {
            drop(self.files.remove());
        }
    }

    fn save_if_owed(&mut self, is_owed: bool) -> Result<(), Error> {
        if is_owed {
            self.flush(true)?;
        }
        Ok(())
    }
}

/// Whether the metas say what the reader says, in the present generation.
fn is_saved(saved: &Saved, standing: &Standing, view: &View) -> bool {
    match saved.believed {
        Believed::Noted(positions, generation) => {
            !standing.is_damaged
                && positions.confirmed == standing.at
                && positions.end == view.end.position
                && generation == view.end.generation
        }
        Believed::Bare(_) | Believed::Nothing => false,
    }
}

fn take_lock(
    store: &Store,
    reader: &OsStr,
    policy: LockPolicy,
) -> Result<Option<Box<dyn FsLock>>, Error> {
    if store.has(Quirk::NoLock) {
        return Ok(None);
    }
    let path = store.paths.reader_lock(reader);
    match store.fs.try_lock(&path, PERMISSIONS) {
        Ok(lock) => Ok(Some(lock)),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(Error::Locked { path }),
        Err(error)
            if error.kind() == io::ErrorKind::Unsupported
                && policy == LockPolicy::WaivedWhereUnsupported =>
        {
            Ok(None)
        }
        Err(error) => Err(Error::io("lock", &path, error)),
    }
}
