//! Opening: look, decide, and (for writing) make what was decided true and durable.

use super::error::{Error, Loss};
use super::meta::{Meta, MetaState};
use super::noted::{self, BootView};
use super::options::{LockPolicy, Options};
use super::owed::Owed;
use super::position::NUMBER_MAX;
use super::queue::{Access, DiskQueue};
use super::quirks::Quirk;
use super::reader::Reader;
use super::recovery::Recovery;
use super::salvage;
use super::store::{PERMISSIONS, Store};
use super::survey::Survey;
use super::writer::Writer;
use crate::fs::{BootId, FILE_NAME_BYTES_MAX, Fs, FsLock, OpenMode};
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

/// An opened queue, and what opening found to be lost.
#[derive(Debug)]
pub struct Opened {
    /// The queue.
    pub queue: DiskQueue,
    /// Losses met by opening. They are reported once.
    pub losses: Vec<Loss>,
}

impl DiskQueue {
    /// Opens the queue `name` in `directory`, which must exist, for reading and writing; a queue
    /// without files is new and empty. When it returns, the state that it found is durable.
    ///
    /// # Errors
    /// [`Error::Refused`] for a name or options that cannot be, [`Error::Locked`] if somebody
    /// else has it open, or an IO error.
    pub fn open(
        fs: Arc<dyn Fs>,
        directory: &Path,
        name: &OsStr,
        options: Options,
    ) -> Result<Opened, Error> {
        options.check()?;
        check_name(name)?;
        check_length(name)?;
        let mut store = Store::new(fs, directory, name, options.quirks);
        store.tail_mode = OpenMode::Write;
        let lock = take_lock(&store, &options)?;
        let survey = Survey::take(&mut store, name)?;
        let boot = store.fs.boot_id();
        let recovery = recover(&mut store, &survey, view_of(&survey.meta, boot))?;
        check_next_segment(&recovery)?;
        let mut queue = Self::assemble(store, options, recovery_parts(&survey, &recovery), boot);
        queue.lock = lock;
        let losses = queue.settle(&survey, recovery)?;
        Ok(Opened { queue, losses })
    }

    /// Opens the queue for reading only: nothing is written or locked, and reads are forgotten.
    /// It shows what opening for writing would recover.
    /// Beside a writer that is at work it may show damage that is none, since its files are read
    /// one after the other: ask again before you act.
    ///
    /// # Errors
    /// As [`DiskQueue::open`], never [`Error::Locked`].
    pub fn open_read_only(
        fs: Arc<dyn Fs>,
        directory: &Path,
        name: &OsStr,
        options: Options,
    ) -> Result<Opened, Error> {
        Self::look(fs, directory, name, options, None)
    }

    /// As [`DiskQueue::open_read_only`], with an assumption instead of the boot.
    pub(super) fn look(
        fs: Arc<dyn Fs>,
        directory: &Path,
        name: &OsStr,
        options: Options,
        assumed: Option<BootView>,
    ) -> Result<Opened, Error> {
        options.check()?;
        check_name(name)?;
        let mut store = Store::new(fs, directory, name, options.quirks);
        let survey = Survey::take(&mut store, name)?;
        let boot = store.fs.boot_id();
        let view = assumed.unwrap_or_else(|| view_of(&survey.meta, boot));
        let mut recovery = recover(&mut store, &survey, view)?;
        let mut queue = Self::assemble(store, options, recovery_parts(&survey, &recovery), boot);
        queue.access = Access::ReadOnly;
        let losses = std::mem::take(&mut recovery.losses);
        queue.adopt(recovery);
        Ok(Opened { queue, losses })
    }

    fn assemble(
        store: Store,
        options: Options,
        (writer, persisted): (Writer, (Meta, bool)),
        boot: Option<BootId>,
    ) -> Self {
        Self {
            store,
            options,
            access: Access::Full,
            lock: None,
            reader: Reader::new(writer.position()),
            writer,
            depth: 0,
            is_depth_counted: false,
            segments: std::collections::VecDeque::new(),
            ends: Vec::new(),
            rejects: Vec::new(),
            kept: Vec::new(),
            superfluous: Vec::new(),
            new_segment: None,
            boot,
            noted_boot: boot,
            generation: 0,
            spare: None,
            persisted,
            stamped: false,
            meta_owed: false,
            owed: Owed::default(),
        }
    }
}

