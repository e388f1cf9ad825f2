//! Checks for other programs: shards, saved runs compared, baselines, test reporters, shells.
#![expect(
    clippy::disallowed_methods,
    reason = "these tests read and write the real directory that the command is run in"
)]

use std::path::Path;
use std::process::{Command, Stdio};

/// Exit code, standard output, standard error.
fn run(folder: &Path, line: &str) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_crashline"))
        .args(line.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the command starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().expect("no signal ended it");
    (code, text(&output.stdout), text(&output.stderr))
}

/// Keeps what the command prints in `name`.
fn keep(folder: &Path, name: &str, line: &str) -> i32 {
    let (code, stdout, _) = run(folder, line);
    std::fs::write(folder.join(name), stdout).expect("the folder can be written to");
    code
}

const SMALL: &str = "check --engine toylog --profile strict-prefix --cases 9 --format json";
const BROKEN: &str = "check --engine toylog --profile strict-prefix --budget 2000 \
                      --quirk toy-sync-does-nothing";

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("there is a place for temporary files")
}

#[test]
fn all_shards_together_are_the_whole_run() {
    let folder = folder();
    let folder = folder.path();
    assert_eq!(keep(folder, "whole", SMALL), 0);
    for number in 1..=3 {
        keep(
            folder,
            &format!("part-{number}"),
            &format!("{SMALL} --shard {number}/3"),
        );
    }
    let (code, stdout, _) = run(folder, "compare whole part-1 part-2 part-3 --exact");
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.contains("the same run"), "{stdout}");
    for (shards, wrong) in [
        ("part-1 part-2", "shard 3/3 is missing"),
        ("part-1 part-1 part-3", "shard 1/3 is there more than once"),
    ] {
        let (code, _, stderr) = run(folder, &format!("compare whole {shards}"));
        assert_eq!(code, 2, "{shards}: {stderr}");
        assert!(stderr.contains(wrong), "{stderr}");
    }
    for line in ["compare part-1 whole", "compare part-1 part-1"] {
        let (code, _, stderr) = run(folder, line);
        assert_eq!(code, 2, "{line}: {stderr}");
        assert!(stderr.contains("a shard is no run"), "{stderr}");
    }
}

#[test]
fn shards_with_findings_add_up_and_are_as_many_scenarios_as_asked_for() {
    let folder = folder();
    let folder = folder.path();
    let line = "check --engine toylog --cases 11 --quirk toy-sync-does-nothing --format json";
    assert_eq!(keep(folder, "whole", line), 1);
    for number in 1..=2 {
        let name = format!("part-{number}");
        keep(folder, &name, &format!("{line} --shard {number}/2"));
    }
    let (code, stdout, stderr) = run(folder, "compare whole part-1 part-2 --exact");
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.contains("the same run"), "{stdout}");
    let scenarios = stdout.lines().find(|line| line.starts_with("scenarios"));
    let counts: Vec<&str> = scenarios.unwrap_or_default().split_whitespace().collect();
    assert_eq!(counts, ["scenarios", "11", "11"]);
    // What a share does not find may be in another.
    let line = line.replace(" --format json", "");
    for (other, shard) in [
        ("whole", " --shard 1/2"),
        ("part-2", " --shard 1/2"),
        ("part-1", ""),
    ] {
        let (code, _, stderr) = run(folder, &format!("{line}{shard} --baseline {other}"));
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains("and this check of"), "{stderr}");
    }
    let (code, _, stderr) = run(folder, &format!("{line} --shard 2/2 --baseline part-2"));
    assert_eq!(code, 0, "{stderr}");
}

