//! Logs written file by file, for readers and snapshots: no writer is needed.
#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a wrong index or a failed unwrap is a failed test"
)]

use base64::{Engine, prelude::BASE64_STANDARD};
use crashline::diskqueue::format::{Entry, Salt, write_seal, write_sums_blocks};
use crashline::fs::{Fs, RealFs, list_names, read_file};
use crashline::seglog::format::{
    Cut, Sidecar, StartMeta, WriterNote, encode_sidecar, encode_start_meta, encode_writer_meta,
    parse_start_meta, write_cut,
};
use crashline::seglog::{
    End, Error, LogOptions, LogReader, Message, OpenedReader, Position, Snapshot,
};
use crashline_sim::simfs::{SimFs, TreeEntry};
use serde::Deserialize;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) const DATA: &str = "/data";
pub(super) const NAME: &str = "t-0";
pub(super) const READER: &str = "r";
pub(super) const META: &str = "r.diskqueue.meta.v2.reader.dat";
pub(super) const COPY: &str = "r.diskqueue.meta.v2.reader.copy";
pub(super) const READER_LOCK: &str = "t-0.diskqueue.reader.r.lock";
/// Eight messages in three segments.
pub(super) const THREE: &[&[&str]] = &[
    &["one", "twenty-two", "3"],
    &["four", "five-and-more"],
    &["6", "seventh message", "8"],
];
/// The generation of a log that was just built, and its life.
pub(super) const GENERATION: u64 = 5;

/// A log on the simulated disk.
pub(super) struct Log {
    pub(super) disk: SimFs,
    pub(super) note: WriterNote,
    pub(super) end: Position,
    /// Every message, and the place before it.
    pub(super) messages: Vec<(Position, Vec<u8>)>,
}

impl Log {
    /// No log yet.
    pub(super) fn none() -> Self {
        let disk = SimFs::from_tree(&[(PathBuf::from(DATA), TreeEntry::Directory)]).unwrap();
        Self {
            disk,
            note: WriterNote::default(),
            end: Position::default(),
            messages: Vec::new(),
        }
    }

    /// A log with these messages in each of its segments, the last of which is written to.
    pub(super) fn new(segments: &[&[&str]]) -> Self {
        let mut log = Self::none();
        log.note.generation = GENERATION;
        log.note.life = GENERATION;
        for (number, messages) in (0..).zip(segments) {
            let is_last = number + 1 == segments.len() as u64;
            log.add_segment(number, messages, is_last);
        }
        log.write_metas();
        log
    }

    fn add_segment(&mut self, number: u64, messages: &[&str], is_last: bool) {
        let start = self.end;
        let salt = Salt::new(GENERATION, number);
        let (mut bytes, mut entries) = (Vec::new(), Vec::new());
        for message in messages {
            let mut record = u32::try_from(message.len()).unwrap().to_be_bytes().to_vec();
            record.extend_from_slice(message.as_bytes());
            entries.push(Entry {
                length: u32::try_from(message.len()).unwrap(),
                sum: salt.sum(self.end.position, &record),
            });
            self.messages.push((self.end, message.as_bytes().to_vec()));
            self.end.position += record.len() as u64;
            self.end.offset += record.len() as u64;
            self.end.count += 1;
            bytes.extend(record);
        }
        let mut sums = Vec::new();
        write_sums_blocks(&salt, 0, &entries, &mut sums);
        if is_last && bytes.is_empty() {
            return;
        }
        if !is_last {
            write_seal(&salt, self.end.position, &mut sums);
            let sidecar = Sidecar {
                count: self.end.count,
                start: start.offset,
                end: self.end.offset,
            };
            self.set(&sidecar_name(number), &encode_sidecar(&sidecar));
            self.end.segment += 1;
            self.end.position = 0;
        }
        self.set(&segment_name(number), &bytes);
        self.set(&sums_name(number), &sums);
    }

