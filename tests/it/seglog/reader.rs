//! Readers: where they stand, what they read and confirm, and what of that is saved.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::log::{
    COPY, DATA, GENERATION, Log, META, NAME, READER, READER_LOCK, THREE, file, fixtures,
    open_reader,
};
use crashline::seglog::format::{
    ReaderMeta, ReaderNote, ReaderPositions, encode_reader_meta, parse_reader_meta,
};
use crashline::seglog::{
    Confirm, End, Error, KnownReader, LogOptions, LogReader, Loss, Message, known_readers,
};
use crashline_sim::simfs::SimFs;
use std::ffi::OsStr;
use std::path::Path;

/// Reads to the end, going on behind damage.
pub(super) fn drain(reader: &mut LogReader) -> (Vec<Message>, Vec<Loss>) {
    let (mut messages, mut losses) = (Vec::new(), Vec::new());
    loop {
        match reader.try_read_one() {
            Ok(Some(message)) => messages.push(message),
            Ok(None) => break,
            Err(Error::Damage { losses: met }) => losses.extend(met),
            Err(error) => panic!("reading failed: {error}"),
        }
    }
    losses.extend(reader.take_losses());
    (messages, losses)
}

pub(super) fn is_refused<T: std::fmt::Debug>(result: Result<T, Error>) -> bool {
    matches!(result, Err(Error::Refused { .. }))
}

/// A reader that stands behind the first so many messages of an old log.
pub(super) fn reader_at(log: &Log, messages: usize) -> LogReader {
    let opened = log.reader_to(log.end_at(messages)).unwrap();
    assert_eq!(opened.losses, []);
    let mut reader = opened.reader;
    reader.update_queue_end(log.end(), false).unwrap();
    reader
}

#[test]
fn a_new_reader_stands_at_the_end_and_is_known_then() {
    let log = Log::new(THREE);
    for count in 0..=8 {
        let log = Log::new(THREE);
        let end = log.end_at(count);
        drop(log.reader_to(end).unwrap());
        let mut reader = log.reader();
        assert_eq!(reader.confirmed(), end.position, "{count}");
        assert_eq!(
            drain(&mut reader),
            (log.expected(count..8), vec![]),
            "{count}"
        );
    }
    let known = known_readers(log.fs(), Path::new(DATA), OsStr::new(NAME)).unwrap();
    assert_eq!(known, []);
}

#[test]
fn every_fixture_is_read_from_where_its_reader_stood() {
    for fixture in fixtures() {
        let title = &fixture.title;
        let disk = fixture.disk();
        let open = || {
            let options = LogOptions::default();
            open_reader(&disk, "topic-0", &fixture.reader, options, fixture.end).unwrap()
        };
        let opened = open();
        assert_eq!(opened.losses, [], "{title}");
        let mut reader = opened.reader;
        assert_eq!(reader.confirmed(), fixture.confirmed, "{title}");
        assert_eq!(reader.read_position(), fixture.confirmed, "{title}");
        assert_eq!(reader.queue_start(), fixture.start, "{title}");
        let is_unread = |message: &&Message| message.offset >= fixture.confirmed.offset;
        let unread: Vec<Message> = fixture.messages.iter().filter(is_unread).cloned().collect();
        assert_eq!(reader.depth().unwrap(), unread.len() as u64, "{title}");
        assert_eq!(drain(&mut reader), (unread.clone(), vec![]), "{title}");
        assert_eq!(reader.read_position(), fixture.end.position, "{title}");
        for message in &unread {
            let (offset, count) = (message.offset + message.moved, Some(message.count_after));
            reader
                .confirm_read(Confirm::UpTo { offset, count })
                .unwrap();
            assert_eq!(reader.confirmed().offset, offset, "{title}");
        }
        assert_eq!(reader.confirmed(), fixture.end.position, "{title}");
        assert_eq!(
            reader.reset_read_to_queue_start().unwrap(),
            fixture.start,
            "{title}"
        );
        assert_eq!(
            drain(&mut reader),
            (fixture.messages.clone(), vec![]),
            "{title}"
        );
        reader.confirm_read(Confirm::AllRead).unwrap();
        reader.close().unwrap();
        let opened = open();
        assert_eq!(opened.losses, [], "{title}");
        assert_eq!(opened.reader.confirmed(), fixture.end.position, "{title}");
    }
}