#[test]
fn a_baseline_expects_what_it_names_and_nothing_else() {
    let folder = folder();
    let folder = folder.path();
    assert_eq!(keep(folder, "whole", SMALL), 0);
    assert_eq!(
        keep(folder, "broken", &format!("{BROKEN} --format json")),
        1
    );
    let (code, stdout, stderr) = run(folder, &format!("{BROKEN} --baseline broken"));
    assert_eq!(code, 0, "{stderr}");
    let last = stdout.lines().last().unwrap_or_default();
    assert!(last.starts_with("PASS: "), "{stdout}");
    assert!(last.ends_with("as the baseline expects"), "{stdout}");
    for (format, expected, other) in [
        ("json", "\"verdict\":\"pass\"", "\"verdict\":\"fail\""),
        ("junit", "broken as the baseline expects", "<failure"),
        ("github", "::notice title=toylog breaks Q3", "::error"),
    ] {
        let line = format!("{BROKEN} --baseline broken --format {format}");
        let (code, stdout, stderr) = run(folder, &line);
        assert_eq!(code, 0, "{stderr}");
        assert!(
            stdout.contains(expected) && !stdout.contains(other),
            "{stdout}"
        );
    }
    let (code, _, stderr) = run(folder, &format!("{BROKEN} --baseline whole"));
    assert_eq!(code, 1);
    assert!(
        stderr.contains("toylog breaks Q3, which the baseline does not have"),
        "{stderr}"
    );
    let (code, stdout, stderr) = run(folder, &format!("{SMALL} --baseline broken"));
    assert_eq!(code, 1);
    assert!(stdout.contains("\"verdict\":\"fail\""), "{stdout}");
    assert!(stderr.contains("no longer breaks Q3"), "{stderr}");
    // Of an engine that was not checked nothing is known.
    let other = "check --engine replication --cases 1 --baseline broken";
    let (code, stdout, stderr) = run(folder, other);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stdout
            .lines()
            .last()
            .unwrap_or_default()
            .starts_with("PASS: ")
    );
    keep(
        folder,
        "other",
        "check --engine replication --cases 1 --format json",
    );
    let (code, stdout, _) = run(folder, "compare broken other");
    assert_eq!(code, 3, "{stdout}");
    assert!(stdout.starts_with("not checked now: toylog Q3"), "{stdout}");
    let (code, _, stderr) = run(folder, "compare whole broken other");
    assert_eq!(code, 2);
    assert!(
        stderr.contains("other is no shard of the same run"),
        "{stderr}"
    );
    let (code, stdout, _) = run(folder, "compare whole broken");
    assert_eq!(code, 1);
    assert!(
        stdout.starts_with("newly broken: toylog Q3 power\n"),
        "{stdout}"
    );
    assert_eq!(run(folder, "compare broken whole --format json").0, 0);
}

/// A green answer to a question that nobody asked would stay green for ever.
#[test]
fn a_replay_that_keeps_the_clause_and_breaks_another_fails() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../corpus/findings/original-diskqueue/Q8-running-put.json"
    );
    let folder = folder();
    let (code, stdout, _) = run(folder.path(), &format!("replay {file} --clause Q3"));
    assert_eq!(code, 1, "{stdout}");
    let last = stdout.lines().last().unwrap_or_default();
    assert!(
        last.ends_with("and keeps Q3, which was asked for"),
        "{last}"
    );
    let (code, stdout, _) = run(folder.path(), &format!("replay {file} --clause Q8"));
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains("\nFAIL: breaks Q8 "), "{stdout}");
}

/// A green answer says how much was looked at, where the file names no crash.
#[test]
fn a_replay_without_a_crash_counts_what_it_looked_at() {
    let folder = folder();
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../corpus/regressions/killed-while-cutting-the-tail.json"
    );
    let (code, stdout, _) = run(folder.path(), &format!("replay {file}"));
    assert_eq!(code, 0, "{stdout}");
    let last = stdout.lines().last().unwrap_or_default();
    let numbers: Vec<u64> = last
        .split(|c: char| !c.is_ascii_digit() && c != ',')
        .filter_map(|word| word.replace(',', "").parse().ok())
        .collect();
    let (code, stdout, _) = run(folder.path(), &format!("replay {file} --format json"));
    assert_eq!(code, 0, "{stdout}");
    let summary: serde_json::Value = serde_json::from_str(&stdout).expect("one line");
    let names = ["states_judged", "points", "points_enumerated"];
    let told = names.map(|name| summary[name].as_u64());
    assert!(numbers.iter().all(|number| *number > 0), "{last}");
    assert_eq!(
        told.to_vec(),
        numbers.into_iter().map(Some).collect::<Vec<_>>()
    );
}

/// What a damage run finds is made smaller, whatever the damage did not do.
#[test]
fn a_damage_that_cannot_be_done_is_none() {
    let folder = folder();
    let line = "check --engine original-seglog --cases 4 --profile strict-prefix --format json";
    let (code, stdout, stderr) = run(folder.path(), line);
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.contains("\"verdict\":\"fail\""), "{stdout}");
}

