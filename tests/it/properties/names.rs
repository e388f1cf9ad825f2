//! Names are bytes: any two queues share a directory without touching each other's files, and
//! files that only look like theirs stay as they are.

use super::check;
use crashline::diskqueue::{DiskQueue, Options};
use crashline::fs::{Fs, OpenMode, list_names, read_file, write_all_at};
use crashline_sim::simfs::SimFs;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const DIRECTORY: &str = "/data";

/// Pieces that mean something to formats, patterns, shells, or to the format itself.
const PIECES: &[&[u8]] = &[
    b"%",
    b"%06d",
    b"%s",
    b":",
    b"#",
    b"#ephemeral",
    b".",
    b"..",
    b"*",
    b"?",
    b"[0-9]",
    b"{}",
    b"\\",
    b" ",
    b"\n",
    b"-",
    b"0",
    b"000000",
    b"9223372036854775807",
    b"q",
    b"Q",
    b".diskqueue.",
    b"diskqueue",
    b".dat",
    b".bad",
    b".sums",
    b"meta",
    b"lock",
    b".tmp",
    b"q.diskqueue.000000.dat",
    b"q.diskqueue.meta.dat.1",
    b"\xff",
    b"\xc3\x28",
    b"\xe2\x82",
];

fn name() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => select(PIECES).prop_map(<[u8]>::to_vec),
        1 => (1_u8..).prop_filter("no slash", |byte| *byte != b'/').prop_map(|byte| vec![byte]),
    ];
    vec(piece, 1..4).prop_map(|pieces| pieces.concat())
}

/// Another name that is nearly the same: longer, shorter, or with the format's own endings.
fn pair() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    (name(), name(), 0..4).prop_map(|(one, other, how)| {
        let related = match how {
            0 => [&one[..], &other].concat(),
            1 => [&other[..], &one].concat(),
            2 => [&one[..], b".diskqueue.000000.dat"].concat(),
            _ => other,
        };
        (one, related)
    })
}

fn open(fs: &Arc<dyn Fs>, name: &[u8]) -> DiskQueue {
    let options = Options {
        segment_bytes_max: 30,
        ..Options::default()
    };
    let name = OsStr::from_bytes(name);
    let opened = DiskQueue::open(Arc::clone(fs), Path::new(DIRECTORY), name, options);
    let opened = opened.expect("any name without slash and NUL can be used");
    assert!(opened.losses.is_empty(), "{:?}", opened.losses);
    opened.queue
}

fn drain(queue: &mut DiskQueue) -> Vec<Vec<u8>> {
    let next = || queue.read().expect("nothing is damaged");
    std::iter::from_fn(next).collect()
}

fn disk() -> Arc<dyn Fs> {
    let fs = SimFs::new();
    fs.create_dir(Path::new(DIRECTORY))
        .expect("the root is there");
    Arc::new(fs)
}

#[test]
fn two_queues_never_disturb_each_other() {
    check(250, &pair(), |(one, other)| {
        prop_assume!(one != other);
        let fs = disk();
        let queues = [&one, &other];
        let message = |queue: u8, number: u8| vec![queue, number, 7, 7, 7, 7, 7, 7];
        for round in 0..2 {
            for (number, name) in (0_u8..).zip(queues) {
                let mut queue = open(&fs, name);
                for part in 0..3 {
                    queue
                        .put(&message(number, 3 * round + part))
                        .expect("there is space");
                }
                // One after the other is closed and killed.
                if number == round {
                    queue.close().expect("nothing fails");
                }
            }
        }
        let mut first = open(&fs, &one);
        let all = |queue| {
            (0..6)
                .map(|number| message(queue, number))
                .collect::<Vec<_>>()
        };
        prop_assert_eq!(drain(&mut first), all(0));
        first.delete().expect("nothing fails");
        let mut second = open(&fs, &other);
        prop_assert_eq!(drain(&mut second), all(1));
        second.delete().expect("nothing fails");
        let mut left = list_names(fs.as_ref(), Path::new(DIRECTORY)).expect("it can be listed");
        let lock = |name: &[u8]| OsString::from_vec([name, b".diskqueue.lock"].concat());
        let mut locks = [lock(&one), lock(&other)];
        locks.sort();
        left.sort();
        prop_assert_eq!(left, locks);
        Ok(())
    });
}

/// Endings that are not quite those of the format.
const ENDINGS: &[&str] = &[
    ".diskqueue.0.dat",
    ".diskqueue.00000.dat",
    ".diskqueue.0000000.dat",
    ".diskqueue.-00001.dat",
    ".diskqueue.000000.DAT",
    ".diskqueue.000000.dat~",
    ".diskqueue.000000.dat.bad.",
    ".diskqueue.000000.dat.bad.01",
    ".diskqueue.000000.dat.bad.1x",
    ".diskqueue.meta.dat.tmp",
    ".diskqueue.meta.dat..tmp",
    ".diskqueue.meta.dat.1f.tmp",
    ".diskqueue.meta.dat.1.tmp2",
    ".diskqueue.Meta.dat",
    ".diskqueue.lock2",
    ".diskqueue.meta.spare.1",
    ".diskqueue.000000.sum",
    ".diskqueue.9223372036854775808.dat",
    ".diskqueue.99999999999999999999999.dat",
    ".diskqueue.",
    ".diskqueue",
    ".Diskqueue.000000.dat",
    "diskqueue.000000.dat",
];

#[test]
fn what_only_looks_like_a_queues_file_stays_as_it_is() {
    let strategy = (name(), vec(select(ENDINGS), 1..6), vec(any::<u8>(), 0..40));
    check(200, &strategy, |(name, endings, content)| {
        let fs = disk();
        let foreign: Vec<PathBuf> = endings
            .iter()
            .map(|ending| [&name[..], ending.as_bytes()].concat())
            .map(|name| Path::new(DIRECTORY).join(OsString::from_vec(name)))
            .collect();
        for path in &foreign {
            let file = fs
                .open(path, OpenMode::Create, 0o600)
                .expect("it can be made");
            write_all_at(file.as_ref(), 0, &content).expect("there is space");
        }
        let mut queue = open(&fs, &name);
        queue
            .put_batch(&[b"some bytes"; 5])
            .expect("there is space");
        queue.empty().expect("nothing fails");
        queue.put(b"more").expect("there is space");
        queue.close().expect("nothing fails");
        let mut queue = open(&fs, &name);
        prop_assert_eq!(drain(&mut queue), [b"more"]);
        queue.delete().expect("nothing fails");
        for path in &foreign {
            let left = read_file(fs.as_ref(), path, usize::MAX).expect("it is still there");
            prop_assert_eq!(&left, &content);
        }
        Ok(())
    });
}
