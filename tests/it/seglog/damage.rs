//! Damage to files of ours, and directories of anything: no position that never was true, no
//! panic, and what opens goes on.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::support::{DIRECTORY, Disk, Files, at, fixtures, record, small};
use crashline::seglog::format::{
    Cut, Sidecar, WriterNote, WriterState, encode_sidecar, encode_start_meta, encode_writer_meta,
    write_cut,
};
use crashline::seglog::{CleanTarget, Error, LogWriter, Message, Position, Snapshot};
use proptest::prelude::*;
use std::ffi::OsStr;
use std::path::Path;

/// A log with a past: rolled, cut, cleaned, reopened.
fn used() -> (Disk, LogWriter) {
    let disk = Disk::empty();
    let mut writer = disk.writer();
    for number in 0..20 {
        writer.put(&[number; 10]).unwrap();
    }
    writer.rollback(14 * 18, 2).unwrap();
    let target = CleanTarget::Offset(56);
    let start = writer.clean_old_data(target, false, None, true).unwrap();
    assert_eq!(start, Some(at(1, 0, 56, 4)));
    writer.close().unwrap();
    let mut writer = disk.writer();
    writer.put(&[99; 10]).unwrap();
    writer.flush(true).unwrap();
    (disk, writer)
}

fn damaged(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new(), vec![0; bytes.len()]];
    for at in 0..bytes.len() {
        let mut flipped = bytes.to_vec();
        *flipped.get_mut(at).unwrap() ^= 1 << (at % 8);
        all.push(flipped);
        if at % 16 == 1 {
            let mut zeroed = bytes.to_vec();
            zeroed.get_mut(at..).unwrap().fill(0);
            all.push(zeroed);
            all.push(bytes.get(..at).unwrap().to_vec());
        }
    }
    all
}

#[test]
fn damage_to_any_one_file_but_a_segment_costs_no_position_and_no_message() {
    for is_closed in [false, true] {
        let (disk, mut writer) = used();
        let expected = disk.messages("L", &writer);
        let (start, end) = (writer.queue_start(), writer.write_end());
        if is_closed {
            writer.close().unwrap();
        }
        drop(writer);
        let files = disk.files();
        for (name, bytes) in &files {
            let is_segment = name.ends_with(".dat") && !name.contains("meta");
            if is_segment {
                continue;
            }
            let bytes = bytes.get(..600.min(bytes.len())).unwrap();
            for damage in damaged(bytes) {
                let disk = Disk::with(&files);
                disk.place(name, &damage);
                let opened = disk.open("L", small()).unwrap();
                let what = format!("{is_closed} {name}: {}", damage.escape_ascii());
                assert_eq!(opened.writer.queue_start(), start, "{what}");
                assert_eq!(opened.writer.write_end(), end, "{what}");
                assert_eq!(disk.messages("L", &opened.writer), expected, "{what}");
            }
        }
    }
}

/// Everything that a snapshot reads, passing what is damaged.
fn read_all(disk: &Disk, writer: &LogWriter) -> Vec<Message> {
    let (start, end) = (writer.queue_start(), writer.read_end());
    let (path, log) = (Path::new(DIRECTORY), OsStr::new("topic-0"));
    let mut snapshot = Snapshot::open(disk.fs(), path, log, start, end).unwrap();
    let mut messages = Vec::new();
    loop {
        match snapshot.read_one() {
            Ok(Some(message)) => messages.push(message),
            Ok(None) => return messages,
            Err(Error::Damage { .. }) => {}
            Err(error) => panic!("reading failed: {error}"),
        }
    }
}

