//! Recorded traces of the segmented log: its twin does the same, our engine agrees as far as it
//! must, and a file that is not what it should be is refused or noticed.

use crashline::fs::{RealFs, list_names};
use crashline_sim::originals::seglog::OriginalSeglog;
use crashline_sim::subject::{LogSubject, SeglogSubject, ToyLog};
use crashline_sim::trace::{Answers, LogTrace, Recording, TraceError, replay_log_twin};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/traces/youzan")
}

fn names() -> Vec<String> {
    let names = list_names(&RealFs, &folder());
    let names = names.expect("the traces are in the tree");
    let names: Vec<String> = names
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    assert_eq!(names.len(), 233, "traces are missing");
    names
}

#[test]
fn the_twin_does_what_was_recorded_at_every_step() {
    for name in names() {
        let trace = LogTrace::load(&RealFs, &folder().join(&name));
        let trace = trace.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(replay_log_twin(&trace).unwrap(), Ok(()), "{name}");
    }
}

fn examine(name: &str, engine: &dyn LogSubject) -> Answers {
    let recording = Recording::load(&RealFs, &folder().join(name)).expect("it is a trace");
    let answers = recording.examine(&ToyLog, engine);
    answers.expect("the disk has no faults")
}

#[test]
fn our_engine_agrees_as_far_as_it_must() {
    let mut same = 0;
    for name in names() {
        let answers = examine(&name, &SeglogSubject);
        assert!(answers.is_pass(), "{name}: {answers:?}");
        same += answers.engine.map_or(0, |engine| engine.same_until);
    }
    // Records that break a clause early, and damage, end the comparison of many.
    assert!(same > 5_000, "only {same} steps were compared");
}

#[test]
fn an_engine_that_breaks_clauses_is_noticed() {
    let broken = names()
        .iter()
        .filter(|name| !examine(name, &OriginalSeglog).is_pass())
        .count();
    assert!(broken > 100, "the original breaks clauses in {broken} only");
}

