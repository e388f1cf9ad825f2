//! The twin of go-diskqueue shows the defects that are known of the original, each from the
//! files and calls that its report states.

use crashline::fs::{Fs, list_names, read_file};
use crashline_sim::fault::{FaultFs, FaultPlan};
use crashline_sim::originals::diskqueue::{Queue, QueueError, QueueOptions};
use crashline_sim::simfs::{SimFs, TreeEntry};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

const OPTIONS: QueueOptions = QueueOptions {
    segment_bytes_max: 1000,
    message_bytes_min: 0,
    message_bytes_max: 200,
    sync_every: 1000,
};

/// A directory with the files of a queue.
struct Directory(SimFs);

impl Directory {
    fn new() -> Self {
        let fs = SimFs::new();
        fs.create_dir(Path::new("/data"))
            .expect("the disk is empty");
        Self(fs)
    }

    fn file(self, name: &str, bytes: Vec<u8>) -> Self {
        self.entry(name, &TreeEntry::File(bytes))
    }

    fn entry(self, name: &str, entry: &TreeEntry) -> Self {
        let path = format!("/data/n.diskqueue.{name}");
        self.0
            .place(Path::new(&path), entry)
            .expect("there is room");
        self
    }

    fn meta(self, text: &str) -> Self {
        self.file("meta.dat", text.as_bytes().to_vec())
    }

    /// A segment of records with these bodies.
    fn segment(self, number: u32, bodies: &[Vec<u8>]) -> Self {
        self.file(&format!("{number:06}.dat"), records(bodies))
    }

    fn open(&self, options: QueueOptions) -> Queue {
        let fs = Arc::new(self.0.clone());
        Queue::open(fs, Path::new("/data"), &OsString::from("n"), options)
    }

    /// Opens the queue; calls fail as the plan says.
    fn open_failing(&self, options: QueueOptions, faults: &[&str]) -> Queue {
        let lines: Vec<String> = faults.iter().map(|fault| (*fault).to_owned()).collect();
        let plan = FaultPlan::parse(&lines).expect("the plan is sound");
        let fs = Arc::new(FaultFs::over_sim(self.0.clone(), plan));
        Queue::open(fs, Path::new("/data"), &OsString::from("n"), options)
    }

    fn meta_text(&self) -> String {
        let path = Path::new("/data/n.diskqueue.meta.dat");
        let bytes = read_file(&self.0, path, 1000).expect("it is there");
        String::from_utf8(bytes).expect("it is text")
    }

    /// The names behind `n.diskqueue.`, but for the meta.
    fn names(&self) -> Vec<String> {
        let names = list_names(&self.0, Path::new("/data")).expect("it is there");
        names
            .iter()
            .filter_map(|name| name.to_str()?.strip_prefix("n.diskqueue."))
            .filter(|name| *name != "meta.dat")
            .map(str::to_owned)
            .collect()
    }
}

fn records(bodies: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for body in bodies {
        let size = u32::try_from(body.len()).expect("bodies are small");
        bytes.extend_from_slice(&size.to_be_bytes());
        bytes.extend_from_slice(body);
    }
    bytes
}

/// Messages of 46 bytes, which make records of 50.
fn messages(letters: &str) -> Vec<Vec<u8>> {
    letters.bytes().map(|letter| vec![letter; 46]).collect()
}

/// Reads everything; a message is told by its first letter, an empty one by a dot.
fn drain(queue: &mut Queue) -> String {
    let mut told = String::new();
    while let Some(message) = queue.read().expect("it ends") {
        told.push(message.first().map_or('.', |letter| char::from(*letter)));
    }
    told
}

#[test]
fn a_torn_meta_delivers_an_empty_message_and_removes_an_unread_segment() {
    let directory = Directory::new()
        .segment(3, &messages("abcdefghij"))
        .segment(12, &messages("kl"))
        .meta("11\n3,50\n12");
    let mut queue = directory.open(OPTIONS);
    assert_eq!(queue.read().unwrap(), Some(&[][..]), "nobody put it");
    assert_eq!(queue.depth().unwrap(), 0);
    assert_eq!(directory.names(), ["000012.dat"], "segment 3 is gone");
    assert_eq!(drain(&mut queue), "", "segment 12 is never delivered");
}

