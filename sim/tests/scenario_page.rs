//! The page about scenarios names every operation, argument and option that the parser takes, each
//! operation under its own heading.

use crashline_sim::scenario::{
    ClusterOptions, ClusterStep, LogOptions, OffsetOp, OffsetOptions, ReaderOp, SnapshotOp,
    WriterOp,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

const PAGE: &str = include_str!("../../corpus/scenarios.md");

/// What one of the arguments of any operation may be.
fn values() -> [Value; 10] {
    [
        json!(1),
        json!(true),
        json!("memory"),
        json!("kill"),
        json!("go"),
        json!([]),
        json!(["t", "b", 0]),
        json!([0, 0, 0, 0]),
        json!({ "offset": 0 }),
        json!(["1 read_at on *: EIO"]),
    ]
}

/// What a message of the parser has between backquotes.
fn quoted(message: &str) -> Vec<String> {
    message
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

fn complaint<T: DeserializeOwned>(value: &Map<String, Value>) -> Option<String> {
    let parsed = serde_json::from_value::<T>(Value::Object(value.clone()));
    parsed.err().map(|error| error.to_string())
}

/// The keys that the parser misses, one after the other, until it is content.
fn keys<T: DeserializeOwned>(mut given: Map<String, Value>) -> Vec<String> {
    let mut keys = Vec::new();
    while let Some(message) = complaint::<T>(&given) {
        assert!(message.starts_with("missing field"), "{message}");
        let key = quoted(&message).swap_remove(0);
        let fits = |value: &Value| {
            let mut with = given.clone();
            with.insert(key.clone(), value.clone());
            complaint::<T>(&with).is_none_or(|message| message.starts_with("missing field"))
        };
        let value = values().into_iter().find(fits);
        given.insert(key.clone(), value.expect("some value fits"));
        keys.push(key);
    }
    keys
}

/// The part of the page under a heading.
fn part(heading: &str) -> &'static str {
    let (_, below) = PAGE.split_once(heading).expect("the page has the heading");
    below.split("\n#").next().unwrap_or(below)
}

/// Every operation of a kind, and what it must be given, stands in one row of the table.
fn ops_are_told<T: DeserializeOwned>(heading: &str) {
    let unknown = Map::from_iter([("op".to_owned(), json!("?"))]);
    let message = complaint::<T>(&unknown).expect("there is no such operation");
    let ops = quoted(&message).split_off(1);
    assert!(ops.len() > 5, "{message}");
    for op in ops {
        let name = format!("`{op}`");
        let rows = part(heading).lines().filter(|line| line.starts_with("| `"));
        let row = rows.map(|row| row.split_once(" | ").expect("a row has cells"));
        let mut row = row.filter(|(ops, _)| ops.contains(&name));
        let (_, arguments) = row
            .next()
            .unwrap_or_else(|| panic!("{heading} has no {op}"));
        assert!(row.next().is_none(), "{heading} has {op} twice");
        for key in keys::<T>(Map::from_iter([("op".to_owned(), json!(op))])) {
            assert!(arguments.contains(&format!("`{key}`")), "{op} takes {key}");
        }
    }
}

fn options_are_told<T: DeserializeOwned>(heading: &str) {
    for key in keys::<T>(Map::new()) {
        assert!(
            part(heading).contains(&format!("`{key}`")),
            "{heading}: {key}"
        );
    }
}

#[test]
fn every_operation_is_told_with_its_arguments() {
    ops_are_told::<WriterOp>("### The writer");
    ops_are_told::<ReaderOp>("### A reader");
    ops_are_told::<SnapshotOp>("### The snapshot");
    ops_are_told::<OffsetOp>("## An offset store");
    ops_are_told::<ClusterStep>("## A cluster");
}

#[test]
fn every_option_is_told() {
    options_are_told::<LogOptions>("## A segmented log");
    options_are_told::<OffsetOptions>("## An offset store");
    options_are_told::<ClusterOptions>("## A cluster");
}

#[test]
fn what_may_be_left_out_is_told() {
    for key in ["missing", "after_calls", "choice", "force"] {
        assert!(PAGE.contains(&format!("`{key}`")), "{key}");
    }
}
