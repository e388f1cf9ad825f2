//! Directories that the original of the segmented log left: its twin opens and reads them as the
//! original did.

use base64::{Engine, prelude::BASE64_STANDARD};
use crashline::fs::{Fs, RealFs, list_names, read_file};
use crashline_sim::originals::seglog::{Reader, Snapshot, Writer};
use crashline_sim::scenario::{LogOptions, LogPosition};
use crashline_sim::simfs::{SimFs, TreeEntry};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const DATA: &str = "/data";

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Expected {
    writer: String,
    reader: String,
    max_bytes_per_file: u64,
    queue_start: Place,
    write_end: Place,
    read_end: Place,
    confirmed: Place,
    messages: Vec<Message>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Place {
    segment: i64,
    pos: i64,
    virtual_offset: i64,
    count: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Message {
    virtual_offset: i64,
    count_after: i64,
    data: String,
    confirmed_before: bool,
}

impl Place {
    fn position(&self) -> LogPosition {
        [self.segment, self.pos, self.virtual_offset, self.count].into()
    }
}

/// Offset, count behind it, and bytes.
type Read = (i64, i64, Vec<u8>);

impl Message {
    fn read(&self) -> Read {
        let bytes = BASE64_STANDARD.decode(&self.data);
        let bytes = bytes.expect("the description is sound");
        (self.virtual_offset, self.count_after, bytes)
    }
}

struct Fixture {
    title: String,
    expected: Expected,
    fs: Arc<dyn Fs>,
}

impl Fixture {
    fn load(folder: &Path, title: String) -> Self {
        let text = read_file(
            &RealFs,
            &folder.join(format!("{title}.expected.json")),
            usize::MAX,
        );
        let text = text.expect("a description lies beside it");
        let fs = SimFs::new();
        fs.create_dir(Path::new(DATA)).expect("the disk is empty");
        let from = folder.join(&title);
        for name in list_names(&RealFs, &from).expect("it is a directory") {
            let bytes = read_file(&RealFs, &from.join(&name), usize::MAX);
            let file = TreeEntry::File(bytes.expect("it can be read"));
            fs.place(&Path::new(DATA).join(name), &file)
                .expect("there is room");
        }
        Self {
            expected: serde_json::from_slice(&text).expect("the description is sound"),
            title,
            fs: Arc::new(fs),
        }
    }

    fn options(&self) -> LogOptions {
        LogOptions {
            segment_bytes_max: self.expected.max_bytes_per_file,
            ..LogOptions::default()
        }
    }

    fn writer(&self) -> Writer {
        let (fs, name) = (Arc::clone(&self.fs), &self.expected.writer);
        Writer::open(fs, Path::new(DATA), name, &self.options()).expect("it opens")
    }

    fn reader(&self, name: &str, end: LogPosition) -> Reader {
        let (fs, log) = (Arc::clone(&self.fs), &self.expected.writer);
        Reader::open(fs, Path::new(DATA), log, name, &self.options(), end)
    }

    fn snapshot(&self, start: LogPosition, end: LogPosition) -> Snapshot {
        let (fs, log) = (Arc::clone(&self.fs), &self.expected.writer);
        let mut snapshot = Snapshot::open(fs, Path::new(DATA), log, end);
        snapshot.set_queue_start(start);
        snapshot
    }

    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let names = list_names(self.fs.as_ref(), Path::new(DATA)).expect("it is there");
        let paths = names.iter().map(|name| Path::new(DATA).join(name));
        let read = |path: &Path| read_file(self.fs.as_ref(), path, usize::MAX);
        paths
            .map(|path| (path.clone(), read(&path).expect("it can be read")))
            .collect()
    }
}

fn fixtures() -> Vec<Fixture> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    let names = list_names(&RealFs, &folder).expect("the fixtures are there");
    let titles = names
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| name.starts_with("youzan-") && !name.ends_with(".json"));
    let fixtures: Vec<Fixture> = titles.map(|title| Fixture::load(&folder, title)).collect();
    assert_eq!(fixtures.len(), 5, "all fixtures are there");
    fixtures
}

fn drain(reader: &mut Reader) -> Vec<Read> {
    let mut messages = Vec::new();
    while let Some(message) = reader.try_read_one().expect("it can be read") {
        messages.push((message.offset, message.count, message.bytes));
    }
    messages
}