/// Each text is loaded, and told by the meta that a close writes at once.
#[test]
fn a_torn_meta_is_taken_over_as_far_as_it_goes() {
    for (text, taken) in [
        ("", "0\n0,0\n0,0\n"),
        ("\0\0\0\0", "0\n0,0\n0,0\n"),
        ("7\n0,0\n0,0", "7\n0,0\n0,0\n"),
        ("7 \n 0, 0\n0,+0\nmore", "7\n0,0\n0,0\n"),
        ("7\r\n0,0\n0,0\n", "7\n0,0\n0,0\n"),
        ("7\u{3000}\n0,0\n0,0\n", "7\n0,0\n0,0\n"),
        ("7\n0 ,0\n0,0\n", "0\n0,0\n0,0\n"),
        ("7\n3,0\n3,0x\n", "0\n3,0\n3,0\n"),
        ("7\n3;0\n3,0\n", "0\n3,0\n0,0\n"),
        ("99999999999999999999\n3,0\n3,0\n", "0\n0,0\n0,0\n"),
    ] {
        let directory = Directory::new().meta(text);
        directory.open(OPTIONS).close().unwrap();
        assert_eq!(directory.meta_text(), taken, "{text:?}");
    }
}

#[test]
fn writing_after_a_stale_meta_overwrites_the_next_segment() {
    let directory = Directory::new()
        .segment(3, &messages("abcdefghij"))
        .segment(4, &messages("klmnop"))
        .meta("2\n3,0\n3,100");
    let mut queue = directory.open(OPTIONS);
    queue.put(&[b'Z'; 30]).unwrap();
    assert_eq!(drain(&mut queue), "abcdefghijZ");
    assert_eq!(queue.depth().unwrap(), 0, "forced, after it was below zero");
}

#[test]
fn a_roll_behind_the_last_message_read_ahead_puts_a_good_segment_aside() {
    let directory = Directory::new();
    let mut queue = directory.open(QueueOptions {
        segment_bytes_max: 100,
        ..OPTIONS
    });
    queue.put(&[b'a'; 46]).unwrap();
    queue.settle().unwrap();
    queue.put(&[b'b'; 60]).unwrap();
    assert_eq!(drain(&mut queue), "ab");
    assert_eq!(directory.names(), ["000000.dat.bad", "000001.dat"]);
}

#[test]
fn messages_that_fill_segments_exactly_put_every_segment_aside() {
    let directory = Directory::new();
    let mut queue = directory.open(QueueOptions {
        segment_bytes_max: 100,
        ..OPTIONS
    });
    for letter in *b"abcd" {
        queue.put(&[letter; 96]).unwrap();
        assert_eq!(queue.read().unwrap(), Some(&[letter; 96][..]));
    }
    queue.settle().unwrap();
    assert_eq!(
        directory.names(),
        [
            "000000.dat.bad",
            "000001.dat.bad",
            "000002.dat.bad",
            "000003.dat"
        ]
    );
}

#[test]
fn a_hole_becomes_empty_messages_or_costs_what_follows() {
    let mut bytes = records(&messages("ab"));
    bytes.resize(200, 0);
    let directory = || {
        Directory::new()
            .file("000000.dat", bytes.clone())
            .meta("4\n0,0\n0,200")
    };
    for (message_bytes_min, delivered) in [(1, "ab"), (0, "ab.........................c")] {
        let directory = directory();
        let mut queue = directory.open(QueueOptions {
            message_bytes_min,
            ..OPTIONS
        });
        queue.put(b"c").unwrap();
        assert_eq!(drain(&mut queue), delivered);
    }
}

#[test]
fn a_smaller_limit_throws_away_what_was_accepted() {
    let bodies = [vec![b'a'; 96], vec![b'b'; 4], vec![b'c'; 4]];
    let directory = Directory::new().segment(0, &bodies).meta("3\n0,0\n0,116\n");
    let mut queue = directory.open(QueueOptions {
        message_bytes_max: 50,
        ..OPTIONS
    });
    assert_eq!(drain(&mut queue), "");
    assert_eq!(directory.names(), ["000000.dat.bad"]);
}

#[test]
fn a_missing_finished_segment_leaves_the_depth_wrong_until_the_end() {
    let directory = Directory::new()
        .segment(1, &messages("ab"))
        .meta("3\n0,50\n1,100");
    let mut queue = directory.open(OPTIONS);
    assert_eq!(queue.depth().unwrap(), 3);
    assert_eq!(drain(&mut queue), "ab");
    assert_eq!(queue.depth().unwrap(), 0);
}

