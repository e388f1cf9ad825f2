//! Opening the log: look, decide, and (for writing) make what was decided true and durable.

use super::error::{Applied, Error, Loss};
use super::generations::Generations;
use super::metas::Metas;
use super::names::{check_log_length, check_name};
use super::options::{LockPolicy, LogOptions};
use super::quirks::Quirk;
use super::recovery::{Recovery, recover};
use super::store::{PERMISSIONS, Store};
use super::survey::Survey;
use super::write_segment::WriteSegment;
use super::writer::{Access, LogWriter, Tail};
use crate::fs::{FileKind, Fs, FsLock};
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// An opened log, and what opening found to be lost.
#[derive(Debug)]
pub struct OpenedWriter {
    /// The writer.
    pub writer: LogWriter,
    /// Losses met by opening. They are reported once.
    pub losses: Vec<Loss>,
}

impl LogWriter {
    /// Opens the log `name` in `directory`, which must exist, for writing; a log without files is
    /// new and empty. When it returns, the state that it found is durable.
    ///
    /// # Errors
    /// [`Error::Refused`] for a name or options that cannot be, or beside the key-value store of
    /// later versions of the original; [`Error::Locked`] if somebody else has it open; or an IO
    /// error.
    pub fn open(
        fs: Arc<dyn Fs>,
        directory: &Path,
        name: &OsStr,
        options: LogOptions,
    ) -> Result<OpenedWriter, Error> {
        options.check()?;
        check_name(name)?;
        check_log_length(name)?;
        let store = Store::new(fs, directory, name).with_quirks(options.quirks);
        refuse_shared_meta(&store)?;
        let lock = take_lock(&store, &options)?;
        let boot = store.fs.boot_id();
        let survey = Survey::take(&store)?;
        let (generations, mut recovery) = recover(&store, &survey, boot)?;
        let losses = std::mem::take(&mut recovery.losses);
        let mut writer = Self::assemble(store, options, &survey, &recovery, generations);
        writer.lock = lock;
        writer.boot = boot;
        writer.segment.sums_with_write = boot.is_none();
        // Whatever was written: after an error nothing is open.
        let settled = writer.settle(&survey, recovery);
        settled.map_err(|error| error.with_applied(Applied::Nothing))?;
        Ok(OpenedWriter { writer, losses })
    }

    /// Opens the log for reading only: nothing is written or locked. It shows what opening for
    /// writing would recover.
    /// Beside a writer that is at work it may show damage that is none, since its files are read
    /// one after the other: ask again before you act.
    ///
    /// # Errors
    /// As [`LogWriter::open`], never [`Error::Locked`].
    pub fn open_read_only(
        fs: Arc<dyn Fs>,
        directory: &Path,
        name: &OsStr,
        options: LogOptions,
    ) -> Result<OpenedWriter, Error> {
        options.check()?;
        check_name(name)?;
        let store = Store::new(fs, directory, name).with_quirks(options.quirks);
        let boot = match store.has(Quirk::LookShowsDurable) {
            true => None,
            false => store.fs.boot_id(),
        };
        let survey = Survey::take(&store)?;
        let (generations, mut recovery) = recover(&store, &survey, boot)?;
        let losses = std::mem::take(&mut recovery.losses);
        let mut writer = Self::assemble(store, options, &survey, &recovery, generations);
        if writer.store.has(Quirk::LookWrites) {
            writer.settle(&survey, recovery)?;
        }
        writer.access = Access::ReadOnly;
        Ok(OpenedWriter { writer, losses })
    }

    fn assemble(
        store: Store,
        options: LogOptions,
        survey: &Survey,
        recovery: &Recovery,
        generations: Generations,
    ) -> Self {
        let end = recovery.end;
        let exists = recovery.segments.contains(&end.segment);
        // Segments may be smaller now than when it was closed.
        let is_full = end.position >= options.segment_bytes_max;
        // It goes on in the full segment, as it would have before it was closed.
        let is_cut_there = generations.began_at(&end);
        Self {
            store,
            options,
            access: Access::Full,
            lock: None,
            boot: None,
            metas: Metas::new(recovery.sequence, survey),
            segment: WriteSegment::new(end, exists, generations.current(), recovery.sums_bytes),
            generations,
            start: recovery.start,
            read_end: end,
            segments: recovery.segments.clone(),
            number_max: survey.number_max.max(end.segment),
            starts: recovery.starts.clone(),
            tail: Tail::Clear,
            kept: Vec::new(),
            roll_owed: is_full && !is_cut_there,
            owed_error: None,
            moving_from: recovery.moving_from,
        }
    }
}

/// The original of later versions keeps its metas in a store that we do not read.
fn refuse_shared_meta(store: &Store) -> Result<(), Error> {
    let path = store.paths.shared_meta();
    match store.fs.stat(&path) {
        Ok(stat) if stat.kind == FileKind::Directory => Err(Error::Refused {
            reason: "a later version of the original keeps metas in `shared_meta` here",
        }),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Error::io("stat", &path, error)),
    }
}

fn take_lock(store: &Store, options: &LogOptions) -> Result<Option<Box<dyn FsLock>>, Error> {
    if store.has(Quirk::NoLock) {
        return Ok(None);
    }
    let path = store.paths.lock();
    match store.fs.try_lock(&path, PERMISSIONS) {
        Ok(lock) => Ok(Some(lock)),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(Error::Locked { path }),
        Err(error)
            if error.kind() == io::ErrorKind::Unsupported
                && options.lock == LockPolicy::WaivedWhereUnsupported =>
        {
            Ok(None)
        }
        Err(error) => Err(Error::io("lock", &path, error)),
    }
}
