//! A look at a reader says what its open would decide, and changes nothing.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::support::{DIRECTORY, Disk, small};
use crashline::seglog::{CleanTarget, Confirm, LogReader, ReaderFile, ReaderLook};
use std::ffi::OsStr;
use std::path::Path;

const META: &str = "L:r.diskqueue.meta.v2.reader.dat";
const COPY: &str = "L:r.diskqueue.meta.v2.reader.copy";
const OLDER: &str = "L:r.diskqueue.meta.reader.dat";
const LOCK: &str = "L.diskqueue.reader.L:r.lock";

/// Fourteen messages in four segments, and a reader that confirmed five of them.
fn read_from() -> Disk {
    let disk = Disk::empty();
    let mut writer = disk.writer();
    let (log, name, directory) = (OsStr::new("L"), OsStr::new("L:r"), Path::new(DIRECTORY));
    let end = writer.read_end();
    let opened = LogReader::open(disk.fs(), directory, log, name, small(), end);
    let mut reader = opened.unwrap().reader;
    for number in 0..14 {
        writer.put(&[number; 10]).unwrap();
    }
    writer.close().unwrap();
    reader.update_queue_end(writer.read_end(), false).unwrap();
    for _ in 0..5 {
        reader.try_read_one().unwrap();
    }
    reader.confirm_read(Confirm::AllRead).unwrap();
    reader.close().unwrap();
    disk
}

/// What is said of the reader, which its open must bear out.
fn look(disk: &Disk) -> ReaderLook {
    let before = disk.files();
    let opened = disk.look("L", small());
    let look = opened.writer.look_at_reader(OsStr::new("L:r")).unwrap();
    assert_eq!(disk.files(), before, "nothing changed");
    let (log, name, directory) = (OsStr::new("L"), OsStr::new("L:r"), Path::new(DIRECTORY));
    let end = disk.open("L", small()).unwrap().writer.read_end();
    let opened = LogReader::open(disk.fs(), directory, log, name, small(), end).unwrap();
    assert_eq!(look.at, opened.reader.confirmed());
    assert_eq!(look.losses, opened.losses);
    look
}

#[test]
fn what_is_saved_is_told_by_its_row() {
    let saved = look(&read_from());
    assert_eq!((saved.row.told().0, saved.at.count), ("P3", 5));
    assert_eq!((saved.from, saved.is_known), (Some(ReaderFile::Meta), true));
    let disk = read_from();
    disk.place(META, b"x");
    let saved = look(&disk);
    assert_eq!((saved.row.told().0, saved.at.count), ("P3", 5));
    assert_eq!(
        (saved.from, saved.losses.len()),
        (Some(ReaderFile::Copy), 1)
    );
}

#[test]
fn what_is_not_believed_is_told_by_its_row() {
    let bare = |text: &str| {
        let disk = read_from();
        disk.erase(COPY);
        disk.place(META, text.as_bytes());
        look(&disk)
    };
    for (text, row, count) in [
        ("5\n14\n1,14,70\n3,28,196\n", "P5", 5),
        ("5\n14\n1,13,69\n3,28,196\n", "P6", 0),
        ("40\n40\n9,0,900\n9,0,900\n", "P7", 14),
        ("x", "P10", 0),
    ] {
        let saved = bare(text);
        assert_eq!((saved.row.told().0, saved.at.count), (row, count), "{text}");
    }
}

#[test]
fn readers_of_an_older_version_and_new_ones_are_told() {
    let disk = read_from();
    [META, COPY, LOCK].iter().for_each(|name| disk.erase(name));
    let saved = look(&disk);
    assert_eq!((saved.row.told().0, saved.at.count), ("P1", 14));
    assert!(!saved.is_known);
    let disk = read_from();
    [META, COPY].iter().for_each(|name| disk.erase(name));
    disk.place(OLDER, b"5\n14\n1,14,70\n3,28,196\n");
    let saved = look(&disk);
    assert_eq!(saved.from, Some(ReaderFile::Older));
    assert_eq!((saved.row.told().0, saved.at.count), ("P12", 5));
}

#[test]
fn what_became_of_the_log_since_is_told_by_its_row() {
    // 14 bytes a record, four in a segment.
    let disk = read_from();
    disk.writer().rollback(42, 11).unwrap();
    let saved = look(&disk);
    assert_eq!((saved.row.told().0, saved.at.count), ("P4", 3));
    let disk = read_from();
    disk.writer().reset_write_with_queue_start(700, 50).unwrap();
    let saved = look(&disk);
    assert_eq!((saved.row.told().0, saved.at.count), ("P9", 50));
    assert!(saved.losses.is_empty());
    let disk = read_from();
    for number in 0..2 {
        disk.erase(&format!("L.diskqueue.{number:06}.dat"));
    }
    let saved = look(&disk);
    assert_eq!((saved.row.told().0, saved.at.count), ("P8", 8));
    assert!(!saved.losses.is_empty());
}

#[test]
fn the_end_of_a_segment_that_is_gone_is_the_start() {
    let disk = read_from();
    let offset = CleanTarget::Offset(56);
    let cleaned = disk.writer().clean_old_data(offset, false, None, true);
    assert_eq!(cleaned.unwrap().map(|start| start.count), Some(4));
    disk.erase(COPY);
    disk.place(META, b"4\n14\n0,56,56\n3,28,196\n");
    let saved = look(&disk);
    assert_eq!((saved.row.told().0, saved.at.count), ("P13", 4));
}