#[test]
fn the_depth_drifts_after_a_cut_segment() {
    let directory = Directory::new();
    let mut queue = directory.open(QueueOptions {
        segment_bytes_max: 200,
        ..OPTIONS
    });
    for message in messages("abcdefghij") {
        queue.put(&message).unwrap();
    }
    queue.close().unwrap();
    let cut = records(&messages("efgh")).split_off(0)[..120].to_vec();
    let directory = directory.file("000001.dat", cut);
    let mut queue = directory.open(OPTIONS);
    let mut depths = Vec::new();
    while let Some(message) = queue.read().unwrap() {
        let letter = char::from(message[0]);
        depths.push((letter, queue.depth().unwrap()));
    }
    assert_eq!(
        depths,
        [
            ('a', 9),
            ('b', 8),
            ('c', 7),
            ('d', 6),
            ('e', 5),
            ('f', 4),
            ('i', 3),
            ('j', 0)
        ]
    );
}

#[test]
fn an_open_error_counts_as_corruption() {
    let directory = Directory::new()
        .entry("000000.dat", &TreeEntry::Directory)
        .segment(1, &messages("cd"))
        .meta("4\n0,0\n1,100\n");
    let mut queue = directory.open(OPTIONS);
    assert_eq!(queue.depth().unwrap(), 4);
    assert_eq!(directory.names(), ["000000.dat.bad", "000001.dat"]);
    assert_eq!(drain(&mut queue), "cd");
}

#[test]
fn without_a_meta_segment_zero_is_overwritten() {
    let directory = Directory::new()
        .segment(0, &messages("abc"))
        .segment(1, &messages("d"));
    let mut queue = directory.open(OPTIONS);
    assert_eq!(queue.depth().unwrap(), 0);
    queue.put(&[b'Z'; 60]).unwrap();
    assert_eq!(queue.depth().unwrap(), 1);
    queue.close().unwrap();
    let mut queue = directory.open(OPTIONS);
    assert_eq!(drain(&mut queue), "Z");
    assert_eq!(directory.names()[0], "000000.dat.bad");
}

#[test]
fn a_read_place_behind_the_write_place_swallows_messages() {
    let directory = Directory::new()
        .segment(0, &messages("ab"))
        .meta("0\n0,200\n0,100\n");
    let mut queue = directory.open(OPTIONS);
    for message in messages("xyz") {
        queue.put(&message).unwrap();
        queue.settle().unwrap();
    }
    assert_eq!(drain(&mut queue), "z");
}

#[test]
fn a_read_place_in_a_later_segment_is_an_endless_loop() {
    let directory = Directory::new()
        .segment(0, &messages("ab"))
        .meta("2\n5,0\n0,100\n");
    let mut queue = directory.open(OPTIONS);
    assert!(matches!(queue.depth(), Err(QueueError::CutOff(steps)) if steps > 10_000));
    assert!(matches!(queue.read(), Err(QueueError::CutOff(_))));
}

#[test]
fn a_full_disk_leaves_temporary_files_and_hides_all_messages() {
    let directory = Directory::new();
    directory.0.set_capacity(Some(4096 + 1000));
    let mut queue = directory.open(QueueOptions {
        sync_every: 1,
        ..OPTIONS
    });
    for _ in 0..5 {
        queue.put(b"accepted").unwrap();
    }
    assert!(matches!(queue.close(), Err(QueueError::Io(_))));
    directory.0.set_capacity(None);
    let left = directory.names();
    assert_eq!(
        left.len(),
        7,
        "the segment and one for each failed sync: {left:?}"
    );
    let mut queue = directory.open(OPTIONS);
    assert_eq!(queue.depth().unwrap(), 0);
    assert_eq!(drain(&mut queue), "");
}

#[test]
fn the_count_is_compared_not_the_excess() {
    let directory = Directory::new();
    let mut queue = directory.open(QueueOptions {
        sync_every: 2,
        ..OPTIONS
    });
    let meta = Path::new("/data/n.diskqueue.meta.dat");
    queue.put(b"a").unwrap();
    queue.settle().unwrap();
    assert!(directory.0.stat(meta).is_err(), "one of two");
    assert!(queue.put(&[0; 300]).is_err(), "a refused put counts too");
    assert!(
        directory.0.stat(meta).is_err(),
        "acknowledged before it is done"
    );
    queue.settle().unwrap();
    assert!(directory.0.stat(meta).is_ok());
}