#[test]
fn only_borders_that_were_read_are_confirmed() {
    let log = Log::new(THREE);
    for (confirmed, read) in (0..=8).flat_map(|read| (0..=read).map(move |at| (at, read))) {
        for offset in 0..=log.end.offset + 1 {
            let mut reader = reader_at(&log, 0);
            (0..read).for_each(|_| drop(reader.try_read_one().unwrap()));
            let place = log.place(confirmed);
            let count = Some(place.count);
            let offset_before = place.offset;
            reader
                .confirm_read(Confirm::UpTo {
                    offset: offset_before,
                    count,
                })
                .unwrap();
            assert_eq!(reader.confirmed(), place);
            let border = (0..=8).find(|number| log.place(*number).offset == offset);
            let count = border.map_or(1, |number| number as u64);
            for wrong in [count + 1, 0] {
                let wrong = Confirm::UpTo {
                    offset,
                    count: Some(wrong),
                };
                let is_behind = offset > place.offset;
                assert_eq!(
                    is_refused(reader.confirm_read(wrong)),
                    is_behind,
                    "{offset}"
                );
                assert_eq!(reader.confirmed(), place);
            }
            let open = Confirm::UpTo {
                offset,
                count: None,
            };
            if offset != log.place(read).offset && offset > place.offset {
                assert!(is_refused(reader.confirm_read(open)), "{offset}");
            }
            let result = reader.confirm_read(Confirm::UpTo {
                offset,
                count: Some(count),
            });
            let is_right = border.is_some_and(|number| number <= read);
            if offset > place.offset {
                assert_eq!(result.is_ok(), is_right, "{confirmed} {read} {offset}");
            } else {
                result.unwrap();
            }
            let there = border.filter(|_| is_right).unwrap_or(0).max(confirmed);
            assert_eq!(reader.confirmed(), log.place(there));
            assert_eq!(reader.depth().unwrap(), 8 - there as u64);
            let left = log.end.offset - log.place(there).offset;
            assert_eq!(reader.depth_size().unwrap(), left);
            assert_eq!(reader.is_waiting_more_data().unwrap(), there == 8);
            assert_eq!(drain(&mut reader).0, log.expected(read..8));
            reader.delete().unwrap();
        }
    }
}

#[test]
fn what_was_flushed_survives_the_process_and_what_was_closed_is_whole() {
    for is_durable in [false, true] {
        let log = Log::new(THREE);
        let mut reader = reader_at(&log, 0);
        let mut saved = 0;
        for number in 1..=8 {
            reader.try_read_one().unwrap().unwrap();
            reader.confirm_read(Confirm::AllRead).unwrap();
            if number % 3 == 1 {
                reader.flush(is_durable).unwrap();
                saved = number;
            }
            drop(reader);
            reader = log.reader();
            assert_eq!(reader.confirmed(), log.place(saved), "{number}");
            (saved..number).for_each(|_| drop(reader.try_read_one().unwrap()));
            reader.confirm_read(Confirm::AllRead).unwrap();
        }
        reader.close().unwrap();
        assert!(matches!(reader.try_read_one(), Err(Error::Closed)));
        assert!(matches!(reader.depth(), Err(Error::Closed)));
        assert!(matches!(reader.close(), Err(Error::Closed)));
        assert_eq!(log.reader().confirmed(), log.end);
        assert_eq!(log.file(META), log.file(COPY));
        let Some(ReaderMeta::Noted(positions, note)) =
            log.file(META).map(|bytes| parse_reader_meta(&bytes))
        else {
            panic!("a meta of ours")
        };
        assert_eq!((positions.confirmed, positions.end), (log.end, log.end));
        assert_eq!(note.generation, GENERATION);
    }
}

