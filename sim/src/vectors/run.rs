//! Runs one vector on our engine.

use super::stages::{AllowedImage, AllowedRead};
use super::vector::{Bytes, FileEntry, Stage, Vector, VectorOptions};
use super::with_boot::{WithBoot, parse_boot};
use super::{log, parse_meta, recover, steps, store, threads};
use crate::fault::{FaultFs, FaultPlan};
use crate::scenario::FifoOptions;
use crashline::diskqueue::{DiskQueue, Error, Loss, Opened, Options, Quirks};
use crashline::fs::{Fs, OpenMode, write_all_at};
use crashline::{offsets, shared};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An empty directory to run in.
#[derive(Debug, Clone)]
pub struct Disk {
    /// The filesystem.
    pub fs: Arc<dyn Fs>,
    /// The directory; it exists.
    pub directory: PathBuf,
    /// It stays in the machine's boot, whatever the vector says: then the bytes that `varies`
    /// names may be others.
    pub own_boot: bool,
}

/// Runs `vector` in the empty directory of `disk`, with these defects put back.
///
/// # Errors
/// What was not as the vector says, in words.
pub fn run(vector: &Vector, disk: &Disk, quirks: Quirks) -> Result<(), String> {
    if vector.engine == log::ENGINE {
        return log::run(vector, disk);
    }
    if vector.engine == store::ENGINE {
        return run_offsets(vector, disk, offsets::Quirks::default());
    }
    if vector.stage == Stage::ParseMeta {
        return parse_meta::run(vector);
    }
    let bench = Bench::new(vector, disk, quirks)?;
    bench.lay_out(vector.files.as_deref().unwrap_or_default())?;
    match vector.stage {
        Stage::ParseMeta => Ok(()),
        Stage::Parse | Stage::Damage => Err("a queue has no vectors of this stage".to_owned()),
        Stage::Read => read(&bench, vector),
        Stage::Recover => recover::run(&bench, &vector.allowed()?),
        Stage::Write | Stage::Operations => steps::run(&bench, &vector.allowed()?),
        Stage::CrashImages => crash_image(&bench, vector),
        Stage::Threads => threads::run(&bench, &vector.allowed()?, shared::Quirks::default()),
    }
}

/// As [`run`] for a vector of several threads, with these defects of the handle put back.
///
/// # Errors
/// What was not as the vector says, in words.
pub fn run_shared(vector: &Vector, disk: &Disk, quirks: shared::Quirks) -> Result<(), String> {
    let bench = Bench::new(vector, disk, Quirks::default())?;
    bench.lay_out(vector.files.as_deref().unwrap_or_default())?;
    threads::run(&bench, &vector.allowed()?, quirks)
}

/// As [`run`] for a vector of the offset store, with these defects of that put back.
///
/// # Errors
/// What was not as the vector says, in words.
pub fn run_offsets(vector: &Vector, disk: &Disk, quirks: offsets::Quirks) -> Result<(), String> {
    store::run(vector, disk, quirks)
}

/// Opens the directory of a vector, puts a message, lets the process die, and opens again: the
/// message is there behind all that was (Q2). Whatever recovery met, it goes on like any queue.
///
/// # Errors
/// What was not so, in words.
pub fn goes_on(vector: &Vector, disk: &Disk, quirks: Quirks) -> Result<(), String> {
    const MESSAGE: &[u8] = b"and it goes on";
    if vector.engine == log::ENGINE {
        return log::goes_on(vector, disk, MESSAGE);
    }
    if vector.engine == store::ENGINE {
        return store::goes_on(vector, disk);
    }
    let bench = Bench::new(vector, disk, quirks)?;
    bench.lay_out(vector.files.as_deref().unwrap_or_default())?;
    let looked = bench.open_read_only().map_err(|error| error.to_string())?;
    let (mut wanted, _) = drain(&mut { looked.queue })?;
    wanted.push(MESSAGE.to_vec());
    let opened = bench.open().map_err(|error| error.to_string())?;
    let mut queue = opened.queue;
    queue.put(MESSAGE).map_err(|error| error.to_string())?;
    drop(queue);
    let opened = bench.open().map_err(|error| error.to_string())?;
    let (messages, _) = drain(&mut { opened.queue })?;
    if messages == wanted {
        return Ok(());
    }
    Err(format!("after a put and a kill {messages:02x?} came"))
}

/// A queue's place, and how it is opened.
#[derive(Debug)]
pub(super) struct Bench {
    pub(super) fs: Arc<dyn Fs>,
    /// Goes wrong when a step says so.
    pub(super) faults: FaultFs,
    pub(super) directory: PathBuf,
    queue: OsString,
    pub(super) options: FifoOptions,
    quirks: Quirks,
    pub(super) own_boot: bool,
}

impl Bench {
    fn new(vector: &Vector, disk: &Disk, quirks: Quirks) -> Result<Self, String> {
        let queue = vector.queue.as_ref().ok_or("it names no queue")?;
        let fs = match &vector.boot {
            Some(boot) if !disk.own_boot => Arc::new(WithBoot {
                inner: Arc::clone(&disk.fs),
                boot: parse_boot(boot)?,
            }) as Arc<dyn Fs>,
            Some(_) | None => Arc::clone(&disk.fs),
        };
        let faults = FaultFs::over(fs, FaultPlan::default());
        Ok(Self {
            fs: Arc::new(faults.clone()),
            faults,
            directory: disk.directory.clone(),
            queue: queue.to_os(),
            options: match vector.options {
                Some(VectorOptions::Fifo(options)) => options,
                Some(VectorOptions::Log(_) | VectorOptions::Store(_)) | None => {
                    return Err("it has no options of a queue".to_owned());
                }
            },
            quirks,
            own_boot: disk.own_boot,
        })
    }

