//! What is wrong without any crash, failed operations, and going on after a recovery.

use super::story::{Came, FLUSH, SYNC, Story, body, judged, position, refused, states};
use crate::model::LogAnswer;
use crate::oracle::{FaultNote, LogOracle, LogStrengths, judge_log};
use crate::scenario::{
    Applied, Clause, CrashKind, FailureKind, LogOp, LogOutcome, LogReply, ReaderOp, SnapshotOp,
    WriterOp,
};
use CrashKind::{Kill, PowerCut};

const PUT: WriterOp = WriterOp::Put { size: 8 };

fn io(applied: Applied) -> LogOutcome {
    LogOutcome::failed(FailureKind::Io(Some(5)), applied, "input/output error")
}

#[test]
fn a_run_that_the_model_tells_is_right() {
    let mut story = Story::new();
    story.read("a", ReaderOp::Open).put(2).write(FLUSH);
    story
        .confirm("a", 1)
        .look(SnapshotOp::Open)
        .look(SnapshotOp::ReadOne);
    story
        .rollback(1)
        .put_of(5)
        .batch(3)
        .write(WriterOp::FlushBuffer);
    story
        .confirm("a", 3)
        .write(WriterOp::Close)
        .write(WriterOp::Open);
    assert_eq!(story.clauses(), []);
    assert!(story.oracle.model().is_some());
}

#[test]
fn answers_that_no_model_gives_are_seen() {
    let wrong = |op: WriterOp, reply: LogReply| {
        let mut story = Story::new();
        story.put(2);
        let at = states(&story.model);
        story.say(&LogOp::Writer(op), &body(9), &LogOutcome::ok(reply), &at);
        assert!(story.oracle.model().is_none());
        assert!(story.oracle.finish().windows_at(99).is_none());
        story.violations.first().map(|one| one.clause)
    };
    let put = LogReply::Put {
        offset: 36,
        size: 12,
        end: position(3),
    };
    assert_eq!(wrong(PUT, put), Some(Clause::L1));
    let rollback = WriterOp::Rollback {
        offset: 13,
        count: 1,
    };
    assert_eq!(
        wrong(rollback, LogReply::Position(position(1))),
        Some(Clause::L3)
    );
    let grow = WriterOp::TryFixWriteEnd {
        offset: 36,
        count: 3,
    };
    assert_eq!(
        wrong(grow, LogReply::Position(position(3))),
        Some(Clause::L4)
    );
}

#[test]
fn objects_that_stand_elsewhere_are_seen() {
    let shown = |change: fn(&mut crate::scenario::LogStates), op: LogOp| {
        let mut story = Story::new();
        story.read("a", ReaderOp::Open).put(2);
        let possible = story.model.apply(&op, &body(2)).swap_remove(0);
        let LogAnswer::Reply(reply) = possible.answer else {
            panic!("it succeeds");
        };
        let mut states = states(&possible.after);
        change(&mut states);
        story.say(&op, &body(2), &LogOutcome::ok(reply), &states);
        story.violations.first().map(|one| one.clause)
    };
    let flush = || LogOp::Writer(FLUSH);
    assert_eq!(shown(|_| {}, flush()), None);
    let read_end = |states: &mut crate::scenario::LogStates| {
        states.writer.as_mut().unwrap().read_end = position(1);
    };
    assert_eq!(shown(read_end, flush()), Some(Clause::L1));
    let depth = |states: &mut crate::scenario::LogStates| {
        states.readers.get_mut("a").unwrap().depth = 7;
    };
    assert_eq!(shown(depth, flush()), Some(Clause::L12));
    let confirmed = |states: &mut crate::scenario::LogStates| {
        states.readers.get_mut("a").unwrap().confirmed = position(1);
    };
    assert_eq!(shown(confirmed, flush()), Some(Clause::L8));
    let gone = |states: &mut crate::scenario::LogStates| states.writer = None;
    assert_eq!(shown(gone, LogOp::Writer(PUT)), Some(Clause::L1));
}

#[test]
fn reads_deliver_what_is_there() {
    let read = |reply: LogReply| {
        let mut story = Story::new();
        story.read("a", ReaderOp::Open).put(2).write(FLUSH);
        story.confirm("a", 0);
        let op = LogOp::Reader("a".to_owned(), ReaderOp::TryReadOne);
        let at = states(&story.model);
        story.say(&op, &[], &LogOutcome::ok(reply), &at);
        story.violations.first().map(|one| one.clause)
    };
    assert_eq!(read(LogReply::Nothing), Some(Clause::C12));
    let second = super::story::message(1, 1);
    assert_eq!(read(LogReply::Message(second)), Some(Clause::C12));
    let other = super::story::message(0, 9);
    assert_eq!(read(LogReply::Message(other)), Some(Clause::L7));
}