#[test]
fn a_flush_that_changes_nothing_calls_nothing_and_none_needs_space() {
    let log = Log::new(THREE);
    let mut reader = reader_at(&log, 0);
    reader.flush(true).unwrap();
    let calls = log.disk.call_count();
    reader.flush(true).unwrap();
    reader.flush(false).unwrap();
    assert_eq!(log.disk.call_count(), calls);
    log.disk.set_free_space(0);
    drain(&mut reader);
    reader.confirm_read(Confirm::AllRead).unwrap();
    reader.flush(false).unwrap();
    reader.close().unwrap();
    assert_eq!(log.reader().confirmed(), log.end);
}

#[test]
fn one_name_is_open_once() {
    let log = Log::new(THREE);
    let reader = log.reader();
    assert!(matches!(
        log.reader_to(log.end()),
        Err(Error::Locked { .. })
    ));
    let other = open_reader(&log.disk, NAME, "r2", LogOptions::default(), log.end());
    drop((reader, other.unwrap()));
    drop(log.reader());
}

#[test]
fn names_and_places_that_cannot_be_are_refused() {
    let log = Log::new(THREE);
    let options = LogOptions::default();
    for name in ["", "a/b", "a.diskqueue.b", "nul\0"] {
        assert!(
            is_refused(open_reader(&log.disk, NAME, name, options, log.end())),
            "{name}"
        );
        assert!(
            is_refused(open_reader(&log.disk, name, READER, options, log.end())),
            "{name}"
        );
    }
    let mut end = log.end();
    end.position.segment = u64::MAX;
    assert!(is_refused(log.reader_to(end)));
    assert!(is_refused(log.reader().update_queue_end(end, true)));
}

#[test]
fn a_first_open_that_is_killed_leaves_a_reader_that_is_new_or_known() {
    for calls in 0.. {
        let log = Log::new(THREE);
        log.disk.set_call_limit(Some(calls));
        let first = log.reader_to(log.end_at(3));
        let is_whole = first.is_ok();
        drop(first);
        log.disk.set_call_limit(None);
        let disk = SimFs::from_tree(&log.disk.tree()).unwrap();
        let options = LogOptions::default();
        let opened = open_reader(&disk, NAME, READER, options, log.end_at(5)).unwrap();
        assert_eq!(opened.losses, [], "{calls}");
        let at = opened.reader.confirmed();
        assert!(
            at == log.place(3) || !is_whole && at == log.place(5),
            "{calls}: {at:?}"
        );
        if is_whole {
            assert!(calls > 10, "there are calls");
            return;
        }
    }
}

#[test]
fn a_deleted_reader_is_new_again() {
    let log = Log::new(THREE);
    let mut reader = reader_at(&log, 2);
    reader.delete().unwrap();
    assert!(matches!(reader.flush(true), Err(Error::Closed)));
    assert_eq!(log.file(META), None);
    assert_eq!(log.file(COPY), None);
    assert_eq!(log.file(READER_LOCK), Some(vec![]));
    let known = || known_readers(log.fs(), Path::new(DATA), OsStr::new(NAME)).unwrap();
    assert_eq!(known(), []);
    assert_eq!(log.reader().confirmed(), log.end);
    assert_eq!(known().len(), 1);
}

#[test]
fn a_meta_of_the_first_version_is_taken_over() {
    let log = Log::new(THREE);
    let positions = ReaderPositions {
        confirmed: log.place(4),
        end: log.place(6),
    };
    let meta = encode_reader_meta(&positions, &ReaderNote::default());
    let text = meta.split(|byte| *byte == 0xae).next().unwrap();
    log.set("r.diskqueue.meta.reader.dat", text);
    assert_eq!(log.reader().confirmed(), log.place(4));
    log.erase("r.diskqueue.meta.reader.dat");
    assert_eq!(
        log.reader().confirmed(),
        log.place(4),
        "it is in the new metas"
    );
}

