//! Skips, resets, cuts of the log's end, and starts that move.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::log::{
    Log, META, NAME, READER, THREE, open_reader, segment_name, sidecar_name, sums_name,
};
use super::reader::{drain, is_refused, reader_at};
use crashline::seglog::{Changes, Confirm, Error, LogOptions, LogReader, Position};

/// A reader that confirmed so many messages, and read so many.
fn reader_between(log: &Log, confirmed: usize, read: usize) -> LogReader {
    let mut reader = reader_at(log, confirmed);
    (confirmed..read).for_each(|_| drop(reader.try_read_one().unwrap()));
    reader
}

#[test]
fn a_skip_lands_on_a_border_with_its_count_or_changes_nothing() {
    type Move = fn(&mut LogReader, u64, Option<u64>) -> Result<Position, Error>;
    let moves: [(Move, bool); 2] = [
        (LogReader::skip_read_to_offset, false),
        (LogReader::reset_read_to_offset, true),
    ];
    let log = Log::new(THREE);
    for (confirmed, read) in [(0, 0), (0, 4), (2, 3), (3, 3), (3, 8), (4, 6), (8, 8)] {
        for ((go, is_back), offset) in moves
            .iter()
            .flat_map(|it| (0..=log.end.offset + 1).map(move |offset| (*it, offset)))
        {
            let mut reader = reader_between(&log, confirmed, read);
            let border = (0..=8).find(|number| log.place(*number).offset == offset);
            let count = border.map_or(3, |number| number as u64);
            for wrong in [count + 1, count.wrapping_sub(1)] {
                assert!(is_refused(go(&mut reader, offset, Some(wrong))), "{offset}");
            }
            let needs_none = [0, read, confirmed, 8].map(|number| log.place(number).offset);
            if !needs_none.contains(&offset) {
                assert!(is_refused(go(&mut reader, offset, None)), "{offset}");
            }
            assert_eq!(reader.confirmed(), log.place(confirmed));
            assert_eq!(reader.read_position(), log.place(read));
            let result = go(&mut reader, offset, Some(count));
            let to = border.filter(|to| is_back || *to >= confirmed);
            let Some(to) = to else {
                assert!(is_refused(result), "{confirmed} {read} to {offset}");
                assert_eq!(reader.confirmed(), log.place(confirmed));
                assert_eq!(drain(&mut reader), (log.expected(read..8), vec![]));
                reader.delete().unwrap();
                continue;
            };
            assert_eq!(result.unwrap(), log.place(to));
            assert_eq!(reader.read_position(), log.place(to));
            assert_eq!(reader.depth().unwrap(), 8 - to as u64);
            assert_eq!(drain(&mut reader), (log.expected(to..8), vec![]));
            reader.delete().unwrap();
        }
    }
}

#[test]
fn the_next_segment_the_end_and_the_confirmed_place_are_gone_to() {
    let log = Log::new(THREE);
    for (confirmed, next) in [
        (0, 3),
        (1, 3),
        (2, 3),
        (3, 5),
        (4, 5),
        (5, 8),
        (7, 8),
        (8, 8),
    ] {
        for read in confirmed..=8 {
            let mut reader = reader_between(&log, confirmed, read);
            assert_eq!(
                reader.reset_read_to_confirmed().unwrap(),
                log.place(confirmed)
            );
            let expected = (log.expected(confirmed..8), vec![]);
            assert_eq!(drain(&mut reader), expected, "{confirmed} {read}");
            assert_eq!(reader.skip_to_next().unwrap(), log.place(next));
            assert_eq!(reader.read_position(), log.place(next));
            assert_eq!(drain(&mut reader), (log.expected(next..8), vec![]));
            assert_eq!(reader.skip_read_to_end().unwrap(), log.end);
            assert!(reader.is_waiting_more_data().unwrap());
            reader.delete().unwrap();
        }
    }
}

#[test]
fn reads_are_taken_back_one_by_one() {
    let log = Log::new(THREE);
    let mut reader = reader_between(&log, 2, 8);
    for number in (2..8).rev() {
        let (place, bytes) = log.messages[number].clone();
        let (offset, moved) = (place.offset, bytes.len() as u64 + 4);
        assert!(is_refused(reader.reset_last_read_one(
            offset + 1,
            None,
            moved - 1
        )));
        assert!(is_refused(reader.reset_last_read_one(
            offset,
            None,
            moved + 1
        )));
        assert!(is_refused(reader.reset_last_read_one(
            offset,
            Some(place.count + 1),
            moved
        )));
        assert_eq!(reader.read_position(), log.place(number + 1));
        reader
            .reset_last_read_one(offset, Some(place.count), moved)
            .unwrap();
        assert_eq!(reader.read_position(), place);
    }
    let moved = log.messages[1].1.len() as u64 + 4;
    assert!(is_refused(reader.reset_last_read_one(
        log.place(1).offset,
        None,
        moved
    )));
    assert_eq!(drain(&mut reader), (log.expected(2..8), vec![]));
}

