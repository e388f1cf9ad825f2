//! Every call of short runs fails once, in several ways: an operation that fails says whether it
//! took place, nothing acknowledged is lost, and the log goes on.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::run::{Op, Run, observed};
use super::support::{DIRECTORY, Disk, small};
use crashline::fs::Fs;
use crashline::seglog::{Applied, LogReader, LogWriter, LossKind};
use crashline_sim::crash::{profile, worst};
use crashline_sim::fault::{FaultFs, FaultPlan};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

/// How a call fails; the number of the call goes before it.
const KINDS: &[&str] = &[
    "any on *: EIO",
    "change on *: ENOSPC",
    "write_at on *: EIO after 3 bytes",
    "sync on *: EIO, clean",
    "sync on *: EIO, reverted",
    "sync on *: ENOSPC, next",
    "any on *: EINTR",
];

/// Opens what a crash leaves now, and compares it with what is known.
fn crash(run: &Run, disk: &Disk, least: u64, what: &str) {
    let opened = disk.open("L", small()).unwrap();
    let losses = opened.losses.iter();
    let damage = losses.filter(|loss| loss.kind == LossKind::Damaged).count();
    assert_eq!(damage, 0, "{what}: {:?}", opened.losses);
    let found = observed(disk, &opened.writer);
    let known: Vec<_> = run.history.iter().rev().take(2).collect();
    let is_right = known
        .iter()
        .any(|after| found.is_part_of(&after.log, least) || after.is_deleted);
    assert!(
        is_right,
        "{what}, at least to {least}:\n{found:?}\nof {known:?}"
    );
}

/// Opens, at the second attempt if the fault strikes here.
fn reopen(run: &mut Run) {
    if run.apply(Op::Open).is_err() {
        run.apply(Op::Open).unwrap();
    }
}

fn run_with(ops: &[Op], line: &str) -> bool {
    let plan = FaultPlan::parse(&[line.to_owned()]).unwrap();
    let mut run = Run::new(plan);
    let mut failed = 0;
    for op in [Op::Open].iter().chain(ops) {
        let what = format!("{op:?} of {ops:?}, {line}");
        if !run.is_open() && !matches!(op, Op::Open | Op::Kill) {
            reopen(&mut run);
        }
        if let Err(error) = run.apply(*op) {
            failed += 1;
            // Nothing is open after it.
            let is_done = matches!(op, Op::Open) && error.applied() != Applied::Nothing;
            assert!(!is_done, "{what}: {error}");
            assert!(failed < 4, "{what}: one fault, {failed} errors");
            let copy = Disk::with(&run.disk.files());
            let is_taken_back = line.contains("reverted");
            let least = if is_taken_back {
                run.now().durable
            } else {
                run.now().flushed
            };
            crash(&run, &copy, least, &format!("a kill after {what}"));
            let cut = worst(&run.disk.0.recording(), profile("posix-min").unwrap());
            let least = run.now().durable;
            crash(
                &run,
                &Disk(cut),
                least,
                &format!("a power cut after {what}"),
            );
        }
    }
    let fired = run.faults.fired_count() > 0;
    let what = format!("{ops:?}, {line}");
    if !run.is_open() {
        reopen(&mut run);
    }
    run.apply(Op::Put(3)).unwrap();
    // The error of an owed sync may still be waiting.
    if let Err(error) = run.apply(Op::Flush(true)) {
        run.apply(Op::Flush(true))
            .unwrap_or_else(|again| panic!("{what}: {error}; {again}"));
    }
    for _ in 0..2 {
        let cut = Disk(worst(
            &run.disk.0.recording(),
            profile("posix-min").unwrap(),
        ));
        let writer = cut.writer();
        assert_eq!(observed(&cut, &writer), run.now().log, "{what}");
        if run.is_open() {
            run.apply(Op::Close).unwrap();
        }
    }
    fired
}

fn check(ops: &[Op]) {
    for kind in KINDS {
        let mut call = 1;
        while run_with(ops, &format!("{call} {kind}")) {
            call += 1;
            assert!(call < 2000, "{ops:?}: {kind}");
        }
        assert!(call > 5, "{ops:?}: {kind} fired {call} times");
    }
}

use Op::{Clean, Close, Delete, Empty, Flush, Kill, NewStart, Open, Put, Raw, Rollback};