#[test]
fn the_log_knows_its_readers_and_what_they_saved() {
    let mut log = Log::new(THREE);
    let mut reader = reader_at(&log, 5);
    reader.flush(true).unwrap();
    reader.try_read_one().unwrap();
    reader.confirm_read(Confirm::AllRead).unwrap();
    let open = open_reader(
        &log.disk,
        NAME,
        "t-0:open",
        LogOptions::default(),
        log.end_at(2),
    );
    let positions = ReaderPositions {
        confirmed: log.place(1),
        end: log.end,
    };
    let meta = encode_reader_meta(&positions, &ReaderNote::default());
    let bare = meta
        .split_at(meta.iter().position(|byte| *byte == 0xae).unwrap() + 2)
        .0;
    log.set("t-0:bare.diskqueue.meta.v2.reader.dat", bare);
    log.set("t-0:damaged.diskqueue.meta.v2.reader.dat", b"1\n2\n");
    log.set("t-00:other.diskqueue.meta.v2.reader.dat", bare);
    log.set("stranger.diskqueue.meta.v2.reader.dat", bare);
    let known = |log: &Log| {
        let known = known_readers(log.fs(), Path::new(DATA), OsStr::new(NAME)).unwrap();
        let place =
            |known: &KnownReader| (known.name.clone().into_string().unwrap(), known.confirmed);
        known.iter().map(place).collect::<Vec<_>>()
    };
    let expected = |five| {
        vec![
            ("r".to_owned(), Some(log.place(five))),
            ("t-0:bare".to_owned(), Some(log.place(1))),
            ("t-0:damaged".to_owned(), None),
            ("t-0:open".to_owned(), Some(log.place(2))),
        ]
    };
    assert_eq!(known(&log), expected(5));
    let lowered = expected(3);
    log.write_cuts(&[
        (GENERATION + 1, log.place(3)),
        (GENERATION + 2, log.place(4)),
    ]);
    log.note.generation += 2;
    log.write_metas();
    assert_eq!(known(&log), lowered);
    drop((reader, open));
}

#[test]
fn an_end_that_changes_nothing_says_so_and_a_lower_one_needs_force() {
    let log = Log::new(THREE);
    let mut reader = reader_at(&log, 0);
    assert!(!reader.update_queue_end(log.end(), false).unwrap());
    assert!(!reader.update_queue_end(log.end(), true).unwrap());
    for _ in 0..5 {
        reader.try_read_one().unwrap().unwrap();
    }
    reader.confirm_read(Confirm::AllRead).unwrap();
    assert!(
        reader.update_queue_end(log.end_at(6), false).unwrap(),
        "read up to 5 only"
    );
    assert!(!reader.update_queue_end(log.end_at(4), false).unwrap());
    assert_eq!(reader.queue_end(), log.end_at(6));
    assert!(reader.update_queue_end(log.end_at(4), true).unwrap());
    assert_eq!(reader.read_position(), log.place(4));
    assert_eq!(reader.confirmed(), log.place(4));
    assert_eq!(reader.try_read_one().unwrap(), None);
    assert!(reader.update_queue_end(log.end(), false).unwrap());
    assert_eq!(drain(&mut reader), (log.expected(4..8), vec![]));
    let older = End {
        generation: GENERATION - 1,
        ..log.end_at(2)
    };
    assert!(!reader.update_queue_end(older, true).unwrap());
}

#[test]
fn a_position_at_the_end_of_a_segment_is_the_start_of_the_next() {
    let log = Log::new(THREE);
    let mut size_of_first = log.place(3);
    size_of_first.segment = 0;
    size_of_first.position = size_of_first.offset;
    let mut reader = log
        .reader_to(End {
            position: size_of_first,
            ..log.end()
        })
        .unwrap()
        .reader;
    assert!(reader.update_queue_end(log.end(), false).unwrap());
    assert_eq!(reader.confirmed(), log.place(3));
    assert_eq!(reader.read_position(), log.place(3));
    let disk = SimFs::from_tree(&log.disk.tree()).unwrap();
    assert!(file(&disk, META).is_some());
}
