//! Removing old data, and moving the log to another directory.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::support::{Disk, at, small};
use crashline::seglog::{CleanTarget, Error, LogWriter, Position};
use crashline_sim::crash::{Image, Limits, Point, State, Visitor, profile, walk};
use std::ffi::OsStr;
use std::path::Path;

/// Segments of four messages of 10 bytes each, in records of 14.
fn filled(disk: &Disk, segments: u8) -> LogWriter {
    let mut writer = disk.writer();
    for number in 0..segments * 4 + 2 {
        writer.put(&[number; 10]).unwrap();
    }
    writer.flush(true).unwrap();
    writer
}

fn clean(writer: &mut LogWriter, offset: u64, offset_max: Option<u64>) -> Option<Position> {
    let target = CleanTarget::Offset(offset);
    let told = writer
        .clean_old_data(target, true, offset_max, false)
        .unwrap();
    let start = writer
        .clean_old_data(target, false, offset_max, false)
        .unwrap();
    assert_eq!(told, start);
    start
}

#[test]
fn whole_segments_go_that_end_at_or_before_the_target() {
    let disk = Disk::empty();
    let mut writer = filled(&disk, 6);
    for nothing in [0, 55] {
        assert_eq!(clean(&mut writer, nothing, None), None);
    }
    assert_eq!(clean(&mut writer, 500, Some(55)), None);
    assert_eq!(clean(&mut writer, 56, None), Some(at(1, 0, 56, 4)));
    assert_eq!(clean(&mut writer, 56, None), None);
    let place = CleanTarget::Position(at(3, 13, 181, 12));
    let start = writer.clean_old_data(place, false, Some(112), false);
    assert_eq!(start.unwrap(), Some(at(2, 0, 112, 8)));
    assert_eq!(
        disk.names_with("000001.dat"),
        ["L.diskqueue.000001.dat.offsetmeta.dat"]
    );
    let start = writer.clean_old_data(place, false, None, false);
    assert_eq!(start.unwrap(), Some(at(3, 0, 168, 12)));
    assert_eq!(
        clean(&mut writer, u64::MAX, None),
        Some(at(5, 0, 280, 20)),
        "two stay"
    );
    assert_eq!(clean(&mut writer, u64::MAX, None), None);
    let disk = disk.after_power_cut();
    let writer = disk.writer();
    assert_eq!(writer.queue_start(), at(5, 0, 280, 20));
    assert_eq!(disk.messages("L", &writer).len(), 6);
    assert_eq!(
        disk.names_with("000004.dat"),
        ["L.diskqueue.000004.dat.offsetmeta.dat"]
    );
}

#[test]
fn known_readers_hold_their_segments_back_unless_it_is_forced() {
    let disk = Disk::empty();
    let mut writer = filled(&disk, 6);
    let hold = |name: &str, text: &[u8]| disk.place(name, text);
    hold(
        "other.diskqueue.meta.v2.reader.dat",
        b"0\n26\n0,0,0\n6,28,364\n\xae\x83",
    );
    hold(
        "L:a.diskqueue.meta.v2.reader.dat",
        b"9\n26\n2,14,126\n6,28,364\n\xae\x83",
    );
    assert_eq!(clean(&mut writer, u64::MAX, None), Some(at(2, 0, 112, 8)));
    hold("L:b.diskqueue.meta.v2.reader.dat", b"12\n26\n");
    assert_eq!(
        clean(&mut writer, u64::MAX, None),
        None,
        "nothing of it is believed"
    );
    let target = CleanTarget::Offset(u64::MAX);
    let start = writer.clean_old_data(target, false, None, true).unwrap();
    assert_eq!(start, Some(at(5, 0, 280, 20)));
}

#[test]
fn the_newest_hundred_sidecars_are_kept() {
    let disk = Disk::empty();
    let mut writer = disk.writer();
    for number in 0..130_u8 {
        writer.put(&[number; 46]).unwrap();
    }
    assert_eq!(writer.write_end().segment, 130);
    assert!(clean(&mut writer, u64::MAX, None).is_some());
    assert_eq!(writer.queue_start().segment, 129);
    let sidecars = disk.names_with("offsetmeta");
    assert_eq!(sidecars.len(), 101);
    assert_eq!(
        sidecars.first().map(String::as_str),
        Some("L.diskqueue.000029.dat.offsetmeta.dat")
    );
}

#[test]
fn wrong_and_missing_sidecars_stop_no_retention() {
    for damaged in [
        None,
        Some(&b""[..]),
        Some(b"9\n0,56\n"),
        Some(b"8\n57,113\n"),
    ] {
        for number in 0..5 {
            let disk = Disk::empty();
            drop(filled(&disk, 6));
            let name = format!("L.diskqueue.{number:06}.dat.offsetmeta.dat");
            match damaged {
                Some(bytes) => disk.place(&name, bytes),
                None => disk.erase(&name),
            }
            let mut writer = disk.writer();
            let start = clean(&mut writer, 56 * (number + 1), None);
            let kept = number.min(4) + 1;
            assert_eq!(start, Some(at(kept, 0, 56 * kept, 4 * kept)), "{name}");
        }
    }
}

#[test]
fn damaged_records_stop_no_retention() {
    for number in 0..4_u64 {
        let disk = Disk::empty();
        drop(filled(&disk, 6));
        let name = format!("L.diskqueue.{number:06}.dat");
        let mut bytes = disk.file(&name).unwrap();
        bytes.get_mut(14..18).unwrap().fill(0);
        disk.place(&name, &bytes);
        let mut writer = disk.writer();
        let start = clean(&mut writer, 56 * (number + 1), None);
        let next = number + 1;
        assert_eq!(start, Some(at(next, 0, 56 * next, 4 * next)));
    }
}

