//! Every call of generated runs fails once, in several ways. Most of an errors run goes into the
//! crashes of few plans; here it is the plans that are enumerated, and the only crash is a kill at
//! the end, after which everything that is left is read.

use crashline_sim::crash::Limits;
use crashline_sim::explore::{ExploreLimits, explore, scenario_of_bytes};
use crashline_sim::generate::{Prng, sequence};
use crashline_sim::scenario::{
    Action, LogOp, ReaderOp, RunKind, Scenario, SnapshotOp, Step, WriterOp,
};

const PROFILE: &str = "strict-prefix";

/// How a call fails; its number goes before it.
const KINDS: &[&str] = &[
    "any on *: EIO",
    "change on *: ENOSPC",
    "write_at on *: EIO after 3 bytes",
    "sync on *: EIO, reverted",
];

/// Reads at the end: more than any run puts that is taken here.
const READS: usize = 12;

/// Runs of queues, read to their end after a kill. A close that fails leaves the queue open: what
/// it has is asked before and after, and more is put.
fn of_queues(count: usize) -> impl Iterator<Item = Scenario> {
    let runs = (0..).map(|index| sequence("diskqueue", 11, index, RunKind::Errors, PROFILE));
    let runs = runs.filter(|scenario| scenario.steps.len() < 16 && scenario.planted.is_empty());
    runs.take(count).map(|mut scenario| {
        let mut actions = Vec::new();
        for step in scenario.steps {
            let is_close = step.action == Action::Close;
            if is_close {
                actions.push(Action::Peek);
            }
            actions.push(step.action);
            if is_close {
                let more = [
                    Action::Peek,
                    Action::Read,
                    Action::Put { size: 7 },
                    Action::Read,
                ];
                actions.extend(more);
            }
        }
        actions.extend([Action::Kill, Action::Open { options: None }]);
        actions.extend(std::iter::repeat_n(Action::Read, READS));
        scenario.steps = actions.into_iter().map(Step::queue).collect();
        scenario
    })
}

/// Runs of logs. A close that fails leaves the log open, and is followed by a put and a flush.
fn of_logs(count: usize) -> impl Iterator<Item = Scenario> {
    let bytes = (0_u64..).map(|index| {
        let mut draws = Prng::named(11, &format!("log {index}"));
        (0..400).map(|_| draws.draw().to_le_bytes()[0]).collect()
    });
    let runs =
        bytes.map(|bytes: Vec<u8>| scenario_of_bytes(&bytes, "seglog", RunKind::Errors, PROFILE));
    let runs = runs.filter(|scenario| scenario.planted.is_empty());
    runs.take(count).map(|mut scenario| {
        let program = scenario.log.as_mut().expect("a log has one");
        let reader = |op| LogOp::Reader("a".to_owned(), op);
        let mut steps = Vec::new();
        for step in std::mem::take(&mut program.steps) {
            let is_close = step == LogOp::Writer(WriterOp::Close);
            steps.push(step);
            if is_close {
                steps.push(LogOp::Writer(WriterOp::Put { size: 7 }));
                steps.push(LogOp::Writer(WriterOp::FlushBuffer));
            }
        }
        steps.extend([
            LogOp::Kill,
            LogOp::Writer(WriterOp::Open),
            reader(ReaderOp::Open),
            LogOp::Snapshot(SnapshotOp::Open),
        ]);
        for _ in 0..READS {
            steps.push(reader(ReaderOp::TryReadOne));
            steps.push(LogOp::Snapshot(SnapshotOp::ReadOne));
        }
        program.steps = steps;
        scenario
    })
}

/// Whether the fault fired.
fn fails(scenario: &Scenario) -> bool {
    let limits = ExploreLimits {
        first: Limits {
            images_max: Some(1),
            ..Limits::default()
        },
        depth: 0,
        ..ExploreLimits::default()
    };
    let explored = explore(scenario, &limits).expect("the scenario makes sense");
    if let Some((clause, (violation, _))) = explored.broken.first_key_value() {
        panic!("{clause}: {violation:#?}\nin {}", scenario.to_text());
    }
    !explored.fired.is_empty()
}

/// Lets every call fail, one after the other; returns how many did.
fn check(runs: impl Iterator<Item = Scenario>) -> u32 {
    let mut count = 0;
    for mut scenario in runs {
        for kind in KINDS {
            for call in 1.. {
                scenario.faults = vec![format!("{call} {kind}")];
                if !fails(&scenario) {
                    break;
                }
                count += 1;
            }
        }
    }
    count
}

#[test]
fn every_call_of_generated_runs_of_queues_fails_once() {
    let count = check(of_queues(100));
    assert!(count > 5_000, "{count} faults");
}

#[test]
fn every_call_of_generated_runs_of_logs_fails_once() {
    let count = check(of_logs(60));
    assert!(count > 5_000, "{count} faults");
}