#[test]
fn every_move_is_saved_where_that_is_asked_for() {
    let log = Log::new(THREE);
    for sync_every in [1, 2] {
        let mut reader = reader_between(&log, 1, 1);
        let saved = log.file(META);
        drop(reader);
        let options = LogOptions {
            sync_every,
            ..LogOptions::default()
        };
        let opened = open_reader(&log.disk, NAME, READER, options, log.end());
        reader = opened.unwrap().reader;
        reader.skip_to_next().unwrap();
        assert_eq!(log.file(META) != saved, sync_every == 1);
        drop(reader);
        let at = if sync_every == 1 { 3 } else { 1 };
        let mut reader = log.reader();
        assert_eq!(reader.confirmed(), log.place(at));
        reader.delete().unwrap();
    }
}

/// Rolls back to the first so many messages and puts two others behind them.
fn roll_back(log: &mut Log, to: usize) {
    let cut = log.place(to);
    let last = cut.segment;
    let mut bytes = log.file(&segment_name(last)).unwrap_or_default();
    bytes.truncate(usize::try_from(cut.position).unwrap());
    bytes.extend_from_slice(b"\0\0\0\x03new\0\0\0\x05newer");
    log.set(&segment_name(last), &bytes);
    for segment in last..3 {
        for name in [sums_name(segment), sidecar_name(segment)] {
            log.erase(&name);
        }
        if segment > last {
            log.erase(&segment_name(segment));
        }
    }
    log.note.generation += 1;
    log.messages.truncate(to);
    log.end = cut;
    for message in [&b"new"[..], b"newer"] {
        log.messages.push((log.end, message.to_vec()));
        let size = message.len() as u64 + 4;
        log.end.position += size;
        log.end.offset += size;
        log.end.count += 1;
    }
    log.write_cuts(&[(log.note.generation, cut)]);
    log.write_metas();
}

#[test]
fn after_a_rollback_nothing_old_comes_told_or_not_open_or_not() {
    for (confirmed, read, to) in [
        (0, 1, 2),
        (1, 4, 2),
        (3, 5, 2),
        (2, 2, 2),
        (6, 8, 5),
        (0, 8, 3),
    ] {
        for is_open in [true, false] {
            let mut log = Log::new(THREE);
            let mut reader = reader_between(&log, confirmed, read);
            // Something was searched for, too.
            let end = log.place(8);
            assert!(is_refused(
                reader.skip_read_to_offset(end.offset - 1, Some(7))
            ));
            reader.flush(true).unwrap();
            roll_back(&mut log, to);
            if is_open {
                let untold = drain(&mut reader);
                assert_eq!(untold, (log.expected(read..to.max(read)), vec![]), "{to}");
                assert!(reader.update_queue_end(log.end(), false).unwrap());
            } else {
                drop(reader);
                reader = log.reader();
            }
            let confirmed = confirmed.min(to);
            assert_eq!(
                reader.confirmed(),
                log.place(confirmed),
                "{confirmed} {read} {to}"
            );
            let from = match is_open {
                true if read < to => to,
                true => to.min(read),
                false => confirmed,
            };
            let expected = (log.expected(from..to + 2), vec![]);
            assert_eq!(
                drain(&mut reader),
                expected,
                "{confirmed} {read} {to} {is_open}"
            );
            assert_eq!(reader.depth().unwrap(), (to + 2 - confirmed) as u64);
            let place = log.place(to + 1);
            let confirm = Confirm::UpTo {
                offset: place.offset,
                count: Some(place.count),
            };
            reader.confirm_read(confirm).unwrap();
            assert_eq!(reader.confirmed(), place);
            reader.confirm_read(Confirm::AllRead).unwrap();
            reader.close().unwrap();
            assert_eq!(log.reader().confirmed(), log.end);
        }
    }
}

#[test]
fn where_cuts_are_not_known_a_position_has_to_be_one_of_the_log() {
    let mut log = Log::new(THREE);
    let mut reader = reader_between(&log, 4, 4);
    reader.flush(true).unwrap();
    drop(reader);
    roll_back(&mut log, 1);
    log.erase("t-0.diskqueue.cuts");
    let opened = log.reader_to(log.end()).unwrap();
    assert_eq!(opened.reader.confirmed(), log.end, "it lies behind the end");
    drop(opened);
    // Inside what is a message now.
    let mut log = Log::new(THREE);
    drop(reader_between(&log, 2, 2));
    roll_back(&mut log, 1);
    log.end.position += 90;
    log.end.offset += 90;
    log.end.count += 1;
    log.change(&segment_name(0), |bytes| {
        bytes.extend_from_slice(&[0, 0, 0, 86]);
        bytes.resize(bytes.len() + 86, b'x');
    });
    log.note.generation += 1;
    log.write_metas();
    let opened = log.reader_to(log.end()).unwrap();
    assert_eq!(opened.reader.confirmed(), log.place(0));
    assert_eq!(opened.losses.len(), 1);
}

