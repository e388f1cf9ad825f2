//! The original and our engine on the same directories. `tests/ports/run` builds the original's
//! side and runs these; without Go they stay ignored, which every test run shows.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use base64::{Engine, prelude::BASE64_STANDARD};
use crashline::diskqueue::{DiskQueue, Opened, Options};
use crashline::fs::RealFs;
use serde::Deserialize;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

const QUEUE: &str = "orders:eu";

/// The options that the original's side uses.
fn options() -> Options {
    Options {
        segment_bytes_max: 256,
        message_bytes_max: 200,
        sync_every: 5,
        ..Options::default()
    }
}

fn open(directory: &Path) -> Opened {
    DiskQueue::open(Arc::new(RealFs), directory, OsStr::new(QUEUE), options()).unwrap()
}

/// What the original drained.
#[derive(Debug, Deserialize)]
struct Drained {
    depth: i64,
    depth_at_the_end: i64,
    messages_b64: Vec<String>,
}

/// What the original wrote.
#[derive(Debug, Deserialize)]
struct Written {
    depth: i64,
    read_b64: Vec<String>,
    left_b64: Vec<String>,
}

/// Runs the original's side and takes its answer.
fn original<T: for<'a> Deserialize<'a>>(arguments: &[&str], directory: &Path) -> T {
    let program = std::env::var_os("CRASHLINE_GO_DISKQUEUE");
    let program = program.expect("tests/ports/run says where the original's side is");
    let (verb, rest) = arguments.split_first().unwrap();
    let output = Command::new(program)
        .arg(verb)
        .arg(directory)
        .arg(QUEUE)
        .args(rest)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {problems}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn decoded(texts: &[String]) -> Vec<Vec<u8>> {
    let decode = |text: &String| BASE64_STANDARD.decode(text).unwrap();
    texts.iter().map(decode).collect()
}

fn message(number: usize) -> Vec<u8> {
    let mut message = format!("{number} of ours ").into_bytes();
    message.resize(number * number % 200, b'.');
    message
}

/// Puts `puts` messages and reads `reads` of them; returns those that are left.
fn use_queue(queue: &mut DiskQueue, puts: usize, reads: usize) -> Vec<Vec<u8>> {
    let messages: Vec<Vec<u8>> = (0..puts).map(message).collect();
    for message in &messages {
        queue.put(message).unwrap();
    }
    for expected in messages.iter().take(reads) {
        assert_eq!(queue.read().unwrap().as_ref(), Some(expected));
    }
    messages.into_iter().skip(reads).collect()
}

fn drain(queue: &mut DiskQueue) -> Vec<Vec<u8>> {
    std::iter::from_fn(|| queue.read().unwrap()).collect()
}

/// The engine goes on where the original has left everything read.
fn is_empty_and_usable(directory: &Path) {
    let mut queue = open(directory).queue;
    assert_eq!(queue.depth().unwrap(), 0);
    queue.put(b"again").unwrap();
    assert_eq!(drain(&mut queue), [b"again"]);
    queue.close().unwrap();
}

#[test]
#[ignore = "needs Go: bash tests/ports/run"]
fn the_original_reads_what_we_closed() {
    for (puts, reads) in [(0, 0), (1, 0), (40, 7), (40, 39), (40, 40)] {
        let directory = tempfile::tempdir().unwrap();
        let mut queue = open(directory.path()).queue;
        let left = use_queue(&mut queue, puts, reads);
        queue.close().unwrap();
        drop(queue);
        let drained: Drained = original(&["drain"], directory.path());
        assert!(decoded(&drained.messages_b64) == left, "{puts}, {reads}");
        assert_eq!(drained.depth, i64::try_from(left.len()).unwrap());
        assert_eq!(drained.depth_at_the_end, 0);
        is_empty_and_usable(directory.path());
    }
}

#[test]
#[ignore = "needs Go: bash tests/ports/run"]
fn the_original_reads_what_we_left_when_killed() {
    for puts in 0..40 {
        let reads = puts / 3;
        let directory = tempfile::tempdir().unwrap();
        let mut queue = open(directory.path()).queue;
        let left = use_queue(&mut queue, puts, reads);
        // Dropping writes nothing: the directory is as a kill leaves it.
        drop(queue);
        let drained: Drained = original(&["drain"], directory.path());
        let messages = decoded(&drained.messages_b64);
        assert!(messages.ends_with(&left), "{puts} puts: {messages:?}");
        let again = messages.len() - left.len();
        let read: Vec<Vec<u8>> = (reads - again.min(reads)..reads).map(message).collect();
        assert!(messages.starts_with(&read), "{puts} puts: {messages:?}");
        // A sync that a read owes is done by the next call.
        assert!(again <= 5, "{puts} puts: {again} came again");
        is_empty_and_usable(directory.path());
    }
}

#[test]
#[ignore = "needs Go: bash tests/ports/run"]
fn we_read_what_the_original_left() {
    for how in ["close", "kill", "kill-early"] {
        let directory = tempfile::tempdir().unwrap();
        let written: Written = original(&["write", how], directory.path());
        let (read, left) = (decoded(&written.read_b64), decoded(&written.left_b64));
        assert_eq!(written.depth, i64::try_from(left.len()).unwrap(), "{how}");
        let opened = open(directory.path());
        assert!(opened.losses.is_empty(), "{how}: {:?}", opened.losses);
        let mut queue = opened.queue;
        let depth = usize::try_from(queue.depth().unwrap()).unwrap();
        let messages = drain(&mut queue);
        assert_eq!(messages.len(), depth, "{how}");
        assert!(messages.ends_with(&left), "{how}: {messages:?}");
        let again = messages.len() - left.len();
        assert!(read.ends_with(messages.get(..again).unwrap()), "{how}");
        assert!(again == 0 || how != "close", "{how}: {again} came again");
        queue.put(b"ours").unwrap();
        queue.close().unwrap();
        drop(queue);

        let drained: Drained = original(&["drain"], directory.path());
        assert_eq!(decoded(&drained.messages_b64), [b"ours"], "{how}");
    }
}
