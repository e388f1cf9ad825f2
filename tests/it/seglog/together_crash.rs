//! A writer and its reader die together at any moment: where the reader stands afterwards is a
//! message border of the log that is left, and nothing that was put after a cut is skipped.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::log::{DATA, Log, NAME, READER, open_reader};
use super::reader::drain;
use crashline::seglog::{Confirm, End, LogOptions, LogReader, LogWriter, Snapshot};
use crashline_sim::crash::{Image, Limits, Point, State, Visitor, profile, walk};
use crashline_sim::simfs::SimFs;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

fn open(disk: &SimFs) -> LogWriter {
    let options = LogOptions {
        segment_bytes_max: 40,
        ..LogOptions::default()
    };
    let fs = Arc::new(disk.clone());
    let opened = LogWriter::open(fs, Path::new(DATA), OsStr::new(NAME), options);
    opened.unwrap().writer
}

fn reader(disk: &SimFs, end: End) -> LogReader {
    let opened = open_reader(disk, NAME, READER, LogOptions::default(), end).unwrap();
    assert_eq!(opened.losses, []);
    opened.reader
}

/// The highest count that may be confirmed after each operation.
struct Judge {
    highest: Vec<u64>,
    states: u64,
}

impl Visitor for Judge {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let disk = image.mount();
        let writer = open(&disk);
        let end = writer.read_end();
        let mut reader = reader(&disk, end);
        let confirmed = reader.confirmed();
        let fs = Arc::new(disk.clone());
        let (log, start) = (OsStr::new(NAME), writer.queue_start());
        let mut snapshot = Snapshot::open(fs, Path::new(DATA), log, start, end).unwrap();
        let mut is_border = confirmed == start;
        let mut left = Vec::new();
        while let Some(message) = snapshot.read_one().unwrap() {
            if snapshot.position().offset > confirmed.offset {
                left.push(message);
            }
            is_border |= snapshot.position() == confirmed;
        }
        assert!(is_border, "{confirmed:?}");
        assert_eq!(drain(&mut reader), (left, vec![]));
        u32::try_from(confirmed.count).unwrap()
    }

    fn state(&mut self, point: &Point, state: &State<'_>, outcome: u32) {
        self.states += 1;
        let done = point.marks as usize;
        // The operation in flight may be done or not.
        let highest = self.highest.iter().skip(done).take(2).max().unwrap();
        let is_right = u64::from(outcome) <= *highest;
        assert!(is_right, "{point:?} {:?}: {outcome}", state.choice());
    }
}

#[test]
fn nothing_that_was_put_after_a_cut_is_skipped() {
    for name in ["posix-min", "ext4-ordered"] {
        let disk = Log::none().disk;
        let mut writer = open(&disk);
        let mut reader = reader(&disk, writer.read_end());
        disk.settle();
        let mut judge = Judge {
            highest: vec![0],
            states: 0,
        };
        let mut done = |highest| {
            judge.highest.push(highest);
            disk.mark(u32::try_from(judge.highest.len()).unwrap());
        };
        for (messages, to) in [(5, 3), (3, 2), (1, 3)] {
            for number in 0..messages {
                writer.put(&[number; 9]).unwrap();
            }
            writer.flush(true).unwrap();
            reader.update_queue_end(writer.read_end(), false).unwrap();
            drain(&mut reader);
            reader.confirm_read(Confirm::AllRead).unwrap();
            done(reader.confirmed().count);
            reader.flush(true).unwrap();
            done(reader.confirmed().count);
            writer.reset_write_end(13 * to, to).unwrap();
            done(to);
            writer.put(b"after").unwrap();
            writer.flush(true).unwrap();
            done(to);
            writer.reset_write_end(13 * to, to).unwrap();
            done(to);
        }
        let limits = Limits {
            states_max: 64,
            samples: 8,
            ..Limits::default()
        };
        walk(
            &disk.recording(),
            profile(name).unwrap(),
            &limits,
            1,
            &mut judge,
        );
        assert!(judge.states > 100, "{name}: {}", judge.states);
    }
}
