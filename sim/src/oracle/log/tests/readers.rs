//! Where readers stand after a crash, and what a recovery shows that is wrong wherever it fell.

use super::story::{Came, FLUSH, SYNC, Story, judged, message, options, position, reader_at};
use crate::oracle::{LogObservation, LogRecovery};
use crate::scenario::{
    Applied, Clause, CrashKind, FailureKind, LogOutcome, LogReply, Loss, ReaderOp,
};
use CrashKind::{Kill, PowerCut};

/// Four messages, durable; the reader opened at the start of the log.
fn with_reader() -> Story {
    let mut story = Story::new();
    story.read("a", ReaderOp::Open).put(4).write(SYNC);
    story
}

#[test]
fn a_reader_stands_at_what_it_confirmed() {
    let mut story = with_reader();
    story
        .confirm("a", 2)
        .read("a", ReaderOp::Flush { fsync: true });
    let now = story.confirm("a", 1).now();
    let reading = story.read("a", ReaderOp::TryReadOne).now();
    let flushed = story.read("a", ReaderOp::Flush { fsync: true }).now();
    let history = story.history();
    for (at, clause) in [
        (1, Some(Clause::L8)),
        (2, None),
        (3, None),
        (4, Some(Clause::L10)),
        (0, Some(Clause::L8)),
    ] {
        let came = Came::of(0..4).reader("a", at);
        for mark in [now, reading] {
            assert_eq!(judged(&history, mark, PowerCut, &came), clause, "{at}");
        }
    }
    let older = Came::of(0..4).reader("a", 2);
    assert_eq!(judged(&history, flushed, Kill, &older), Some(Clause::L8));
    assert_eq!(judged(&history, flushed - 1, Kill, &older), None);
}

#[test]
fn a_first_open_leaves_a_reader_new_or_known() {
    let mut story = Story::new();
    story.put(2).write(SYNC);
    let opened = story.read("a", ReaderOp::Open).now();
    let later = story.put(2).write(SYNC).now();
    let history = story.history();
    let inside = opened - 1;
    let at = |at| Came::of(0..2).reader("a", at);
    assert_eq!(judged(&history, inside, PowerCut, &at(2)), None);
    assert_eq!(judged(&history, inside, PowerCut, &at(0)), None);
    assert_eq!(judged(&history, inside, PowerCut, &at(1)), Some(Clause::L8));
    assert_eq!(judged(&history, opened - 2, PowerCut, &at(0)), None);
    let at = |at| Came::of(0..4).reader("a", at);
    assert_eq!(judged(&history, later, PowerCut, &at(2)), None);
    assert_eq!(judged(&history, later, PowerCut, &at(4)), Some(Clause::L10));
}

#[test]
fn a_cut_takes_readers_with_it() {
    let mut story = with_reader();
    story
        .confirm("a", 4)
        .read("a", ReaderOp::Flush { fsync: true });
    let rolled = story.rollback(2).now();
    let rewritten = story.put_of(8).put_of(9).write(SYNC).now();
    let history = story.history();
    let inside = rolled - 1;
    let before = Came::of(0..4);
    assert_eq!(
        judged(&history, inside, Kill, &before.clone().reader("a", 4)),
        None
    );
    assert_eq!(
        judged(&history, inside, Kill, &before.reader("a", 2)),
        Some(Clause::L8)
    );
    assert_eq!(
        judged(&history, inside, Kill, &Came::of(0..2).reader("a", 2)),
        None
    );
    let after = Came::of([0, 1, 8, 9]);
    let judge = |came: Came| judged(&history, rewritten, Kill, &came);
    assert_eq!(judge(after.clone().reader("a", 2)), None);
    assert_eq!(judge(after.reader("a", 4)), Some(Clause::L10));
}

#[test]
fn a_crash_that_takes_the_end_takes_the_reader() {
    let mut story = Story::new();
    story.read("a", ReaderOp::Open).put(2).write(FLUSH);
    let now = story.confirm("a", 2).read("a", ReaderOp::Close).now();
    let history = story.history();
    let short = Came::of(0..1);
    assert_eq!(
        judged(&history, now, PowerCut, &short.clone().reader("a", 1)),
        None
    );
    let clause = judged(&history, now, PowerCut, &short.reader("a", 0));
    assert_eq!(clause, Some(Clause::L8));
}