/// What the writer and the record of the meta file start from.
fn recovery_parts(survey: &Survey, recovery: &Recovery) -> (Writer, (Meta, bool)) {
    let end = recovery.end;
    let exists = recovery.segment_from(end.segment) == Some(end.segment);
    let (generation, sums_bytes) = match recovery.note {
        Some(note) => (note.generation, recovery.sums_bytes),
        None => (0, 0),
    };
    let has_sums = survey.sums.contains(&end.segment);
    let sums_bytes = if has_sums { sums_bytes } else { 0 };
    let mut writer = Writer::new(end, exists, generation, sums_bytes);
    if !has_sums {
        writer.has_no_sums();
    }
    let persisted = match survey.meta {
        MetaState::Noted(meta, note) => (meta, note.closed),
        MetaState::Absent | MetaState::Bare(_) | MetaState::Damaged => (Meta::default(), false),
    };
    (writer, persisted)
}

fn recover(store: &mut Store, survey: &Survey, view: BootView) -> Result<Recovery, Error> {
    match survey.meta {
        MetaState::Noted(meta, _) if is_older_copy(store, survey, &meta)? => {
            salvage::recover(store, survey)
        }
        MetaState::Noted(meta, note) => noted::recover(store, survey, (meta, note), view),
        MetaState::Absent | MetaState::Bare(_) | MetaState::Damaged => {
            salvage::recover(store, survey)
        }
    }
}

/// Whether a noted meta is an older copy of itself: a segment is created only when the meta that
/// names it is durable, so behind the one that it names there is none. The next one, where it is
/// empty, holds nothing that a later meta could tell of.
fn is_older_copy(store: &mut Store, survey: &Survey, meta: &Meta) -> Result<bool, Error> {
    let next = meta.write.segment.saturating_add(1);
    match survey.segments.last() {
        Some(last) if *last == next => Ok(noted::segment_size(store, next)? > 0),
        last => Ok(last.is_some_and(|last| *last > next)),
    }
}

/// Where writing must go on in a new segment, there must be a number for it.
fn check_next_segment(recovery: &Recovery) -> Result<(), Error> {
    if !recovery.needs_new_segment || recovery.next_segment <= NUMBER_MAX {
        return Ok(());
    }
    Err(Error::Exhausted {
        reason: "the next segment would have a number beyond 63 bits",
        applied: super::error::Applied::Nothing,
    })
}

fn view_of(meta: &MetaState, boot: Option<BootId>) -> BootView {
    let noted = match meta {
        MetaState::Noted(_, note) => note.boot,
        MetaState::Absent | MetaState::Bare(_) | MetaState::Damaged => None,
    };
    match (noted, boot) {
        (Some(noted), Some(boot)) if noted == boot => BootView::This,
        (Some(_), Some(_)) => BootView::Another,
        _ => BootView::Unknown,
    }
}

fn check_name(name: &OsStr) -> Result<(), Error> {
    let reason = if name.is_empty() {
        "a queue's name has at least one byte"
    } else if name.as_bytes().iter().any(|byte| matches!(byte, 0 | b'/')) {
        "a queue's name has no slash and no NUL"
    } else {
        return Ok(());
    };
    Err(Error::Refused { reason })
}

/// The longest of what follows a queue's name in those of its files.
const ENDING: &[u8] = b".diskqueue.9223372036854775807.dat.bad.999";

/// Refuses a queue that could not name all the files that it may need one day: a roll or a
/// quarantine that fails for its name fails for ever.
fn check_length(name: &OsStr) -> Result<(), Error> {
    match name.len() + ENDING.len() > FILE_NAME_BYTES_MAX {
        true => Err(Error::Refused {
            reason: "the name is so long that files would have names of more than 255 bytes",
        }),
        false => Ok(()),
    }
}

fn take_lock(store: &Store, options: &Options) -> Result<Option<Box<dyn FsLock>>, Error> {
    if options.quirks.has(Quirk::NoLock) {
        return Ok(None);
    }
    let path = &store.paths.lock;
    match store.fs.try_lock(path, PERMISSIONS) {
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
