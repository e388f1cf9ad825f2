//! What an open makes of files that a crash or damage left: every row of the tables.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::support::{Disk, at, fixtures, record, small};
use crashline::seglog::{LossKind, OpenedWriter};

const MAIN: &str = "L.diskqueue.meta.writer.dat";
const COPY: &str = "L.diskqueue.meta.writer.dat.tmp";
const START: &str = "L.diskqueue.meta.extra.dat";

fn open(disk: &Disk) -> OpenedWriter {
    disk.open("L", small()).unwrap()
}

fn damaged(opened: &OpenedWriter) -> Vec<String> {
    let losses = opened.losses.iter();
    let damaged = losses.filter(|loss| loss.kind == LossKind::Damaged);
    damaged
        .map(|loss| loss.file.to_str().unwrap().to_owned())
        .collect()
}

/// A log of three segments and two records more, closed.
fn closed() -> Disk {
    let disk = Disk::empty();
    let mut writer = disk.writer();
    for number in 0..14 {
        writer.put(&[number; 10]).unwrap();
    }
    writer.close().unwrap();
    disk
}

#[test]
fn bytes_behind_a_closed_end_stay_until_the_first_put_and_are_kept_aside() {
    let disk = closed();
    let name = "L.diskqueue.000003.dat";
    let mut bytes = disk.file(name).unwrap();
    bytes.extend(record(b"stale"));
    disk.place(name, &bytes);
    disk.place("L.diskqueue.000004.dat", &record(b"later"));
    for _ in 0..2 {
        let opened = open(&disk);
        assert_eq!(opened.writer.write_end(), at(3, 28, 196, 14));
        assert_eq!(opened.losses.len(), 2, "{:?}", opened.losses);
        assert!(damaged(&opened).is_empty());
        assert_eq!(disk.file(name).unwrap(), bytes);
    }
    let mut writer = open(&disk).writer;
    writer.put(b"new").unwrap();
    writer.flush(true).unwrap();
    assert_eq!(
        disk.file("L.diskqueue.000003.dat.bad"),
        Some(record(b"stale"))
    );
    assert_eq!(
        disk.file("L.diskqueue.000004.dat.bad"),
        Some(record(b"later"))
    );
    assert_eq!(disk.messages("L", &writer).len(), 15);
    drop(writer);
    assert!(open(&disk).losses.is_empty());
}

#[test]
fn either_copy_of_the_meta_is_enough() {
    for (name, reported) in [(MAIN, 1), (COPY, 0)] {
        for damage in [
            None,
            Some(Vec::new()),
            Some(vec![0; 512]),
            Some(b"14\n3,28".to_vec()),
        ] {
            let disk = closed();
            match &damage {
                Some(bytes) => disk.place(name, bytes),
                None => disk.erase(name),
            }
            let opened = open(&disk);
            assert_eq!(opened.writer.write_end(), at(3, 28, 196, 14), "{damage:?}");
            let reported = if damage.is_some() { reported } else { 0 };
            assert_eq!(opened.losses.len(), reported, "{damage:?}");
            assert_eq!(disk.messages("L", &opened.writer).len(), 14);
            drop(opened);
            assert!(open(&disk).losses.is_empty());
        }
    }
}

#[test]
fn without_metas_the_segments_are_scanned() {
    for with_start in [true, false] {
        let disk = closed();
        disk.erase(MAIN);
        disk.erase(COPY);
        if !with_start {
            disk.erase(START);
        }
        let opened = open(&disk);
        assert_eq!(damaged(&opened), [MAIN]);
        assert_eq!(opened.writer.write_end(), at(3, 28, 196, 14));
        assert_eq!(opened.writer.queue_start(), at(0, 0, 0, 0));
        assert_eq!(disk.messages("L", &opened.writer).len(), 14);
        drop(opened);
        assert!(open(&disk).losses.is_empty());
    }
}

