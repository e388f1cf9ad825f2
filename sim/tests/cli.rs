//! The command as its users meet it: a process with arguments, two streams and an exit code.
#![expect(
    clippy::disallowed_methods,
    reason = "these tests look at the real directory that the command leaves behind"
)]

use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn crashline(folder: &Path, line: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crashline"))
        .args(line)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .output()
        .expect("the command starts")
}

fn run(line: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let output = crashline(folder.path(), line);
    let left_over = std::fs::read_dir(folder.path()).expect("the folder can be read");
    assert_eq!(left_over.count(), 0, "the command leaves nothing behind");
    told(&output)
}

fn told(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("the output is text");
    let code = output.status.code().expect("no signal ended it");
    (code, text(&output.stdout), text(&output.stderr))
}

/// The command refuses `line` with exit code 2 and one sentence that holds `words`.
fn refused(line: &[&str], words: &str) {
    let (code, stdout, stderr) = run(line);
    assert_eq!((code, stdout.as_str()), (2, ""), "{line:?}");
    assert_eq!(stderr.lines().count(), 1, "one sentence: {stderr}");
    assert!(stderr.starts_with("crashline: "), "{stderr}");
    assert!(stderr.contains(words), "{stderr}");
}

#[test]
fn a_clause_is_explained_whatever_the_case_of_its_id() {
    let (code, stdout, stderr) = run(&["explain", "q7"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.starts_with("Q7 empty (FIFO queue)\n"), "{stdout}");
    assert!(stdout.lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn mistakes_are_one_sentence_and_exit_code_2() {
    refused(&[], "no command was given");
    refused(&["chekc"], "'check'");
    refused(&["explain"], "<ID>");
    refused(&["explain", "Q99"], "there is no clause `Q99`");
    refused(&["list", "clausses"], "clauses");
    refused(&["list", "clauses", "--format", "yaml"], "yaml");
    refused(
        &["check", "--profile", "posixmin"],
        "did you mean `posix-min`?",
    );
    refused(
        &["check", "--engine", "nosuch"],
        "there is no engine `nosuch`",
    );
    refused(
        &["check", "--quirk", "nosuch"],
        "there is no quirk `nosuch`",
    );
    refused(&["check", "--jobs", "0"], "at least 1");
    refused(&["check", "--time-limit", "5d"], "ms, s, m, h");
    refused(&["check", "--seed", "-3"], "-3");
    refused(&["replay", "nosuch.json"], "cannot read nosuch.json");
    refused(&["shrink", "nosuch.json"], "cannot read nosuch.json");
}

#[test]
fn every_list_is_one_array_of_objects_with_a_name() {
    for what in [
        "clauses", "profiles", "quirks", "faults", "vectors", "engines",
    ] {
        let (code, stdout, _) = run(&["list", what, "--format", "json"]);
        assert_eq!(code, 0, "{what}");
        assert_eq!(stdout.lines().count(), 1, "{what}");
        let list: Vec<Value> = serde_json::from_str(&stdout).expect("an array");
        assert!(!list.is_empty(), "{what}");
        let named = |item: &Value| item["name"].as_str().is_some_and(|name| !name.is_empty());
        assert!(list.iter().all(named), "{what}");
        let (code, stdout, _) = run(&["list", what]);
        assert_eq!(code, 0, "{what}");
        assert!(stdout.lines().count() > list.len(), "a heading and {what}");
        assert!(
            stdout.lines().all(|line| line.chars().count() <= 100),
            "{what}"
        );
    }
}

/// A check that takes a moment, on the toy log.
const QUICK: &[&str] = &["check", "--engine", "toylog", "--budget", "2000"];

fn summary(stdout: &str) -> Value {
    let last = stdout.lines().last().expect("there is a line");
    let summary: Value = serde_json::from_str(last).expect("an event");
    assert_eq!(summary.get("event"), Some(&Value::from("summary")));
    summary
}

#[test]
fn a_check_that_passes_writes_nothing_and_gives_a_digest() {
    let (code, stdout, stderr) = run(QUICK);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.lines().all(|line| line.chars().count() <= 100));
    assert!(stdout.lines().any(|line| line.starts_with("digest ")));
    assert!(
        stdout
            .lines()
            .last()
            .is_some_and(|line| line.starts_with("PASS: "))
    );
}

#[test]
fn threads_change_nothing_but_the_time() {
    let one = run(&[QUICK, &["--jobs", "1"]].concat());
    let three = run(&[QUICK, &["--jobs", "3"]].concat());
    assert_eq!(one.1, three.1);
}

#[test]
fn another_seed_gives_another_digest() {
    let digest = |seed: &str| {
        let line = [QUICK, &["--format", "json", "--seed", seed]].concat();
        summary(&run(&line).1)["digest"].clone()
    };
    assert!(digest("5").is_string());
    assert_eq!(digest("5"), digest("5"));
    assert_ne!(digest("5"), digest("6"));
}

#[test]
fn a_check_of_nothing_is_exit_code_4() {
    for nothing in ["--cases", "--budget"] {
        let (code, stdout, _) = run(&["check", "--engine", "toylog", nothing, "0"]);
        assert_eq!(code, 4, "{stdout}");
    }
}

#[test]
fn a_planted_defect_is_found_replayed_and_shrunk() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let line = [
        "check",
        "--quirk",
        "toy-no-checksum",
        "--profile",
        "posix-min",
    ];
    let line = [&line[..], &["--budget", "20000", "--format", "json"]].concat();
    let (code, stdout, _) = told(&crashline(folder.path(), &line));
    assert_eq!(code, 1, "{stdout}");
    let summary = summary(&stdout);
    assert_eq!(summary["verdict"], "fail");
    let events = stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let violation = events
        .into_iter()
        .find(|event| event["event"] == "violation")
        .expect("a violation");
    for key in ["clause", "engine", "profile", "replay"] {
        assert!(violation[key].is_string(), "{key}");
    }
    let clause = violation["clause"].as_str().expect("an id");
    let file = violation["replay"].as_str().expect("a path");
    assert!(file.starts_with("crashline-out/toylog-"), "{file}");

    let (code, stdout, _) = told(&crashline(folder.path(), &["replay", file]));
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains(&format!("BROKEN {clause} ")), "{stdout}");
    let again = told(&crashline(folder.path(), &["replay", file])).1;
    assert_eq!(stdout, again, "the same bytes each time");

    let (code, stdout, _) = told(&crashline(
        folder.path(),
        &["shrink", file, "--out", "small"],
    ));
    assert_eq!(code, 0, "{stdout}");
    let small = std::fs::read_dir(folder.path().join("small")).expect("it was created");
    assert_eq!(small.count(), 1);
}