/// A put that fails with a fault, and the states after it of the log with so many messages.
fn failed_put(applied: Applied, shown: i64, strengths: LogStrengths) -> Story {
    let mut story = Story::with(strengths);
    story.put(1).write(SYNC);
    let op = LogOp::Writer(PUT);
    if shown == 2 {
        story.model = story.model.apply(&op, &body(1)).swap_remove(0).after;
    }
    story.oracle.fault_fired(story.step, FaultNote::Call);
    let at = states(&story.model);
    story.say(&op, &body(1), &io(applied), &at);
    story
}

#[test]
fn a_failed_operation_is_done_or_not_as_it_says() {
    let all = LogStrengths::SEGLOG;
    assert_eq!(failed_put(Applied::No, 1, all).clauses(), []);
    assert_eq!(failed_put(Applied::Yes, 2, all).clauses(), []);
    assert_eq!(failed_put(Applied::No, 2, all).clauses(), [Clause::C4]);
    assert_eq!(failed_put(Applied::Yes, 1, all).clauses(), [Clause::C4]);
    assert_eq!(failed_put(Applied::Unknown, 1, all).clauses(), [Clause::C4]);
    let original = LogStrengths::ORIGINAL_SEGLOG;
    assert_eq!(failed_put(Applied::Unknown, 1, original).clauses(), []);
    assert_eq!(failed_put(Applied::Unknown, 2, original).clauses(), []);
}

#[test]
fn what_a_failed_put_left_may_come_back_until_the_next_sync() {
    let mut story = failed_put(Applied::No, 1, LogStrengths::SEGLOG);
    let failed = story.now();
    let again = story.put_of(5).now();
    let synced = story.write(SYNC).now();
    let history = story.history();
    for came in [Came::of([0]), Came::of([0, 1])] {
        assert_eq!(judged(&history, failed, PowerCut, &came), None);
    }
    let (old, new) = (Came::of([0, 1]), Came::of([0, 5]));
    assert_eq!(judged(&history, again, PowerCut, &old), None);
    assert_eq!(judged(&history, again, PowerCut, &new), None);
    assert_eq!(judged(&history, synced, PowerCut, &new), None);
    assert_eq!(judged(&history, synced, PowerCut, &old), Some(Clause::L2));
}

#[test]
fn a_failed_batch_leaves_its_leading_messages() {
    let leading = |said: u32, shown: i64| {
        let mut story = Story::new();
        let (op, bytes) = story.batch_of(3);
        story.oracle.fault_fired(story.step, FaultNote::Call);
        let came = Came::of(0..shown.unsigned_abs());
        story.say(&op, &bytes, &io(Applied::Leading(said)), &{
            let mut states = came.states();
            let writer = states.writer.as_mut().unwrap();
            writer.read_end = position(0);
            states
        });
        story.clauses()
    };
    assert_eq!(leading(2, 2), []);
    assert_eq!(leading(0, 0), []);
    assert_eq!(leading(2, 1), [Clause::C4]);
}

#[test]
fn a_failure_needs_a_cause() {
    let fail = |op: LogOp, note: Option<FaultNote>| {
        let mut story = Story::new();
        story.read("a", ReaderOp::Open).put(1);
        if let Some(note) = note {
            // It fired in the step before.
            story.oracle.fault_fired(story.step, note);
        }
        story.write(FLUSH);
        let at = states(&story.model);
        story.say(&op, &body(1), &io(Applied::No), &at);
        story.violations.first().map(|one| one.clause)
    };
    let read = || LogOp::Reader("a".to_owned(), ReaderOp::TryReadOne);
    assert_eq!(fail(LogOp::Writer(SYNC), None), Some(Clause::C1));
    assert_eq!(fail(LogOp::Writer(SYNC), Some(FaultNote::SyncFailed)), None);
    assert_eq!(fail(read(), None), Some(Clause::C12));
    assert_eq!(fail(read(), Some(FaultNote::Full)), Some(Clause::C6));
    let mut story = Story::new();
    let at = states(&story.model);
    let panicked = LogOutcome::failed(FailureKind::Panic, Applied::Unknown, "panicked");
    story.say(&LogOp::Writer(SYNC), &[], &panicked, &at);
    assert_eq!(story.clauses(), [Clause::C3]);
}

#[test]
fn a_failed_sync_promises_nothing_and_the_next_one_does() {
    let mut story = Story::new();
    story.put(2);
    story
        .oracle
        .fault_fired(story.step, FaultNote::SyncTookBack);
    let mut at = states(&story.model);
    at.writer.as_mut().unwrap().read_end = position(2);
    story.say(&LogOp::Writer(SYNC), &[], &io(Applied::No), &at);
    let failed = story.now();
    let synced = story.write(SYNC).now();
    let history = story.history();
    let lost = Came::of(0..1);
    assert_eq!(judged(&history, failed, PowerCut, &lost), None);
    assert_eq!(judged(&history, failed, Kill, &lost), None);
    assert_eq!(judged(&history, synced, PowerCut, &Came::of(0..2)), None);
    assert_eq!(judged(&history, synced, PowerCut, &lost), Some(Clause::C5));
}

