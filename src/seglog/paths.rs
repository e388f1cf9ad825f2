//! The paths of one log's files and its readers'.

use super::names::segment_digits;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The paths of one log.
#[derive(Debug, Clone)]
pub(super) struct Paths {
    pub(super) directory: PathBuf,
    log: OsString,
    /// What the paths of the log's files start with: they are made again and again.
    start: OsString,
}

impl Paths {
    pub(super) fn new(directory: &Path, log: &OsStr) -> Self {
        let mut name = log.to_owned();
        name.push(".diskqueue.");
        Self {
            directory: directory.to_owned(),
            log: log.to_owned(),
            start: directory.join(name).into_os_string(),
        }
    }

    pub(super) fn log(&self) -> &OsStr {
        &self.log
    }

    fn with(&self, ending: &str) -> PathBuf {
        let mut path = OsString::with_capacity(self.start.len() + ending.len());
        path.push(&self.start);
        path.push(ending);
        PathBuf::from(path)
    }

    fn of_segment(&self, number: u64, ending: &str) -> PathBuf {
        self.with(&(segment_digits(number) + ending))
    }

    pub(super) fn segment(&self, number: u64) -> PathBuf {
        self.of_segment(number, ".dat")
    }

    pub(super) fn sidecar(&self, number: u64) -> PathBuf {
        self.of_segment(number, ".dat.offsetmeta.dat")
    }

    pub(super) fn sums(&self, number: u64) -> PathBuf {
        self.of_segment(number, ".sums")
    }

    /// The `index`-th name for a segment behind a lowered end.
    pub(super) fn rolled_back(&self, number: u64, index: u64) -> PathBuf {
        numbered(&self.of_segment(number, ".dat.rolldata"), index)
    }

    pub(super) fn writer_meta(&self) -> PathBuf {
        self.with("meta.writer.dat")
    }

    pub(super) fn writer_copy(&self) -> PathBuf {
        self.with("meta.writer.dat.tmp")
    }

    pub(super) fn start_meta(&self) -> PathBuf {
        self.with("meta.extra.dat")
    }

    pub(super) fn start_spare(&self) -> PathBuf {
        self.with("meta.extra.spare")
    }

    pub(super) fn cuts(&self) -> PathBuf {
        self.with("cuts")
    }

    pub(super) fn cuts_spare(&self) -> PathBuf {
        self.with("cuts.spare")
    }

    pub(super) fn lock(&self) -> PathBuf {
        self.with("lock")
    }

    /// The key-value store of later versions.
    pub(super) fn shared_meta(&self) -> PathBuf {
        self.directory.join("shared_meta")
    }

    pub(super) fn reader_lock(&self, reader: &OsStr) -> PathBuf {
        let mut name = self.log.clone();
        name.push(".diskqueue.reader.");
        name.push(reader);
        name.push(".lock");
        self.directory.join(name)
    }

    pub(super) fn reader_meta(&self, reader: &OsStr) -> PathBuf {
        self.of_reader(reader, ".diskqueue.meta.v2.reader.dat")
    }

    pub(super) fn reader_copy(&self, reader: &OsStr) -> PathBuf {
        self.of_reader(reader, ".diskqueue.meta.v2.reader.copy")
    }

    pub(super) fn reader_meta_v1(&self, reader: &OsStr) -> PathBuf {
        self.of_reader(reader, ".diskqueue.meta.reader.dat")
    }

    fn of_reader(&self, reader: &OsStr, ending: &str) -> PathBuf {
        let mut name = reader.to_owned();
        name.push(ending);
        self.directory.join(name)
    }
}

/// The `index`-th quarantine name of a file: `.bad`, `.bad.1`, `.bad.2` ...
pub(super) fn quarantine_path(path: &Path, index: u64) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bad");
    numbered(Path::new(&name), index)
}

fn numbered(path: &Path, index: u64) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    if index > 0 {
        name.push(format!(".{index}"));
    }
    PathBuf::from(name)
}
