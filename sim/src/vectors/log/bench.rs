//! A directory with a log in it, and what all stages do with one.

use super::super::run::{Disk, lay_out};
use super::super::stages::{ErrorClass, Lost, OpenLoss};
use super::super::vector::{Bytes, Name, Vector, VectorOptions};
use super::super::with_boot::{WithBoot, parse_boot};
use super::stages::Told;
use crate::fault::{FaultFs, FaultPlan};
use crate::scenario::LogOptions;
use crashline::fs::Fs;
use crashline::seglog::{self, Error, LogReader, LogWriter, Loss, LossKind, Message, Snapshot};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;

/// The engine whose vectors these are.
pub(in super::super) const ENGINE: &str = "seglog";

/// A log's place, and how it is opened.
#[derive(Debug)]
pub(super) struct Bench {
    pub(super) fs: Arc<dyn Fs>,
    /// Goes wrong when a step says so.
    pub(super) faults: FaultFs,
    pub(super) directory: PathBuf,
    pub(super) log: OsString,
    pub(super) options: LogOptions,
}

impl Bench {
    /// The directory of a vector, with the files that it begins with.
    pub(super) fn new(vector: &Vector, disk: &Disk) -> Result<Self, String> {
        let log = vector.queue.as_ref().ok_or("it names no log")?;
        let Some(VectorOptions::Log(options)) = vector.options else {
            return Err("it has no options of a log".to_owned());
        };
        let boot = vector.boot.as_ref().map(|boot| parse_boot(boot));
        let fs = match boot.transpose()? {
            Some(boot) => Arc::new(WithBoot {
                inner: Arc::clone(&disk.fs),
                boot,
            }) as Arc<dyn Fs>,
            None => Arc::clone(&disk.fs),
        };
        let files = vector.files.as_deref().unwrap_or_default();
        lay_out(fs.as_ref(), &disk.directory, files)?;
        let faults = FaultFs::over(fs, FaultPlan::default());
        Ok(Self {
            fs: Arc::new(faults.clone()),
            faults,
            directory: disk.directory.clone(),
            log: log.to_os(),
            options,
        })
    }

    pub(super) fn open(&self, options: &LogOptions) -> Result<seglog::OpenedWriter, Error> {
        let fs = Arc::clone(&self.fs);
        LogWriter::open(fs, &self.directory, &self.log, engine_options(options))
    }

    pub(super) fn look(&self, options: &LogOptions) -> Result<seglog::OpenedWriter, Error> {
        let fs = Arc::clone(&self.fs);
        LogWriter::open_read_only(fs, &self.directory, &self.log, engine_options(options))
    }

    pub(super) fn reader(
        &self,
        name: &str,
        writer: &LogWriter,
        options: &LogOptions,
    ) -> Result<seglog::OpenedReader, Error> {
        let (fs, log, name) = (Arc::clone(&self.fs), &self.log, OsStr::new(name));
        let (options, end) = (engine_options(options), writer.read_end());
        LogReader::open(fs, &self.directory, log, name, options, end)
    }

    pub(super) fn snapshot(&self, writer: &LogWriter) -> Result<Snapshot, Error> {
        let (start, end) = (writer.queue_start(), writer.read_end());
        Snapshot::open(Arc::clone(&self.fs), &self.directory, &self.log, start, end)
    }
}

fn engine_options(options: &LogOptions) -> seglog::LogOptions {
    seglog::LogOptions {
        segment_bytes_max: options.segment_bytes_max,
        message_bytes_min: options.message_bytes_min,
        message_bytes_max: options.message_bytes_max,
        sync_every: options.sync_every,
        auto_skip_damaged: options.auto_skip_damaged,
        ..seglog::LogOptions::default()
    }
}

/// Everything that `next` reads to the end, and the losses that are met on the way.
pub(super) fn drain(
    mut next: impl FnMut() -> Result<Option<Message>, Error>,
) -> Result<(Vec<Told>, Vec<Lost>), String> {
    let (mut messages, mut losses) = (Vec::new(), Vec::new());
    loop {
        match next() {
            Ok(Some(message)) => messages.push(Told {
                offset: message.offset,
                count: message.count_after,
                message_b64: Bytes(message.bytes),
            }),
            Ok(None) => return Ok((messages, losses)),
            Err(Error::Damage { losses: met }) => losses.extend(met.iter().map(lost)),
            Err(error) => return Err(format!("a read failed: {error}")),
        }
    }
}

/// What an open reported, sorted.
pub(super) fn open_losses(losses: &[Loss]) -> Vec<OpenLoss> {
    let told = |loss: &Loss| OpenLoss {
        lost: lost(loss),
        damaged: loss.kind == LossKind::Damaged,
    };
    let mut losses: Vec<OpenLoss> = losses.iter().map(told).collect();
    losses.sort();
    losses
}

/// A loss as vectors tell it.
pub(super) fn lost(loss: &Loss) -> Lost {
    Lost {
        file: Name::of(&loss.file),
        offset: loss.offset,
        size: loss.size,
        messages: loss.messages,
    }
}

/// What a caller must be able to tell of an error.
pub(super) fn class_of(error: &Error) -> ErrorClass {
    match error {
        Error::MessageSize { .. } | Error::Refused { .. } | Error::Exhausted { .. } => {
            ErrorClass::Refused
        }
        Error::Locked { .. } => ErrorClass::Locked,
        Error::Closed | Error::ReadOnly => ErrorClass::Closed,
        Error::Damage { .. } => ErrorClass::Damage,
        Error::Io { .. } => ErrorClass::Io,
    }
}

/// An error in words.
pub(super) fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}