/// The lines of a trace that has many kinds of line.
fn lines() -> Vec<Value> {
    include_str!("../../corpus/traces/youzan/youzan-0091.jsonl")
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

/// With a value of that line changed the twin differs at its step, and nowhere before.
fn differs(line: usize, change: impl Fn(&mut Value)) {
    let mut lines = lines();
    change(lines.get_mut(line).expect("it was found"));
    let trace = LogTrace::parse(&text(&lines)).expect("it is still a trace");
    let difference = replay_log_twin(&trace)
        .expect("the disk has no faults")
        .expect_err("it was changed");
    assert_eq!(difference.step, line, "{}", difference.text);
    assert!(!difference.text.contains('\n'), "{}", difference.text);
    let answers = Recording::Log(trace)
        .examine(&ToyLog, &SeglogSubject)
        .expect("it is judged");
    assert!(!answers.is_pass() && answers.engine.is_none());
}

fn add_one(number: &mut Value) {
    *number = json!(number.as_i64().expect("it is a number") + 1);
}

#[test]
fn one_changed_value_is_noticed_at_its_step() {
    let whole = lines();
    let done = |line: &Value| line["result"]["error"].is_null();
    let message = |line: &Value| line["result"]["kind"] == "message";
    let read = find(&whole, "reader.try_read_one", message);
    for key in ["offset", "count", "moved"] {
        differs(read, |line| add_one(&mut line["result"][key]));
    }
    differs(read, |line| line["result"]["data_b64"] = json!("AAAA"));
    differs(read, |line| {
        line["result"] = json!({"error": null, "kind": "none"});
    });
    differs(read, |line| {
        line["result"] = json!({"error": "EOF", "kind": "error", "offset": 0});
    });

    let put = find(&whole, "put", done);
    for key in ["offset", "size"] {
        differs(put, |line| add_one(&mut line["result"][key]));
    }
    differs(put, |line| add_one(&mut line["result"]["end"][3]));
    differs(put, |line| {
        line["after"]["files"]["more.dat"] = json!("0:e3b0c44298fc");
    });

    let cut = find(&whole, "reset_write_end", |_| true);
    differs(cut, |line| add_one(&mut line["result"]["end"][2]));
    let moved = find(&whole, "reader.reset_read_to_offset", |_| true);
    differs(moved, |line| add_one(&mut line["result"]["confirmed"][0]));
    let cleaned = find(&whole, "clean_old_data_by_retention", |_| true);
    differs(cleaned, |line| {
        line["result"] = json!({"error": null, "queue_start": [7, 7, 7, 7]});
    });
    let told = find(&whole, "reader.update_queue_end", done);
    differs(told, |line| {
        let changed = line["result"]["changed"].as_bool().expect("it is told");
        line["result"]["changed"] = json!(!changed);
    });
}

#[test]
fn what_the_objects_say_is_compared_number_by_number() {
    let opened = &lines()[1]["after"];
    for object in ["writer", "reader_a", "reader_b"] {
        for (key, value) in opened[object].as_object().expect("all is told at first") {
            let places = value.as_array().map_or(1, Vec::len);
            for place in 0..places {
                differs(1, |line| match &mut line["after"][object][key] {
                    Value::Array(numbers) => numbers.get_mut(place).into_iter().for_each(add_one),
                    Value::Bool(said) => *said = !*said,
                    other @ (Value::Null
                    | Value::Number(_)
                    | Value::String(_)
                    | Value::Object(_)) => add_one(other),
                });
            }
        }
    }
    let snapshot = find(&lines(), "snapshot.open", |line| {
        line["after"].get("snapshot").is_some()
    });
    for key in ["segment", "position", "offset"] {
        differs(snapshot, |line| {
            add_one(&mut line["after"]["snapshot"][key]);
        });
    }
}

/// Parsing fails on that line, with these words.
fn refused(text: &str, line: usize, words: &str) {
    match LogTrace::parse(text) {
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
    let read = find(&whole, "reader.try_read_one", |_| true);
    let put = find(&whole, "put", |_| true);
    let batch = find(&whole, "put_raw", |_| true);
    let damage = find(&whole, "kill_damage_open", |_| true);
    let wrong = |at: usize, key: &str, value: Value, words: &str| {
        refused(&with(at, key, value), at + 1, words);
    };
    refused("", 1, "empty");
    refused(&text(&whole[..1]), 2, "no steps");
    let cut = text(&whole);
    refused(&cut[..cut.len() - 9], whole.len(), "EOF");
    wrong(0, "tier", json!("other"), "no tier `other`");
    wrong(0, "ended", json!("early"), "`ended`");
    wrong(0, "ended", json!("does not open"), "`ended`");
    wrong(0, "log", json!("a/b"), "no name of a log");
    wrong(0, "readers", json!({"a": "x"}), "`readers`");
    wrong(
        read,
        "op",
        json!("reader.look"),
        "no operation `reader.look`",
    );
    wrong(read, "op", json!("look"), "no operation `look`");
    wrong(read, "op", json!("open"), "no argument `reader`");
    wrong(read, "reader", json!("c"), "no reader `c`");
    wrong(read, "size", json!(3), "no argument `size`");
    wrong(read, "result", json!({}), "error");
    wrong(
        read,
        "result",
        json!({"error": null, "kind": "nothing"}),
        "`nothing`",
    );
    wrong(read, "result", json!({"error": "EOF"}), "no `kind`");
    wrong(read, "after", json!({"gone": ["no.such"]}), "was not there");
    wrong(put, "result", json!({"error": null}), "no `offset`");
    wrong(put, "data_b64", json!("?"), "not base64");
    wrong(batch, "data_b64", json!("AAAABQ=="), "not whole records");
    wrong(batch, "count", json!(1_u64 << 40), "too large");
    wrong(damage, "how", json!("burn"), "no damage `burn`");
    wrong(damage, "file", json!("../x"), "no name of a file");
    let mut early = whole.clone();
    early[damage]["result"]["error"] = json!("it does not open");
    refused(&text(&early), damage + 2, "nothing can follow");
    let mut silent = whole.clone();
    silent[1]["after"] = json!({});
    refused(&text(&silent), 2, "was not told yet");
}

#[test]
fn another_version_has_no_twin() {
    let mut whole = lines();
    whole[0]["version"] = json!("2022-06-29 94c5c6d6");
    let error = LogTrace::parse(&text(&whole)).expect_err("there is no such twin");
    assert!(matches!(error, TraceError::NoTwin { .. }), "{error}");
}
