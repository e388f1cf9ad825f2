//! Readers whose process or machine dies at any moment, and whose disk fails them.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::log::{DATA, Log, NAME, READER, THREE, open_reader};
use crashline::fs::Fs;
use crashline::seglog::{Confirm, Error, LogOptions, LogReader};
use crashline_sim::crash::{Image, Limits, Point, State, Visitor, profile, walk};
use crashline_sim::fault::{FaultFs, FaultPlan};
use crashline_sim::scenario::CrashKind;
use crashline_sim::simfs::SimFs;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

/// A reader that found a loss, or could not be opened.
const WRONG: u32 = 100;
/// Where a reader that is not known stands.
const NEW: u32 = 7;

/// What was saved and what was durable after each operation.
struct Judge<'a> {
    log: &'a Log,
    saved: Vec<u32>,
    durable: Vec<u32>,
    states: u64,
}

impl Visitor for Judge<'_> {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let disk = image.mount();
        let first = stands(self.log, &disk);
        assert_eq!(stands(self.log, &disk), first, "recovery is idempotent");
        first
    }

    fn state(&mut self, point: &Point, state: &State<'_>, outcome: u32) {
        self.states += 1;
        let done = point.marks as usize;
        let in_flight = self.saved.get(done + 1).or(self.saved.last()).unwrap();
        let floor = match state.kind() {
            CrashKind::Kill => self.saved.get(done),
            _ => self.durable.get(done),
        };
        let floor = *floor.unwrap();
        // Before the first open was acknowledged, the reader may be new.
        let is_new = floor == 0 && outcome == NEW;
        let is_right = is_new || (floor.max(2)..=*in_flight).contains(&outcome);
        assert!(is_right, "{point:?} {:?}: {outcome}", state.choice());
    }
}

/// Behind how many messages the reader stands that is opened now.
fn stands(log: &Log, disk: &SimFs) -> u32 {
    let end = log.end_at(NEW as usize);
    let Ok(opened) = open_reader(disk, NAME, READER, LogOptions::default(), end) else {
        return WRONG;
    };
    if !opened.losses.is_empty() {
        return WRONG + 1;
    }
    u32::try_from(opened.reader.confirmed().count).unwrap()
}

#[test]
fn after_any_crash_it_stands_where_it_was_saved_last_or_would_have_been() {
    for name in ["posix-min", "ext4-ordered", "strict-prefix"] {
        let log = Log::new(THREE);
        log.disk.settle();
        let mut judge = Judge {
            log: &log,
            saved: vec![0],
            durable: vec![0],
            states: 0,
        };
        let mut done = |disk: &SimFs, saved, durable| {
            judge.saved.push(saved);
            judge.durable.push(durable);
            disk.mark(u32::try_from(judge.saved.len()).unwrap());
        };
        let options = LogOptions::default();
        let opened = open_reader(&log.disk, NAME, READER, options, log.end_at(2));
        let mut reader = opened.unwrap().reader;
        done(&log.disk, 2, 2);
        reader
            .update_queue_end(log.end_at(NEW as usize), false)
            .unwrap();
        let mut durable = 2;
        for (confirmed, fsync) in [(3, false), (4, true), (5, false), (6, false)] {
            reader.try_read_one().unwrap().unwrap();
            reader.confirm_read(Confirm::AllRead).unwrap();
            reader.flush(fsync).unwrap();
            durable = if fsync { confirmed } else { durable };
            done(&log.disk, confirmed, durable);
        }
        reader.close().unwrap();
        done(&log.disk, 6, 6);
        let recording = log.disk.recording();
        let profile = profile(name).unwrap();
        walk(&recording, profile, &Limits::default(), 1, &mut judge);
        assert!(judge.states > 20, "{name}: {} states", judge.states);
    }
}

#[test]
fn a_call_that_fails_changes_nothing_and_says_so() {
    for plan in [
        "{n} open on *: EMFILE",
        "{n} read_at on *: EIO",
        "{n} size on *: EIO",
    ] {
        for number in 1.. {
            let log = Log::new(THREE);
            drop(log.reader_to(log.end_at(0)).unwrap());
            let plan = plan.replace("{n}", &number.to_string());
            let plan = FaultPlan::parse(&[plan]).unwrap();
            let faulty = FaultFs::over_sim(log.disk.clone(), FaultPlan::default());
            let fs: Arc<dyn Fs> = Arc::new(faulty.clone());
            let open = || {
                let (log_name, reader) = (OsStr::new(NAME), OsStr::new(READER));
                let options = LogOptions::default();
                LogReader::open(
                    fs.clone(),
                    Path::new(DATA),
                    log_name,
                    reader,
                    options,
                    log.end(),
                )
            };
            faulty.start(plan);
            let (mut failures, mut messages) = (0, Vec::new());
            let mut reader = loop {
                match open() {
                    Ok(opened) => {
                        assert_eq!(opened.losses, []);
                        break opened.reader;
                    }
                    Err(error) => failures += count_failure(&error),
                }
            };
            loop {
                let before = (reader.confirmed(), reader.read_position());
                match reader.try_read_one() {
                    Ok(Some(message)) => messages.push(message),
                    Ok(None) => break,
                    Err(error) => {
                        failures += count_failure(&error);
                        assert_eq!((reader.confirmed(), reader.read_position()), before);
                    }
                }
            }
            assert_eq!(messages, log.expected(0..8));
            let place = log.place(4);
            let confirm = Confirm::UpTo {
                offset: place.offset,
                count: Some(place.count),
            };
            while let Err(error) = reader.confirm_read(confirm) {
                failures += count_failure(&error);
                assert_eq!(reader.confirmed(), log.place(0));
            }
            while let Err(error) = reader.close() {
                failures += count_failure(&error);
            }
            faulty.heal();
            assert_eq!(log.reader().confirmed(), place);
            assert_eq!(failures > 0, faulty.fired_count() > 0, "{number}");
            if faulty.fired_count() == 0 {
                assert!(number > 3, "there are calls");
                break;
            }
        }
    }
}

fn count_failure(error: &Error) -> u32 {
    assert!(matches!(error, Error::Io { .. }), "{error}");
    1
}

#[test]
fn a_failed_save_is_owed_until_it_is_done() {
    for fault in ["write_at", "sync", "open", "sync_dir"] {
        for number in 1.. {
            let log = Log::new(THREE);
            drop(log.reader_to(log.end_at(0)).unwrap());
            log.disk.settle();
            let faulty = FaultFs::over_sim(log.disk.clone(), FaultPlan::default());
            let fs: Arc<dyn Fs> = Arc::new(faulty.clone());
            let (log_name, reader) = (OsStr::new(NAME), OsStr::new(READER));
            let options = LogOptions::default();
            let opened = LogReader::open(fs, Path::new(DATA), log_name, reader, options, log.end());
            let mut reader = opened.unwrap().reader;
            reader.skip_to_next().unwrap();
            let plan = format!("{number} {fault} on r.*: EIO");
            faulty.start(FaultPlan::parse(&[plan]).unwrap());
            let is_failed = reader.flush(true).is_err();
            assert_eq!(is_failed, faulty.fired_count() > 0, "{fault} {number}");
            reader.flush(true).unwrap();
            let left =
                crashline_sim::crash::worst(&log.disk.recording(), profile("posix-min").unwrap());
            assert_eq!(stands(&log, &left), 3, "{fault} {number}");
            if !is_failed {
                break;
            }
        }
    }
}
