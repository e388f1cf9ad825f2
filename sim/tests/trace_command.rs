//! `crashline trace` as its users meet it: events and exit codes.
#![expect(
    clippy::disallowed_methods,
    reason = "these tests write files for the command to read"
)]

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A trace whose record keeps the contract.
const CLEAN: &str = include_str!("../../corpus/traces/nsqio/nsqio-0006.jsonl");

/// A trace of a segmented log, which the twin follows.
const LOG: &str = include_str!("../../corpus/traces/youzan/youzan-0004.jsonl");
const BROKEN_LOG: &str = include_str!("../../corpus/traces/youzan/youzan-0010.jsonl");

struct Ended {
    code: i32,
    stdout: String,
    stderr: String,
}

fn trace(files: &[&Path], json: bool) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crashline"));
    command.arg("trace").args(files).stdin(Stdio::null());
    if json {
        command.args(["--format", "json"]);
    }
    let output = command.output().expect("the command starts");
    Ended {
        code: output.status.code().expect("no signal ended it"),
        stdout: String::from_utf8(output.stdout).expect("it is text"),
        stderr: String::from_utf8(output.stderr).expect("it is text"),
    }
}

fn events(ended: &Ended) -> Vec<Value> {
    ended
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("an event a line"))
        .collect()
}

/// Files of the test, and the folder that keeps them.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("there is a place for temporary files"))
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).expect("there is room");
        path
    }
}

#[test]
fn a_trace_that_twin_and_engine_follow_to_its_end_passes() {
    let files = Files::new();
    let path = files.write("clean.jsonl", CLEAN);
    let ended = trace(&[&path], true);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    let steps = CLEAN.lines().count() - 1;
    assert_eq!(
        events(&ended),
        [json!({
            "event": "trace",
            "file": path.to_str(),
            "twin": "same",
            "broken": [],
            "engine": {"same_until": steps, "divergences": [], "violations": []},
        })]
    );
    let table = trace(&[&path], false);
    assert_eq!(table.code, 0);
    assert!(
        table.stdout.contains("same in 41 steps"),
        "{}",
        table.stdout
    );
    assert!(
        table.stdout.contains("keeps the contract"),
        "{}",
        table.stdout
    );
}

#[test]
fn of_a_log_all_three_are_answered() {
    let files = Files::new();
    let path = files.write("log.jsonl", LOG);
    let ended = trace(&[&path], true);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    let steps = LOG.lines().count() - 1;
    assert_eq!(
        events(&ended),
        [json!({
            "event": "trace",
            "file": path.to_str(),
            "twin": "same",
            "broken": [],
            "engine": {"same_until": steps, "divergences": [], "violations": []},
        })]
    );
    let table = trace(&[&path], false);
    assert_eq!(table.code, 0);
    for told in ["keeps the contract", &format!("same until {steps}")] {
        assert!(table.stdout.contains(told), "{}", table.stdout);
    }

    // A rollback across a roll is refused, and nothing is judged behind it.
    let broken = files.write("broken.jsonl", BROKEN_LOG);
    let ended = trace(&[&broken], true);
    assert_eq!(ended.code, 0);
    let [event] = &events(&ended)[..] else {
        panic!("one event a file: {}", ended.stdout);
    };
    let last = event["broken"].as_array().and_then(|broken| broken.last());
    let last = last.expect("it breaks a clause");
    assert_eq!((&last["clause"], &last["step"]), (&json!("L3"), &json!(13)));
    assert_eq!(event["broken_until"], json!(13));
    let table = trace(&[&broken], false);
    let behind = "unknown behind 13";
    assert!(table.stdout.contains(behind), "{}", table.stdout);

    let changed = LOG.replacen("\"size\":", "\"size\":1", 1);
    let changed = files.write("changed.jsonl", &changed);
    let ended = trace(&[&path, &changed], true);
    assert_eq!(ended.code, 1);
    let [_, event] = &events(&ended)[..] else {
        panic!("one event a file: {}", ended.stdout);
    };
    assert!(event["twin"].is_number(), "{event}");
    assert!(event.get("unknown_because").is_none(), "{event}");
}

#[test]
fn a_twin_that_differs_leaves_the_rest_unknown_and_fails() {
    let files = Files::new();
    let changed = CLEAN.replacen("\"depth\":1", "\"depth\":9", 1);
    let line = CLEAN.lines().position(|line| line.contains("\"depth\":1"));
    let path = files.write("changed.jsonl", &changed);
    let ended = trace(&[&path], true);
    assert_eq!(ended.code, 1);
    let [event] = &events(&ended)[..] else {
        panic!("one event a file: {}", ended.stdout);
    };
    assert_eq!(event["twin"], json!(line));
    assert_eq!(
        (&event["broken"], &event["engine"]),
        (&json!("unknown"), &json!("unknown"))
    );
}

#[test]
fn the_worst_of_several_files_counts_and_all_are_answered() {
    let files = Files::new();
    let clean = files.write("clean.jsonl", CLEAN);
    let changed = CLEAN.replacen("\"depth\":1", "\"depth\":9", 1);
    let changed = files.write("changed.jsonl", &changed);
    let cut = files.write("cut.jsonl", &CLEAN[..CLEAN.len() - 5]);
    let other = files.write("other.jsonl", &CLEAN.replacen("v1.1.0", "v9", 1));
    let missing = files.0.path().join("missing.jsonl");
    for (given, code) in [
        (vec![&clean, &other], 3),
        (vec![&clean, &changed, &other], 1),
        (vec![&changed, &cut, &other, &clean], 2),
        (vec![&missing, &clean], 2),
    ] {
        let given: Vec<&Path> = given.into_iter().map(PathBuf::as_path).collect();
        let ended = trace(&given, true);
        assert_eq!(ended.code, code, "{given:?} {}", ended.stderr);
        assert_eq!(events(&ended).len(), given.len());
        for line in ended.stderr.lines() {
            assert!(line.starts_with("crashline: "), "{line}");
        }
    }
}

#[test]
fn no_file_is_nothing_to_check() {
    let ended = trace(&[], true);
    assert_eq!((ended.code, ended.stdout.as_str()), (4, ""));
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
}
