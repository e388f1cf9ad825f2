//! Recorded traces of the original: its twin does the same, what the record breaks is known, and
//! a file that is not what it should be is refused or noticed.

use crashline::fs::{RealFs, list_names};
use crashline_sim::subject::ToyLog;
use crashline_sim::trace::{Trace, TraceError, examine, in_words, replay_twin};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/traces/nsqio")
}

fn load(name: &str) -> Trace {
    Trace::load(&RealFs, &folder().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn names() -> Vec<String> {
    let names = list_names(&RealFs, &folder());
    let names = names.expect("the traces are in the tree");
    let names: Vec<String> = names
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    assert_eq!(names.len(), 125, "traces are missing");
    names
}

#[test]
fn the_twin_does_what_was_recorded_at_every_step() {
    for name in names() {
        assert_eq!(replay_twin(&load(&name)).unwrap(), Ok(()), "{name}");
    }
}

/// The engine asked does not matter for this.
#[test]
fn what_the_record_breaks_stays_as_it_is_known() {
    let lines: Vec<String> = names()
        .iter()
        .map(|name| {
            let answers = examine(&load(name), &ToyLog).unwrap();
            let [_, record, _] = in_words(&answers);
            format!("{name} {record}")
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

/// The lines of a trace that has every kind of line.
fn lines() -> Vec<Value> {
    include_str!("../../corpus/traces/nsqio/nsqio-0008.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("the trace is sound"))
        .collect()
}

fn text(lines: &[Value]) -> String {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    lines.join("\n") + "\n"
}

/// The first line after the header whose operation is `op` and that `holds`.
fn find(lines: &[Value], op: &str, holds: impl Fn(&Value) -> bool) -> usize {
    let found = lines
        .iter()
        .position(|line| line["op"] == op && holds(line));
    found.unwrap_or_else(|| panic!("the trace has no such `{op}`"))
}

/// After the change the twin differs at the step of that line, and nowhere before.
fn differs(line: usize, lines: &[Value]) {
    let trace = Trace::parse(&text(lines)).expect("it is still a trace");
    let difference = replay_twin(&trace)
        .expect("the disk has no faults")
        .expect_err("it was changed");
    assert_eq!(difference.step, line, "{}", difference.text);
    let answers = examine(&trace, &ToyLog).expect("the disk has no faults");
    assert!(!answers.is_pass());
    assert!(answers.broken.is_none() && answers.engine.is_none());
}

#[test]
fn one_changed_value_is_noticed_at_its_step() {
    let whole = lines();
    let message = |line: &Value| line["result"]["kind"] == "message";
    let read = find(&whole, "read", message);
    let put = find(&whole, "put", |line| line["after"].get("files").is_some());

    let mut changed = whole.clone();
    changed[read]["result"]["data_b64"] = json!("AAAA");
    differs(read, &changed);

    let mut changed = whole.clone();
    changed[read]["after"]["depth"] = json!(77);
    differs(read, &changed);

    let mut changed = whole.clone();
    let files = changed[put]["after"]["files"].as_object_mut().unwrap();
    let (name, mark) = files
        .iter()
        .next()
        .map(|(n, m)| (n.clone(), m.clone()))
        .unwrap();
    let mark = mark.as_str().unwrap().to_owned();
    let last = if mark.ends_with('0') { "1" } else { "0" };
    files[&name] = json!(format!("{}{last}", &mark[..mark.len() - 1]));
    differs(put, &changed);

    let mut changed = whole.clone();
    changed[put]["result"]["error"] = json!("no space");
    differs(put, &changed);

    let mut changed = whole.clone();
    changed[put]["after"]["files"]["more.dat"] = json!("0:e3b0c44298fc");
    differs(put, &changed);
}

/// Parsing fails on that line, with these words.
fn refused(text: &str, line: usize, words: &str) {
    match Trace::parse(text) {
        Err(TraceError::Line { line: at, message }) => {
            assert_eq!(at, line, "{message}");
            assert!(message.contains(words), "{message}");
            assert!(!message.contains('\n'), "one sentence: {message}");
        }
        other => panic!("{words}: {other:?}"),
    }
}

#[test]
fn damaged_files_are_refused_with_the_line_and_the_reason() {
    let whole = lines();
    let with = |at: usize, key: &str, value: Value| {
        let mut lines = whole.clone();
        lines[at][key] = value;
        text(&lines)
    };
    let read = find(&whole, "read", |_| true);
    let damage = find(&whole, "close_damage_open", |_| true);
    refused("", 1, "empty");
    refused("not json\n", 1, "expected");
    refused(&text(&whole[..1]), 2, "no steps");
    let cut = text(&whole);
    refused(&cut[..cut.len() - 9], whole.len(), "EOF");
    refused(
        &with(read, "op", json!("flush")),
        read + 1,
        "no operation `flush`",
    );
    refused(&with(read, "op", json!("open")), read + 1, "first step");
    refused(
        &with(read, "size", json!(3)),
        read + 1,
        "no argument `size`",
    );
    refused(&with(read, "sizes", json!(3)), read + 1, "unknown field");
    refused(&with(read, "result", json!({})), read + 1, "error");
    refused(
        &with(read, "result", json!({"error": null, "kind": "nothing"})),
        read + 1,
        "kind `nothing`",
    );
    refused(
        &with(read, "after", json!({"gone": ["no.such"]})),
        read + 1,
        "was not there",
    );
    refused(
        &with(damage, "how", json!("burn")),
        damage + 1,
        "no damage `burn`",
    );
    refused(
        &with(damage, "file", json!("../x")),
        damage + 1,
        "no name of a file",
    );
    refused(&with(0, "tier", json!("other")), 1, "no tier `other`");
    refused(&with(0, "ended", json!("early")), 1, "`ended`");
    refused(&with(0, "queue", json!("a/b")), 1, "no name of a queue");
    let put = find(&whole, "put", |_| true);
    refused(&with(put, "data_b64", json!("?")), put + 1, "not base64");
    refused(
        &text(&whole[..1]).replace('}', ",\"x\":1}"),
        1,
        "unknown field",
    );
}

#[test]
fn what_has_no_twin_is_said_to_have_none() {
    let mut whole = lines();
    whole[0]["version"] = json!("v1.2.0");
    let error = Trace::parse(&text(&whole)).expect_err("there is no such twin");
    assert!(matches!(error, TraceError::NoTwin { .. }), "{error}");
}
