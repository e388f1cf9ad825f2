//! Runs that were once said to break a clause and do not. What cannot be decided is unknown:
//! neither red nor green.

use crashline_sim::explore::{Verdict, replay};
use crashline_sim::scenario::{Action, CrashChoice, CrashKind, RunKind, Scenario, Step};

/// A failed batch of empty messages before one that counts: what comes back after a crash can be
/// either in more ways than are looked at, and one of those that are not is what happened.
#[test]
fn empty_messages_that_can_be_too_many_are_no_violation() {
    let batch = |count| Action::PutBatch {
        sizes: vec![0; count],
    };
    let mut scenario = Scenario::bare("diskqueue", "btrfs", RunKind::Errors, 0);
    scenario.options.segment_bytes_max = 256;
    scenario.options.sync_every = 4;
    scenario.steps = [batch(61), batch(70)].map(Step::queue).to_vec();
    scenario.faults = [
        "8 write_at on *: EDQUOT after 24 bytes",
        "2- write_at on *: short 10 bytes",
        "quota: 4096 bytes from call 16 until call 91",
    ]
    .map(str::to_owned)
    .to_vec();
    scenario.crashes = vec![CrashChoice {
        point: 499,
        marks: 4,
        kind: CrashKind::Kill,
        lost: Vec::new(),
        fill: None,
    }];
    let replayed = replay(&scenario).unwrap();
    assert!(
        matches!(replayed.verdict, Verdict::Unknown(_)),
        "{:?}",
        replayed.verdict
    );
}

/// The names say what was not understood.
const KEPT: &[(&str, &str)] = &[
    (
        "read-before-an-equal-put",
        include_str!("false_alarms/read-before-an-equal-put.json"),
    ),
    (
        "look-after-a-failed-open",
        include_str!("false_alarms/look-after-a-failed-open.json"),
    ),
    (
        "sums-of-an-empty-message",
        include_str!("false_alarms/sums-of-an-empty-message.json"),
    ),
    (
        "close-finishes-a-full-segment",
        include_str!("false_alarms/close-finishes-a-full-segment.json"),
    ),
];

#[test]
fn what_keeps_every_clause_is_not_said_to_break_one() {
    for (name, text) in KEPT {
        let scenario = Scenario::parse(text).expect("it is a scenario");
        let replayed = replay(&scenario).expect("it can be run");
        assert_eq!(replayed.verdict, Verdict::Pass, "{name}");
    }
}
