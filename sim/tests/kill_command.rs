//! Real processes that are killed, through the command that kills them.

use std::process::{Command, Stdio};

/// Exit code and standard output of `crashline kill` with these flags.
fn kill(flags: &[&str]) -> (i32, String) {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let output = Command::new(env!("CARGO_BIN_EXE_crashline"))
        .arg("kill")
        .args(flags)
        .args(["--dir", "."])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("the command starts");
    let code = output.status.code().expect("no signal ended it");
    (code, String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_quirk_that_the_engine_does_not_have_is_refused() {
    for line in [
        &["--quirk", "nope"][..],
        &["--quirk", "segment-not-synced"],
        &["--engine", "original-diskqueue", "--quirk", "no-lock"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_crashline"))
            .args(["kill", "--rounds", "1"])
            .args(line)
            .output()
            .expect("the command starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn what_killed_processes_leave_is_recovered() {
    let (code, stdout) = kill(&["--rounds", "12"]);
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.ends_with("PASS: 0 broken\n"), "{stdout}");
    for condition in [
        "full disk: ",
        "few descriptors: passed",
        "read-only directory: ",
    ] {
        assert!(stdout.contains(condition), "{stdout}");
    }
}

#[test]
fn a_broken_engine_is_found_out() {
    let (code, stdout) = kill(&["--rounds", "12", "--quirk", "no-lock"]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains("breaks C10 one owner"), "{stdout}");
    let quirk = "stale-meta-overwrites-tail";
    let (code, stdout) = kill(&["--rounds", "12", "--quirk", quirk, "--format", "json"]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains("\"clause\":\"Q2\""), "{stdout}");
}

#[test]
fn nothing_to_kill_is_exit_code_4_and_a_wrong_name_2() {
    assert_eq!(kill(&["--rounds", "0"]), (4, String::new()));
    assert_eq!(kill(&["--rounds", "3", "--engine", "nosuch"]).0, 2);
    assert_eq!(kill(&["--engine", "shared-diskqueue"]).0, 2);
}

#[test]
fn what_an_engine_does_not_promise_is_skipped_aloud() {
    let (code, stdout) = kill(&["--rounds", "6", "--engine", "toylog"]);
    assert_eq!(code, 0, "{stdout}");
    assert_eq!(stdout.matches(": skipped: ").count(), 3, "{stdout}");
}
