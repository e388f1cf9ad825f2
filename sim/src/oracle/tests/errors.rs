//! Runs with faults: C4, C5 and what errors leave open.

use super::story::{clauses, crash, tell, tell_with};
use crate::oracle::Strengths;
use crate::scenario::Clause::{self, C4, C5, C7, C12, Q2, Q3, Q10};
use crate::scenario::CrashKind::{Kill, PowerCut};

#[test]
fn failures_with_a_cause() {
    let cases: &[(&str, &[Clause])] = &[
        ("put put=fail!call depth=1 put read=0 read=2", &[]),
        ("put put=fail!call depth=2", &[C4]),
        ("put put=fail!call depth=3", &[Clause::Q5]),
        ("batch:8,8,8=failone!call depth=2", &[Clause::Q10]),
        ("batch:8,8,8=failone!call depth=0", &[Clause::Q10]),
        ("batch:8,8,8=failone!call read=none", &[Clause::Q10]),
        ("tick:5=fail!call tick:6", &[]),
        ("tick:5=fail", &[Clause::C15]),
        ("put=fail!full put", &[]),
        ("put=fail!full put=fail", &[Clause::C6]),
        ("put=fail!full kill open put=fail", &[Clause::C1]),
        ("put put=fail!call read=0 read=1", &[C4]),
        ("put put=failyes!call depth=2 read=0 read=1", &[]),
        ("put put=failunknown!call", &[C4]),
        ("batch:8,8,8=failone!call depth=1 read=0 read=none", &[]),
        ("batch:8,8,8=failone!call read=0 read=1", &[C4]),
        ("put read=fail!call read=0", &[]),
        ("put read=fail!call read=none", &[C12]),
        ("put!sync sync=fail sync", &[]),
        ("put!sync sync", &[C5]),
        ("put!sync close", &[C5]),
        ("put sync=fail!sync sync", &[]),
        ("put!sync empty close=fail", &[]),
        ("put!call sync sync=fail", &[Clause::C1]),
        ("put sync!later put sync=fail sync", &[]),
        ("put=fail!sync depth=0 sync", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(clauses(&tell(text, 0)), *expected, "{text}");
    }
}

#[test]
fn an_original_need_not_tell() {
    let run = |text| clauses(&tell_with(text, 0, Strengths::ORIGINAL_DISKQUEUE));
    assert_eq!(run("put put=failunknown!call put read=0 read=1 read=2"), []);
    assert_eq!(
        run("put put=failunknown!call put read=0 read=2 read=none"),
        []
    );
    assert_eq!(
        run("put put=failunknown!call put read=0 read=2 read=1"),
        [C4]
    );
    assert_eq!(
        run("put put=failunknown!call put depth=2 read=0 read=2"),
        []
    );
}

#[test]
fn a_failed_put_is_optional_where_it_could_not_be_taken_back() {
    let told = tell("put put=fail!call!call put sync", 0);
    for kind in [Kill, PowerCut] {
        assert_eq!(crash(&told, "after 3", kind, &[0, 2]), None);
        assert_eq!(crash(&told, "after 3", kind, &[0, 1, 2]), None);
        assert_eq!(crash(&told, "after 1", kind, &[0, 1]), None);
    }
    assert_eq!(crash(&told, "after 3", Kill, &[0]), Some(Q2));
    assert_eq!(crash(&told, "after 3", PowerCut, &[0]), Some(Q3));
}

#[test]
fn a_failed_put_that_did_not_take_place_never_comes() {
    let told = tell("put put=fail!call put sync", 0);
    for kind in [Kill, PowerCut] {
        assert_eq!(crash(&told, "during 1", kind, &[0, 1]), None);
        assert_eq!(crash(&told, "after 1", kind, &[0, 1]), Some(C4));
        assert_eq!(crash(&told, "after 3", kind, &[0, 2]), None);
        assert_eq!(crash(&told, "after 3", kind, &[0, 1, 2]), Some(C4));
    }
}

#[test]
fn a_failed_batch_keeps_a_leading_part() {
    let told = tell("batch:8,8,8=failone!call", 0);
    assert_eq!(crash(&told, "after 0", Kill, &[0]), None);
    assert_eq!(crash(&told, "during 0", Kill, &[0, 1]), None);
    assert_eq!(crash(&told, "after 0", Kill, &[0, 1]), Some(C4));
    assert_eq!(crash(&told, "after 0", Kill, &[0, 2]), Some(Q10));
}

#[test]
fn a_failed_sync_promises_nothing() {
    let told = tell("put put sync=fail!sync put sync", 0);
    assert_eq!(crash(&told, "after 2", PowerCut, &[]), None);
    assert_eq!(crash(&told, "after 1", Kill, &[]), Some(Q2));
    assert_eq!(crash(&told, "after 2", Kill, &[]), Some(C5));
    assert_eq!(crash(&told, "after 4", PowerCut, &[0, 1, 2]), None);
    assert_eq!(crash(&told, "after 4", PowerCut, &[0, 1]), Some(C5));
    assert_eq!(crash(&told, "after 4", PowerCut, &[]), Some(C5));
}

#[test]
fn bytes_taken_back_are_exempt_until_written_again() {
    let told = tell("put sync put sync=fail!back put sync", 0);
    assert_eq!(crash(&told, "after 3", Kill, &[0]), None);
    assert_eq!(crash(&told, "after 2", Kill, &[]), Some(Q2));
    assert_eq!(crash(&told, "after 3", Kill, &[]), Some(C5));
    assert_eq!(crash(&told, "after 4", Kill, &[0]), None);
    assert_eq!(crash(&told, "after 5", Kill, &[0]), Some(C5));
    assert_eq!(crash(&told, "after 5", PowerCut, &[0]), Some(C5));
    let killed = tell("put sync put put sync=fail!back kill open depth=2 put", 0);
    assert_eq!(clauses(&killed), []);
    assert_eq!(crash(&killed, "after 6", PowerCut, &[0, 1]), None);
    assert_eq!(crash(&killed, "after 8", Kill, &[0, 1, 3]), None);
    assert_eq!(crash(&killed, "after 8", Kill, &[0, 1]), Some(C5));
}

#[test]
fn what_was_read_before_a_kill_lost_it_was_read() {
    let told = tell(
        "put sync put put sync=fail!back read read read=2 kill open depth=0",
        0,
    );
    assert_eq!(clauses(&told), []);
    assert_eq!(crash(&told, "after 7", Kill, &[]), None);
    assert_eq!(crash(&told, "after 7", Kill, &[0, 1, 2]), None);
}

#[test]
fn an_owed_sync_that_failed_promises_nothing() {
    let told = tell("put!sync put sync=fail sync", 1);
    assert_eq!(clauses(&told), []);
    assert_eq!(crash(&told, "after 1", PowerCut, &[]), None);
    assert_eq!(crash(&told, "after 3", PowerCut, &[0]), Some(C5));
}

#[test]
fn a_failed_empty_may_have_taken_place() {
    let told = tell("put sync empty=fail!call read=0", 0);
    assert_eq!(clauses(&told), []);
    assert_eq!(crash(&told, "after 2", Kill, &[]), None);
    assert_eq!(crash(&told, "after 2", Kill, &[0]), None);
}

#[test]
fn silent_faults_are_judged_by_the_damage_rule() {
    let cases: &[(&str, &[Clause])] = &[
        ("put put read=damage", &[C12]),
        ("put put read=damage!flip read=1", &[]),
        ("put put read=damage!flip depth=1 read=1 read=none", &[]),
        ("put put read=1!flip", &[C7]),
        ("put put read=garbled!flip", &[C7]),
        ("put put read!flip read=1", &[]),
        ("put put read!flip read=piece", &[C7]),
        ("put put read!flip kill open read=piece", &[]),
        ("put put read!flip kill open read=invented", &[C7]),
        ("put put read!flip kill open read=garbled", &[C7]),
        ("put read close open!flip depth=1 read=0", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(clauses(&tell(text, 0)), *expected, "{text}");
    }
}
