//! What these tests share: disks, and what a directory holds, read without the engine.
#![expect(clippy::indexing_slicing, reason = "a wrong index is a failed test")]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "fixtures are real files, and a failed unwrap is a failed test"
)]

use crashline::fs::Fs;
use crashline::seglog::{Error, LogOptions, LogWriter, Loss, LossKind, OpenedWriter, Position};
use crashline_sim::crash::{profile, worst};
use crashline_sim::simfs::{SimFs, TreeEntry};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) const DIRECTORY: &str = "/data";

/// Files by name.
pub(super) type Files = Vec<(String, Vec<u8>)>;

/// Small segments.
pub(super) fn small() -> LogOptions {
    LogOptions {
        segment_bytes_max: 50,
        message_bytes_max: 200,
        ..LogOptions::default()
    }
}

/// A place.
pub(super) fn at(segment: u64, position: u64, offset: u64, count: u64) -> Position {
    Position {
        segment,
        position,
        offset,
        count,
    }
}

/// Messages that differ, of sizes that do not divide the segment's.
pub(super) fn message(number: u8) -> Vec<u8> {
    vec![number; 1 + usize::from(number) % 13]
}

/// The record of a message.
pub(super) fn record(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).unwrap();
    [&length.to_be_bytes(), message].concat()
}

/// A directory on the simulated disk.
pub(super) struct Disk(pub(super) SimFs);

impl Disk {
    pub(super) fn empty() -> Self {
        Self::with(&Vec::new())
    }

    pub(super) fn with(files: &Files) -> Self {
        let mut tree = vec![(PathBuf::from(DIRECTORY), TreeEntry::Directory)];
        for (name, bytes) in files {
            let path = Path::new(DIRECTORY).join(name);
            tree.push((path, TreeEntry::File(bytes.clone())));
        }
        Self(SimFs::from_tree(&tree).unwrap())
    }

    pub(super) fn fs(&self) -> Arc<dyn Fs> {
        Arc::new(self.0.clone())
    }

    pub(super) fn open(&self, log: &str, options: LogOptions) -> Result<OpenedWriter, Error> {
        LogWriter::open(self.fs(), Path::new(DIRECTORY), OsStr::new(log), options)
    }

    /// Opens `L`, where nothing can be lost but what was never promised.
    pub(super) fn writer(&self) -> LogWriter {
        let opened = self.open("L", small()).unwrap();
        let is_promised = |loss: &Loss| loss.kind == LossKind::Damaged;
        let losses = &opened.losses;
        assert!(!losses.iter().any(is_promised), "{losses:?}");
        opened.writer
    }

    pub(super) fn look(&self, log: &str, options: LogOptions) -> OpenedWriter {
        let directory = Path::new(DIRECTORY);
        LogWriter::open_read_only(self.fs(), directory, OsStr::new(log), options).unwrap()
    }

    /// The disk as the power cut leaves it that keeps the least.
    pub(super) fn after_power_cut(&self) -> Self {
        Self(worst(&self.0.recording(), profile("posix-min").unwrap()))
    }

    pub(super) fn path(name: &str) -> PathBuf {
        Path::new(DIRECTORY).join(name)
    }

    /// The bytes of a file, if it is there.
    pub(super) fn file(&self, name: &str) -> Option<Vec<u8>> {
        match self.0.entry(&Self::path(name))? {
            TreeEntry::File(bytes) => Some(bytes),
            TreeEntry::Directory | TreeEntry::Special => None,
        }
    }

    pub(super) fn place(&self, name: &str, bytes: &[u8]) {
        let entry = TreeEntry::File(bytes.to_vec());
        self.0.place(&Self::path(name), &entry).unwrap();
    }

    pub(super) fn erase(&self, name: &str) {
        self.0.erase(&Self::path(name)).unwrap();
    }

