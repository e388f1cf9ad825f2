//! Readers and snapshots over files that were changed at random: nothing panics or runs on, and
//! what the damage did not touch comes.
#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a wrong index or a failed unwrap is a failed test"
)]

use super::log::{DATA, Log, NAME, READER, open_reader, segment_name};
use crashline::fs::list_names;
use crashline::seglog::{Error, LogOptions, LogReader, Message, known_readers};
use std::ffi::OsStr;
use std::path::Path;

const FIVE: &[&[&str]] = &[
    &["one", "two", "three and some more"],
    &["four", "five"],
    &["six"],
    &["seven", "eight", "nine", "ten"],
    &["eleven", "twelve"],
];

/// Numbers that look random, the same in every run.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    /// Cuts, zeroes, extends, flips or replaces some bytes.
    fn damage(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len() + 1);
        match self.below(5) {
            0 => bytes.truncate(at),
            1 => bytes[at..].fill(0),
            2 => bytes.extend(std::iter::repeat_n(0xff, at + 1)),
            3 => bytes
                .iter_mut()
                .skip(at)
                .take(1)
                .for_each(|byte| *byte ^= 4),
            _ => {
                let wrong = [0x7f, 0xff, b'9', 1, 0][self.below(5)];
                bytes
                    .iter_mut()
                    .skip(at)
                    .take(3)
                    .for_each(|byte| *byte = wrong);
            }
        }
    }
}

/// Reads to the end in a number of calls that what is there bounds.
fn read_all(mut read: impl FnMut() -> Result<Option<Message>, Error>) -> Vec<Message> {
    let mut messages = Vec::new();
    for _ in 0..100 {
        match read() {
            Ok(Some(message)) => messages.push(message),
            Ok(None) => return messages,
            Err(Error::Damage { losses }) => assert!(!losses.is_empty()),
            Err(error) => panic!("{error}"),
        }
    }
    panic!("it runs on")
}

#[test]
fn nothing_that_stands_in_the_files_brings_a_reader_down() {
    let mut numbers = Numbers(1);
    for round in 0..3000 {
        let log = Log::new(FIVE);
        drop(log.reader_to(log.end_at(2)).unwrap());
        let names = list_names(&log.disk, Path::new(DATA)).unwrap();
        for _ in 0..=numbers.below(4) {
            let name = names[numbers.below(names.len())].to_str().unwrap();
            if numbers.below(5) == 0 {
                log.erase(name);
            } else if log.file(name).is_some() {
                log.change(name, |bytes| numbers.damage(bytes));
            }
        }
        known_readers(log.fs(), Path::new(DATA), OsStr::new(NAME)).unwrap();
        let options = LogOptions {
            auto_skip_damaged: round % 2 == 0,
            ..LogOptions::default()
        };
        let opened = open_reader(&log.disk, NAME, READER, options, log.end());
        let mut reader = opened.unwrap().reader;
        use_reader(&mut reader, &mut numbers);
        let mut snapshot = log.snapshot();
        let read = read_all(|| snapshot.read_one());
        assert!(read.windows(2).all(|pair| pair[0].offset < pair[1].offset));
    }
}

fn use_reader(reader: &mut LogReader, numbers: &mut Numbers) {
    read_all(|| reader.try_read_one());
    for _ in 0..6 {
        let offset = numbers.below(120) as u64;
        let count = Some(numbers.below(13) as u64);
        let before = reader.confirmed();
        let moved = match numbers.below(4) {
            0 => reader.skip_read_to_offset(offset, count),
            1 => reader.reset_read_to_offset(offset, count),
            2 => reader.skip_to_next(),
            _ => reader.reset_read_to_queue_start(),
        };
        match moved {
            Ok(at) => assert_eq!(at, reader.confirmed()),
            Err(Error::Refused { .. }) => assert_eq!(reader.confirmed(), before),
            Err(error) => panic!("{error}"),
        }
        let (at, end) = (reader.confirmed(), reader.queue_end().position);
        assert!(
            at.offset <= end.offset && at.count <= end.count,
            "{at:?} {end:?}"
        );
        read_all(|| reader.try_read_one());
    }
    reader.close().unwrap();
}

#[test]
fn damage_to_segments_costs_what_it_touched() {
    let mut numbers = Numbers(2);
    for _ in 0..3000 {
        let log = Log::new(FIVE);
        let victim = segment_name(numbers.below(5) as u64);
        let good = log.file(&victim).unwrap();
        log.change(&victim, |bytes| numbers.damage(bytes));
        let bad = log.file(&victim).unwrap();
        let mut snapshot = log.snapshot();
        let messages = read_all(|| snapshot.read_one());
        let is_whole = |number: &usize| {
            let (place, bytes) = &log.messages[*number];
            let from = usize::try_from(place.position).unwrap();
            let range = from..from + bytes.len() + 4;
            segment_name(place.segment) != victim || bad.get(range.clone()) == good.get(range)
        };
        let whole = log.expected((0..log.messages.len()).filter(is_whole));
        assert_eq!(messages, whole);
    }
}