#[test]
fn an_empty_queue_is_not_remembered_as_empty() {
    let directory = Directory::new();
    let mut queue = directory.open(OPTIONS);
    queue.put(b"a").unwrap();
    queue.empty().unwrap();
    assert_eq!(directory.names(), [""; 0], "the meta is gone, too");
    queue.put(b"b").unwrap();
    queue.settle().unwrap();
    drop(queue);
    let mut queue = directory.open(OPTIONS);
    assert_eq!(drain(&mut queue), "", "segment 1 is not looked at");
}

#[test]
fn delete_removes_nothing() {
    let directory = Directory::new();
    let mut queue = directory.open(OPTIONS);
    queue.put(b"a").unwrap();
    queue.delete().unwrap();
    assert_eq!(directory.names(), ["000000.dat"]);
}

#[test]
fn a_failed_sync_is_followed_by_one_that_syncs_nothing() {
    let directory = Directory::new();
    let every = QueueOptions {
        sync_every: 1,
        ..OPTIONS
    };
    let mut queue = directory.open_failing(every, &["1 sync on *0.dat: EIO"]);
    queue.put(b"abc").unwrap();
    queue.settle().unwrap();
    assert_eq!(
        directory.names(),
        ["000000.dat"],
        "no meta after a failed sync"
    );
    assert_eq!(queue.depth().unwrap(), 1);
    queue.settle().unwrap();
    let promised = "nothing was synced, since the segment was closed";
    assert_eq!(directory.meta_text(), "1\n0,0\n0,7\n", "{promised}");
}

#[test]
fn a_meta_that_cannot_be_renamed_stays_as_a_temporary_file() {
    let directory = Directory::new();
    let mut queue = directory.open_failing(OPTIONS, &["1 rename on *.tmp: EIO"]);
    queue.put(b"a").unwrap();
    assert!(matches!(queue.close(), Err(QueueError::Io(_))));
    drop(queue);
    directory.open(OPTIONS).close().unwrap();
    assert_eq!(
        directory.names(),
        ["000000.dat", "meta.dat.0.tmp"],
        "left for ever"
    );
}

#[test]
fn a_failed_sync_of_the_meta_goes_unnoticed() {
    let directory = Directory::new();
    let mut queue = directory.open_failing(OPTIONS, &["1- sync on *.tmp: EIO"]);
    queue.put(b"a").unwrap();
    queue.close().unwrap();
    assert_eq!(directory.meta_text(), "1\n0,0\n0,5\n");
}

#[test]
fn a_read_error_puts_a_good_segment_aside() {
    let directory = Directory::new()
        .segment(0, &messages("abc"))
        .meta("3\n0,0\n0,150\n");
    let mut queue = directory.open_failing(OPTIONS, &["1 read_at on *0.dat: EIO"]);
    assert_eq!(drain(&mut queue), "");
    assert_eq!(directory.names(), ["000000.dat.bad"]);
}

#[test]
fn a_failed_write_is_told_and_overwritten_by_the_next_one() {
    let directory = Directory::new();
    let mut queue =
        directory.open_failing(OPTIONS, &["1 write_at on *0.dat: ENOSPC after 9 bytes"]);
    assert!(matches!(queue.put(&[b'a'; 46]), Err(QueueError::Io(_))));
    assert_eq!(queue.depth().unwrap(), 0);
    queue.put(&[b'b'; 46]).unwrap();
    assert_eq!(drain(&mut queue), "b");
}

/// What a failed write left in the file was read ahead, and is delivered in place of what was
/// written there afterwards.
#[test]
fn the_read_ahead_buffer_delivers_what_is_no_longer_there() {
    let directory = Directory::new();
    let fault = "3 write_at on *0.dat: ENOSPC after 30 bytes";
    let mut queue = directory.open_failing(OPTIONS, &[fault]);
    queue.put(&[b'a'; 46]).unwrap();
    queue.put(&[b'b'; 46]).unwrap();
    assert!(queue.put(&[b'x'; 46]).is_err());
    assert_eq!(queue.read().unwrap(), Some(&[b'a'; 46][..]));
    queue.settle().unwrap();
    queue.put(&[b'c'; 46]).unwrap();
    assert_eq!(queue.read().unwrap(), Some(&[b'b'; 46][..]));
    let mixed = [&[b'x'; 26][..], &[b'c'; 20]].concat();
    assert_eq!(queue.read().unwrap(), Some(&mixed[..]));
}
