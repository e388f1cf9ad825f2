//! Stories, right and wrong, and the clause of each wrong one.

use super::*;
use crate::oracle::FaultNote;
use crate::scenario::{
    Applied, Clause, CrashKind, FailureKind, OffsetOp, OffsetOutcome, OffsetQueue, OffsetReply,
    OffsetTable,
};

fn queue(number: i32) -> OffsetQueue {
    OffsetQueue::from(("t".to_owned(), "b".to_owned(), number))
}

fn table(offsets: &[(i32, i64)]) -> OffsetTable {
    let entry = |(number, offset): &(i32, i64)| (queue(*number), *offset);
    offsets.iter().map(entry).collect()
}

struct Story {
    oracle: OffsetOracle,
    steps: u32,
}

impl Story {
    fn new() -> Self {
        let queues = vec![queue(0), queue(1)];
        let strengths = OffsetStrengths::OFFSETS;
        let oracle = OffsetOracle::new(queues, OffsetTable::new(), strengths);
        Self { oracle, steps: 0 }
    }

    fn end(&mut self, op: &OffsetOp, outcome: &OffsetOutcome) -> Vec<Clause> {
        let found = self.oracle.end(self.steps, op, outcome, None);
        self.steps += 1;
        found.into_iter().map(|one| one.clause).collect()
    }

    fn ok(&mut self, op: &OffsetOp, reply: OffsetReply) -> Vec<Clause> {
        self.end(op, &OffsetOutcome::ok(reply))
    }

    /// Opened, with offset 5 of queue 0 persisted and 7 of queue 1 not.
    fn begun() -> Self {
        let mut story = Self::new();
        assert_eq!(story.ok(&OffsetOp::Open, OffsetReply::Done), []);
        assert_eq!(story.update(0, 5), []);
        assert_eq!(
            story.ok(&OffsetOp::PersistAll, OffsetReply::Wrote(true)),
            []
        );
        assert_eq!(story.update(1, 7), []);
        story
    }

    fn update(&mut self, number: i32, offset: i64) -> Vec<Clause> {
        let op = OffsetOp::Update {
            queue: queue(number),
            offset,
            increase_only: false,
        };
        self.ok(&op, OffsetReply::Done)
    }

    /// The clause that is broken if a crash at a position leaves this.
    fn crash(self, position: u32, left: &[(i32, i64)]) -> Option<Clause> {
        let history = self.oracle.finish();
        let observation = OffsetObservation::of(&history, &table(left));
        let violation = judge_offsets(&history, position, CrashKind::PowerCut, &observation);
        violation.map(|violation| violation.clause)
    }
}

#[test]
fn what_was_persisted_comes_back_and_nothing_else() {
    assert_eq!(Story::begun().crash(8, &[(0, 5)]), None);
    assert_eq!(Story::begun().crash(8, &[]), Some(Clause::O1));
    assert_eq!(
        Story::begun().crash(8, &[(0, 5), (1, 7)]),
        Some(Clause::O2),
        "it was not persisted"
    );
    assert_eq!(Story::begun().crash(2, &[]), None, "before the first one");
}

#[test]
fn a_persist_in_flight_is_there_or_not() {
    let story = || {
        let mut story = Story::begun();
        story.ok(&OffsetOp::PersistAll, OffsetReply::Wrote(true));
        story
    };
    for (position, left, clause) in [
        (9, vec![(0, 5)], None),
        (9, vec![(0, 5), (1, 7)], None),
        (9, vec![(1, 7)], Some(Clause::O2)),
        (10, vec![(0, 5)], Some(Clause::O1)),
        (10, vec![(0, 5), (1, 7)], None),
    ] {
        assert_eq!(
            story().crash(position, &left),
            clause,
            "{left:?} at {position}"
        );
    }
}

#[test]
fn answers_are_those_of_the_model() {
    let read = OffsetOp::Read {
        queue: queue(0),
        from: crate::scenario::ReadFrom::Store,
    };
    assert_eq!(Story::begun().ok(&read, OffsetReply::Offset(Some(5))), []);
    assert_eq!(
        Story::begun().ok(&read, OffsetReply::Offset(Some(4))),
        [Clause::O4]
    );
    assert_eq!(
        Story::begun().ok(&OffsetOp::PersistAll, OffsetReply::Wrote(false)),
        [Clause::O7]
    );
}