fn two_directories() -> (Disk, &'static Path) {
    let disk = Disk::empty();
    let elsewhere = Path::new("/elsewhere");
    disk.fs().create_dir(elsewhere).unwrap();
    disk.fs().sync_dir(Path::new("/")).unwrap();
    (disk, elsewhere)
}

fn open_at(disk: &Disk, directory: &Path) -> LogWriter {
    let opened = LogWriter::open(disk.fs(), directory, OsStr::new("L"), small()).unwrap();
    assert!(opened.losses.is_empty(), "{:?}", opened.losses);
    opened.writer
}

#[test]
fn a_moved_log_is_whole_where_it_went() {
    let (disk, elsewhere) = two_directories();
    let mut writer = filled(&disk, 3);
    let end = writer.write_end();
    writer.remove_to(elsewhere).unwrap();
    assert!(matches!(writer.put(b"x"), Err(Error::Closed)));
    let disk = disk.after_power_cut();
    let mut writer = open_at(&disk, elsewhere);
    assert_eq!(writer.write_end(), end);
    assert_eq!(writer.queue_start(), at(0, 0, 0, 0));
    writer.put(b"on").unwrap();
    writer.close().unwrap();
    let mut left = Vec::new();
    let mut show = |name: &OsStr| left.push(name.to_owned());
    disk.fs().list_dir(Path::new("/data"), &mut show).unwrap();
    assert_eq!(left, ["L.diskqueue.lock"]);
    let mut again = disk.writer();
    assert_eq!(again.write_end(), at(0, 0, 0, 0));
    let refused = again.remove_to(elsewhere);
    assert!(matches!(refused, Err(Error::Refused { .. })));
}

#[test]
fn an_interrupted_move_is_finished_by_repeating_it() {
    let (disk, elsewhere) = two_directories();
    let end = filled(&disk, 3).write_end();
    let calls = {
        let disk = Disk::with(&disk.files());
        disk.fs().create_dir(elsewhere).unwrap();
        let mut writer = disk.writer();
        let before = disk.0.call_count();
        writer.remove_to(elsewhere).unwrap();
        disk.0.call_count() - before
    };
    let files = disk.files();
    for done in 1..calls {
        for reopened in 1..3 {
            let disk = Disk::with(&files);
            disk.fs().create_dir(elsewhere).unwrap();
            let mut writer = disk.writer();
            disk.0.set_call_limit(Some(done));
            assert!(writer.remove_to(elsewhere).is_err());
            drop(writer);
            disk.0.set_call_limit(None);
            let main = elsewhere.join("L.diskqueue.meta.writer.dat");
            if disk.fs().stat(&main).is_err() {
                for _ in 1..reopened {
                    disk.writer().close().unwrap();
                }
                disk.writer().remove_to(elsewhere).unwrap();
            }
            let writer = open_at(&disk, elsewhere);
            assert_eq!(writer.write_end(), end, "{done}");
            assert_eq!(writer.queue_start(), at(0, 0, 0, 0), "{done}");
            for number in 0..4 {
                let name = elsewhere.join(format!("L.diskqueue.{number:06}.dat"));
                assert!(disk.fs().stat(&name).is_ok(), "{done}");
            }
        }
    }
}

/// Finishes a move that a crash cut short, where it is not finished.
struct Finish<'a> {
    elsewhere: &'a Path,
    end: Position,
    finished: u64,
}

impl Visitor for Finish<'_> {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let disk = Disk(image.mount());
        let has_main = |directory: &Path| {
            let main = directory.join("L.diskqueue.meta.writer.dat");
            disk.fs().stat(&main).is_ok()
        };
        if has_main(Path::new("/data")) {
            disk.writer().remove_to(self.elsewhere).unwrap();
            self.finished += 1;
        }
        let mut writer = open_at(&disk, self.elsewhere);
        assert_eq!(writer.write_end(), self.end);
        assert_eq!(writer.queue_start(), at(0, 0, 0, 0));
        let mut segments = 0;
        let mut count = |name: &OsStr| {
            let name = name.to_str().unwrap_or_default();
            segments += u64::from(name.ends_with("dat") && !name.contains("meta"));
        };
        disk.fs().list_dir(self.elsewhere, &mut count).unwrap();
        assert_eq!(segments, self.end.segment + 1);
        writer.put(b"on").unwrap();
        writer.close().unwrap();
        0
    }

    fn state(&mut self, _: &Point, _: &State<'_>, _: u32) {}
}

#[test]
fn a_move_survives_every_crash_in_it() {
    let (disk, elsewhere) = two_directories();
    let mut writer = filled(&disk, 2);
    let end = writer.write_end();
    disk.0.settle();
    writer.remove_to(elsewhere).unwrap();
    let limits = Limits {
        states_max: 300,
        samples: 20,
        ..Limits::default()
    };
    for name in ["posix-min", "ext4-ordered", "strict-prefix"] {
        let mut visitor = Finish {
            elsewhere,
            end,
            finished: 0,
        };
        let recording = disk.0.recording();
        walk(&recording, profile(name).unwrap(), &limits, 7, &mut visitor);
        assert!(visitor.finished > 3, "{name}");
    }
}
