//! What comes back of the log after a crash.

use super::story::{Came, FLUSH, SYNC, Story, body, judged, options, position, refused};
use crate::oracle::LogRecovery;
use crate::scenario::{Clause, CleanTarget, CrashKind, LogOutcome, LogReply, WriterOp};
use CrashKind::{Kill, PowerCut};

#[test]
fn what_is_durable_or_flushed_is_there() {
    let mut story = Story::new();
    story.put(1).write(SYNC).put(1);
    let flushed = story.write(FLUSH).now();
    let now = story.put(1).now();
    assert_eq!(now, flushed + 2);
    let before = story.put(1).now();
    let history = story.history();
    for (numbers, kill, cut) in [
        (0..4, None, None),
        (0..3, None, None),
        (0..2, Some(Clause::L2), None),
        (0..1, Some(Clause::L2), None),
        (0..0, Some(Clause::L2), Some(Clause::L2)),
        (0..5, Some(Clause::L2), Some(Clause::L2)),
    ] {
        // The third put finishes the segment, which shows it to readers.
        let came = Came::of(numbers.clone());
        assert_eq!(judged(&history, before, Kill, &came), kill, "{numbers:?}");
        assert_eq!(
            judged(&history, before, PowerCut, &came),
            cut,
            "{numbers:?}"
        );
    }
    assert_eq!(judged(&history, flushed, Kill, &Came::of(0..2)), None);
    let short = Came::of(0..1);
    assert_eq!(judged(&history, flushed, Kill, &short), Some(Clause::L2));
    assert_eq!(judged(&history, flushed - 1, Kill, &short), None);
}

#[test]
fn other_bytes_are_no_prefix() {
    let mut story = Story::new();
    let now = story.put(2).write(SYNC).now();
    let history = story.history();
    assert_eq!(judged(&history, now, Kill, &Came::of([0, 1])), None);
    assert_eq!(
        judged(&history, now, Kill, &Came::of([1, 0])),
        Some(Clause::L2)
    );
}

#[test]
fn a_batch_comes_in_leading_parts_while_it_is_in_flight() {
    let mut story = Story::new();
    story.put(1).write(SYNC);
    let inside = story.batch(2).inside();
    let after = story.write(SYNC).now();
    let history = story.history();
    for count in 1..=3 {
        assert_eq!(
            judged(&history, inside, PowerCut, &Came::of(0..count)),
            None
        );
    }
    let part = Came::of(0..2);
    assert_eq!(judged(&history, after, PowerCut, &part), Some(Clause::L2));
}

#[test]
fn a_clean_close_loses_nothing() {
    let mut story = Story::new();
    let closed = story.put(2).write(WriterOp::Close).now();
    let opened = story.write(WriterOp::Open).put(1).now();
    let history = story.history();
    for mark in [closed, opened] {
        assert_eq!(judged(&history, mark, PowerCut, &Came::of(0..2)), None);
        let short = Came::of(0..1);
        assert_eq!(judged(&history, mark, PowerCut, &short), Some(Clause::C11));
    }
    let closing = closed - 1;
    assert_eq!(judged(&history, closing, PowerCut, &Came::of(0..1)), None);
}

#[test]
fn a_rollback_is_durable_and_all_or_nothing() {
    let mut story = Story::new();
    let rolled = story.put(2).write(SYNC).put(2).rollback(1).now();
    let rewritten = story.put_of(7).now();
    let history = story.history();
    let inside = rolled - 1;
    for (numbers, clause) in [
        (0..1, None),
        (0..2, None),
        (0..4, None),
        (0..0, Some(Clause::L3)),
    ] {
        let came = Came::of(numbers.clone());
        assert_eq!(
            judged(&history, inside, PowerCut, &came),
            clause,
            "{numbers:?}"
        );
    }
    for (numbers, clause) in [
        (0..1, None),
        (0..2, Some(Clause::L3)),
        (0..0, Some(Clause::L3)),
    ] {
        let came = Came::of(numbers.clone());
        assert_eq!(
            judged(&history, rolled, PowerCut, &came),
            clause,
            "{numbers:?}"
        );
    }
    for (numbers, clause) in [
        (vec![0], None),
        (vec![0, 7], None),
        (vec![0, 1], Some(Clause::L3)),
        (vec![0, 1, 2], Some(Clause::L3)),
        (vec![0, 9], Some(Clause::L2)),
    ] {
        let came = Came::of(numbers.clone());
        assert_eq!(
            judged(&history, rewritten, PowerCut, &came),
            clause,
            "{numbers:?}"
        );
    }
}

#[test]
fn growing_makes_durable() {
    let mut story = Story::new();
    let end = position(2);
    let grow = WriterOp::TryFixWriteEnd {
        offset: end.offset,
        count: end.count,
    };
    let grown = story.put(2).write(grow).now();
    let history = story.history();
    assert_eq!(judged(&history, grown, PowerCut, &Came::of(0..2)), None);
    let short = Came::of(0..1);
    assert_eq!(judged(&history, grown, PowerCut, &short), Some(Clause::L4));
    assert_eq!(judged(&history, grown - 1, PowerCut, &short), None);
}