/// What was found is told, wherever it was to be saved.
#[test]
fn a_folder_that_cannot_be_written_to_costs_no_verdict() {
    let folder = folder();
    let folder = folder.path();
    std::fs::write(folder.join("file"), "x").expect("the folder can be written to");
    let (code, stdout, stderr) = run(folder, &format!("{BROKEN} --out file/below"));
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("cannot write into file/below"), "{stderr}");
    let (code, stdout, stderr) = run(folder, &format!("{BROKEN} --out /proc/none"));
    assert_eq!(code, 1, "{stderr}");
    assert!(stdout.contains("\nFAIL: "), "{stdout}");
    assert!(stderr.contains("cannot write /proc/none"), "{stderr}");
}

#[test]
fn a_test_reporter_gets_failures_and_skipped_cases() {
    let folder = folder();
    let (code, stdout, _) = run(folder.path(), &format!("{BROKEN} --format junit"));
    assert_eq!(code, 1);
    assert!(stdout.starts_with("<?xml"), "{stdout}");
    let case = "<testcase name=\"Q3 power\" classname=\"toylog\"";
    let (_, rest) = stdout
        .split_once(case)
        .expect("the broken clause is a case");
    let (_, rest) = rest.split_once("<failure message=").expect("it failed");
    assert!(
        rest.contains("replay: crashline replay crashline-out/toylog-Q3-"),
        "{rest}"
    );
    assert!(stdout.contains("<skipped message="), "{stdout}");
}

#[test]
fn a_workflow_gets_an_annotation_for_each_violation() {
    let folder = folder();
    let (code, stdout, _) = run(folder.path(), &format!("{BROKEN} --format github"));
    assert_eq!(code, 1);
    let last = stdout.lines().last().unwrap_or_default();
    assert!(
        last.starts_with("::error title=toylog breaks Q3 power::"),
        "{stdout}"
    );
}

#[test]
fn shells_and_manuals_know_every_command() {
    let folder = folder();
    let folder = folder.path();
    for shell in ["bash", "zsh", "fish"] {
        let (code, stdout, _) = run(folder, &format!("completions {shell}"));
        assert_eq!(code, 0);
        assert!(
            stdout.contains("litmus") && stdout.contains("shard"),
            "{shell}"
        );
    }
    let (code, stdout, _) = run(folder, "man");
    assert_eq!(code, 0);
    assert!(
        stdout.contains(".TH crashline") && stdout.contains("crashline\\-litmus"),
        "{stdout}"
    );
    let (code, stdout, _) = run(folder, "man check");
    assert_eq!(code, 0);
    assert!(stdout.contains("\\-\\-shard"), "{stdout}");
    for line in ["man offsets show", "man offsets-show"] {
        let (code, stdout, _) = run(folder, line);
        assert_eq!(code, 0);
        assert!(stdout.contains(".TH crashline-offsets-show"), "{stdout}");
    }
}

#[test]
fn what_does_not_fit_is_one_sentence() {
    let folder = folder();
    std::fs::write(folder.path().join("text"), "hello\n").expect("the folder can be written to");
    for (line, words) in [
        ("check --shard 1/2", "--cases"),
        ("check --shard 3/2 --cases 5", "numbered from 1"),
        ("check --shard 1/2 --cases 5 --budget 7", "--budget"),
        ("check --baseline nosuch", "cannot read nosuch"),
        (
            "compare text text",
            "text is not what `check --format json` prints",
        ),
        ("compare text", "<NEW>"),
        ("man nosuch", "`crashline` has no command `nosuch`"),
        ("man check nosuch", "`crashline check` has no commands"),
        ("completions tcsh", "tcsh"),
    ] {
        let (code, stdout, stderr) = run(folder.path(), line);
        assert_eq!((code, stdout.as_str()), (2, ""), "{line}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.contains(words), "{line}: {stderr}");
    }
}

#[test]
fn directory_syncs_can_be_supplied_to_an_original() {
    let folder = folder();
    let broken = |flags: &str| {
        let line = "check --engine original-diskqueue --profile posix-min --cases 12 --format json";
        let (_, stdout, _) = run(folder.path(), &format!("{line} {flags}"));
        let event = stdout
            .lines()
            .filter(|line| line.contains("\"event\":\"violation\""));
        let word = |line: &str| line.split('"').nth(7).unwrap_or_default().to_owned();
        event.map(word).collect::<Vec<String>>()
    };
    let without = broken("");
    let with = broken("--with-dir-sync");
    assert!(without.contains(&"Q3".to_owned()), "{without:?}");
    assert_ne!(without, with, "less is lost where names are durable");
}