/// Moves the log's start behind its first so many segments.
fn clean(log: &mut Log, segments: u64) {
    (0..segments).for_each(|segment| {
        log.erase(&segment_name(segment));
        log.erase(&sums_name(segment));
    });
    let start = log
        .messages
        .iter()
        .find(|(place, _)| place.segment == segments);
    log.note.start = start.unwrap().0;
    log.write_metas();
}

#[test]
fn a_position_before_the_start_stands_at_the_start_and_says_so_once() {
    for is_open in [true, false] {
        for segments in 1..3 {
            let mut log = Log::new(THREE);
            let mut reader = reader_between(&log, 1, 2);
            let first = if segments == 1 { 3 } else { 5 };
            clean(&mut log, segments);
            let start = log.place(first);
            let losses = if is_open {
                assert_eq!(reader.depth().unwrap(), 8 - first as u64);
                reader.take_losses()
            } else {
                drop(reader);
                let opened = log.reader_to(log.end()).unwrap();
                reader = opened.reader;
                opened.losses
            };
            assert_eq!(reader.confirmed(), start);
            assert_eq!(reader.read_position(), start);
            let [loss] = losses.as_slice() else {
                panic!("one loss: {losses:?}");
            };
            assert_eq!(loss.file, *segment_name(0));
            assert_eq!((loss.offset, loss.messages), (7, Some(first as u64 - 1)));
            assert_eq!(loss.size, start.offset - 7);
            assert_eq!(drain(&mut reader), (log.expected(first..8), vec![]));
            reader.close().unwrap();
            assert_eq!(log.reader().confirmed(), start);
        }
    }
}

#[test]
fn a_follower_looks_when_it_is_told_to() {
    let mut log = Log::new(THREE);
    let mut reader = reader_between(&log, 1, 2);
    let changes = Changes::default();
    changes.tell();
    reader.follow(&changes);
    clean(&mut log, 1);
    assert_eq!(reader.depth().unwrap(), 5, "it looks once at least");
    assert_eq!(reader.take_losses().len(), 1);
    let calls = log.disk.call_count();
    for number in 3..5 {
        assert_eq!(reader.try_read_one().unwrap(), log.expected([number]).pop());
        reader.confirm_read(Confirm::AllRead).unwrap();
        assert_eq!(reader.depth().unwrap(), 7 - number as u64);
    }
    assert!(log.disk.call_count() - calls < 10, "it opens one segment");
    clean(&mut log, 2);
    changes.tell();
    roll_back(&mut log, 6);
    changes.tell();
    assert_eq!(drain(&mut reader), (log.expected(5..6), vec![]));
    assert!(reader.update_queue_end(log.end(), false).unwrap());
    assert_eq!(drain(&mut reader), (log.expected(6..8), vec![]));
}

#[test]
fn what_is_confirmed_stays_while_the_start_moves_below_it() {
    let mut log = Log::new(THREE);
    let mut reader = reader_between(&log, 3, 4);
    clean(&mut log, 1);
    assert_eq!(drain(&mut reader), (log.expected(4..8), vec![]));
    assert_eq!(reader.confirmed(), log.place(3));
    let before = log.place(1);
    assert!(is_refused(
        reader.reset_read_to_offset(before.offset, Some(before.count))
    ));
    assert_eq!(reader.reset_read_to_queue_start().unwrap(), log.place(3));
    reader
        .reset_read_to_offset(log.place(4).offset, Some(4))
        .unwrap();
    assert_eq!(drain(&mut reader), (log.expected(4..8), vec![]));
}

#[test]
fn an_emptied_log_is_no_loss() {
    for is_open in [true, false] {
        let mut log = Log::new(THREE);
        let mut reader = reader_between(&log, 1, 2);
        reader.flush(true).unwrap();
        for segment in 0..3 {
            log.erase(&segment_name(segment));
            log.erase(&sums_name(segment));
        }
        log.note.generation += 1;
        log.end.segment = 3;
        log.end.position = 0;
        log.note.start = log.end;
        log.write_cuts(&[(log.note.generation, log.end)]);
        log.write_metas();
        if is_open {
            assert_eq!(drain(&mut reader), (vec![], vec![]));
            assert_eq!(reader.confirmed(), log.end);
            assert!(!reader.update_queue_end(log.end(), false).unwrap());
        } else {
            drop(reader);
            reader = log.reader();
        }
        assert_eq!(reader.confirmed(), log.end);
        assert!(reader.is_waiting_more_data().unwrap());
        assert_eq!(reader.take_losses(), []);
    }
}
