//! A writer and its reader on one log, against the model of the reader.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::log::{DATA, Log, NAME, open_reader};
use super::reader_model::{Model, World, compare, use_reader};
use super::reader_random::Numbers;
use crashline::seglog::{CleanTarget, Confirm, End, LogOptions, LogReader, LogWriter, Snapshot};
use std::ffi::OsStr;
use std::path::Path;

fn open(log: &Log) -> LogWriter {
    let options = LogOptions {
        segment_bytes_max: 40,
        ..LogOptions::default()
    };
    let opened = LogWriter::open(log.fs(), Path::new(DATA), OsStr::new(NAME), options);
    let opened = opened.unwrap();
    assert_eq!(opened.losses, []);
    opened.writer
}

/// Takes over what the writer says.
fn look(world: &mut World, writer: &LogWriter) {
    let end = writer.read_end();
    world.log.end = end.position;
    world.log.note.start = writer.queue_start();
    if world.log.note.generation != end.generation {
        world.log.note.generation = end.generation;
        world.cuts.push((end.generation, end.position));
    }
    let (start, last) = (world.log.note.start.offset, end.position.offset);
    world
        .log
        .messages
        .retain(|(at, _)| at.offset >= start && at.offset < last);
}

fn change(world: &mut World, writer: LogWriter, writers: &mut u32) -> LogWriter {
    let mut writer = writer;
    match world.numbers.below(16) {
        0..9 => {
            for _ in 0..=world.numbers.below(2) {
                let size = 1 + world.numbers.below(20);
                let body = vec![u8::try_from(world.numbers.below(256)).unwrap(); size];
                let before = writer.write_end();
                writer.put(&body).unwrap();
                world.log.messages.push((before, body));
            }
            writer.flush(world.numbers.below(2) == 0).unwrap();
        }
        9..12 => {
            let count = world.start() + world.numbers.below(6) as u64;
            let to = world.place(count);
            writer.reset_write_end(to.offset, to.count).unwrap();
            let is_left = |at: u64| at < to.offset;
            world.log.messages.retain(|(at, _)| is_left(at.offset));
        }
        12 => {
            let target = CleanTarget::Offset(world.log.end.offset);
            writer.clean_old_data(target, false, None, true).unwrap();
        }
        13 => writer.empty().unwrap(),
        14 => {
            let (offset, count) = (world.log.end.offset, world.log.end.count);
            let more = world.numbers.below(50) as u64;
            let start = (offset + 10 * more, count + more);
            writer
                .reset_write_with_queue_start(start.0, start.1)
                .unwrap();
        }
        _ => {
            if world.log.end.count.is_multiple_of(2) {
                writer.close().unwrap();
            }
            drop(writer);
            writer = open(&world.log);
            *writers += 1;
        }
    }
    look(world, &writer);
    writer
}

#[test]
fn a_reader_beside_its_writer_does_what_the_model_does() {
    for seed in 0..400 {
        let mut world = World {
            log: Log::none(),
            cuts: Vec::new(),
            numbers: Numbers(seed),
        };
        let mut writer = open(&world.log);
        look(&mut world, &writer);
        let mut reader = world.log.reader();
        let at = (world.log.end, world.log.note.generation);
        let mut model = Model::reopened(&world, at);
        let is_follower = seed % 2 == 0;
        let (mut writers, mut readers, mut followed) = (0, 0, None);
        for _ in 0..120 {
            let generation = world.log.note.generation;
            match world.numbers.below(8) {
                0..3 => writer = change(&mut world, writer, &mut writers),
                3 if world.numbers.below(4) == 0 => {
                    drop(reader);
                    reader = world.log.reader_to(world.log.end()).unwrap().reader;
                    model = Model::reopened(&world, model.saved);
                    readers += 1;
                }
                _ => {
                    use_reader(&mut world, &mut reader, &mut model);
                    compare(&world, &reader, &model);
                }
            }
            // A new reader follows nobody, and nobody tells of what a new writer does.
            let who = (writers, readers);
            if is_follower && followed != Some(who) {
                reader.follow(&writer.changes());
                followed = Some(who);
            }
            assert!(world.log.note.generation >= generation);
        }
    }
}