/// The metas of an original have no checksum and no note: what its sidecars say of a segment holds
/// where the size of the file no longer does.
#[test]
fn a_finished_segment_of_another_size_costs_nothing_beside_it() {
    let mut count = 0;
    for fixture in fixtures() {
        let whole = Disk::with(&fixture.files);
        let expected = read_all(&whole, &whole.look("topic-0", fixture.options).writer);
        assert_eq!(expected.len(), fixture.messages.len());
        let mut next = fixture.start.offset;
        for segment in fixture.start.segment..fixture.end.segment {
            let name = format!("topic-0.diskqueue.{segment:06}.dat");
            let bytes = whole.file(&name).unwrap();
            let from = next;
            next += bytes.len() as u64;
            for size in [0, 1, bytes.len() / 2, bytes.len() - 1, bytes.len() + 5] {
                let mut damaged = bytes.clone();
                damaged.resize(size, 1);
                let is_kept = |message: &&Message| {
                    let end = message.offset + 4 + message.bytes.len() as u64;
                    !(from..next).contains(&message.offset) || end <= from + size as u64
                };
                let kept: Vec<Message> = expected.iter().filter(is_kept).cloned().collect();
                let disk = Disk::with(&fixture.files);
                disk.place(&name, &damaged);
                for opened in [
                    disk.look("topic-0", fixture.options),
                    disk.open("topic-0", fixture.options).unwrap(),
                ] {
                    let what = format!("{} {name} of {size} bytes", fixture.title);
                    assert_eq!(opened.losses, [], "{what}");
                    assert_eq!(opened.writer.queue_start(), fixture.start, "{what}");
                    assert_eq!(opened.writer.write_end(), fixture.end, "{what}");
                    assert_eq!(read_all(&disk, &opened.writer), kept, "{what}");
                    count += 1;
                }
            }
        }
    }
    assert!(count >= 100, "{count}");
}

/// A count that nothing but the start meta says is no witness against the end and all records.
#[test]
fn a_wrong_count_of_the_start_is_told_whatever_else_is_gone() {
    for fixture in fixtures() {
        let name = "topic-0.diskqueue.meta.extra.dat";
        let Some((_, bytes)) = fixture.files.iter().find(|(other, _)| other == name) else {
            continue;
        };
        if fixture.start.segment == fixture.end.segment {
            continue;
        }
        let told = format!("\"TotalMsgCnt\":{}", fixture.start.count);
        let wrong = format!("\"TotalMsgCnt\":{}", fixture.start.count + 1);
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(text.contains(&told), "{text}");
        let disk = Disk::with(&fixture.files);
        for (other, _) in &fixture.files {
            if other.contains("offsetmeta") {
                disk.erase(other);
            }
        }
        disk.place(name, text.replace(&told, &wrong).as_bytes());
        let opened = disk.look("topic-0", fixture.options);
        assert_eq!(
            opened.writer.queue_start(),
            fixture.start,
            "{}",
            fixture.title
        );
        assert_eq!(opened.losses.len(), 1, "{}", fixture.title);
    }
}

#[test]
fn a_writer_meta_that_grew_is_kept_aside_whole() {
    for grown in [1, 70, 100_000] {
        let (disk, mut writer) = used();
        let end = writer.write_end();
        writer.close().unwrap();
        let main = "L.diskqueue.meta.writer.dat";
        let mut damaged = disk.file(main).unwrap();
        damaged.resize(512 + grown, 7);
        disk.place(main, &damaged);
        let opened = disk.open("L", small()).unwrap();
        assert_eq!(opened.writer.write_end(), end);
        let [loss] = opened.losses.as_slice() else {
            panic!("one loss: {:?}", opened.losses);
        };
        assert_eq!(loss.size, damaged.len() as u64);
        assert_eq!(disk.file(&format!("{main}.bad")), Some(damaged));
        assert_eq!(disk.file(main).map(|bytes| bytes.len()), Some(512));
    }
}

/// A place, possible or not.
fn place() -> impl Strategy<Value = Position> {
    let number = || prop_oneof![0..4_u64, 0..200_u64, Just(u64::MAX), Just(i64::MAX as u64)];
    (0..5_u64, number(), number(), number()).prop_map(|(segment, position, offset, count)| {
        let is_whole = position < 200 && offset < 200 && count < 200;
        let offset = if is_whole { position + offset } else { offset };
        at(segment, position, offset, count)
    })
}

fn note() -> impl Strategy<Value = WriterNote> {
    let state = prop_oneof![
        Just(WriterState::Opened),
        Just(WriterState::Closed),
        Just(WriterState::Cutting),
        Just(WriterState::Moving),
    ];
    (state, 0..5_u64, 0..3_u64, 0..4_u64, place(), place()).prop_map(
        |(state, generation, life, sequence, durable, start)| WriterNote {
            boot: None,
            generation,
            life,
            state,
            sequence,
            sums_bytes: generation * 40,
            durable,
            start,
        },
    )
}