#[test]
fn every_fixture_opens_at_the_positions_of_its_description() {
    for fixture in fixtures() {
        let (title, expected) = (&fixture.title, &fixture.expected);
        let before = fixture.files();
        let state = fixture.writer().state();
        assert_eq!(
            state.queue_start,
            expected.queue_start.position(),
            "{title}"
        );
        assert_eq!(state.write_end, expected.write_end.position(), "{title}");
        assert_eq!(state.read_end, expected.read_end.position(), "{title}");
        let reader = fixture.reader(&expected.reader, state.read_end).state();
        assert_eq!(reader.confirmed, expected.confirmed.position(), "{title}");
        assert_eq!(reader.read, reader.confirmed, "{title}");
        assert_eq!(reader.end, state.read_end, "{title}");
        assert!(fixture.files() == before, "{title}: opening changed a file");
    }
}

#[test]
fn every_fixture_opens_for_reading_only_at_the_same_positions() {
    for fixture in fixtures() {
        let (title, expected) = (&fixture.title, &fixture.expected);
        let (fs, name) = (Arc::clone(&fixture.fs), &expected.writer);
        let options = fixture.options();
        let writer = Writer::open_for_reading(fs, Path::new(DATA), name, &options);
        let state = writer.expect("it opens").state();
        assert_eq!(
            state.queue_start,
            expected.queue_start.position(),
            "{title}"
        );
        assert_eq!(state.write_end, expected.write_end.position(), "{title}");
    }
}

#[test]
fn a_reader_gets_what_was_not_confirmed() {
    for fixture in fixtures() {
        let (title, expected) = (&fixture.title, &fixture.expected);
        let end = fixture.writer().state().read_end;
        let mut reader = fixture.reader(&expected.reader, end);
        let unread = expected.messages.iter().filter(|one| !one.confirmed_before);
        let unread: Vec<Read> = unread.map(Message::read).collect();
        let depth = usize::try_from(reader.state().depth);
        assert_eq!(depth, Ok(unread.len()), "{title}");
        assert!(drain(&mut reader) == unread, "{title}: the messages");
        reader.confirm_all().expect("it is open");
        let state = reader.state();
        assert_eq!((state.depth, state.depth_size), (0, 0), "{title}");
        reader.close();
        let reopened = fixture.reader(&expected.reader, end).state();
        assert_eq!(reopened.confirmed, state.confirmed, "{title}");
    }
}

#[test]
fn a_reader_that_is_set_back_to_the_start_gets_everything() {
    for fixture in fixtures() {
        let (title, expected) = (&fixture.title, &fixture.expected);
        let state = fixture.writer().state();
        let start = state.queue_start;
        let mut reader = fixture.reader(&expected.reader, state.read_end);
        let set_back = reader.reset_read_to_offset(start.offset, start.count);
        set_back.unwrap_or_else(|error| panic!("{title}: {error}"));
        let all: Vec<Read> = expected.messages.iter().map(Message::read).collect();
        assert!(drain(&mut reader) == all, "{title}: the messages");
    }
}

#[test]
fn a_snapshot_gets_everything() {
    for fixture in fixtures() {
        let (title, expected) = (&fixture.title, &fixture.expected);
        let state = fixture.writer().state();
        let mut snapshot = fixture.snapshot(state.queue_start, state.read_end);
        let mut messages = Vec::new();
        while snapshot.state().offset < state.read_end.offset {
            let message = snapshot.read_one().expect("it can be read");
            messages.push((message.offset, message.count, message.bytes));
        }
        let all: Vec<Read> = expected.messages.iter().map(Message::read).collect();
        assert!(messages == all, "{title}: the messages");

        let mut snapshot = fixture.snapshot(state.queue_start, state.read_end);
        let size = state.read_end.offset - state.queue_start.offset;
        let size = u32::try_from(size).expect("fixtures are small");
        let raw = snapshot.read_raw(size).expect("it can be read");
        let mut records = Vec::new();
        for (_, _, bytes) in &all {
            let size = u32::try_from(bytes.len()).expect("messages are small");
            records.extend_from_slice(&size.to_be_bytes());
            records.extend_from_slice(bytes);
        }
        assert!(raw == records, "{title}: the bytes");
    }
}

#[test]
fn every_fixture_is_used_on() {
    for fixture in fixtures() {
        let (title, expected) = (&fixture.title, &fixture.expected);
        let mut writer = fixture.writer();
        let end = writer.state().write_end;
        for size in [1, 70, 600] {
            writer.put(&vec![7; size]).expect("there is room");
        }
        writer.close();
        let state = fixture.writer().state();
        assert_eq!(state.write_end.count, end.count + 3, "{title}");
        let mut reader = fixture.reader(&expected.reader, state.read_end);
        let messages = drain(&mut reader);
        let sizes: Vec<usize> = messages.iter().map(|(_, _, bytes)| bytes.len()).collect();
        assert!(sizes.ends_with(&[1, 70, 600]), "{title}: {sizes:?}");
    }
}