    fn lay_out(&self, files: &[FileEntry]) -> Result<(), String> {
        lay_out(self.fs.as_ref(), &self.directory, files)
    }

    pub(super) fn open(&self) -> Result<Opened, Error> {
        self.open_with(&self.options)
    }

    pub(super) fn open_read_only(&self) -> Result<Opened, Error> {
        self.look_with(&self.options)
    }

    pub(super) fn open_with(&self, options: &FifoOptions) -> Result<Opened, Error> {
        let options = self.engine_options(options);
        DiskQueue::open(Arc::clone(&self.fs), &self.directory, &self.queue, options)
    }

    pub(super) fn look_with(&self, options: &FifoOptions) -> Result<Opened, Error> {
        let options = self.engine_options(options);
        DiskQueue::open_read_only(Arc::clone(&self.fs), &self.directory, &self.queue, options)
    }

    fn engine_options(&self, options: &FifoOptions) -> Options {
        Options {
            segment_bytes_max: options.segment_bytes_max,
            message_bytes_min: options.message_bytes_min,
            message_bytes_max: options.message_bytes_max,
            sync_every: options.sync_every,
            sync_timeout_ms: options.sync_timeout_ms,
            quirks: self.quirks,
            ..Options::default()
        }
    }
}

/// Makes what is in the directory before anything is done.
pub(super) fn lay_out(fs: &dyn Fs, directory: &Path, files: &[FileEntry]) -> Result<(), String> {
    for entry in files {
        let path = directory.join(entry.name.to_os());
        let made = match &entry.data_b64 {
            Some(Bytes(bytes)) => fs
                .open(&path, OpenMode::CreateNew, 0o600)
                .and_then(|file| write_all_at(file.as_ref(), 0, bytes)),
            None => fs.create_dir(&path),
        };
        made.map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Losses in words, for a complaint.
pub(super) fn words(losses: &[Loss]) -> String {
    format!("{losses:?}")
}

/// Everything that the queue delivers, and what its reads reported.
pub(super) fn drain(queue: &mut DiskQueue) -> Result<(Vec<Vec<u8>>, Vec<Loss>), String> {
    let mut messages = Vec::new();
    let mut losses = Vec::new();
    loop {
        match queue.read() {
            Ok(Some(message)) => messages.push(message),
            Ok(None) => return Ok((messages, losses)),
            Err(Error::Damage { losses: met }) => losses.extend(met),
            Err(error) => return Err(format!("a read failed: {error}")),
        }
    }
}

fn read(bench: &Bench, vector: &Vector) -> Result<(), String> {
    let allowed: AllowedRead = vector.allowed()?;
    let looked = bench.open_read_only().map_err(|error| error.to_string())?;
    let (shown, _) = drain(&mut { looked.queue })?;
    let opened = bench.open().map_err(|error| error.to_string())?;
    if !opened.losses.is_empty() {
        return Err(format!("opening reports {}", words(&opened.losses)));
    }
    let mut queue = opened.queue;
    let depth = queue.depth().map_err(|error| error.to_string())?;
    let (messages, losses) = drain(&mut queue)?;
    if !losses.is_empty() {
        return Err(format!("reading reports {}", words(&losses)));
    }
    if shown != messages {
        return Err("opening for reading only shows something else".to_owned());
    }
    let again = messages.len().checked_sub(allowed.deliver_b64.len());
    let again = again.ok_or_else(|| format!("only {} messages came", messages.len()))?;
    if again > allowed.again_before_max {
        return Err(format!("{again} messages came again"));
    }
    let wanted = allowed.deliver_b64.iter().map(|message| &message.0);
    if !messages.iter().skip(again).eq(wanted) {
        return Err("other messages came".to_owned());
    }
    let known = allowed.depth.unwrap_or(messages.len() as u64);
    if depth != known || depth != messages.len() as u64 {
        return Err(format!("a depth of {depth}, and {} came", messages.len()));
    }
    Ok(())
}

fn crash_image(bench: &Bench, vector: &Vector) -> Result<(), String> {
    let allowed: AllowedImage = vector.allowed()?;
    let put = vector.messages_b64.as_deref().unwrap_or_default();
    let opened = bench.open().map_err(|error| error.to_string())?;
    let mut queue = opened.queue;
    let depth = queue.depth().map_err(|error| error.to_string())?;
    let (messages, losses) = drain(&mut queue)?;
    if !losses.is_empty() {
        return Err(format!("reading reports {}", words(&losses)));
    }
    if depth != messages.len() as u64 {
        return Err(format!("a depth of {depth}, and {} came", messages.len()));
    }
    let is_run = |(first, last): &(usize, usize)| {
        let run = put.get(*first..=*last).unwrap_or_default();
        run.len() == messages.len() && run.iter().map(|message| &message.0).eq(&messages)
    };
    let fits = match messages.is_empty() {
        true => allowed.nothing,
        false => allowed.runs.iter().any(is_run),
    };
    if !fits {
        return Err(format!("no allowed run came, but {messages:02x?}"));
    }
    queue.close().map_err(|error| error.to_string())
}
