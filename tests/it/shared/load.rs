//! Many threads at once on a real directory; what was delivered is held against what was put.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a failed unwrap or a wrong index is a failed test"
)]

use super::support::share_real;
use crashline::diskqueue::{Error, Options};
use crashline::shared::SharedQueue;
use std::thread;
use std::time::Duration;

const PRODUCERS: u32 = 4;
const READERS: u32 = 3;

/// A message: producer, number, and a filling whose size depends on both.
fn message(producer: u32, number: u32) -> Vec<u8> {
    let mut bytes = producer.to_be_bytes().to_vec();
    bytes.extend_from_slice(&number.to_be_bytes());
    bytes.resize(8 + (number as usize * 7 + producer as usize) % 60, b'x');
    bytes
}

fn parse(bytes: &[u8]) -> (u32, u32) {
    let word = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    let (producer, number) = (word(0), word(4));
    assert_eq!(bytes, message(producer, number), "the bytes are whole");
    (producer, number)
}

/// Puts one message, then a batch of three, and so on.
fn produce(queue: &SharedQueue, producer: u32, rounds: u32) -> u32 {
    let mut next = 0;
    for round in 0..rounds {
        let count = if round % 2 == 0 { 1 } else { 3 };
        let batch: Vec<Vec<u8>> = (next..next + count)
            .map(|number| message(producer, number))
            .collect();
        match batch.as_slice() {
            [one] => queue.put(one).unwrap(),
            several => queue.put_batch(several).unwrap(),
        }
        next += count;
        if round % 50 == 0 {
            queue.sync().unwrap();
        }
    }
    next
}

/// Reads until the queue is closed.
fn consume(queue: &SharedQueue, reader: u32) -> Vec<(u32, u32)> {
    let mut seen = Vec::new();
    loop {
        let read = match reader {
            0 => queue.read().map(Some),
            1 => queue.read_timeout(Duration::from_millis(1)),
            _ => queue.try_read(),
        };
        match read {
            Ok(Some(bytes)) => seen.push(parse(&bytes)),
            Ok(None) => thread::yield_now(),
            Err(Error::Closed) => return seen,
            Err(error) => panic!("{error}"),
        }
    }
}

fn check_order(seen: &[(u32, u32)]) {
    for producer in 0..PRODUCERS {
        let numbers: Vec<u32> = seen
            .iter()
            .filter(|(from, _)| *from == producer)
            .map(|(_, number)| *number)
            .collect();
        assert!(numbers.is_sorted(), "producer {producer}: {numbers:?}");
    }
}

fn run(options: Options, rounds: u32) {
    let directory = tempfile::tempdir().unwrap();
    let queue = share_real(directory.path(), options);
    queue.start_ticker(Duration::from_millis(1)).unwrap();
    let (mut counts, mut delivered) = (Vec::new(), Vec::new());
    thread::scope(|scope| {
        let queue = &queue;
        let readers: Vec<_> = (0..READERS)
            .map(|reader| scope.spawn(move || consume(queue, reader)))
            .collect();
        let producers: Vec<_> = (0..PRODUCERS)
            .map(|producer| scope.spawn(move || produce(queue, producer, rounds)))
            .collect();
        counts.extend(producers.into_iter().map(|one| one.join().unwrap()));
        // Readers are behind: what they do not get comes after the next open.
        queue.close().unwrap();
        for reader in readers {
            let seen = reader.join().unwrap();
            check_order(&seen);
            delivered.extend(seen);
        }
    });
    let again = share_real(directory.path(), options);
    let left = again.depth().unwrap();
    let mut rest = Vec::new();
    while let Some(bytes) = again.try_read().unwrap() {
        rest.push(parse(&bytes));
    }
    assert_eq!(rest.len() as u64, left);
    check_order(&rest);
    delivered.extend(rest);
    delivered.sort_unstable();
    let put = (0..PRODUCERS).zip(&counts);
    let put: Vec<(u32, u32)> = put
        .flat_map(|(producer, count)| (0..*count).map(move |number| (producer, number)))
        .collect();
    assert!(delivered == put, "every message comes exactly once");
    again.close().unwrap();
}

#[test]
fn every_message_comes_once_and_in_its_producers_order() {
    let options = Options {
        segment_bytes_max: 4_000,
        sync_every: 100,
        sync_timeout_ms: 2,
        ..Options::default()
    };
    run(options, 300);
}

#[test]
fn every_message_comes_once_when_every_put_is_durable() {
    let options = Options {
        segment_bytes_max: 20_000,
        sync_every: 1,
        ..Options::default()
    };
    run(options, 50);
}
