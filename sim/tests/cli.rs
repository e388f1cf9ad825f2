//! The command as its users meet it: a process with arguments, two streams and an exit code.
#![expect(
    clippy::disallowed_methods,
    reason = "these tests look at the real directory that the command leaves behind"
)]

use serde_json::Value;
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
    refused(&["exlain"], "'explain'");
    refused(&["explain"], "<ID>");
    refused(&["explain", "Q99"], "there is no clause `Q99`");
    refused(&["list", "clausses"], "clauses");
    refused(&["list", "clauses", "--format", "yaml"], "yaml");
}

#[test]
fn every_list_is_one_array_of_objects_with_a_name() {
    for what in ["clauses", "vectors"] {
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
