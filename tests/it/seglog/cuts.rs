//! Moving the log's end and start: rollback, reset, grow, empty, new start, delete.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::support::{Disk, at, message, small};
use crashline::fs::OpenMode;
use crashline::seglog::{Error, KeptAside, LogReader, LogWriter, Position};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Twelve messages of 10 bytes in records of 14, four to a segment.
fn twelve(disk: &Disk) -> LogWriter {
    let mut writer = disk.writer();
    for number in 0..12 {
        writer.put(&[number; 10]).unwrap();
    }
    writer
}

fn refused<T: std::fmt::Debug>(result: Result<T, Error>) {
    assert!(matches!(result, Err(Error::Refused { .. })), "{result:?}");
}

fn numbers(messages: &[Vec<u8>]) -> Vec<u8> {
    let firsts = messages.iter().filter_map(|message| message.first());
    firsts.copied().collect()
}

#[test]
fn what_is_no_border_or_has_another_count_is_refused_and_changes_nothing() {
    let disk = Disk::empty();
    let mut writer = twelve(&disk);
    writer.put(&[12; 10]).unwrap();
    let (files, end, read_end) = (disk.files(), writer.write_end(), writer.read_end());
    assert_ne!(end, read_end.position);
    for (offset, count) in [
        (13, 1),
        (14, 2),
        (15, 1),
        (1, 0),
        (56, 5),
        (168, 13),
        (183, 13),
    ] {
        refused(writer.reset_write_end(offset, count));
        refused(writer.rollback(offset, end.count.abs_diff(count)));
    }
    refused(writer.rollback(182, 1));
    refused(writer.rollback(0, 14));
    refused(writer.try_fix_write_end(182, 12));
    refused(writer.try_fix_write_end(183, 13));
    refused(writer.try_fix_write_end(168, 12));
    refused(writer.reset_write_with_queue_start(1 << 63, 0));
    assert_eq!(writer.write_end(), end);
    assert_eq!(writer.read_end(), read_end);
    assert_eq!(disk.files(), files);
}

#[test]
fn borders_behind_damage_are_found_by_the_sums() {
    for (kept, reopened) in (9..12).flat_map(|kept| [(kept, false), (kept, true)]) {
        let disk = Disk::empty();
        let mut writer = twelve(&disk);
        writer.flush(true).unwrap();
        let name = "L.diskqueue.000002.dat";
        let mut bytes = disk.file(name).unwrap();
        bytes[0] = 0x40;
        disk.place(name, &bytes);
        if reopened {
            drop(writer);
            writer = disk.writer();
        }
        refused(writer.reset_write_end(14 * kept, kept - 1));
        refused(writer.reset_write_end(14 * kept - 1, kept));
        let end = writer.reset_write_end(14 * kept, kept).unwrap();
        assert_eq!(end, at(2, (kept - 8) * 14, kept * 14, kept));
    }
}

#[test]
fn every_border_can_be_cut_at() {
    for kept in 0..=12_u64 {
        for flushed in [false, true] {
            let disk = Disk::empty();
            let mut writer = twelve(&disk);
            if flushed {
                writer.flush(true).unwrap();
            }
            let before = writer.read_end().generation;
            let end = writer.reset_write_end(14 * kept, kept).unwrap();
            let expected = at(kept / 4, kept % 4 * 14, kept * 14, kept);
            assert_eq!(end, expected);
            assert_eq!(writer.read_end().position, expected);
            let is_cut = writer.read_end().generation > before;
            assert_eq!(is_cut, kept < 12, "{kept}");
            let rolled = disk.names_with(".rolldata").len() as u64;
            assert_eq!(rolled, 2 - (kept / 4).min(2), "{kept}");
            let cut = disk.after_power_cut();
            assert_eq!(cut.messages("L", &cut.writer()).len() as u64, kept);
            writer.put(&[99; 3]).unwrap();
            writer.close().unwrap();
            let messages = disk.messages("L", &disk.writer());
            let mut expected: Vec<u8> = (0..12).take(usize::try_from(kept).unwrap()).collect();
            expected.push(99);
            assert_eq!(numbers(&messages), expected);
        }
    }
}

#[test]
fn segments_kept_aside_are_never_overwritten() {
    let disk = Disk::empty();
    let mut writer = twelve(&disk);
    for round in 1..4_u8 {
        writer.reset_write_end(14, 1).unwrap();
        let kept = disk.names_with("000001.dat.rolldata").len();
        assert_eq!(kept, usize::from(round));
        for number in 0..8 {
            writer.put(&[round * 10 + number; 10]).unwrap();
        }
    }
    let first = disk.file("L.diskqueue.000001.dat.rolldata").unwrap();
    assert_eq!(first.get(4..14), Some(&[4; 10][..]));
}

