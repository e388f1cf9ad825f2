//! What a person sees of results, held to snapshots; the values are made by hand.

use crashline_sim::explore::{
    CheckReport, ClauseRow, Entry, Found, Progress, Row, Timeline, Verdict,
};
use crashline_sim::report::{
    Paint, WIDTH, clause_table, failure, progress_event, reached_lines, result_line, run_table,
    summary_event, timeline, violation_event,
};
use crashline_sim::scenario::{
    Clause, CrashChoice, CrashKind, FORMAT, FifoOptions, Fill, RunKind, Scenario,
};

const PLAIN: fn() -> Paint = || Paint::new(false);

fn begin(step: u32, call: &str) -> Entry {
    Entry::Begin {
        step,
        call: call.to_owned(),
    }
}

fn call(call: &str, result: &str) -> Entry {
    Entry::Call {
        call: call.to_owned(),
        result: result.to_owned(),
    }
}

fn end(step: u32, answer: &str) -> Entry {
    Entry::End {
        step,
        answer: answer.to_owned(),
    }
}

/// Eight puts into one segment, one roll, a sync that is cut, and a recovery that invents bytes.
fn story() -> Timeline {
    let mut entries = Vec::new();
    for step in 0..8 {
        entries.push(begin(step, &format!("put 72 bytes (#{step})")));
        let place = format!("write_at queue.diskqueue.000000.dat {}+76", step * 76);
        entries.push(call(&place, "ok"));
        entries.push(end(step, "acknowledged"));
    }
    entries.push(begin(8, "sync"));
    entries.push(call("sync queue.diskqueue.000000.dat", "ok"));
    entries.push(call("open queue.diskqueue.meta.dat.tmp create", "ok"));
    entries.push(call(
        "write_at queue.diskqueue.meta.dat.tmp 0+38",
        "error: no space left on device (28)",
    ));
    entries.push(Entry::Crash {
        choice: CrashChoice {
            marks: 0,
            point: 21,
            kind: CrashKind::PowerCut,
            lost: vec![16, 17, 19],
            fill: Some(Fill::Zeros),
        },
        lost: vec![
            "write queue.diskqueue.000000.dat 532+76".to_owned(),
            "name queue.diskqueue.meta.dat.tmp in /data".to_owned(),
        ],
        files: vec![
            ("queue.diskqueue.000000.dat".to_owned(), 608),
            ("queue.diskqueue.lock".to_owned(), 0),
        ],
    });
    entries.push(begin(9, "open"));
    for index in 0..6 {
        let place = format!("read_at queue.diskqueue.000000.dat {}+76", index * 76);
        entries.push(call(&place, "ok"));
    }
    entries.push(end(
        9,
        "acknowledged; loss reported: queue.diskqueue.000000.dat 532+76, 1 message",
    ));
    for step in 10..14 {
        entries.push(begin(step, "read"));
        entries.push(end(step, &format!("message #{}", step - 10)));
    }
    entries.push(begin(14, "read until there is nothing more"));
    for number in 4..7 {
        entries.push(Entry::Note(format!("message #{number}, 72 bytes")));
    }
    entries.push(Entry::Note(
        "message of 72 bytes that is none of those put (starts with 00 00 00 00 00 00)".to_owned(),
    ));
    entries.push(end(14, "nothing"));
    entries.push(Entry::Note(
        "the directory still holds queue.diskqueue.000000.dat".to_owned(),
    ));
    entries.push(Entry::Violation {
        clause: Clause::Q1,
        evidence: "read 6 after recovery delivered 72 bytes that were never put: bytes 4 to 71 \
                   of message #7 came back as zeros"
            .to_owned(),
    });
    Timeline {
        heading: vec![
            "diskqueue on posix-min, crashes, seed 1".to_owned(),
            "segment 1,024 bytes, messages 0 to 1,024 bytes, sync every 2,500".to_owned(),
        ],
        entries,
    }
}

fn found() -> Found {
    Found {
        clause: Clause::Q1,
        evidence: "bytes that were never put".to_owned(),
        step: None,
        engine: "diskqueue".to_owned(),
        profile: "posix-min".to_owned(),
        scenario: Scenario {
            format: FORMAT,
            engine: "diskqueue".to_owned(),
            options: FifoOptions::default(),
            quirks: Vec::new(),
            profile: "posix-min".to_owned(),
            run: RunKind::Crashes,
            with_dir_sync: false,
            seed: 1,
            steps: Vec::new(),
            log: None,
            offsets: None,
            cluster: None,
            faults: Vec::new(),
            damage: Vec::new(),
            planted: Vec::new(),
            crashes: Vec::new(),
        },
        timeline: story(),
    }
}

fn row(engine: &str, profile: &str, run: RunKind, points: u64, enumerated: u64) -> Row {
    Row {
        engine: engine.to_owned(),
        profile: profile.to_owned(),
        run,
        scenarios: points / 40,
        points,
        points_enumerated: enumerated,
        states_judged: points * 512,
        states_built: points * 300,
        states_recovered: points * 9,
        violations: u64::from(profile == "posix-min"),
    }
}

fn clause(engine: &str, clause: Clause, judged: u64, violations: u64) -> ClauseRow {
    ClauseRow {
        engine: engine.to_owned(),
        clause,
        judged,
        violations,
        skipped: None,
    }
}

