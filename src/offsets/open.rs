//! Opening: the directories, the lock, what the files say, and making that durable.

use super::error::{Applied, Error, Loss};
use super::files::{Files, is_missing};
use super::message_queue::Table;
use super::options::{LockPolicy, Options};
use super::paths::{Paths, check_part};
use super::quirks::Quirk;
use super::store::{Access, OffsetStore, offsets_of};
use super::survey::{Source, State, Survey};
use crate::fs::{Fs, FsLock, list_names};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// An opened store, and what opening found.
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub store: OffsetStore,
    /// Where its table comes from.
    pub source: Source,
    /// Losses met by opening. They are reported once.
    pub losses: Vec<Loss>,
    /// How many files are kept aside.
    pub kept_aside: u64,
}

impl OffsetStore {
    /// Opens the store in `<root>/<client>/<group>/` for reading and writing. The root must exist,
    /// the other directories are created. When it returns, the state that it found is durable.
    ///
    /// Where file and backup are both damaged the store opens all the same, with the source
    /// [`Source::Lost`]: reads from the store are errors until something was persisted.
    ///
    /// # Errors
    /// [`Error::Refused`] for a client or group that is no name, [`Error::Locked`] if somebody
    /// else has it open, or an IO error.
    pub fn open(
        fs: Arc<dyn Fs>,
        root: &Path,
        client: &OsStr,
        group: &OsStr,
        options: Options,
    ) -> Result<Opened, Error> {
        let files = files(fs, root, client, group, options)?;
        let paths = &files.paths;
        files.ensure_directory(&paths.client)?;
        files.ensure_directory(&paths.group)?;
        let lock = take_lock(&files, &options)?;
        if !options.quirks.has(Quirk::ParentsNotSynced) {
            // Whoever created them may have died before.
            files.sync_directory(&paths.root)?;
            files.sync_directory(&paths.client)?;
        }
        let survey = Survey::take(&files)?;
        let mut store = Self::assemble(files, options);
        store.lock = lock;
        let losses = store.unreported(&survey);
        let source = survey.source;
        // Whoever cannot open it has nothing of it, whatever was written.
        let settled = store.settle(survey);
        settled.map_err(|error| error.with_applied(Applied::Nothing))?;
        let kept_aside = store.count_kept_aside()?;
        Ok(Opened {
            store,
            source,
            losses,
            kept_aside,
        })
    }

    /// Opens the store for reading only: nothing is written, created or locked.
    ///
    /// # Errors
    /// As [`OffsetStore::open`], never [`Error::Locked`].
    pub fn open_read_only(
        fs: Arc<dyn Fs>,
        root: &Path,
        client: &OsStr,
        group: &OsStr,
        options: Options,
    ) -> Result<Opened, Error> {
        let files = files(fs, root, client, group, options)?;
        for directory in [&files.paths.client, &files.paths.group] {
            match files.check_directory(directory) {
                Err(Error::Io { source, .. }) if is_missing(&source) => break,
                checked => checked?,
            }
        }
        let survey = Survey::take(&files)?;
        let mut store = Self::assemble(files, options);
        store.access = Access::ReadOnly;
        let losses = store.unreported(&survey);
        let source = survey.source;
        store.adopt(&survey);
        let kept_aside = store.count_kept_aside()?;
        Ok(Opened {
            store,
            source,
            losses,
            kept_aside,
        })
    }

    fn assemble(files: Files, options: Options) -> Self {
        Self {
            files,
            options,
            access: Access::Full,
            lock: None,
            table: Table::new(),
            stored: Table::new(),
            is_durable: false,
            is_lost: false,
            reported: BTreeSet::new(),
        }
    }

    fn adopt(&mut self, survey: &Survey) {
        self.table = offsets_of(&survey.table);
        self.stored.clone_from(&survey.table);
        self.is_lost = survey.source == Source::Lost;
    }

    /// Makes what was found true and durable:
    ///
    /// | row | taken is | done is |
    /// |---|---|---|
    /// | P1 | a noted file or backup | nothing: it was durable before it got its name |
    /// | P2 | a bare file or backup | it is persisted |
    /// | P3 | the temporary file | it gets the name of the file, and is persisted |
    /// | P4 | nothing | nothing |
    ///
    /// and the temporary file goes. Where the file's name stands for something else, nothing can
    /// be written, and a whole temporary file may be all there is.
    fn settle(&mut self, survey: Survey) -> Result<(), Error> {
        self.adopt(&survey);
        let is_foreign = matches!(survey.main, State::Foreign);
        let is_new = survey.source == Source::New;
        match survey.source {
            Source::Temporary if is_foreign => return Ok(()),
            Source::Main | Source::Backup if survey.noted => self.is_durable = true,
            Source::Main | Source::Backup | Source::Temporary if !is_foreign => {
                self.write_stored(survey)?;
            }
            Source::New | Source::Lost | Source::Main | Source::Backup | Source::Temporary => {}
        }
        self.files.remove_temporary()?;
        self.files.sync_names()?;
        self.is_durable |= is_new;
        Ok(())
    }

    fn count_kept_aside(&self) -> Result<u64, Error> {
        let paths = &self.files.paths;
        match list_names(self.files.fs.as_ref(), &paths.group) {
            Ok(names) => {
                let kept = names.iter().filter(|name| paths.is_kept_aside(name));
                Ok(kept.count() as u64)
            }
            Err(error) if is_missing(&error) => Ok(0),
            Err(error) => Err(Error::io("list", &paths.group, error)),
        }
    }
}

fn files(
    fs: Arc<dyn Fs>,
    root: &Path,
    client: &OsStr,
    group: &OsStr,
    options: Options,
) -> Result<Files, Error> {
    if !options.quirks.has(Quirk::PathUnchecked) {
        check_part(client)?;
        check_part(group)?;
    }
    Ok(Files {
        fs,
        paths: Paths::new(root, client, group, options.dialect),
        quirks: options.quirks,
    })
}

/// No original has a lock file; nobody but the owner needs ours.
const LOCK_PERMISSIONS: u32 = 0o600;

fn take_lock(files: &Files, options: &Options) -> Result<Option<Box<dyn FsLock>>, Error> {
    if options.quirks.has(Quirk::NoLock) {
        return Ok(None);
    }
    let path = &files.paths.lock;
    match files.fs.try_lock(path, LOCK_PERMISSIONS) {
        Ok(lock) => Ok(Some(lock)),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
            Err(Error::Locked { path: path.clone() })
        }
        Err(error)
            if error.kind() == io::ErrorKind::Unsupported
                && options.lock == LockPolicy::WaivedWhereUnsupported =>
        {
            Ok(None)
        }
        Err(error) => Err(Error::io("lock", path, error)),
    }
}