    /// All files there are now.
    pub(super) fn files(&self) -> Files {
        let name_of = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        let tree = self.0.tree().into_iter();
        tree.filter_map(|(path, entry)| match entry {
            TreeEntry::File(bytes) => Some((name_of(path), bytes)),
            TreeEntry::Directory | TreeEntry::Special => None,
        })
        .collect()
    }

    /// The names of all files with this part.
    pub(super) fn names_with(&self, part: &str) -> Vec<String> {
        let names = self.files().into_iter().map(|(name, _)| name);
        names.filter(|name| name.contains(part)).collect()
    }

    /// The messages between start and write end of an open log, flushed ones at least.
    pub(super) fn messages(&self, log: &str, writer: &LogWriter) -> Vec<Vec<u8>> {
        self.messages_between(log, writer.queue_start(), writer.read_end().position)
    }

    /// The messages between two places, read without the engine; the count must fit.
    pub(super) fn messages_between(
        &self,
        log: &str,
        start: Position,
        end: Position,
    ) -> Vec<Vec<u8>> {
        let mut messages = Vec::new();
        let mut offset = start.offset;
        for segment in start.segment..=end.segment {
            let name = format!("{log}.diskqueue.{segment:06}.dat");
            let bytes = self.file(&name).unwrap_or_default();
            let is_last = segment == end.segment;
            let size = usize::try_from(end.position).unwrap();
            assert!(!is_last || bytes.len() >= size, "{name} is short");
            let bytes = if is_last { &bytes[..size] } else { &bytes[..] };
            let mut from = match segment == start.segment {
                true => usize::try_from(start.position).unwrap(),
                false => 0,
            };
            while let Some(header) = bytes[from..].first_chunk::<4>() {
                let to = from + 4 + u32::from_be_bytes(*header) as usize;
                messages.push(bytes[from + 4..to].to_vec());
                offset += (to - from) as u64;
                from = to;
            }
            assert_eq!(from, bytes.len(), "{name} ends in a record");
        }
        assert_eq!(offset, end.offset, "the offset of the end");
        let count = messages.len() as u64;
        assert_eq!(start.count + count, end.count, "the count of the end");
        messages
    }
}

/// A directory that an original left, and what its description says.
pub(super) struct Fixture {
    pub(super) title: String,
    pub(super) files: Files,
    pub(super) options: LogOptions,
    pub(super) start: Position,
    pub(super) end: Position,
    pub(super) messages: Vec<Vec<u8>>,
}

/// All directories that the original of this engine left.
pub(super) fn fixtures() -> Vec<Fixture> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let entries = std::fs::read_dir(&folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut fixtures = Vec::new();
    for path in paths {
        let title = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() && title.starts_with("youzan-") {
            let json = std::fs::read(folder.join(format!("{title}.expected.json"))).unwrap();
            fixtures.push(fixture(
                title,
                &path,
                &serde_json::from_slice(&json).unwrap(),
            ));
        }
    }
    assert_eq!(fixtures.len(), 5, "all fixtures are there");
    fixtures
}

fn fixture(title: String, path: &Path, expected: &serde_json::Value) -> Fixture {
    use base64::{Engine, prelude::BASE64_STANDARD};
    let position = |name: &str| {
        let number = |field: &str| expected[name][field].as_u64().unwrap();
        at(
            number("Segment"),
            number("Pos"),
            number("VirtualOffset"),
            number("Count"),
        )
    };
    let mut files: Files = Vec::new();
    for entry in std::fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        files.push((name, std::fs::read(path).unwrap()));
    }
    let listed = expected["Messages"].as_array().unwrap().iter();
    let data = listed.map(|message| message["Data"].as_str().unwrap());
    Fixture {
        title,
        files,
        options: LogOptions {
            segment_bytes_max: expected["MaxBytesPerFile"].as_u64().unwrap(),
            ..LogOptions::default()
        },
        start: position("QueueStart"),
        end: position("WriteEnd"),
        messages: data
            .map(|text| BASE64_STANDARD.decode(text).unwrap())
            .collect(),
    }
}