#[test]
fn what_is_kept_aside_is_counted() {
    let disk = Disk::empty();
    let mut writer = twelve(&disk);
    assert_eq!(writer.kept_aside().unwrap(), KeptAside::default());
    writer.reset_write_end(14, 1).unwrap();
    for number in 0..4 {
        writer.put(&[number; 10]).unwrap();
    }
    writer.reset_write_end(14, 1).unwrap();
    writer.close().unwrap();
    // Not the log's: of another one, of its reader, or of no form that it has.
    for name in [
        "L2.diskqueue.000001.dat.rolldata",
        "L:r.diskqueue.meta.v2.reader.dat.bad",
        "L.diskqueue.000001.dat.rolldata.x",
    ] {
        disk.place(name, b"?");
    }
    for name in [
        "L.diskqueue.000001.dat.bad",
        "L.diskqueue.meta.writer.dat.bad.3",
    ] {
        disk.place(name, b"?");
    }
    let kept = disk.writer().kept_aside().unwrap();
    let names = |files: &[PathBuf]| -> Vec<String> {
        let names = files.iter().map(|path| path.file_name().unwrap());
        names
            .map(|name| name.to_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        names(&kept.rolled_back),
        [
            "L.diskqueue.000001.dat.rolldata",
            "L.diskqueue.000001.dat.rolldata.1",
            "L.diskqueue.000002.dat.rolldata",
        ]
    );
    assert_eq!(
        names(&kept.quarantined),
        [
            "L.diskqueue.000001.dat.bad",
            "L.diskqueue.meta.writer.dat.bad.3"
        ]
    );
}

#[test]
fn a_cut_keeps_the_sums_of_what_is_left() {
    let disk = Disk::empty();
    let mut writer = disk.writer();
    for number in 0..3 {
        writer.put(&[number; 3]).unwrap();
    }
    writer.flush(true).unwrap();
    writer.rollback(14, 1).unwrap();
    writer.put(&[7; 3]).unwrap();
    writer.flush(true).unwrap();
    // Nothing but sums vouches for the last record once the metas are older than it.
    let older = disk.file("L.diskqueue.meta.writer.dat").unwrap();
    writer.put(&[8; 3]).unwrap();
    writer.flush(true).unwrap();
    let disk = disk.after_power_cut();
    disk.place("L.diskqueue.meta.writer.dat", &older);
    disk.place("L.diskqueue.meta.writer.dat.tmp", &older);
    let messages = disk.messages("L", &disk.writer());
    assert_eq!(numbers(&messages), [0, 1, 7, 8]);
}

#[test]
fn emptied_and_new_logs_go_on_behind_every_number_there_is() {
    let disk = Disk::empty();
    let mut writer = twelve(&disk);
    writer.reset_write_end(0, 0).unwrap();
    writer.put(&[1; 10]).unwrap();
    writer.empty().unwrap();
    assert_eq!(writer.queue_start(), writer.write_end());
    assert!(writer.write_end().segment > 3, "{:?}", writer.write_end());
    assert_eq!(writer.write_end().offset, 14);
    writer.put(&[2; 10]).unwrap();
    writer.reset_write_with_queue_start(5000, 70).unwrap();
    let start = writer.queue_start();
    assert_eq!((start.offset, start.count), (5000, 70));
    assert_eq!(start.position, 0);
    let put = writer.put(&[3; 10]).unwrap();
    assert_eq!(put.offset, 5000);
    writer.flush(true).unwrap();
    let segments = disk.names_with(".dat");
    let data = segments.iter().filter(|name| !name.contains("meta"));
    let data: Vec<_> = data.filter(|name| name.ends_with(".dat")).collect();
    assert_eq!(data.len(), 1, "{segments:?}");
    let reopened = disk.after_power_cut();
    let writer = reopened.writer();
    assert_eq!(writer.queue_start(), start);
    assert_eq!(numbers(&reopened.messages("L", &writer)), [3]);
}

#[test]
fn the_start_meta_says_what_an_original_expects() {
    let disk = Disk::empty();
    let mut writer = twelve(&disk);
    writer.reset_write_with_queue_start(5000, 70).unwrap();
    let Position { segment, .. } = writer.queue_start();
    let meta = disk.file("L.diskqueue.meta.extra.dat").unwrap();
    let text = format!(
        "{{\"SegOffset\":{{\"FileNum\":{segment},\"Pos\":0}},\"VirtualOffset\":5000,\
         \"TotalMsgCnt\":70,\"Note\":\"crashline 1 "
    );
    assert!(meta.starts_with(text.as_bytes()), "{}", meta.escape_ascii());
}

#[test]
fn a_deleted_log_leaves_its_lock_and_nothing_else() {
    let disk = Disk::empty();
    disk.place("L2.diskqueue.000000.dat", b"another log's");
    let mut writer = twelve(&disk);
    writer.reset_write_end(14, 1).unwrap();
    writer.delete().unwrap();
    assert_eq!(disk.names_with("L.diskqueue"), ["L.diskqueue.lock"]);
    assert!(matches!(writer.put(b"x"), Err(Error::Closed)));
    let writer = disk.writer();
    assert_eq!(writer.write_end(), at(0, 0, 0, 0));
    assert!(writer.read_end().generation > 2, "{:?}", writer.read_end());
    assert!(disk.file("L2.diskqueue.000000.dat").is_some());
}

#[test]
fn the_end_grows_over_what_the_files_hold() {
    let disk = Disk::empty();
    let mut writer = twelve(&disk);
    for number in 12..15 {
        writer.put(&message(number)).unwrap();
    }
    writer.flush(true).unwrap();
    let end = writer.write_end();
    let borders = [(168, 12), (185, 13), (190, 14), (end.offset, 15)];
    drop(writer);
    // As after a power cut that took the sums: nothing behind the durable end is vouched for.
    let disk = disk.after_power_cut();
    let metas = [
        "L.diskqueue.meta.writer.dat",
        "L.diskqueue.meta.writer.dat.tmp",
    ];
    let old = Disk::empty();
    let mut twelve = twelve(&old);
    twelve.flush(true).unwrap();
    for name in metas {
        disk.place(name, &old.file(name).unwrap());
    }
    disk.erase("L.diskqueue.000003.sums");
    let mut writer = disk.writer();
    assert_eq!(writer.write_end(), at(3, 0, 168, 12));
    let held = disk.file("L.diskqueue.000003.dat").unwrap();
    refused(writer.try_fix_write_end(185, 14));
    refused(writer.try_fix_write_end(184, 13));
    refused(writer.try_fix_write_end(end.offset + 1, 15));
    for (offset, count) in borders {
        let grown = writer.try_fix_write_end(offset, count).unwrap();
        assert_eq!(grown, at(3, offset - 168, offset, count));
        assert_eq!(disk.file("L.diskqueue.000003.dat").unwrap(), held);
        assert_eq!(writer.read_end().position, grown);
        let cut = disk.after_power_cut();
        let opened = cut.open("L", small()).unwrap();
        assert_eq!(opened.writer.write_end(), grown);
    }
    writer.put(b"on").unwrap();
    writer.flush(true).unwrap();
    assert_eq!(disk.messages("L", &writer).len(), 16);
}

#[test]
fn a_reader_sees_a_cut_of_a_log_whose_metas_began_anew() {
    let disk = Disk::empty();
    let mut writer = disk.writer();
    for number in 0..3 {
        writer.put(&[number; 10]).unwrap();
        writer.flush(true).unwrap();
    }
    let (log, name) = (OsStr::new("L"), OsStr::new("r"));
    let end = writer.read_end();
    let opened = LogReader::open(disk.fs(), Path::new("/data"), log, name, small(), end);
    let mut reader = opened.unwrap().reader;
    reader.reset_read_to_queue_start().unwrap();
    drop(writer);
    for name in [
        "L.diskqueue.meta.writer.dat",
        "L.diskqueue.meta.writer.dat.tmp",
    ] {
        let path = Disk::path(name);
        disk.fs().open(&path, OpenMode::Truncate, 0o644).unwrap();
    }
    // The new metas count their writes from the start again, in a later generation.
    let mut writer = disk.open("L", small()).unwrap().writer;
    writer.rollback(28, 1).unwrap();
    writer.put(&[9; 10]).unwrap();
    writer.flush(true).unwrap();
    for number in 0..2 {
        let message = reader.try_read_one().unwrap().unwrap();
        assert_eq!(message.bytes, [number; 10]);
    }
    assert_eq!(
        reader.try_read_one().unwrap(),
        None,
        "nothing behind the cut"
    );
    reader.update_queue_end(writer.read_end(), false).unwrap();
    assert_eq!(reader.try_read_one().unwrap().unwrap().bytes, [9; 10]);
}

#[test]
fn a_reader_that_missed_any_number_of_cuts_stands_at_the_lowest() {
    for cuts in [1, 2, 8, 9, 10, 145, 146, 147, 300] {
        let disk = Disk::empty();
        let mut writer = twelve(&disk);
        writer.flush(true).unwrap();
        let open = |writer: &LogWriter| {
            let (log, name) = (OsStr::new("L"), OsStr::new("r"));
            let (directory, end) = (Path::new("/data"), writer.read_end());
            let opened = LogReader::open(disk.fs(), directory, log, name, small(), end);
            opened.unwrap().reader
        };
        let mut reader = open(&writer);
        assert_eq!(reader.confirmed().offset, 168);
        reader.close().unwrap();
        writer.reset_write_end(28, 2).unwrap();
        for _ in 1..cuts {
            writer.put(&[9; 10]).unwrap();
            writer.flush(true).unwrap();
            writer.rollback(28, 1).unwrap();
        }
        writer.put(&[9; 10]).unwrap();
        writer.close().unwrap();
        let writer = disk.writer();
        let reader = open(&writer);
        assert_eq!(
            (reader.confirmed().offset, reader.confirmed().count),
            (28, 2),
            "{cuts}"
        );
    }
}
