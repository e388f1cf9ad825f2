//! Generated runs that the reference model answers: nothing in them is wrong, what a crash leaves
//! at the least and at the most is right at every mark, and one message less than what was synced
//! is wrong.

use super::story::states;
use crate::generate::{Choices, LogGenerator};
use crate::model::{LogAnswer, LogModel, Place};
use crate::oracle::{LogHistory, LogObservation, LogOracle, LogRecovery, LogStrengths, judge_log};
use crate::scenario::{
    Applied, Clause, CrashKind, FailureKind, LogMessage, LogOp, LogOutcome, LogPosition, LogReply,
    LogStates, ReaderState, WriterOp, WriterState,
};

const RUNS: u64 = 60;
const STEPS: u32 = 40;

/// A model after each step, the first one before all of them.
fn run(seed: u64) -> (LogHistory, Vec<(LogModel, Option<LogOp>)>) {
    let mut choices = Choices::from_seed(seed);
    let mut generator = LogGenerator::draw(&mut choices);
    let mut model = LogModel::new(generator.options());
    let mut oracle = LogOracle::new(generator.options(), LogStrengths::SEGLOG);
    let mut models = vec![(model.clone(), None)];
    for step in 0..STEPS {
        let (op, bytes) = generator.next(&mut choices, &model.view());
        let mut possible = model.apply(&op, &bytes);
        let taken = choices.below(u32::try_from(possible.len()).unwrap());
        let taken = possible.swap_remove(taken as usize);
        let failed = |kind| LogOutcome::failed(kind, Applied::No, "no");
        let outcome = match taken.answer {
            LogAnswer::Reply(reply) => LogOutcome::ok(reply),
            LogAnswer::Refused => failed(FailureKind::Refused),
            LogAnswer::Closed => failed(FailureKind::Closed),
        };
        model = taken.after;
        let violations = oracle.end(step, &op, &bytes, &outcome, &states(&model));
        assert_eq!(violations, [], "seed {seed}, step {step}: {op:?}");
        models.push((model.clone(), outcome.result.is_ok().then_some(op)));
    }
    let history = oracle.finish();
    assert!(!history.is_undecided(), "seed {seed}");
    (history, models)
}

/// What a recovery shows that finds the log of a model up to an end.
fn shown(history: &LogHistory, model: &LogModel, end: Place) -> LogObservation {
    let boundaries = model.boundaries();
    let at = |place: Place| {
        let found = boundaries.iter().find(|one| Place::from(**one) == place);
        *found.expect("it is a boundary")
    };
    let start = boundaries[0];
    let mut shown = LogStates {
        writer: Some(WriterState {
            queue_start: start,
            write_end: at(end),
            read_end: at(end),
        }),
        ..LogStates::default()
    };
    for name in model.reader_names() {
        let confirmed = model.confirmed(name).unwrap().min(end).max(start.into());
        shown
            .readers
            .insert(name.to_owned(), standing(at(confirmed), at(end)));
    }
    let done = LogOutcome::ok(LogReply::Done);
    let mut recovery = LogRecovery::new(history, model.options(), Some(CrashKind::PowerCut));
    recovery.writer_opened(&done, &shown);
    for name in model.reader_names() {
        recovery.reader_opened(name, &done, &shown);
    }
    for pair in boundaries.windows(2) {
        if pair[1].offset <= end.offset {
            recovery.message(&LogMessage {
                offset: pair[0].offset,
                moved: pair[1].offset - pair[0].offset,
                count: pair[1].count,
                bytes: model.message(pair[0].offset).unwrap().to_vec(),
            });
        }
    }
    recovery.snapshot_ended(&LogOutcome::ok(LogReply::Nothing));
    let again = recovery.model().expect("it is whole");
    assert_eq!((again.start(), again.end()), (Place::from(start), end));
    recovery.finish()
}

fn standing(confirmed: LogPosition, end: LogPosition) -> ReaderState {
    ReaderState {
        confirmed,
        read: confirmed,
        end,
        depth: end.count - confirmed.count,
        depth_size: end.offset - confirmed.offset,
        waiting: confirmed == end,
    }
}

/// What is broken by this at a mark, in words.
fn broken(
    history: &LogHistory,
    mark: u32,
    kind: CrashKind,
    seen: &LogObservation,
) -> Option<(Clause, String)> {
    let windows = history.windows_at(mark).expect("it was followed");
    let violation = judge_log(windows, kind, seen)?;
    Some((violation.clause, violation.evidence))
}

#[test]
fn what_a_crash_leaves_of_a_right_run_is_right() {
    let mut synced = 0;
    for seed in 0..RUNS {
        let (history, models) = run(seed);
        for (mark, pair) in (0..).zip(models.windows(2)) {
            let [(before, _), (after, op)] = pair else {
                panic!("a pair has two");
            };
            let (inside, behind) = (2 * mark + 1, 2 * mark + 2);
            let all = shown(&history, after, after.end());
            let flushed = shown(&history, after, after.read_end());
            let old = shown(&history, before, before.end());
            for kind in [CrashKind::Kill, CrashKind::PowerCut] {
                let told = |mark, seen| broken(&history, mark, kind, seen);
                assert_eq!(told(inside, &old), None, "seed {seed}, in {op:?}");
                assert_eq!(told(inside, &all), None, "seed {seed}, in {op:?}");
                assert_eq!(told(behind, &all), None, "seed {seed}, after {op:?}");
            }
            let told = broken(&history, behind, CrashKind::Kill, &flushed);
            assert_eq!(told, None, "seed {seed}, after {op:?}");
            let boundaries = after.boundaries();
            let is_synced = *op == Some(LogOp::Writer(WriterOp::Flush { fsync: true }));
            if is_synced && let [.., last, _] = boundaries.as_slice() {
                let short = shown(&history, after, (*last).into());
                for kind in [CrashKind::Kill, CrashKind::PowerCut] {
                    let told = broken(&history, behind, kind, &short);
                    assert!(told.is_some(), "seed {seed}, after {op:?}");
                }
                synced += 1;
            }
        }
    }
    assert!(synced > 10, "{synced}");
}
