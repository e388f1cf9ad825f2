//! Readers of damaged metas and segments.
#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a wrong index or a failed unwrap is a failed test"
)]

use super::log::{
    COPY, Fixture, Log, META, NAME, READER, READER_LOCK, THREE, file, fixtures, open_reader,
    segment_name,
};
use super::reader::{drain, reader_at};
use crashline::seglog::{Confirm, LogOptions, LogReader, Loss};
use crashline_sim::simfs::SimFs;

/// Every way to change one byte of a file: all flips of one bit, a zero, and a cut before it.
fn damages(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut damages = Vec::new();
    for at in 0..bytes.len() {
        damages.push(bytes[..at].to_vec());
        for changed in (0..8).map(|bit| bytes[at] ^ 1 << bit).chain([0]) {
            let mut damaged = bytes.to_vec();
            damaged[at] = changed;
            damages.push(damaged);
        }
    }
    damages
}

#[test]
fn a_damaged_meta_of_an_original_stands_where_it_stood_or_at_the_start() {
    for fixture in fixtures() {
        let name = fixture.reader_meta();
        let good = file(&fixture.disk(), &name).unwrap();
        for bytes in damages(&good) {
            check_fixture(&fixture, &name, &bytes);
        }
    }
}

fn check_fixture(fixture: &Fixture, name: &str, bytes: &[u8]) {
    let log = |disk: &SimFs| {
        let options = LogOptions::default();
        open_reader(disk, "topic-0", &fixture.reader, options, fixture.end).unwrap()
    };
    let disk = fixture.disk();
    let path = format!("/data/{name}");
    let entry = crashline_sim::simfs::TreeEntry::File(bytes.to_vec());
    disk.place(path.as_ref(), &entry).unwrap();
    let opened = log(&disk);
    let (mut reader, losses) = (opened.reader, opened.losses);
    let title = format!("{}: {}", fixture.title, bytes.escape_ascii());
    let at = reader.confirmed();
    let is_kept = at == fixture.confirmed;
    assert!(is_kept || at == fixture.start, "{title}: {at:?}");
    assert!(is_kept || losses.len() == 1, "{title}: {losses:?}");
    let from = |message: &&crashline::seglog::Message| message.offset >= at.offset;
    let expected: Vec<_> = fixture.messages.iter().filter(from).cloned().collect();
    assert_eq!(drain(&mut reader), (expected, vec![]), "{title}");
    drop(reader);
    let again = log(&disk);
    assert_eq!(
        (again.losses, again.reader.confirmed()),
        (vec![], at),
        "{title}"
    );
}

/// A log whose reader saved the places behind 2 and then behind 4 messages.
fn log_with_two_places() -> Log {
    let log = Log::new(THREE);
    let mut reader = reader_at(&log, 0);
    for is_durable in [true, false] {
        for _ in 0..2 {
            reader.try_read_one().unwrap().unwrap();
        }
        reader.confirm_read(Confirm::AllRead).unwrap();
        reader.flush(is_durable).unwrap();
    }
    log
}

/// Opens the reader twice: at a place that was true once, with these losses, then without.
fn check(log: &Log, places: &[usize], expected: &[Loss], title: &str) {
    let opened = log.reader_to(log.end()).unwrap();
    let at = opened.reader.confirmed();
    assert!(
        places.iter().any(|place| log.place(*place) == at),
        "{title}: {at:?}"
    );
    assert_eq!(opened.losses, expected, "{title}");
    drop(opened);
    assert_eq!(log.reader().confirmed(), at, "{title}");
}