fn report(verdict: Verdict) -> CheckReport {
    let mut not_judged = clause("diskqueue", Clause::Q13, 0, 0);
    not_judged.skipped =
        Some("exploration runs one thread; the shared handle is tested apart".to_owned());
    CheckReport {
        expected: std::collections::BTreeSet::new(),
        rows: vec![
            row("toylog", "strict-prefix", RunKind::Crashes, 400, 400),
            row(
                "original-diskqueue",
                "ext4-writeback",
                RunKind::Crashes,
                1_218_220,
                1_017_001,
            ),
            row(
                "original-diskqueue",
                "posix-min",
                RunKind::Errors,
                18_220,
                17_001,
            ),
            row(
                "original-diskqueue",
                "posix-min",
                RunKind::Damage,
                18_220,
                18_220,
            ),
        ],
        clauses: vec![
            clause("toylog", Clause::Q1, 204_800, 0),
            clause("diskqueue", Clause::C1, 623_728_640, 0),
            clause("diskqueue", Clause::C4, 12, 0),
            clause("diskqueue", Clause::Q1, 623_728_640, 17),
            not_judged,
        ],
        found: vec![found()],
        marks: vec![
            ("roll-in-batch".to_owned(), 3),
            ("depth-2-crash".to_owned(), 0),
        ],
        faults: vec![("eio".to_owned(), 3), ("enospc".to_owned(), 1)],
        digest: Some(0x0123_4567_89ab_cdef_0011_2233_4455_6677),
        verdict,
    }
}

fn assert_fits(text: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= WIDTH, "too wide: {line}");
        assert_eq!(line, line.trim_end(), "blanks at the end");
    }
}

#[test]
fn a_timeline_tells_the_story() {
    let text = timeline(&story(), PLAIN());
    assert_fits(&text);
    insta::assert_snapshot!(text);
}

#[test]
fn a_kill_and_long_names_stay_within_the_page() {
    let name = format!("{}.diskqueue.000000.dat", "n".repeat(120));
    let timeline_of_kill = Timeline {
        heading: vec!["word ".repeat(40)],
        entries: vec![
            begin(0, &format!("open {name}")),
            call(&format!("open {name} create"), "ok"),
            end(0, "acknowledged"),
            Entry::Damage(format!("truncate {name} 12")),
            Entry::Crash {
                choice: CrashChoice {
                    marks: 0,
                    point: 1,
                    kind: CrashKind::Kill,
                    lost: Vec::new(),
                    fill: None,
                },
                lost: Vec::new(),
                files: vec![(name, 0)],
            },
            call("list_dir /data", "1 name"),
        ],
    };
    let text = timeline(&timeline_of_kill, PLAIN());
    assert_fits(&text);
    insta::assert_snapshot!(text);
}

#[test]
fn colour_changes_no_text() {
    let mut colored = timeline(&story(), Paint::new(true));
    for code in ["1;31", "1;32", "1;33", "1", "2", "0"] {
        colored = colored.replace(&format!("\u{1b}[{code}m"), "");
    }
    let plain = timeline(&story(), PLAIN());
    let trimmed: Vec<&str> = colored.lines().map(str::trim_end).collect();
    assert_eq!(trimmed, plain.lines().collect::<Vec<&str>>());
}

#[test]
fn the_tables_of_a_check() {
    let report = report(Verdict::Fail);
    let mut lines = run_table(&report.rows);
    lines.push(String::new());
    lines.extend(clause_table(&report.clauses));
    lines.push(String::new());
    lines.extend(reached_lines("marks", &report.marks));
    lines.extend(reached_lines("fault kinds", &report.faults));
    lines.extend(result_line(&report, PLAIN()));
    let text = lines.join("\n");
    assert_fits(&text);
    insta::assert_snapshot!(text);
}

#[test]
fn each_verdict_has_its_last_line() {
    let verdicts = [
        Verdict::Pass,
        Verdict::Unknown("the time limit came first".to_owned()),
        Verdict::Nothing,
    ];
    let lines: Vec<String> = verdicts
        .into_iter()
        .flat_map(|verdict| result_line(&report(verdict), PLAIN()))
        .filter(|line| !line.starts_with("digest"))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn a_failure_ends_with_the_command_that_shows_it_again() {
    let text = failure(
        &found(),
        Some("crashline-out/diskqueue-Q1-0123.json"),
        PLAIN(),
    );
    assert_fits(&text);
    let command = "crashline replay crashline-out/diskqueue-Q1-0123.json --clause Q1";
    assert!(text.ends_with(&format!("replay: {command}\n")), "{text}");
    assert!(text.starts_with("==== diskqueue on posix-min breaks Q1 integrity ===="));
}

#[test]
fn events_are_one_line_each_and_have_their_keys() {
    let progress = progress_event(Progress {
        recovered: 10,
        budget: Some(100),
        cases: None,
        scenarios: 1,
        judged: 500,
        violations: 0,
    });
    let violation = violation_event(&found(), Some("out/x.json"));
    let summary = summary_event(&report(Verdict::Fail), None, false);
    let mut text = String::new();
    for event in [progress, violation, summary] {
        let line = serde_json::to_string(&event).unwrap();
        assert!(!line.contains('\n'));
        text.push_str(&serde_json::to_string_pretty(&event).unwrap());
        text.push('\n');
    }
    insta::assert_snapshot!(text);
}
