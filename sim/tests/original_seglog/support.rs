//! A directory with a log, and short ways to fill, damage and read it.
#![expect(clippy::indexing_slicing, reason = "a wrong index is a failed test")]

use crashline::fs::{Fs, list_names, read_file};
use crashline_sim::fault::{FaultFs, FaultPlan};
use crashline_sim::originals::seglog::{LogError, Reader, Writer};
use crashline_sim::scenario::{LogOptions, LogPosition};
use crashline_sim::simfs::{SimFs, TreeEntry};
use std::path::Path;
use std::sync::Arc;

pub(super) const DATA: &str = "/data";

/// Two messages of 46 bytes fill a segment.
pub(super) const OPTIONS: LogOptions = LogOptions {
    segment_bytes_max: 100,
    message_bytes_min: 1,
    message_bytes_max: 200_000,
    sync_every: 1000,
    auto_skip_damaged: false,
};

/// All messages lie in one segment.
pub(super) const ONE_SEGMENT: LogOptions = LogOptions {
    segment_bytes_max: 10_000,
    ..OPTIONS
};

const AUTO_SKIP: LogOptions = LogOptions {
    auto_skip_damaged: true,
    ..OPTIONS
};

pub(super) const WRITER_META: &str = "l.diskqueue.meta.writer.dat";
pub(super) const START_META: &str = "l.diskqueue.meta.extra.dat";
pub(super) const READER_META: &str = "r.diskqueue.meta.v2.reader.dat";
pub(super) const OLD_READER_META: &str = "r.diskqueue.meta.reader.dat";

/// A directory with the files of the log `l`.
pub(super) struct Log(SimFs);

impl Log {
    pub(super) fn new() -> Self {
        let fs = SimFs::new();
        fs.create_dir(Path::new(DATA)).expect("the disk is empty");
        Self(fs)
    }

    /// With one message a letter, flushed.
    pub(super) fn with(letters: &str) -> (Self, Writer) {
        let log = Self::new();
        let mut writer = log.writer().expect("it is empty");
        put(&mut writer, letters);
        writer.flush(true).expect("it is open");
        (log, writer)
    }

    pub(super) fn fs(&self) -> Arc<dyn Fs> {
        Arc::new(self.0.clone())
    }

    pub(super) fn writer(&self) -> Result<Writer, LogError> {
        self.writer_with(&OPTIONS)
    }

    pub(super) fn writer_with(&self, options: &LogOptions) -> Result<Writer, LogError> {
        Writer::open(self.fs(), Path::new(DATA), "l", options)
    }

    /// A writer whose calls fail as the plan says.
    pub(super) fn failing_writer(&self, options: &LogOptions, faults: &[&str]) -> Writer {
        let lines: Vec<String> = faults.iter().map(|fault| (*fault).to_owned()).collect();
        let plan = FaultPlan::parse(&lines).expect("the plan is sound");
        let fs = Arc::new(FaultFs::over_sim(self.0.clone(), plan));
        Writer::open(fs, Path::new(DATA), "l", options).expect("it opens")
    }

    pub(super) fn reader(&self, end: LogPosition) -> Reader {
        Reader::open(self.fs(), Path::new(DATA), "l", "r", &OPTIONS, end)
    }

    pub(super) fn auto_skipping_reader(&self, end: LogPosition) -> Reader {
        Reader::open(self.fs(), Path::new(DATA), "l", "r", &AUTO_SKIP, end)
    }

    /// A reader that starts at the log's start and was told this end.
    pub(super) fn reader_from_start(&self, end: LogPosition) -> Reader {
        let mut reader = self.reader(LogPosition::default());
        tell_end(&mut reader, end);
        reader
    }

    pub(super) fn bytes(&self, name: &str) -> Vec<u8> {
        let path = format!("{DATA}/{name}");
        read_file(&self.0, Path::new(&path), usize::MAX).expect("it is there")
    }

    pub(super) fn place(&self, name: &str, bytes: impl Into<Vec<u8>>) {
        let path = format!("{DATA}/{name}");
        let file = TreeEntry::File(bytes.into());
        let placed = self.0.place(Path::new(&path), &file);
        placed.expect("there is room");
    }

    pub(super) fn remove(&self, name: &str) {
        let path = format!("{DATA}/{name}");
        let removed = self.0.remove_file(Path::new(&path));
        removed.expect("it is there");
    }

    /// The names behind `l.diskqueue.`.
    pub(super) fn names(&self) -> Vec<String> {
        let names = list_names(&self.0, Path::new(DATA)).expect("it is there");
        names
            .iter()
            .filter_map(|name| name.to_str()?.strip_prefix("l.diskqueue."))
            .map(str::to_owned)
            .collect()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names().iter().any(|there| there == name)
    }
}

pub(super) fn segment(number: u32) -> String {
    format!("l.diskqueue.{number:06}.dat")
}

pub(super) fn sidecar(number: u32) -> String {
    format!("l.diskqueue.{number:06}.dat.offsetmeta.dat")
}

/// Puts one message of 46 bytes a letter.
pub(super) fn put(writer: &mut Writer, letters: &str) {
    for letter in letters.bytes() {
        writer.put(&[letter; 46]).expect("there is room");
    }
}

pub(super) fn at(segment: i64, position: i64, offset: i64, count: i64) -> LogPosition {
    [segment, position, offset, count].into()
}

/// Tells a reader an end as it is told in daily work; whether it took it.
pub(super) fn tell_end(reader: &mut Reader, end: LogPosition) -> bool {
    reader.update_queue_end(end, false).expect("it is open")
}

/// Reads to the end; a message is told by its first letter, what cannot be read by `!`.
pub(super) fn drain(reader: &mut Reader) -> String {
    let mut told = String::new();
    loop {
        match reader.try_read_one() {
            Ok(Some(message)) => told.push(char::from(message.bytes[0])),
            Ok(None) => return told,
            Err(_) => return told + "!",
        }
    }
}