#[test]
fn a_damaged_meta_of_ours_falls_back_to_its_copy() {
    let good = log_with_two_places().file(META).unwrap();
    for bytes in damages(&good) {
        let log = log_with_two_places();
        log.set(META, &bytes);
        let opened = log.reader_to(log.end()).unwrap();
        let at = opened.reader.confirmed();
        let is_kept = at == log.place(4);
        assert!(is_kept && opened.losses.is_empty() || at == log.place(2));
        if !is_kept {
            let [loss] = opened.losses.as_slice() else {
                panic!("one loss: {:?}", opened.losses);
            };
            assert_eq!((loss.file.to_str(), loss.messages), (Some(META), Some(0)));
            let aside = log.file(&format!("{META}.bad"));
            assert_eq!(aside, Some(bytes.clone()).filter(|bytes| !bytes.is_empty()));
        }
        drop(opened);
        assert_eq!(log.reader().confirmed(), at);
    }
}

#[test]
fn a_meta_that_grew_is_kept_aside_whole() {
    for grown in [1, 70, 100_000] {
        let log = log_with_two_places();
        log.change(META, |bytes| bytes.resize(512 + grown, 7));
        let damaged = log.file(META).unwrap();
        let opened = log.reader_to(log.end()).unwrap();
        assert_eq!(opened.reader.confirmed(), log.place(2));
        assert_eq!(opened.losses.len(), 1);
        assert_eq!(opened.losses[0].size, damaged.len() as u64);
        assert_eq!(log.file(&format!("{META}.bad")), Some(damaged));
        assert_eq!(log.file(META).map(|bytes| bytes.len()), Some(512));
    }
}

#[test]
fn a_damaged_copy_or_lock_costs_nothing() {
    for name in [COPY, READER_LOCK] {
        let good = log_with_two_places().file(name).unwrap();
        for bytes in damages(&good) {
            let log = log_with_two_places();
            log.set(name, &bytes);
            check(&log, &[4], &[], name);
        }
        let log = log_with_two_places();
        log.erase(name);
        check(&log, &[4], &[], name);
    }
    let log = log_with_two_places();
    log.erase(META);
    check(&log, &[2], &[], "without the meta");
}

#[test]
fn a_known_reader_without_a_meta_reads_again_from_the_start() {
    for (meta, copy) in [
        (None, None),
        (Some(vec![]), None),
        (Some(vec![0; 512]), Some(vec![1])),
    ] {
        let log = log_with_two_places();
        for (name, bytes) in [(META, meta.clone()), (COPY, copy)] {
            match bytes {
                Some(bytes) => log.set(name, &bytes),
                None => log.erase(name),
            }
        }
        let opened = log.reader_to(log.end()).unwrap();
        assert_eq!(opened.losses.len(), 1, "{meta:?}");
        let mut reader = opened.reader;
        assert_eq!(drain(&mut reader), (log.expected(0..8), vec![]));
        drop(reader);
        assert_eq!(log.reader().confirmed(), log.place(0));
    }
}

fn skipping(log: &Log) -> LogReader {
    let options = LogOptions {
        auto_skip_damaged: true,
        ..LogOptions::default()
    };
    open_reader(&log.disk, NAME, READER, options, log.end())
        .unwrap()
        .reader
}

#[test]
fn damage_is_told_once_and_passed() {
    let log = Log::new(THREE);
    let mut reader = reader_at(&log, 0);
    log.change(&segment_name(1), |bytes| bytes[3] ^= 1);
    let (messages, losses) = drain(&mut reader);
    assert_eq!(messages, log.expected((0..8).filter(|number| *number != 3)));
    assert_eq!(losses.len(), 1);
    assert_eq!(losses[0].messages, Some(1));
    assert_eq!(reader.depth().unwrap(), 8, "nothing is confirmed");
    reader.reset_read_to_queue_start().unwrap();
    let again = drain(&mut reader);
    assert_eq!(again, (messages, vec![]), "it was told");
    // Far, and back to before the damage.
    for number in [7, 1] {
        let place = log.place(number);
        let found = reader.reset_read_to_offset(place.offset, Some(place.count));
        assert_eq!(found.unwrap(), place);
    }
    drain(&mut reader);
    // Behind the damage, and at both of its borders.
    for number in [3, 4, 6] {
        let place = log.place(number);
        let confirm = Confirm::UpTo {
            offset: place.offset,
            count: Some(place.count),
        };
        reader.confirm_read(confirm).unwrap();
        assert_eq!(reader.confirmed(), place);
        // Inside the message behind the damage.
        let inside = Confirm::UpTo {
            offset: log.place(5).offset - 1,
            count: Some(4),
        };
        assert_eq!(reader.confirm_read(inside).is_err(), number < 6);
    }
}

