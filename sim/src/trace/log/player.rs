//! Plays a trace's calls on the twin, as the recorder did on the real one.

use super::arguments::MOVED;
use super::file::{LogCall, LogTrace, Shown};
use crate::originals::seglog::{LogError, Reader, Snapshot, Writer, failure};
use crate::scenario::{Applied, FailureKind, LogOp, LogOutcome, LogReply, SnapshotOp};
use crate::trace::damage::FileDamage;
use crate::trace::disk::{Disk, Files};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// What one call came to.
#[derive(Debug, Clone)]
pub(super) struct Played {
    /// Its answer.
    pub(super) outcome: LogOutcome,
    /// Why the damage could not be done.
    pub(super) damage_skipped: Option<String>,
}

/// The objects that are open.
#[derive(Debug)]
struct Objects {
    writer: Writer,
    readers: BTreeMap<String, Reader>,
    snapshot: Option<Snapshot>,
}

/// The twin on a disk of its own.
#[derive(Debug)]
pub(super) struct Player<'a> {
    trace: &'a LogTrace,
    disk: Disk,
    moved: PathBuf,
    objects: Option<Objects>,
}

impl<'a> Player<'a> {
    pub(super) fn new(trace: &'a LogTrace) -> io::Result<Self> {
        let disk = Disk::new()?;
        let moved = disk.directory.with_file_name(MOVED);
        disk.fs.create_dir(&moved)?;
        Ok(Self {
            trace,
            disk,
            moved,
            objects: None,
        })
    }

    pub(super) fn play(&mut self, call: &LogCall) -> Played {
        let mut damage_skipped = None;
        let outcome = match call {
            LogCall::Open | LogCall::KillAndOpen => self.open(),
            LogCall::Reopen => {
                self.close();
                self.open()
            }
            LogCall::KillDamageOpen(damage) => {
                self.objects = None;
                damage_skipped = self.damage(damage).err().map(|error| error.to_string());
                self.open()
            }
            LogCall::Operation(op, bytes) => self.apply(op, bytes),
        };
        Played {
            outcome,
            damage_skipped,
        }
    }

    /// What the objects say; nothing where the log is not open.
    pub(super) fn shown(&self) -> Option<Shown> {
        let objects = self.objects.as_ref()?;
        let readers = objects
            .readers
            .iter()
            .map(|(name, reader)| (name.clone(), reader.state()));
        Some(Shown {
            writer: objects.writer.state(),
            readers: readers.collect(),
            snapshot: objects.snapshot.as_ref().map(Snapshot::state),
        })
    }

    pub(super) fn files(&self) -> io::Result<Files> {
        self.disk.files()
    }

    /// The files that were moved away.
    pub(super) fn moved_files(&self) -> io::Result<Files> {
        self.disk.files_in(&self.moved)
    }

    fn damage(&self, damage: &FileDamage) -> io::Result<()> {
        self.disk.damage(damage)
    }

    /// Opens everything; what was open before is dropped first, as by a kill if it was not closed.
    fn open(&mut self) -> LogOutcome {
        self.objects = None;
        match self.try_open() {
            Ok(objects) => {
                self.objects = Some(objects);
                LogOutcome::ok(LogReply::Done)
            }
            Err(error) => failure(&error),
        }
    }

    fn try_open(&self) -> Result<Objects, LogError> {
        let LogTrace {
            log,
            readers,
            options,
            ..
        } = self.trace;
        let Disk { fs, directory } = &self.disk;
        let writer = Writer::open(Arc::clone(fs), directory, log, options)?;
        let end = writer.state().read_end;
        let readers = readers.iter().map(|(name, file)| {
            let reader = Reader::open(Arc::clone(fs), directory, log, file, options, end);
            (name.clone(), reader)
        });
        Ok(Objects {
            readers: readers.collect(),
            writer,
            snapshot: None,
        })
    }

    fn close(&mut self) {
        if let Some(mut objects) = self.objects.take() {
            // A flush that fails is followed by a close all the same.
            drop(objects.writer.flush(true));
            objects.writer.close();
            for reader in objects.readers.values_mut() {
                reader.close();
            }
        }
    }

    fn apply(&mut self, op: &LogOp, bytes: &[u8]) -> LogOutcome {
        let Some(objects) = &mut self.objects else {
            return not_open();
        };
        match op {
            LogOp::Writer(op) => objects.writer.apply(op, bytes),
            LogOp::Reader(name, op) => match objects.readers.get_mut(name) {
                Some(reader) => reader.apply(op),
                None => not_open(),
            },
            LogOp::Snapshot(SnapshotOp::Open) => {
                let state = objects.writer.state();
                let Disk { fs, directory } = &self.disk;
                let (log, end) = (&self.trace.log, state.read_end);
                let mut snapshot = Snapshot::open(Arc::clone(fs), directory, log, end);
                snapshot.set_queue_start(state.queue_start);
                objects.snapshot = Some(snapshot);
                LogOutcome::ok(LogReply::Done)
            }
            LogOp::Snapshot(op) => match &mut objects.snapshot {
                Some(snapshot) => snapshot.apply(op),
                None => not_open(),
            },
            LogOp::Kill => {
                self.objects = None;
                LogOutcome::ok(LogReply::Done)
            }
        }
    }
}

fn not_open() -> LogOutcome {
    LogOutcome::failed(FailureKind::Closed, Applied::No, "it is not open")
}