#[test]
fn retention_waits_for_known_readers_and_for_no_others() {
    let log = Log::none();
    let mut writer = open(&log);
    let fill = |writer: &mut LogWriter| {
        for _ in 0..6 {
            writer.put(&[7; 16]).unwrap();
        }
        writer.flush(true).unwrap();
        writer.read_end()
    };
    let first = fill(&mut writer);
    let mut kept = log.reader_to(first).unwrap().reader;
    let mut deleted = open_reader(&log.disk, NAME, "gone", LogOptions::default(), first)
        .unwrap()
        .reader;
    let end = fill(&mut writer);
    let clean = |writer: &mut LogWriter| {
        let target = CleanTarget::Offset(u64::MAX);
        writer.clean_old_data(target, false, None, false).unwrap();
        writer.queue_start()
    };
    deleted.delete().unwrap();
    assert_eq!(
        clean(&mut writer),
        first.position,
        "up to the reader that is left"
    );
    kept.update_queue_end(end, false).unwrap();
    kept.skip_read_to_end().unwrap();
    assert_eq!(clean(&mut writer), first.position, "it is not saved");
    kept.close().unwrap();
    let last_but_one = end.position.segment - 1;
    assert_eq!(clean(&mut writer).segment, last_but_one);
}

/// Four messages of 20 bytes with their lengths, two to a segment, as a reader sees them that
/// confirmed two of them and read three.
fn four(log: &Log, writer: &mut LogWriter) -> LogReader {
    let mut reader = log.reader_to(writer.read_end()).unwrap().reader;
    for _ in 0..4 {
        writer.put(&[7; 16]).unwrap();
    }
    writer.flush(false).unwrap();
    reader.update_queue_end(writer.read_end(), false).unwrap();
    for _ in 0..3 {
        reader.try_read_one().unwrap().unwrap();
    }
    let (offset, count) = (40, Some(2));
    reader
        .confirm_read(Confirm::UpTo { offset, count })
        .unwrap();
    reader
}

#[test]
fn the_end_falls_with_a_cut_and_the_depth_counts_to_what_is_left() {
    type Cut = fn(&mut LogWriter);
    // The cut, and where confirmed and read position and end are left.
    let cases: [(Cut, [u64; 3]); 5] = [
        (|writer| assert!(writer.rollback(20, 3).is_ok()), [20; 3]),
        (
            |writer| assert!(writer.reset_write_end(60, 3).is_ok()),
            [40, 60, 60],
        ),
        (|writer| writer.empty().unwrap(), [80; 3]),
        (
            |writer| writer.reset_write_with_queue_start(7, 1).unwrap(),
            [7; 3],
        ),
        (
            |writer| writer.reset_write_with_queue_start(900, 50).unwrap(),
            [900; 3],
        ),
    ];
    for (cut, [confirmed, read, end]) in cases {
        for is_follower in [false, true] {
            let log = Log::none();
            let mut writer = open(&log);
            let mut reader = four(&log, &mut writer);
            let (start, old_end) = (writer.queue_start(), writer.read_end());
            let (path, name) = (Path::new(DATA), OsStr::new(NAME));
            let mut snapshot = Snapshot::open(log.fs(), path, name, start, old_end).unwrap();
            snapshot.seek_to_end().unwrap();
            if is_follower {
                reader.follow(&writer.changes());
                snapshot.follow(&writer.changes());
            }
            cut(&mut writer);
            assert_eq!(reader.depth_size().unwrap(), end - confirmed);
            assert_eq!(reader.depth().unwrap(), (end - confirmed) / 20);
            assert_eq!(reader.is_waiting_more_data().unwrap(), end == confirmed);
            let places = [
                reader.confirmed(),
                reader.read_position(),
                reader.queue_end().position,
            ];
            assert_eq!(places.map(|at| at.offset), [confirmed, read, end]);
            assert!(!reader.update_queue_end(old_end, true).unwrap());
            assert_eq!(reader.try_read_one().unwrap(), None);
            assert_eq!(snapshot.read_one().unwrap(), None);
            assert_eq!(snapshot.position().offset, end);
            // What comes behind it is seen once it is told.
            writer.put(&[8; 16]).unwrap();
            writer.flush(false).unwrap();
            assert!(reader.update_queue_end(writer.read_end(), false).unwrap());
            assert!(snapshot.update_queue_end(writer.read_end()).unwrap());
            let next = reader.try_read_one().unwrap().unwrap();
            assert_eq!((next.offset, &next.bytes[..]), (end, &[8; 16][..]));
            assert_eq!(snapshot.read_one().unwrap(), Some(next));
            assert_eq!(
                (reader.take_losses(), snapshot.take_losses()),
                Default::default()
            );
        }
    }
}