    /// Says in the metas what this log says.
    pub(super) fn write_metas(&mut self) {
        self.note.sequence += 1;
        self.note.durable = self.end;
        let meta = encode_writer_meta(&self.end, &self.note);
        self.set("t-0.diskqueue.meta.writer.dat", &meta);
        self.set("t-0.diskqueue.meta.writer.dat.tmp", &meta);
        let start = encode_start_meta(&self.note.start, self.note.generation);
        self.set("t-0.diskqueue.meta.extra.dat", &start);
    }

    /// Writes the cuts file.
    pub(super) fn write_cuts(&self, cuts: &[(u64, Position)]) {
        let mut bytes = Vec::new();
        for (generation, end) in cuts {
            let (generation, end) = (*generation, *end);
            write_cut(&Cut { generation, end }, &mut bytes);
        }
        self.set("t-0.diskqueue.cuts", &bytes);
    }

    pub(super) fn fs(&self) -> Arc<dyn Fs> {
        Arc::new(self.disk.clone())
    }

    pub(super) fn end(&self) -> End {
        End {
            position: self.end,
            generation: self.note.generation,
        }
    }

    /// The end behind the first so many messages.
    pub(super) fn end_at(&self, messages: usize) -> End {
        End {
            position: self.place(messages),
            generation: self.note.generation,
        }
    }

    /// The place behind the first so many messages.
    pub(super) fn place(&self, messages: usize) -> Position {
        let place = self.messages.get(messages).map(|(place, _)| *place);
        place.unwrap_or(self.end)
    }

    pub(super) fn set(&self, name: &str, bytes: &[u8]) {
        let path = Path::new(DATA).join(name);
        self.disk
            .place(&path, &TreeEntry::File(bytes.to_vec()))
            .unwrap();
    }

    pub(super) fn erase(&self, name: &str) {
        drop(self.disk.erase(&Path::new(DATA).join(name)));
        assert_eq!(self.file(name), None);
    }

    pub(super) fn file(&self, name: &str) -> Option<Vec<u8>> {
        file(&self.disk, name)
    }

    /// Changes a file's bytes.
    pub(super) fn change(&self, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = self.file(name).unwrap();
        change(&mut bytes);
        self.set(name, &bytes);
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot::open(
            self.fs(),
            Path::new(DATA),
            OsStr::new(NAME),
            self.note.start,
            self.end(),
        )
        .unwrap()
    }

    /// Opens the reader `r` up to an end.
    pub(super) fn reader_to(&self, end: End) -> Result<OpenedReader, Error> {
        open_reader(&self.disk, NAME, READER, LogOptions::default(), end)
    }

    /// Opens the reader `r`, which has to go well and without losses.
    pub(super) fn reader(&self) -> LogReader {
        let opened = self.reader_to(self.end()).unwrap();
        assert_eq!(opened.losses, []);
        opened.reader
    }

    /// What is expected to be read of the messages of these numbers.
    pub(super) fn expected(&self, numbers: impl IntoIterator<Item = usize>) -> Vec<Message> {
        let message = |number: usize| {
            let (place, bytes) = &self.messages[number];
            Message {
                offset: place.offset,
                moved: bytes.len() as u64 + 4,
                count_after: place.count + 1,
                bytes: bytes.clone(),
            }
        };
        numbers.into_iter().map(message).collect()
    }
}

pub(super) fn open_reader(
    disk: &SimFs,
    log: &str,
    reader: &str,
    options: LogOptions,
    end: End,
) -> Result<OpenedReader, Error> {
    let fs = Arc::new(disk.clone());
    LogReader::open(
        fs,
        Path::new(DATA),
        OsStr::new(log),
        OsStr::new(reader),
        options,
        end,
    )
}

/// A file of a simulated disk.
pub(super) fn file(disk: &SimFs, name: &str) -> Option<Vec<u8>> {
    match disk.entry(&Path::new(DATA).join(name))? {
        TreeEntry::File(bytes) => Some(bytes),
        TreeEntry::Directory | TreeEntry::Special => None,
    }
}