#[test]
fn a_reader_that_skips_damage_goes_on_at_once() {
    let log = Log::new(THREE);
    drop(reader_at(&log, 0));
    log.change(&segment_name(0), |bytes| bytes[4] ^= 1);
    log.change(&segment_name(2), |bytes| *bytes.last_mut().unwrap() ^= 1);
    let mut reader = skipping(&log);
    let first = reader.try_read_one().unwrap();
    assert_eq!(first, log.expected(1..2).pop());
    assert_eq!(reader.take_losses().len(), 1);
    assert_eq!(
        reader.confirmed(),
        log.place(1),
        "nothing before it was unconfirmed"
    );
    for number in 2..7 {
        assert_eq!(
            reader.try_read_one().unwrap(),
            log.expected(number..=number).pop()
        );
    }
    reader.confirm_read(Confirm::AllRead).unwrap();
    assert_eq!(reader.try_read_one().unwrap(), None);
    assert!(reader.is_waiting_more_data().unwrap());
    assert_eq!(reader.take_losses().len(), 1);
}

#[test]
fn a_missing_segment_is_skipped_over_with_its_loss_told() {
    let log = Log::new(THREE);
    let mut reader = reader_at(&log, 1);
    log.erase(&segment_name(1));
    let to = log.place(6);
    reader
        .skip_read_to_offset(to.offset, Some(to.count))
        .unwrap();
    assert_eq!(reader.confirmed(), to);
    let losses = reader.take_losses();
    assert_eq!(losses.len(), 1);
    assert_eq!(losses[0].messages, Some(2));
    reader.reset_read_to_queue_start().unwrap();
    let expected = log.expected((0..8).filter(|number| !(3..5).contains(number)));
    assert_eq!(drain(&mut reader), (expected, vec![]), "it was told");
    reader
        .reset_read_to_offset(log.place(3).offset, Some(3))
        .unwrap();
    assert_eq!(reader.skip_to_next().unwrap(), log.place(5));
    assert_eq!(drain(&mut reader), (log.expected(5..8), vec![]));
}

#[test]
fn a_damaged_start_meta_or_sidecar_changes_nothing_that_a_reader_reads() {
    for fixture in fixtures() {
        let names = fixture.names();
        let is_cache = |name: &&String| name.contains("offsetmeta") || name.contains("extra");
        for name in names.iter().filter(is_cache) {
            for bytes in damages(&file(&fixture.disk(), name).unwrap()) {
                let title = format!("{} {name}: {}", fixture.title, bytes.escape_ascii());
                let disk = fixture.disk();
                let entry = crashline_sim::simfs::TreeEntry::File(bytes);
                disk.place(format!("/data/{name}").as_ref(), &entry)
                    .unwrap();
                let options = LogOptions::default();
                let opened =
                    open_reader(&disk, "topic-0", &fixture.reader, options, fixture.end).unwrap();
                assert_eq!(opened.losses, [], "{title}");
                let mut reader = opened.reader;
                assert_eq!(reader.confirmed(), fixture.confirmed, "{title}");
                assert_eq!(reader.queue_start(), fixture.start, "{title}");
                reader.reset_read_to_queue_start().unwrap();
                assert_eq!(
                    drain(&mut reader),
                    (fixture.messages.clone(), vec![]),
                    "{title}"
                );
            }
        }
    }
}