#[test]
fn an_empty_log_stays_empty() {
    let mut story = Story::new();
    let emptied = story.put(2).write(SYNC).write(WriterOp::Empty).now();
    let again = story.put(1).now();
    let history = story.history();
    let (whole, empty) = (Came::of(0..2), Came::from(2, []));
    for came in [&whole, &empty] {
        assert_eq!(judged(&history, emptied - 1, PowerCut, came), None);
    }
    let part = Came::from(1, 1..2);
    assert_eq!(
        judged(&history, emptied - 1, PowerCut, &part),
        Some(Clause::Q7)
    );
    assert_eq!(judged(&history, emptied, Kill, &empty), None);
    assert_eq!(judged(&history, emptied, Kill, &whole), Some(Clause::Q7));
    assert_eq!(judged(&history, again, Kill, &Came::from(2, [2])), None);
    assert_eq!(
        judged(&history, again, Kill, &Came::of(0..3)),
        Some(Clause::Q7)
    );
}

#[test]
fn a_new_start_is_all_or_nothing() {
    let mut story = Story::new();
    story.put(2).write(SYNC);
    let restart = WriterOp::ResetWriteWithQueueStart {
        offset: 120,
        count: 10,
    };
    let started = story.write(restart).now();
    let history = story.history();
    let (whole, anew) = (Came::of(0..2), Came::from(10, []));
    for came in [&whole, &anew] {
        assert_eq!(judged(&history, started - 1, PowerCut, came), None);
    }
    let hybrid = Came::from(2, []);
    assert_eq!(
        judged(&history, started - 1, PowerCut, &hybrid),
        Some(Clause::L5)
    );
    assert_eq!(judged(&history, started, PowerCut, &anew), None);
    assert_eq!(
        judged(&history, started, PowerCut, &whole),
        Some(Clause::L5)
    );
}

#[test]
fn retention_leaves_a_usable_start() {
    let mut story = Story::new();
    story.put(10).write(SYNC).put(1);
    let clean = WriterOp::CleanOldData {
        target: CleanTarget::Position(position(6)),
        dry_run: false,
        offset_max: 0,
    };
    let cleaned = story.write(clean).now();
    let history = story.history();
    for (start, clause) in [
        (0, None),
        (3, None),
        (6, None),
        (2, Some(Clause::L6)),
        (9, Some(Clause::L6)),
    ] {
        let came = Came::from(start, start.unsigned_abs()..10);
        assert_eq!(
            judged(&history, cleaned - 1, PowerCut, &came),
            clause,
            "{start}"
        );
    }
    let came = |start: i64| Came::from(start, start.unsigned_abs()..11);
    assert_eq!(judged(&history, cleaned, PowerCut, &came(6)), None);
    assert_eq!(
        judged(&history, cleaned, PowerCut, &came(3)),
        Some(Clause::L6)
    );
    let lost = Came::from(6, 6..10);
    assert_eq!(judged(&history, cleaned, PowerCut, &lost), Some(Clause::L6));
}

#[test]
fn a_deleted_log_is_gone() {
    let mut story = Story::new();
    let deleted = story.put(2).write(SYNC).write(WriterOp::Delete).now();
    let history = story.history();
    let (whole, new, emptied) = (Came::of(0..2), Came::of([]), Came::from(2, []));
    for came in [&whole, &new, &emptied] {
        assert_eq!(judged(&history, deleted - 1, PowerCut, came), None);
    }
    let part = Came::of(0..1);
    assert_eq!(
        judged(&history, deleted - 1, PowerCut, &part),
        Some(Clause::Q12)
    );
    assert_eq!(judged(&history, deleted, PowerCut, &new), None);
    assert_eq!(
        judged(&history, deleted, PowerCut, &whole),
        Some(Clause::Q12)
    );
}

#[test]
fn marks_that_allow_the_same_have_one_version() {
    let mut story = Story::new();
    let put = story.put(1).now();
    let flushed = story.write(FLUSH).now();
    let again = story.write(FLUSH).now();
    let history = story.history();
    let version = |mark| history.windows_at(mark).unwrap().version();
    assert_eq!(version(flushed), version(again));
    assert_ne!(version(put), version(flushed));
    assert_eq!(body(0).len(), 8);
}

#[test]
fn a_log_that_was_opened_again_is_as_it_was() {
    let mut story = Story::new();
    story.put(3).write(SYNC);
    let history = story.history();
    let opened = |came: &Came, crash| {
        let mut recovery = LogRecovery::new(&history, options(), crash);
        recovery.writer_opened(&LogOutcome::ok(LogReply::Done), &came.states());
        recovery
    };
    for (crash, clause) in [(None, Clause::C11), (Some(Kill), Clause::C2)] {
        for (numbers, broken) in [(0..3, None), (0..2, Some(clause)), (0..4, Some(clause))] {
            let mut recovery = opened(&Came::of(0..3), Some(PowerCut));
            recovery.opened_again(opened(&Came::of(numbers), crash));
            assert_eq!(recovery.finding.map(|found| found.clause), broken);
        }
    }
}

#[test]
fn a_close_behind_a_recovery_succeeds() {
    let mut story = Story::new();
    story.put(1).write(SYNC);
    let history = story.history();
    let mut recovery = LogRecovery::new(&history, options(), Some(Kill));
    recovery.closed(&LogOutcome::ok(LogReply::Done));
    assert!(!recovery.is_broken());
    recovery.closed(&refused());
    assert_eq!(
        recovery.finding.map(|found| found.clause),
        Some(Clause::C11)
    );
}
