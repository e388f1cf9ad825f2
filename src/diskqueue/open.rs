//! Opening: look, decide, and (for writing) make what was decided true and durable.

use super::error::{Error, Loss};
use super::meta::{Meta, MetaState};
use super::noted::{self, BootView};
use super::options::{LockPolicy, Options};
use super::owed::Owed;
use super::position::NUMBER_MAX;
use super::quarantine;
use super::queue::{Access, DiskQueue};
use super::quirks::Quirk;
use super::reader::Reader;
use super::recovery::Recovery;
use super::salvage;
use super::settle::secure;
use super::side::{generation_bytes, parse_generation};
use super::store::{PERMISSIONS, Store, remove};
use super::survey::Survey;
use super::writer::Writer;
use crate::fs::{BootId, Fs, FsLock, OpenMode, SyncKind, read_up_to, write_all_at};
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
        let mut store = Store::new(fs, directory, name, options.quirks);
        let lock = take_lock(&store, &options)?;
        let survey = Survey::take(&store, name)?;
        let boot = store.fs.boot_id();
        let recovery = recover(&mut store, &survey, view_of(&survey.meta, boot))?;
        let mut queue = Self::assemble(store, options, recovery_parts(&survey, &recovery), boot);
        queue.lock = lock;
        let losses = queue.settle(&survey, recovery)?;
        Ok(Opened { queue, losses })
    }

    /// Opens the queue for reading only: nothing is written or locked, and reads are forgotten.
    /// It shows what opening for writing would recover.
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
        let survey = Survey::take(&store, name)?;
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
            segments: std::collections::VecDeque::new(),
            ends: Vec::new(),
            rejects: Vec::new(),
            kept: Vec::new(),
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

    /// Takes over what recovery decided, without writing.
    fn adopt(&mut self, recovery: Recovery) {
        self.reader.move_to(recovery.read);
        self.depth = recovery.depth;
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
    fn settle(&mut self, survey: &Survey, mut recovery: Recovery) -> Result<Vec<Loss>, Error> {
        let losses = std::mem::take(&mut recovery.losses);
        let spans = std::mem::take(&mut recovery.spans);
        let entries = std::mem::take(&mut recovery.entries);
        let stale_sums = std::mem::take(&mut recovery.stale_sums);
        let is_noted = recovery.note.is_some();
        let may_be_this_boot = recovery.may_be_this_boot;
        let is_changed = !is_noted
            || !spans.is_empty()
            || !recovery.rejects.is_empty()
            || recovery.needs_new_segment;
        let kept_from = spans.last().map_or(0, |span| span.from);
        self.adopt(recovery);
        for span in &spans {
            secure(&mut self.store, span)?;
        }
        if spans.iter().any(|span| span.from == 0) {
            self.store.sync_directory()?;
        }
        for segment in stale_sums {
            self.store.remove_sums(segment)?;
        }
        if is_noted {
            self.owe_sums(kept_from, entries);
            self.writer.flush(&mut self.store)?;
        } else {
            self.begin_generation(survey)?;
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
    fn owe_sums(&mut self, from: u64, entries: Vec<super::sums::Entry>) {
        if entries.is_empty() {
            return;
        }
        let size: u64 = entries
            .iter()
            .map(|entry| super::frame::record_bytes(entry.length))
            .sum();
        let first = self.writer.position().offset - size;
        debug_assert!(first >= from, "only kept records owe sums");
        self.writer.owe_sums(first, entries);
    }

    /// Begins a new life of the log: under a number that no sums of an earlier one bear.
    fn begin_generation(&mut self, survey: &Survey) -> Result<(), Error> {
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
        if survey.meta == MetaState::Damaged {
            let path = self.store.paths.meta.clone();
            quarantine::keep_bytes(&self.store, &path, &survey.meta_bytes)?;
        }
        Ok(())
    }

    /// Removes what nobody needs. What cannot be removed is met by the next open.
    fn tidy(&mut self, survey: &Survey, is_noted: bool) {
        self.reclaim(self.persisted.0.read.segment);
        let fs = self.store.fs.as_ref();
        let mut failed = 0;
        for name in &survey.temporaries {
            failed += usize::from(remove(fs, &self.store.paths.sibling(name)).is_err());
        }
        for number in &survey.sums {
            let is_used = is_noted && self.segments.contains(number);
            let is_new = *number == self.writer.position().segment && self.writer.exists();
            if !is_used && !is_new {
                failed += usize::from(self.store.remove_sums(*number).is_err());
            }
        }
        debug_assert!(failed <= survey.temporaries.len() + survey.sums.len());
        if self.spare.is_none() && !survey.has_spare {
            self.make_spare();
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
    let writer = Writer::new(end, exists, generation, sums_bytes);
    let persisted = match survey.meta {
        MetaState::Noted(meta, note) => (meta, note.closed),
        MetaState::Absent | MetaState::Bare(_) | MetaState::Damaged => (Meta::default(), false),
    };
    (writer, persisted)
}

fn recover(store: &mut Store, survey: &Survey, view: BootView) -> Result<Recovery, Error> {
    let recovery = match survey.meta {
        MetaState::Noted(meta, note) => noted::recover(store, survey, (meta, note), view)?,
        MetaState::Absent | MetaState::Bare(_) | MetaState::Damaged => {
            salvage::recover(store, survey)?
        }
    };
    if recovery.next_segment > NUMBER_MAX {
        return Err(Error::Exhausted {
            reason: "the next segment would have a number beyond 63 bits",
            applied: super::error::Applied::Nothing,
        });
    }
    Ok(recovery)
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

fn take_lock(store: &Store, options: &Options) -> Result<Option<Box<dyn FsLock>>, Error> {
    if options.quirks.has(Quirk::NoLock) {
        return Ok(None);
    }
    let path = &store.paths.lock;
    match store.fs.try_lock(path) {
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