#[test]
fn a_last_segment_that_is_short_or_missing_is_a_loss() {
    let name = "L.diskqueue.000003.dat";
    for (size, left) in [(27, 1), (14, 1), (13, 0), (0, 0), (usize::MAX, 0)] {
        let disk = closed();
        let mut bytes = disk.file(name).unwrap();
        match size {
            usize::MAX => disk.erase(name),
            size => {
                bytes.truncate(size);
                disk.place(name, &bytes);
            }
        }
        let opened = open(&disk);
        assert_eq!(damaged(&opened), [name]);
        let loss = opened.losses.first().unwrap();
        assert_eq!(loss.size, 28 - 14 * left, "{size}");
        assert_eq!(loss.messages, Some(2 - left), "{size}");
        assert_eq!(
            opened.writer.write_end(),
            at(3, 14 * left, 168 + 14 * left, 12 + left)
        );
        let mut writer = opened.writer;
        writer.put(b"on").unwrap();
        writer.close().unwrap();
        assert!(open(&disk).losses.is_empty());
    }
}

#[test]
fn a_missing_segment_costs_its_messages_only() {
    for missing in 0..3_u64 {
        let disk = closed();
        let name = format!("L.diskqueue.{missing:06}.dat");
        disk.erase(&name);
        let opened = open(&disk);
        assert_eq!(damaged(&opened), [name]);
        assert_eq!(opened.writer.write_end(), at(3, 28, 196, 14));
        let start = if missing == 0 {
            at(1, 0, 56, 4)
        } else {
            at(0, 0, 0, 0)
        };
        assert_eq!(opened.writer.queue_start(), start);
    }
}

#[test]
fn damage_to_a_meta_of_an_original_gives_what_was_true_or_is_told() {
    for fixture in fixtures() {
        for (name, bytes) in &fixture.files {
            if !name.contains("writer.dat") && !name.contains("extra") && !name.contains("offset") {
                continue;
            }
            for at in 0..bytes.len() {
                let flip = |bit: u8| {
                    let mut flipped = bytes.clone();
                    *flipped.get_mut(at).unwrap() ^= bit;
                    flipped
                };
                let mut zeroed = bytes.clone();
                zeroed.get_mut(at..).unwrap().fill(0);
                let cut = bytes.get(..at).unwrap().to_vec();
                let flips = [1, 2, 4, 8, 16, 32, 64, 128].map(flip);
                for damaged in flips.into_iter().chain([zeroed, cut]) {
                    let disk = Disk::with(&fixture.files);
                    disk.place(name, &damaged);
                    let opened = disk.open("topic-0", fixture.options).unwrap();
                    let writer = &opened.writer;
                    let what = format!("{} {name}: {}", fixture.title, damaged.escape_ascii());
                    assert_eq!(writer.queue_start(), fixture.start, "{what}");
                    assert_eq!(writer.write_end(), fixture.end, "{what}");
                    let messages = disk.messages("topic-0", writer);
                    assert_eq!(messages, fixture.messages, "{what}");
                }
            }
        }
    }
}

/// A whole meta of when the log was empty: its place is no border of the files that are there.
#[test]
fn an_end_before_the_first_segment_that_is_there_is_not_believed() {
    let zero = b"0\n0,0,0\n\xAE\x83".to_vec();
    let (main, copy) = (
        "topic-0.diskqueue.meta.writer.dat",
        "topic-0.diskqueue.meta.writer.dat.tmp",
    );
    let mut count = 0;
    for fixture in fixtures() {
        if fixture.start.segment == 0 {
            continue;
        }
        count += 1;
        for metas in [
            [Some(&zero), None],
            [Some(&zero), Some(&zero)],
            [None, Some(&zero)],
        ] {
            let disk = Disk::with(&fixture.files);
            for (name, bytes) in [main, copy].into_iter().zip(metas) {
                match bytes {
                    Some(bytes) => disk.place(name, bytes),
                    None if disk.file(name).is_some() => disk.erase(name),
                    None => {}
                }
            }
            let opened = disk.open("topic-0", fixture.options).unwrap();
            let what = format!("{}: {metas:?}: {:?}", fixture.title, opened.losses);
            assert_eq!(opened.writer.queue_start(), fixture.start, "{what}");
            assert_eq!(opened.writer.write_end(), fixture.end, "{what}");
            let messages = disk.messages("topic-0", &opened.writer);
            assert_eq!(messages, fixture.messages, "{what}");
            assert!(!opened.losses.is_empty(), "{what}");
        }
    }
    assert!(count > 0, "an original that cleaned is among them");
}