fn recovered(change: impl FnOnce(&mut LogRecovery<'_>)) -> LogObservation {
    let mut story = Story::new();
    story.put(4).write(SYNC);
    let history = story.history();
    let mut recovery = LogRecovery::new(&history, options(), Some(Kill));
    change(&mut recovery);
    recovery.finish()
}

fn clause(change: impl FnOnce(&mut LogRecovery<'_>)) -> Option<Clause> {
    recovered(change).finding.map(|finding| finding.clause)
}

fn opened(recovery: &mut LogRecovery<'_>) {
    let states = Came::of(0..4).states();
    recovery.writer_opened(&LogOutcome::ok(LogReply::Done), &states);
}

fn read_all(recovery: &mut LogRecovery<'_>) {
    for number in 0..4 {
        recovery.message(&message(i64::try_from(number).unwrap(), number));
    }
    recovery.snapshot_ended(&LogOutcome::ok(LogReply::Nothing));
}

#[test]
fn a_recovery_opens_and_is_read_to_its_end() {
    let done = |recovery: &mut LogRecovery<'_>| {
        opened(recovery);
        read_all(recovery);
    };
    assert_eq!(clause(done), None);
    for (kind, expected) in [
        (FailureKind::Io(Some(5)), Clause::C1),
        (FailureKind::Panic, Clause::C3),
        (FailureKind::CutOff, Clause::C3),
    ] {
        let failed = LogOutcome::failed(kind, Applied::No, "no");
        let states = Came::default().states();
        let seen = clause(|recovery| recovery.writer_opened(&failed, &states));
        assert_eq!(seen, Some(expected));
    }
    assert_eq!(clause(|_| {}), Some(Clause::C1));
    assert_eq!(clause(opened), Some(Clause::C12));
    let stopped = |recovery: &mut LogRecovery<'_>| {
        opened(recovery);
        recovery.message(&message(0, 0));
        recovery.snapshot_ended(&LogOutcome::ok(LogReply::Nothing));
    };
    assert_eq!(clause(stopped), Some(Clause::C12));
}

#[test]
fn numbers_that_do_not_add_up_are_seen() {
    let with = |change: fn(&mut crate::scenario::LogMessage)| {
        move |recovery: &mut LogRecovery<'_>| {
            opened(recovery);
            let mut first = message(0, 0);
            change(&mut first);
            recovery.message(&first);
        }
    };
    assert_eq!(clause(with(|first| first.count = 2)), Some(Clause::L1));
    assert_eq!(clause(with(|first| first.moved = 8)), Some(Clause::L1));
    assert_eq!(clause(with(|first| first.offset = 12)), Some(Clause::L2));
    assert_eq!(clause(with(|first| first.offset = -1)), Some(Clause::L1));
    let beyond = |recovery: &mut LogRecovery<'_>| {
        opened(recovery);
        for number in 0..5 {
            recovery.message(&message(i64::try_from(number).unwrap(), number));
        }
    };
    assert_eq!(clause(beyond), Some(Clause::L7));
    let backward = |recovery: &mut LogRecovery<'_>| {
        let mut states = Came::of(0..4).states();
        let writer = states.writer.as_mut().unwrap();
        writer.queue_start = position(5);
        recovery.writer_opened(&LogOutcome::ok(LogReply::Done), &states);
    };
    assert_eq!(clause(backward), Some(Clause::L5));
}

#[test]
fn readers_that_cannot_be_right_are_seen() {
    let with = |change: fn(&mut crate::scenario::ReaderState)| {
        move |recovery: &mut LogRecovery<'_>| {
            opened(recovery);
            let mut states = Came::of(0..4).states();
            let mut reader = reader_at(1, 4);
            change(&mut reader);
            states.readers.insert("a".to_owned(), reader);
            recovery.reader_opened("a", &LogOutcome::ok(LogReply::Done), &states);
            read_all(recovery);
        }
    };
    assert_eq!(clause(with(|_| {})), None);
    assert_eq!(clause(with(|reader| reader.depth = 2)), Some(Clause::L12));
    assert_eq!(
        clause(with(|reader| reader.waiting = true)),
        Some(Clause::L12)
    );
    assert_eq!(
        clause(with(|reader| reader.read = position(2))),
        Some(Clause::L8)
    );
    assert_eq!(
        clause(with(|reader| *reader = reader_at(1, 3))),
        Some(Clause::L7)
    );
    let in_the_middle = |reader: &mut crate::scenario::ReaderState| {
        reader.confirmed.offset = 13;
        reader.read.offset = 13;
        reader.depth_size = 35;
    };
    assert_eq!(clause(with(in_the_middle)), Some(Clause::L8));
}

#[test]
fn damage_is_not_reported_after_a_mere_crash() {
    let loss = Loss {
        file: "q.diskqueue.000000.dat".to_owned(),
        offset: 0,
        size: 12,
        messages: None,
    };
    let lossy = LogOutcome {
        losses: vec![loss],
        ..LogOutcome::ok(LogReply::Done)
    };
    let states = Came::of(0..4).states();
    let seen = clause(|recovery| recovery.writer_opened(&lossy, &states));
    assert_eq!(seen, Some(Clause::L2));
    let history = {
        let mut story = Story::new();
        story.read("a", ReaderOp::Open).put(4).write(SYNC);
        story.history()
    };
    let came = Came::of(0..4).reader("a", 0);
    let mut recovery = LogRecovery::new(&history, options(), Some(Kill));
    recovery.writer_opened(&LogOutcome::ok(LogReply::Done), &came.states());
    recovery.reader_opened("a", &lossy, &came.states());
    read_all(&mut recovery);
    let windows = history.windows_at(100).unwrap();
    let seen = recovery.finish();
    let clause = crate::oracle::judge_log(windows, Kill, &seen).map(|one| one.clause);
    assert_eq!(clause, Some(Clause::C7));
}