#[test]
fn behind_a_writer_that_is_gone_or_only_looks_followers_look_for_themselves() {
    for is_closed in [false, true] {
        let log = Log::none();
        let mut writer = open(&log);
        let mut reader = four(&log, &mut writer);
        writer.close().unwrap();
        let (path, name) = (Path::new(DATA), OsStr::new(NAME));
        let options = *writer.options();
        let looking = LogWriter::open_read_only(log.fs(), path, name, options).unwrap();
        let other = if is_closed { &writer } else { &looking.writer };
        reader.follow(&other.changes());
        assert_eq!(reader.depth().unwrap(), 2);
        open(&log).reset_write_end(20, 1).unwrap();
        assert_eq!(reader.confirmed().offset, 40, "it has not looked yet");
        assert_eq!(reader.depth().unwrap(), 0);
        assert_eq!(reader.confirmed().offset, 20);
    }
}

#[test]
fn a_log_that_begins_after_its_reader_was_opened_is_seen() {
    let log = Log::none();
    let (path, name) = (Path::new(DATA), OsStr::new(NAME));
    let looking = LogWriter::open_read_only(log.fs(), path, name, LogOptions::default());
    let end = looking.unwrap().writer.read_end();
    let mut reader = log.reader_to(end).unwrap().reader;
    assert_eq!(reader.depth().unwrap(), 0);
    let mut writer = open(&log);
    writer.put(&[7; 16]).unwrap();
    writer.empty().unwrap();
    assert_eq!(reader.depth().unwrap(), 0);
    assert_eq!(reader.confirmed(), writer.queue_start());
    assert_eq!(reader.take_losses(), []);
}

#[test]
fn retention_waits_for_a_reader_that_went_back() {
    type Back = fn(&mut LogReader, End);
    let ways: [Back; 3] = [
        |reader, _| assert!(reader.reset_read_to_offset(20, Some(1)).is_ok()),
        |reader, _| assert!(reader.reset_read_to_queue_start().is_ok()),
        |reader, end| assert!(reader.update_queue_end(end, true).unwrap()),
    ];
    for back in ways {
        let log = Log::none();
        let mut writer = open(&log);
        writer.put(&[7; 16]).unwrap();
        writer.flush(true).unwrap();
        let first = writer.read_end();
        let mut reader = four(&log, &mut writer);
        reader.update_queue_end(writer.read_end(), false).unwrap();
        reader.skip_read_to_end().unwrap();
        reader.flush(true).unwrap();
        back(&mut reader, first);
        let target = CleanTarget::Offset(u64::MAX);
        let start = writer.clean_old_data(target, false, None, false).unwrap();
        assert_eq!(start, None);
        reader.update_queue_end(writer.read_end(), false).unwrap();
        assert!(reader.try_read_one().unwrap().is_some());
        assert_eq!(reader.take_losses(), []);
    }
}