pub(super) fn segment_name(number: u64) -> String {
    format!("t-0.diskqueue.{number:06}.dat")
}

pub(super) fn sidecar_name(number: u64) -> String {
    segment_name(number) + ".offsetmeta.dat"
}

pub(super) fn sums_name(number: u64) -> String {
    format!("t-0.diskqueue.{number:06}.sums")
}

#[derive(Debug, Deserialize, Clone, Copy)]
#[serde(rename_all = "PascalCase")]
struct Place {
    segment: u64,
    pos: u64,
    virtual_offset: u64,
    count: u64,
}

impl From<Place> for Position {
    fn from(place: Place) -> Self {
        Self {
            segment: place.segment,
            position: place.pos,
            offset: place.virtual_offset,
            count: place.count,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct ExpectedMessage {
    virtual_offset: u64,
    count_after: u64,
    data: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Expected {
    reader: String,
    queue_start: Place,
    read_end: Place,
    confirmed: Place,
    messages: Vec<ExpectedMessage>,
}

/// A directory that the original left.
pub(super) struct Fixture {
    pub(super) title: String,
    pub(super) reader: String,
    pub(super) start: Position,
    pub(super) end: End,
    pub(super) confirmed: Position,
    pub(super) messages: Vec<Message>,
    files: Vec<(PathBuf, TreeEntry)>,
}

impl Fixture {
    /// A disk that holds the directory.
    pub(super) fn disk(&self) -> SimFs {
        SimFs::from_tree(&self.files).unwrap()
    }

    /// The names of its files.
    pub(super) fn names(&self) -> Vec<String> {
        let names = self.files.iter().skip(1);
        names
            .map(|(path, _)| path.file_name().unwrap().to_str().unwrap().to_owned())
            .collect()
    }

    /// The meta of its reader.
    pub(super) fn reader_meta(&self) -> String {
        format!("{}.diskqueue.meta.v2.reader.dat", self.reader)
    }
}

/// All directories that the original of this engine left.
pub(super) fn fixtures() -> Vec<Fixture> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut fixtures = Vec::new();
    for name in list_names(&RealFs, &folder).unwrap() {
        let title = name.to_str().unwrap().to_owned();
        if title.starts_with("youzan-") && !title.ends_with(".json") {
            fixtures.push(fixture(&folder, title));
        }
    }
    assert_eq!(fixtures.len(), 5, "all fixtures are there");
    fixtures
}

fn fixture(folder: &Path, title: String) -> Fixture {
    let described = folder.join(format!("{title}.expected.json"));
    let described = read_file(&RealFs, &described, usize::MAX).unwrap();
    let expected: Expected = serde_json::from_slice(&described).unwrap();
    let mut files = vec![(PathBuf::from(DATA), TreeEntry::Directory)];
    for name in list_names(&RealFs, &folder.join(&title)).unwrap() {
        let bytes = read_file(&RealFs, &folder.join(&title).join(&name), usize::MAX).unwrap();
        files.push((Path::new(DATA).join(name), TreeEntry::File(bytes)));
    }
    let message = |message: &ExpectedMessage| {
        let bytes = BASE64_STANDARD.decode(&message.data).unwrap();
        Message {
            offset: message.virtual_offset,
            moved: bytes.len() as u64 + 4,
            count_after: message.count_after,
            bytes,
        }
    };
    Fixture {
        title,
        reader: expected.reader,
        start: expected.queue_start.into(),
        end: End {
            position: expected.read_end.into(),
            generation: 0,
        },
        confirmed: expected.confirmed.into(),
        messages: expected.messages.iter().map(message).collect(),
        files,
    }
}

#[test]
fn a_fixture_says_where_its_log_starts() {
    for fixture in fixtures() {
        let meta = file(&fixture.disk(), "topic-0.diskqueue.meta.extra.dat").unwrap();
        assert_eq!(
            parse_start_meta(&meta),
            StartMeta::Bare(fixture.start),
            "{}",
            fixture.title
        );
    }
}
