//! Calls that fail: what the queue has is told as before, by it and by what a kill leaves.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::support::{Disk, drain};
use crashline::diskqueue::{DiskQueue, Options};
use crashline::fs::Fs;
use crashline_sim::fault::{FaultFs, FaultPlan};
use std::ffi::OsStr;
use std::sync::Arc;

/// How a call fails; its number goes before it.
const KINDS: &[&str] = &[
    "any on *: EIO",
    "change on *: ENOSPC",
    "sync on *: EIO, reverted",
];

fn small() -> Options {
    Options {
        segment_bytes_max: 30,
        ..Options::default()
    }
}

fn open(faults: &FaultFs) -> DiskQueue {
    let fs: Arc<dyn Fs> = Arc::new(faults.clone());
    let opened = DiskQueue::open(fs, Disk::directory(), OsStr::new("q"), small());
    opened.unwrap().queue
}

fn plan(line: &str) -> FaultPlan {
    FaultPlan::parse(&[line.to_owned()]).unwrap()
}

fn messages(numbers: std::ops::Range<u8>) -> Vec<Vec<u8>> {
    numbers.map(|number| vec![number; 8]).collect()
}

/// Whether the fault fired. The queue is looked at before the call, so that a message is known.
fn step_that_fails(line: &str, step: fn(&mut DiskQueue) -> bool) -> bool {
    let disk = Disk::with(&Vec::new());
    let faults = FaultFs::over_sim(disk.sim(), FaultPlan::default());
    let mut queue = open(&faults);
    for message in messages(0..5) {
        queue.put(&message).unwrap();
    }
    assert_eq!(queue.peek().unwrap(), Some([0; 8].as_slice()), "{line}");
    faults.start(plan(line));
    let is_done = step(&mut queue);
    let has_fired = faults.fired_count() > 0;
    faults.heal();
    if is_done {
        return has_fired;
    }
    assert_eq!(queue.depth().unwrap(), 5, "{line}");
    assert_eq!(queue.peek().unwrap(), Some([0; 8].as_slice()), "{line}");
    assert_eq!(queue.read().unwrap(), Some(vec![0; 8]), "{line}");
    for message in messages(5..9) {
        queue.put(&message).unwrap();
    }
    // What a kill leaves.
    let copy = Disk::with(&disk.files());
    let (found, losses) = copy.open_and_drain("q", small());
    assert!(losses.is_empty(), "{line}: {losses:?}");
    let unread = messages(1..9);
    assert!(found.ends_with(&unread), "{line}: {found:?}");
    assert_eq!(drain(&mut queue), (unread, Vec::new()), "{line}");
    true
}

/// Lets every call of the step fail, one after the other.
fn check(step: fn(&mut DiskQueue) -> bool) {
    for kind in KINDS {
        let mut call = 1;
        while step_that_fails(&format!("{call} {kind}"), step) {
            call += 1;
            assert!(call < 200, "{kind}");
        }
        assert!(call > 2, "{kind} fired {call} times");
    }
}

#[test]
fn a_close_that_fails_leaves_every_message() {
    check(|queue| queue.close().is_ok());
}

#[test]
fn a_sync_that_fails_leaves_every_message() {
    check(|queue| queue.sync().is_ok());
}

/// The error of an owed sync is told by a close that works but for that: it stays open.
#[test]
fn a_close_that_tells_an_old_error_leaves_every_message() {
    check(|queue| {
        queue.tick(0).unwrap();
        queue.tick(5000).unwrap();
        queue.close().is_ok()
    });
}

/// What open could not remove is not forgotten.
#[test]
fn a_delete_removes_what_an_open_could_not() {
    let disk = Disk::with(&Vec::new());
    let faults = FaultFs::over_sim(disk.sim(), FaultPlan::default());
    let mut queue = open(&faults);
    for message in messages(0..9) {
        queue.put(&message).unwrap();
    }
    queue.sync().unwrap();
    let sums = "q.diskqueue.000000.sums";
    let bytes = disk.file(sums).unwrap();
    drain(&mut queue);
    queue.close().unwrap();
    assert_eq!(disk.file(sums), None);
    let mut files = disk.files();
    files.push((sums.to_owned(), bytes));
    let disk = Disk::with(&files);
    let faults = FaultFs::over_sim(disk.sim(), plan("1- remove_file on *: EIO"));
    let mut queue = open(&faults);
    assert!(disk.file(sums).is_some());
    faults.heal();
    queue.put(b"x").unwrap();
    queue.delete().unwrap();
    let left: Vec<String> = disk.files().into_iter().map(|(name, _)| name).collect();
    assert_eq!(left, ["q.diskqueue.lock"]);
}