fn segment() -> impl Strategy<Value = Vec<u8>> {
    let sizes = proptest::collection::vec(0..30_usize, 0..8);
    (sizes, 0..6_usize).prop_map(|(sizes, cut)| {
        let records = sizes.iter().map(|size| record(&vec![7; *size]));
        let mut bytes: Vec<u8> = records.flatten().collect();
        bytes.truncate(bytes.len().saturating_sub(cut));
        bytes
    })
}

fn file() -> impl Strategy<Value = (String, Vec<u8>)> {
    let named = |ending: &'static str| move |bytes| (format!("L.diskqueue.{ending}"), bytes);
    let main = (place(), note()).prop_map(|(end, note)| encode_writer_meta(&end, &note).to_vec());
    let copy = (place(), note()).prop_map(|(end, note)| encode_writer_meta(&end, &note).to_vec());
    let bare = place().prop_map(|end| {
        let Position {
            segment,
            position,
            offset,
            count,
        } = end;
        format!("{count}\n{segment},{position},{offset}\n").into_bytes()
    });
    let start =
        (place(), 0..4_u64).prop_map(|(start, generation)| encode_start_meta(&start, generation));
    let cuts = proptest::collection::vec((1..5_u64, place()), 0..4).prop_map(|cuts| {
        let mut bytes = Vec::new();
        for (generation, end) in cuts {
            write_cut(&Cut { generation, end }, &mut bytes);
        }
        bytes
    });
    let sidecar =
        (0..5_u64, 0..20_u64, 0..100_u64, 0..100_u64).prop_map(|(number, count, start, size)| {
            let end = start + size;
            let name = format!("L.diskqueue.{number:06}.dat.offsetmeta.dat");
            (name, encode_sidecar(&Sidecar { count, start, end }))
        });
    let data = (0..5_u64, segment())
        .prop_map(|(number, bytes)| (format!("L.diskqueue.{number:06}.dat"), bytes))
        .boxed();
    prop_oneof![
        main.prop_map(named("meta.writer.dat")),
        bare.prop_map(named("meta.writer.dat")),
        copy.prop_map(named("meta.writer.dat.tmp")),
        start.prop_map(named("meta.extra.dat")),
        cuts.prop_map(named("cuts")),
        sidecar,
        data.clone(),
        data,
    ]
}

fn directory() -> impl Strategy<Value = Files> {
    proptest::collection::btree_map(any::<u16>(), file(), 0..12).prop_map(|files| {
        let unique: std::collections::BTreeMap<_, _> = files.into_values().collect();
        unique.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1500,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn whatever_a_directory_holds_it_opens_the_same_twice_and_goes_on(files in directory()) {
        let disk = Disk::with(&files);
        let looked = disk.look("L", small()).writer;
        prop_assert_eq!(disk.files().len(), files.len());
        let mut writer = disk.open("L", small()).unwrap().writer;
        let (start, end) = (writer.queue_start(), writer.write_end());
        prop_assert_eq!((looked.queue_start(), looked.write_end()), (start, end));
        prop_assert!(start.offset <= end.offset && start.segment <= end.segment);
        drop(writer);
        writer = disk.open("L", small()).unwrap().writer;
        prop_assert_eq!((writer.queue_start(), writer.write_end()), (start, end));
        // C13: what has no numbers left refuses.
        if end.offset.max(end.count) == i64::MAX as u64 {
            prop_assert!(writer.put(&[8; 40]).is_err());
            prop_assert_eq!(writer.write_end(), end);
            return Ok(());
        }
        for size in [3, 40, 5] {
            let put = writer.put(&vec![8; size]).unwrap();
            prop_assert_eq!(put.size, 4 + size as u64);
        }
        let grown = writer.write_end();
        prop_assert_eq!(grown.count, end.count + 3);
        writer.rollback(grown.offset - 9, 1).unwrap();
        writer.flush(true).unwrap();
        drop(writer);
        writer = disk.open("L", small()).unwrap().writer;
        prop_assert_eq!(writer.write_end().offset, grown.offset - 9);
        prop_assert_eq!(writer.write_end().count, grown.count - 1);
        writer.empty().unwrap();
        writer.close().unwrap();
        let writer = disk.open("L", small()).unwrap().writer;
        prop_assert_eq!(writer.queue_start(), writer.write_end());
    }
}