#[test]
fn a_failure_is_excused_by_a_fault_and_says_what_took_place() {
    let failed = |applied| OffsetOutcome::failed(FailureKind::Io(Some(5)), applied, "EIO");
    let op = OffsetOp::PersistAll;
    assert_eq!(Story::begun().end(&op, &failed(Applied::No)), [Clause::C12]);
    let faulty = |applied| {
        let mut story = Story::begun();
        story.oracle.fault_fired(4, FaultNote::OtherSyncFailed);
        let found = story.end(&op, &failed(applied));
        (story, found)
    };
    assert_eq!(faulty(Applied::Unknown).1, [Clause::C4]);
    assert_eq!(faulty(Applied::No).1, []);
    let crash = |left: &[(i32, i64)]| faulty(Applied::No).0.crash(10, left);
    assert_eq!(crash(&[(0, 5)]), None);
    assert_eq!(crash(&[(0, 5), (1, 7)]), None);
    assert_eq!(crash(&[]), Some(Clause::C5));
}

#[test]
fn a_success_after_a_failure_is_held_to_its_word() {
    let mut story = Story::begun();
    story.oracle.fault_fired(4, FaultNote::Full);
    let full = OffsetOutcome::failed(FailureKind::Io(Some(28)), Applied::No, "ENOSPC");
    assert_eq!(story.end(&OffsetOp::PersistAll, &full), []);
    assert_eq!(
        story.ok(&OffsetOp::PersistAll, OffsetReply::Wrote(true)),
        []
    );
    assert_eq!(story.crash(12, &[(0, 5)]), Some(Clause::C6));
}

#[test]
fn closing_what_is_open_for_reading_only_promises_nothing() {
    let closed = |open: &OffsetOp| {
        let mut story = Story::begun();
        story.oracle.fault_fired(4, FaultNote::OtherSyncFailed);
        let failed = OffsetOutcome::failed(FailureKind::Io(Some(5)), Applied::No, "EIO");
        assert_eq!(story.end(&OffsetOp::PersistAll, &failed), []);
        // The failed persist left nothing that is seen, but a power cut may bring it back.
        let done = OffsetOutcome::ok(OffsetReply::Done);
        let found = story.oracle.end(5, open, &done, Some(&table(&[(0, 5)])));
        assert_eq!(found, []);
        let found = story.oracle.end(6, &OffsetOp::Close, &done, None);
        assert_eq!(found, []);
        story.crash(14, &[(0, 5), (1, 7)])
    };
    assert_eq!(closed(&OffsetOp::OpenReadOnly), None);
    assert_eq!(closed(&OffsetOp::Open), Some(Clause::C5));
}

#[test]
fn a_persist_of_one_queue_keeps_the_others() {
    let persist = OffsetOp::Persist {
        queues: vec![queue(1)],
    };
    let story = || {
        let mut story = Story::begun();
        assert_eq!(story.ok(&persist, OffsetReply::Wrote(true)), []);
        story
    };
    assert_eq!(story().crash(10, &[(0, 5), (1, 7)]), None);
    assert_eq!(story().crash(10, &[(1, 7)]), Some(Clause::O7));
    assert_eq!(story().crash(10, &[(0, 4), (1, 7)]), Some(Clause::O7));
    assert_eq!(story().crash(10, &[(0, 5), (1, 6)]), Some(Clause::O2));
}

#[test]
fn after_a_failed_persist_the_same_may_be_written_again() {
    let persist = OffsetOp::Persist {
        queues: vec![queue(0)],
    };
    let wrote = |story: &mut Story| story.ok(&persist, OffsetReply::Wrote(true));
    assert_eq!(wrote(&mut Story::begun()), [Clause::O7]);
    let mut story = Story::begun();
    story.oracle.fault_fired(4, FaultNote::OtherSyncFailed);
    let failed = OffsetOutcome::failed(FailureKind::Io(Some(5)), Applied::No, "EIO");
    assert_eq!(story.end(&OffsetOp::PersistAll, &failed), []);
    assert_eq!(wrote(&mut story), []);
    assert_eq!(wrote(&mut story), [Clause::O7], "it is known then");
}

#[test]
fn an_open_that_lacks_only_names_beyond_ascii_breaks_the_dialect() {
    let open = |topic: &str, found: &OffsetTable| {
        let strange = OffsetQueue::from((topic.to_owned(), "b".to_owned(), 0));
        let file = OffsetTable::from([(queue(0), 5), (strange.clone(), 7)]);
        let queues = vec![queue(0), strange];
        let mut oracle = OffsetOracle::new(queues, file, OffsetStrengths::OFFSETS);
        let done = OffsetOutcome::ok(OffsetReply::Done);
        let wrong = oracle.end(0, &OffsetOp::Open, &done, Some(found));
        wrong.first().map(|one| one.clause)
    };
    assert_eq!(open("\u{4e3b}", &table(&[(0, 5)])), Some(Clause::O6));
    assert_eq!(open("\u{4e3b}", &table(&[])), Some(Clause::O1));
    assert_eq!(open("plain", &table(&[(0, 5)])), Some(Clause::O1));
}
