//! Numbers at their limits: whatever a bare meta and the names of segments claim, opening answers,
//! and what can be opened can be used and opened again.

use super::check;
use crashline::diskqueue::{DiskQueue, Error, NUMBER_MAX, Options};
use crashline_sim::simfs::{SimFs, TreeEntry};
use proptest::collection::vec;
use proptest::prelude::*;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn number() -> impl Strategy<Value = i128> {
    let near = |limit: i128| (-2..3_i128).prop_map(move |off| limit + off);
    prop_oneof![
        4 => 0..40_i128,
        1 => near(0),
        1 => near(i128::from(i32::MAX)),
        1 => near(i128::from(u32::MAX)),
        1 => near(i128::from(i64::MAX)),
        1 => near(i128::from(u64::MAX)),
        1 => near(i128::from(i64::MIN)),
        1 => near(999_999),
    ]
}

/// A segment: its number, and records whose length fields may claim anything.
fn segment() -> impl Strategy<Value = (u64, Vec<u8>)> {
    let segment_number = prop_oneof![
        0..4_u64,
        Just(NUMBER_MAX),
        Just(NUMBER_MAX - 1),
        Just(999_999),
        Just(1_000_000)
    ];
    let length = prop_oneof![6 => Just(4_i32), 1 => Just(i32::MAX), 1 => Just(i32::MIN), 1 => 0..6];
    let record = length.prop_map(|length| [&length.to_be_bytes()[..], b"body"].concat());
    (
        segment_number,
        vec(record, 0..4).prop_map(|records| records.concat()),
    )
}

fn open(sim: &SimFs) -> Result<DiskQueue, Error> {
    sim.set_call_limit(Some(20_000));
    let name = OsStr::new("q");
    let opened = DiskQueue::open(
        Arc::new(sim.clone()),
        Path::new("/data"),
        name,
        Options::default(),
    );
    opened.map(|opened| opened.queue)
}

/// Everything that comes, and how many messages the queue had promised at first.
fn drain(queue: &mut DiskQueue) -> (u64, Vec<Vec<u8>>) {
    let depth = queue.depth().expect("it is open");
    let mut messages = Vec::new();
    loop {
        match queue.read() {
            Ok(Some(message)) => messages.push(message),
            Ok(None) => return (depth, messages),
            Err(Error::Damage { .. }) => {}
            Err(error) => panic!("nothing fails here: {error}"),
        }
    }
}

#[test]
fn any_numbers_in_a_meta_and_in_names_are_survived() {
    let numbers = (number(), number(), number(), number(), number());
    let strategy = (proptest::option::of(numbers), vec(segment(), 0..4));
    check(500, &strategy, |(numbers, segments)| {
        let directory = PathBuf::from("/data");
        let mut tree = vec![(directory.clone(), TreeEntry::Directory)];
        if let Some((depth, read, read_offset, write, write_offset)) = numbers {
            let text = format!("{depth}\n{read},{read_offset}\n{write},{write_offset}\n");
            let meta = directory.join("q.diskqueue.meta.dat");
            tree.push((meta, TreeEntry::File(text.into_bytes())));
        }
        let mut largest = 0;
        for (number, bytes) in segments {
            largest = largest.max(number);
            let path = directory.join(format!("q.diskqueue.{number:06}.dat"));
            tree.retain(|(known, _)| *known != path);
            tree.push((path, TreeEntry::File(bytes)));
        }
        let sim = SimFs::from_tree(&tree).expect("the tree can be made");
        let opened = open(&sim);
        prop_assert!(!sim.cut_off(), "it makes file calls without end");
        let mut queue = match opened {
            Ok(queue) => queue,
            // Only where no number is left for the next segment.
            Err(Error::Exhausted { .. }) => {
                let claimed = numbers.map_or(0, |(_, _, _, write, _)| write);
                prop_assert!(largest == NUMBER_MAX || claimed >= i128::from(NUMBER_MAX));
                return Ok(());
            }
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        let (depth, messages) = drain(&mut queue);
        prop_assert!(
            messages.len() as u64 <= depth,
            "{} of {depth}",
            messages.len()
        );
        queue.put(b"last").expect("there is space");
        drop(queue);
        let mut queue = open(&sim).expect("it opened before");
        let (depth, messages) = drain(&mut queue);
        prop_assert!(messages.ends_with(&[b"last".to_vec()]));
        prop_assert_eq!(depth, messages.len() as u64);
        queue.close().expect("nothing fails");
        Ok(())
    });
}

#[test]
fn options_at_their_limits_are_refused_or_work() {
    let limits = || {
        prop_oneof![
            Just(0),
            Just(1),
            Just(i32::MAX as u64),
            Just(i32::MAX as u64 + 1),
            Just(u64::from(u32::MAX)),
            Just(i64::MAX as u64),
            Just(i64::MAX as u64 + 1),
            Just(u64::MAX),
            0..100_u64
        ]
    };
    let strategy = (limits(), limits(), limits(), limits(), limits(), limits());
    check(
        300,
        &strategy,
        |(segment, min, max, every, timeout, unsynced)| {
            let size = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
            let (min, max) = (size(min), size(max));
            let options = Options {
                segment_bytes_max: segment,
                message_bytes_min: min,
                message_bytes_max: max,
                sync_every: every,
                sync_timeout_ms: timeout,
                unsynced_bytes_max: unsynced,
                ..Options::default()
            };
            let tree = [(PathBuf::from("/data"), TreeEntry::Directory)];
            let fs = Arc::new(SimFs::from_tree(&tree).expect("the tree can be made"));
            let opened = DiskQueue::open(fs, Path::new("/data"), OsStr::new("q"), options);
            let fits = min <= max && i32::try_from(max).is_ok() && i64::try_from(segment).is_ok();
            prop_assert_eq!(opened.is_ok(), fits);
            let Ok(opened) = opened else {
                return Ok(());
            };
            let mut queue = opened.queue;
            let message = [7; 20];
            let puts = (min..=max).contains(&20);
            for now_ms in [0, u64::MAX, 1] {
                prop_assert_eq!(queue.put(&message).is_ok(), puts);
                queue.tick(now_ms).expect("nothing fails");
            }
            let count = if puts { 3 } else { 0 };
            let (depth, messages) = drain(&mut queue);
            prop_assert_eq!((depth, messages.len()), (count as u64, count));
            queue.close().expect("nothing fails");
            Ok(())
        },
    );
}