#[test]
fn a_file_that_is_no_scenario_is_refused() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    std::fs::write(folder.path().join("bad.json"), "{\"format\": 1}").expect("it is written");
    for command in ["replay", "shrink"] {
        let (code, stdout, stderr) = told(&crashline(folder.path(), &[command, "bad.json"]));
        assert_eq!((code, stdout.as_str()), (2, ""));
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(
            stderr.starts_with("crashline: bad.json is no replay file: "),
            "{stderr}"
        );
    }
}

#[test]
fn there_is_colour_only_where_it_is_asked_for() {
    let (_, plain, _) = run(&["explain", "C1"]);
    assert!(!plain.contains('\u{1b}'));
    let (_, colored, _) = run(&["explain", "C1", "--color", "always"]);
    assert!(colored.contains('\u{1b}'));
}

#[test]
fn help_and_version_go_to_standard_output() {
    for flag in ["--help", "--version", "help"] {
        let (code, stdout, stderr) = run(&[flag]);
        assert_eq!((code, stderr.as_str()), (0, ""), "{flag}");
        assert!(stdout.contains("crashline"), "{flag}");
        assert!(stdout.lines().all(|line| line.chars().count() <= 100));
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_crashline"))
        .args(["list", "clauses", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let (code, _, stderr) = told(&child.wait_with_output().expect("the command ends"));
    assert_eq!((code, stderr.as_str()), (0, ""));
}

#[test]
fn litmus_counts_are_those_worked_out_by_hand() {
    let (code, stdout, _) = run(&["litmus"]);
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.lines().all(|line| line.chars().count() <= 100));
    let appends = stdout.lines().find(|line| line.starts_with("two-appends "));
    assert!(appends.is_some_and(|line| line.split_whitespace().any(|word| word == "7")));
    let (code, stdout, _) = run(&["litmus", "two-appends", "--format", "json"]);
    assert_eq!(code, 0);
    let counts: Vec<Value> = serde_json::from_str(&stdout).expect("an array");
    assert!(
        counts
            .iter()
            .any(|one| one["profile"] == "posix-min" && one["counted"] == 7)
    );
    refused(&["litmus", "nosuch"], "there is no litmus `nosuch`");
}

/// A check that would take hours.
const ENDLESS: &[&str] = &[
    "check",
    "--engine",
    "toylog",
    "--budget",
    "1000000000000",
    "--format",
    "json",
];

#[test]
fn a_time_limit_ends_a_check_without_digest_and_without_a_pass() {
    let (code, stdout, _) = run(&[ENDLESS, &["--time-limit", "300ms"]].concat());
    let summary = summary(&stdout);
    assert_eq!(code, 3, "{summary}");
    assert_eq!(summary["verdict"], "unknown");
    assert!(summary["digest"].is_null());
    assert!(summary["states_judged"].as_u64() > Some(0), "{summary}");
}

#[test]
fn an_interrupted_check_tells_what_it_has_so_far() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_crashline"))
        .args(ENDLESS)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let first = lines.next().expect("a line").expect("text");
    assert!(first.contains("\"progress\""), "{first}");
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill runs").success());
    let rest: Vec<String> = lines.map(|line| line.expect("text")).collect();
    let status = child.wait().expect("the command ends");
    assert_eq!(status.code(), Some(130));
    let summary = summary(&rest.join("\n"));
    assert_eq!(summary["interrupted"], true);
    assert!(summary["digest"].is_null());
}
