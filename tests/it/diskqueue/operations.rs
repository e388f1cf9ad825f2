//! The operations on a real directory, without crashes.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::support::{drain, names_in, open};
use crashline::diskqueue::{Applied, DiskQueue, Error, Options};
use std::path::Path;

fn small() -> Options {
    Options {
        segment_bytes_max: 100,
        message_bytes_min: 1,
        message_bytes_max: 60,
        sync_every: 1000,
        ..Options::default()
    }
}

fn fresh(directory: &Path) -> DiskQueue {
    open(directory, "q", small()).unwrap().queue
}

#[test]
fn first_in_first_out_across_rolls_and_reopens() {
    let directory = tempfile::tempdir().unwrap();
    let mut queue = fresh(directory.path());
    let message = |number: u8| vec![number; 1 + usize::from(number) % 50];
    let mut next = 0;
    for number in 0..200 {
        queue.put(&message(number)).unwrap();
        if number % 3 == 0 {
            assert_eq!(queue.peek().unwrap(), Some(message(next).as_slice()));
            assert_eq!(queue.read().unwrap(), Some(message(next)));
            next += 1;
        }
        if number % 17 == 0 {
            queue.close().unwrap();
            assert!(matches!(queue.put(b"x"), Err(Error::Closed)));
            queue = fresh(directory.path());
        }
        assert_eq!(queue.depth().unwrap(), u64::from(number + 1 - next));
    }
    let (messages, losses) = drain(&mut queue);
    assert!(losses.is_empty());
    assert_eq!(messages, (next..200).map(message).collect::<Vec<_>>());
    assert_eq!(queue.read().unwrap(), None);
    queue.sync().unwrap();
    let segments = names_in(directory.path());
    let is_segment = |name: &&String| name.ends_with(".dat") && !name.contains("meta");
    assert_eq!(
        segments.iter().filter(is_segment).count(),
        1,
        "{segments:?}"
    );
}

#[test]
fn a_dropped_queue_keeps_what_was_put() {
    let directory = tempfile::tempdir().unwrap();
    let mut queue = fresh(directory.path());
    for number in 0..50 {
        queue.put(&[number; 20]).unwrap();
    }
    for number in 0..10 {
        assert_eq!(queue.read().unwrap(), Some(vec![number; 20]));
    }
    drop(queue);
    for _ in 0..2 {
        // The reads were not synced, but for those that a roll took along.
        let mut queue = fresh(directory.path());
        let (messages, losses) = drain(&mut queue);
        assert!(losses.is_empty());
        let expected: Vec<Vec<u8>> = (0..50).map(|number| vec![number; 20]).collect();
        assert!(expected.ends_with(&messages));
        assert!(messages.len() >= 40);
    }
}

#[test]
fn sizes_are_refused_whole() {
    let directory = tempfile::tempdir().unwrap();
    let mut queue = fresh(directory.path());
    assert!(matches!(
        queue.put(&[0; 61]),
        Err(Error::MessageSize { .. })
    ));
    let refused = queue.put_batch(&[vec![1; 3], vec![]]).unwrap_err();
    assert_eq!(refused.applied(), Applied::Nothing);
    assert_eq!(queue.depth().unwrap(), 0);
    queue
        .put_batch(&[vec![1; 60], vec![2; 60], vec![3; 1]])
        .unwrap();
    let (messages, _) = drain(&mut queue);
    assert_eq!(messages, [vec![1; 60], vec![2; 60], vec![3; 1]]);
}

#[test]
fn there_is_one_owner() {
    let directory = tempfile::tempdir().unwrap();
    let mut queue = fresh(directory.path());
    let second = open(directory.path(), "q", small());
    assert!(matches!(second, Err(Error::Locked { .. })));
    drop(open(directory.path(), "q.diskqueue", small()).unwrap());
    queue.put(b"one").unwrap();
    queue.close().unwrap();
    assert_eq!(
        fresh(directory.path()).read().unwrap(),
        Some(b"one".to_vec())
    );
}

#[test]
fn emptying_and_deleting_leave_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let mut queue = fresh(directory.path());
    for number in 0..20 {
        queue.put(&[number; 30]).unwrap();
    }
    queue.empty().unwrap();
    assert_eq!(queue.depth().unwrap(), 0);
    assert_eq!(queue.read().unwrap(), None);
    queue.put(b"after").unwrap();
    drop(queue);
    let mut queue = fresh(directory.path());
    assert_eq!(queue.read().unwrap(), Some(b"after".to_vec()));
    queue.delete().unwrap();
    assert!(matches!(queue.read(), Err(Error::Closed)));
    assert_eq!(names_in(directory.path()), ["q.diskqueue.lock"]);
    let mut queue = fresh(directory.path());
    assert_eq!(queue.read().unwrap(), None);
    queue.put(b"again").unwrap();
    assert_eq!(queue.read().unwrap(), Some(b"again".to_vec()));
}

#[test]
fn reading_only_writes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let mut queue = fresh(directory.path());
    for number in 0..9 {
        queue.put(&[number; 40]).unwrap();
    }
    drop(queue);
    let before = super::support::files_in(directory.path());
    let fs: std::sync::Arc<dyn crashline::fs::Fs> = std::sync::Arc::new(crashline::fs::RealFs);
    let name = std::ffi::OsStr::new("q");
    let mut look = DiskQueue::open_read_only(fs, directory.path(), name, small())
        .unwrap()
        .queue;
    assert_eq!(look.depth().unwrap(), 9);
    assert_eq!(drain(&mut look).0.len(), 9);
    assert!(matches!(look.put(b"x"), Err(Error::ReadOnly)));
    look.close().unwrap();
    assert!(super::support::files_in(directory.path()) == before);
}