#[test]
fn behind_a_silent_fault_nothing_is_judged() {
    let mut story = Story::new();
    story.put(1);
    story.oracle.fault_fired(story.step, FaultNote::Corrupted);
    let at = states(&story.model);
    story.say(&LogOp::Writer(SYNC), &[], &refused(), &at);
    assert_eq!(story.clauses(), []);
    assert!(story.oracle.finish().windows_at(99).is_none());
}

#[test]
fn what_a_failed_put_left_does_not_come_back_after_a_flush_and_a_kill() {
    let mut story = failed_put(Applied::No, 1, LogStrengths::SEGLOG);
    let now = story.put_of(5).write(FLUSH).now();
    let history = story.history();
    assert_eq!(judged(&history, now, Kill, &Came::of([0, 5])), None);
    let (old, short) = (Came::of([0, 1]), Came::of([0]));
    assert_eq!(judged(&history, now, PowerCut, &old), None);
    assert_eq!(judged(&history, now, Kill, &old), Some(Clause::L2));
    assert_eq!(judged(&history, now, Kill, &short), Some(Clause::L2));
}

/// Dies after a sync of three messages and a flush of a fourth one; the fifth is only in memory.
fn killed() -> Story {
    let mut story = Story::new();
    story
        .read("a", ReaderOp::Open)
        .put(3)
        .write(SYNC)
        .put(1)
        .write(FLUSH);
    story.confirm("a", 4).put(1);
    let none = crate::scenario::LogStates::default();
    story.say(&LogOp::Kill, &[], &LogOutcome::ok(LogReply::Done), &none);
    story
}

#[test]
fn a_killed_process_opens_to_what_it_flushed() {
    let open = LogOp::Writer(WriterOp::Open);
    let done = LogOutcome::ok(LogReply::Done);
    for (count, clauses) in [(5, vec![]), (4, vec![]), (3, vec![Clause::L2])] {
        let mut story = killed();
        story.say(&open, &[], &done, &Came::of(0..count).states());
        assert_eq!(story.clauses(), clauses, "{count}");
    }
    let mut story = killed();
    story.say(&open, &[], &done, &Came::from(1, 1..5).states());
    assert_eq!(story.clauses(), [Clause::L5]);
}

#[test]
fn a_reader_opens_after_a_kill_where_it_was() {
    let open = LogOp::Writer(WriterOp::Open);
    let done = LogOutcome::ok(LogReply::Done);
    for (at, clauses) in [(0, vec![]), (4, vec![]), (1, vec![Clause::L8])] {
        let mut story = killed();
        story.say(&open, &[], &done, &Came::of(0..4).states());
        let opened = Came::of(0..4).reader("a", at).states();
        let reader = LogOp::Reader("a".to_owned(), ReaderOp::Open);
        story.say(&reader, &[], &done, &opened);
        assert_eq!(story.clauses(), clauses, "{at}");
    }
}

#[test]
fn a_recovered_log_goes_on() {
    let mut story = Story::new();
    story.read("a", ReaderOp::Open).put(5).write(SYNC);
    let now = story.confirm("a", 4).now();
    let history = story.history();
    let came = Came::of(0..5).reader("a", 4);
    let recovery = came.recovery(&history);
    let model = recovery.model().expect("it is whole");
    let mut again = Story::new();
    again.oracle = LogOracle::resumed(model.clone(), LogStrengths::SEGLOG);
    again.model = model;
    again.step = 0;
    again.put_of(9).confirm("a", 0).write(SYNC);
    let second = again.now();
    let further = again.history();
    let tail = |numbers: Vec<u64>| Came::of(numbers).reader("a", 4);
    assert_eq!(
        judged(&further, second, PowerCut, &tail(vec![0, 1, 2, 3, 4, 9])),
        None
    );
    assert_eq!(
        judged(&further, 0, PowerCut, &tail(vec![0, 1, 2, 3, 4])),
        None
    );
    let lost = tail(vec![0, 1, 2, 3]).seen(&further);
    let windows = further.windows_at(0).unwrap();
    let violation = judge_log(windows, PowerCut, &lost).unwrap();
    assert_eq!(violation.clause, Clause::L2);
    let mut recovery = came.recovery(&history);
    recovery.broken_later(violation);
    assert!(recovery.is_broken() && recovery.model().is_none());
    let seen = recovery.finish();
    let windows = history.windows_at(now).unwrap();
    let clause = judge_log(windows, Kill, &seen).map(|one| one.clause);
    assert_eq!(clause, Some(Clause::L2));
}