#[test]
fn puts_flushes_and_rolls() {
    check(&[
        Put(5),
        Flush(false),
        Put(9),
        Flush(true),
        Put(60),
        Put(4),
        Flush(false),
        Close,
    ]);
    check(&[
        Raw(9),
        Raw(5),
        Flush(true),
        Kill,
        Put(5),
        Flush(false),
        Kill,
        Put(6),
        Flush(true),
    ]);
}

#[test]
fn rollbacks() {
    check(&[
        Put(5),
        Put(6),
        Flush(true),
        Rollback(1),
        Put(9),
        Flush(false),
        Rollback(1),
    ]);
    check(&[
        Put(50),
        Put(45),
        Put(20),
        Flush(false),
        Rollback(2),
        Put(4),
        Flush(true),
    ]);
}

#[test]
fn new_starts_retention_and_delete() {
    check(&[
        Put(50),
        Put(6),
        Flush(false),
        Empty,
        Put(7),
        NewStart(1000, 9),
        Put(1),
    ]);
    check(&[
        Put(50),
        Put(51),
        Put(52),
        Put(5),
        Clean,
        Put(6),
        Flush(false),
    ]);
    check(&[Put(50), Flush(true), Delete, Open, Put(6), Flush(true)]);
}

/// The metas may say closed after it, and nothing behind a closed end is kept.
#[test]
fn a_close_that_fails_costs_nothing_that_is_flushed_later() {
    let mut failed = 0;
    for kind in KINDS {
        for call in 1..40 {
            let what = format!("{call} {kind}");
            let disk = Disk::empty();
            let faults = FaultFs::over_sim(disk.0.clone(), FaultPlan::default());
            let fs: Arc<dyn Fs> = Arc::new(faults.clone());
            let opened = LogWriter::open(fs, Path::new(DIRECTORY), OsStr::new("L"), small());
            let mut writer = opened.unwrap().writer;
            writer.put(&[1; 7]).unwrap();
            faults.start(FaultPlan::parse(std::slice::from_ref(&what)).unwrap());
            let closed = writer.close();
            faults.heal();
            if closed.is_ok() {
                continue;
            }
            failed += 1;
            writer.put(&[2; 7]).unwrap();
            writer.flush_buffer().unwrap();
            let copy = Disk::with(&disk.files());
            let opened = copy.open("L", small()).unwrap();
            assert!(opened.losses.is_empty(), "{what}: {:?}", opened.losses);
            let read_end = writer.read_end().position;
            assert_eq!(opened.writer.write_end(), read_end, "{what}");
        }
    }
    assert!(failed > 10, "{failed} closes failed");
}

/// A reader's delete fails at each of its calls: one that is still open stands after a kill where
/// it stood, and one that is not was deleted, as the error says.
#[test]
fn a_delete_of_a_reader_that_fails_says_what_became_of_it() {
    let (mut stayed, mut gone) = (0, 0);
    for call in 1..40 {
        let what = format!("{call} any on *: EIO");
        let disk = Disk::empty();
        let faults = FaultFs::over_sim(disk.0.clone(), FaultPlan::default());
        let fs: Arc<dyn Fs> = Arc::new(faults.clone());
        let (directory, log, name) = (Path::new(DIRECTORY), OsStr::new("L"), OsStr::new("L:r"));
        let opened = LogWriter::open(Arc::clone(&fs), directory, log, small());
        let mut writer = opened.unwrap().writer;
        let start = writer.read_end();
        let opened = LogReader::open(fs, directory, log, name, small(), start);
        let mut reader = opened.unwrap().reader;
        writer.put(&[1; 7]).unwrap();
        writer.flush_buffer().unwrap();
        faults.start(FaultPlan::parse(std::slice::from_ref(&what)).unwrap());
        let deleted = reader.delete();
        faults.heal();
        let Err(error) = deleted else {
            continue;
        };
        let told = match reader.is_open() {
            true => Applied::Nothing,
            false => Applied::Everything,
        };
        assert_eq!(error.applied(), told, "{what}: {error}");
        let copy = Disk::with(&disk.files());
        let writer = copy.writer();
        let end = writer.read_end();
        let opened = LogReader::open(copy.fs(), directory, log, name, small(), end);
        let stands = opened.unwrap().reader.confirmed();
        // A new one stands at the end.
        let expected = if reader.is_open() { start } else { end }.position;
        assert_eq!(stands, expected, "{what}");
        stayed += u32::from(reader.is_open());
        gone += u32::from(!reader.is_open());
    }
    assert!(stayed > 3 && gone > 0, "{stayed} stayed, {gone} are gone");
}
