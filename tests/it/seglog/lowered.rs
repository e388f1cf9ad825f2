//! A log whose last segment is missing or short while the files before it hold more than its note
//! says: what lies behind the end that open decides stays unread, however far the log grows.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::support::{Disk, Files, at, small};
use crashline::seglog::format::{
    WriterMeta, WriterNote, WriterState, encode_writer_meta, parse_writer_meta,
};
use crashline::seglog::{Error, LogReader, LogWriter, Message, Position, Snapshot};
use std::ffi::OsStr;
use std::path::Path;

const META: &str = "L.diskqueue.meta.writer.dat";
const COPY: &str = "L.diskqueue.meta.writer.dat.tmp";

/// Three full segments of four messages of ten bytes, and one of two.
fn full() -> Files {
    let disk = Disk::empty();
    let mut writer = disk.writer();
    for number in 0..14 {
        writer.put(&[number; 10]).unwrap();
    }
    writer.close().unwrap();
    disk.files()
}

/// These files under a note that names this durable end.
fn noted(files: &Files, durable: Position, state: WriterState) -> Disk {
    let disk = Disk::with(files);
    let WriterMeta::Noted(_, note) = parse_writer_meta(&disk.file(META).unwrap()) else {
        panic!("it was closed");
    };
    let note = WriterNote {
        durable,
        state,
        sums_bytes: 0,
        ..note
    };
    disk.place(META, &encode_writer_meta(&durable, &note));
    disk.erase(COPY);
    disk
}

fn number_in(message: &Message) -> u8 {
    message.bytes.first().copied().unwrap_or(u8::MAX)
}

/// What comes, as the number in each message, with its offset; damage is passed.
fn drain(mut next: impl FnMut() -> Result<Option<Message>, Error>) -> Vec<(u8, u64)> {
    let mut messages = Vec::new();
    loop {
        match next() {
            Ok(Some(message)) => messages.push((number_in(&message), message.offset)),
            Ok(None) => return messages,
            Err(Error::Damage { .. }) => {}
            Err(error) => panic!("a read failed: {error}"),
        }
    }
}

fn by_snapshot(disk: &Disk, writer: &LogWriter) -> Vec<(u8, u64)> {
    let (start, end) = (writer.queue_start(), writer.read_end());
    let log = OsStr::new("L");
    let snapshot = Snapshot::open(disk.fs(), Path::new("/data"), log, start, end);
    let mut snapshot = snapshot.unwrap();
    drain(|| snapshot.read_one())
}

fn by_reader(disk: &Disk, writer: &LogWriter) -> Vec<(u8, u64)> {
    let (log, name) = (OsStr::new("L"), OsStr::new("r"));
    let (fs, end) = (disk.fs(), writer.read_end());
    let opened = LogReader::open(fs, Path::new("/data"), log, name, small(), end);
    let mut reader = opened.unwrap().reader;
    reader.reset_read_to_queue_start().unwrap();
    let messages = drain(|| reader.try_read_one());
    reader.close().unwrap();
    messages
}

/// Opens it, and puts until several more segments are full, opening it again and again.
fn grow(disk: &Disk, what: &str) {
    let writer = disk.open("L", small()).unwrap().writer;
    let (end, mut expected) = (writer.write_end(), by_snapshot(disk, &writer));
    let is_old = |(index, (number, offset)): (usize, &(u8, u64))| {
        usize::from(*number) == index && *offset == 14 * index as u64
    };
    assert!(expected.iter().enumerate().all(is_old), "{what}");
    assert_eq!(expected.len() as u64, end.count, "{what}: the count");
    assert_eq!(by_reader(disk, &writer), expected, "{what}");
    drop(writer);
    for number in 100..112 {
        let mut writer = disk.open("L", small()).unwrap().writer;
        expected.push((number, writer.write_end().offset));
        writer.put(&[number; 10]).unwrap();
        writer.flush(number % 2 == 0).unwrap();
        assert_eq!(by_snapshot(disk, &writer), expected, "{what}: {number}");
        assert_eq!(by_reader(disk, &writer), expected, "{what}: {number}");
    }
    let added = expected.len() as u64 - end.count;
    let writer = disk.open("L", small()).unwrap().writer;
    assert_eq!(writer.write_end().count, end.count + added, "{what}");
}

const STATES: [WriterState; 3] = [
    WriterState::Opened,
    WriterState::Cutting,
    WriterState::Closed,
];

#[test]
fn of_which_the_last_segment_is_missing() {
    let files = full();
    for state in STATES {
        for segment in [4, 5, 1000] {
            for position in [1, 14, 28] {
                for offset in (position..230).step_by(7) {
                    let end = at(segment, position, offset, 14);
                    let what = format!("{state:?} {end:?}");
                    grow(&noted(&files, end, state), &what);
                }
            }
        }
    }
}

#[test]
fn of_which_the_last_segment_is_short() {
    let files = full();
    for state in STATES {
        for position in [29, 42] {
            // Its segment starts where those before it end, or before that.
            for offset in (position..=position + 168).step_by(7) {
                let end = at(3, position, offset, 15);
                let what = format!("{state:?} {end:?}");
                grow(&noted(&files, end, state), &what);
            }
        }
    }
}

#[test]
fn what_a_short_segment_lost_is_not_counted_over_missing_segments_that_nothing_tells_of() {
    for (gone, messages) in [(vec![], Some(1)), (vec![1, 2], None), (vec![1], None)] {
        let disk = Disk::with(&full());
        for number in &gone {
            disk.erase(&format!("L.diskqueue.{number:06}.dat"));
        }
        if !gone.is_empty() {
            for number in 0..3 {
                disk.erase(&format!("L.diskqueue.{number:06}.dat.offsetmeta.dat"));
            }
        }
        let last = "L.diskqueue.000003.dat";
        let bytes = disk.file(last).unwrap();
        disk.place(last, bytes.get(..20).unwrap());
        let losses = disk.look("L", small()).losses;
        let lost = losses.iter().find(|loss| loss.file == last).unwrap();
        assert_eq!(lost.messages, messages, "without {gone:?}");
    }
}
