//! What may come back after a crash: Q1 to Q4, Q7, Q11, Q12, C11.

use super::story::{Told, clauses, crash, tell, tell_with};
use crate::oracle::Strengths;
use crate::scenario::Clause::{self, C11, Q1, Q2, Q3, Q4, Q7, Q11, Q12};
use crate::scenario::CrashKind::{Kill, PowerCut};

pub(super) type Case<'a> = (
    &'a str,
    crate::scenario::CrashKind,
    &'a [u32],
    Option<Clause>,
);

pub(super) fn check(told: &Told, cases: &[Case<'_>]) {
    assert_eq!(clauses(told), [], "the run itself is right");
    for (at, kind, numbers, expected) in cases {
        let found = crash(told, at, *kind, numbers);
        assert_eq!(found, *expected, "{at}, {kind:?}, {numbers:?} came back");
    }
}

#[test]
fn a_kill_keeps_what_was_acknowledged() {
    let told = tell("put put put", 0);
    check(
        &told,
        &[
            ("start", Kill, &[], None),
            ("during 0", Kill, &[], None),
            ("during 0", Kill, &[0], None),
            ("after 0", Kill, &[], Some(Q2)),
            ("after 1", Kill, &[0, 1], None),
            ("after 1", Kill, &[0], Some(Q2)),
            ("after 1", Kill, &[0, 1, 2], Some(Q1)),
            ("after 2", Kill, &[0, 2], Some(Q3)),
            ("after 2", Kill, &[1, 2], Some(Q4)),
        ],
    );
}

#[test]
fn a_disk_that_lies_may_lose_everything_and_must_deliver_nothing_wrong() {
    let strengths = Strengths {
        syncs_keep: false,
        ..Strengths::DISKQUEUE
    };
    let told = tell_with("put put sync put", 0, strengths);
    check(
        &told,
        &[
            ("after 2", PowerCut, &[0, 1], None),
            ("after 2", PowerCut, &[], None),
            ("after 3", PowerCut, &[2], None),
            ("after 2", PowerCut, &[1, 0], Some(Q1)),
            ("after 2", PowerCut, &[0, 0], Some(Q1)),
            ("after 2", PowerCut, &[0, 1, 2], Some(Q1)),
            ("after 2", Kill, &[0], Some(Q2)),
        ],
    );
}

#[test]
fn a_power_cut_keeps_what_was_synced() {
    let told = tell("put put sync put", 0);
    check(
        &told,
        &[
            ("after 1", PowerCut, &[], None),
            ("during 2", PowerCut, &[0], None),
            ("after 2", PowerCut, &[0, 1], None),
            ("after 2", PowerCut, &[0], Some(Q3)),
            ("after 2", PowerCut, &[], Some(Q3)),
            ("after 3", PowerCut, &[0, 1], None),
            ("after 3", PowerCut, &[0, 1, 2], None),
            ("after 3", Kill, &[0, 1], Some(Q2)),
        ],
    );
}

#[test]
fn reads_may_come_again_until_they_are_synced() {
    let told = tell("put put put read read sync read", 0);
    check(
        &told,
        &[
            ("after 4", PowerCut, &[0, 1, 2], None),
            ("after 4", PowerCut, &[2], None),
            ("after 4", PowerCut, &[0, 2], Some(Q3)),
            ("after 4", Kill, &[0, 1, 2], None),
            ("after 4", Kill, &[2], None),
            ("after 4", Kill, &[], Some(Q2)),
            ("after 5", PowerCut, &[2], None),
            ("after 5", PowerCut, &[1, 2], Some(Q4)),
            ("during 6", Kill, &[], Some(Q2)),
            ("during 6", Kill, &[2], None),
            ("after 6", Kill, &[], None),
            ("after 6", Kill, &[2], None),
        ],
    );
}

#[test]
fn an_unsynced_end_may_be_anywhere() {
    let told = tell("put put put read read", 0);
    check(
        &told,
        &[
            ("after 4", PowerCut, &[], None),
            ("after 4", PowerCut, &[0], None),
            ("after 4", PowerCut, &[1, 2], None),
            ("after 4", PowerCut, &[2], None),
        ],
    );
}

#[test]
fn empty_is_for_ever() {
    let told = tell("put sync empty put", 0);
    check(
        &told,
        &[
            ("during 2", PowerCut, &[0], None),
            ("during 2", PowerCut, &[], None),
            ("after 2", PowerCut, &[0], Some(Q7)),
            ("after 2", Kill, &[0], Some(Q7)),
            ("after 2", Kill, &[], None),
            ("during 3", Kill, &[1], None),
            ("after 3", Kill, &[1], None),
            ("after 3", Kill, &[0, 1], Some(Q7)),
            ("after 3", Kill, &[], Some(Q2)),
        ],
    );
}

#[test]
fn a_crash_in_empty_leaves_all_or_nothing() {
    let told = tell("put put sync empty", 0);
    check(
        &told,
        &[
            ("during 3", PowerCut, &[0, 1], None),
            ("during 3", PowerCut, &[], None),
            ("during 3", PowerCut, &[1], Some(Q7)),
            ("during 3", PowerCut, &[0], Some(Q7)),
        ],
    );
}

#[test]
fn delete_is_for_ever() {
    let told = tell("put sync delete open put", 0);
    check(
        &told,
        &[
            ("during 2", PowerCut, &[0], None),
            ("during 2", PowerCut, &[], None),
            ("after 2", PowerCut, &[0], Some(Q12)),
            ("after 3", Kill, &[0], Some(Q12)),
            ("after 4", Kill, &[1], None),
            ("after 4", Kill, &[0, 1], Some(Q12)),
        ],
    );
}

#[test]
fn a_clean_close_is_exact() {
    let told = tell("put put read close", 0);
    check(
        &told,
        &[
            ("during 3", PowerCut, &[], None),
            ("after 3", PowerCut, &[1], None),
            ("after 3", PowerCut, &[0, 1], Some(C11)),
            ("after 3", PowerCut, &[], Some(C11)),
            ("after 3", Kill, &[], Some(C11)),
        ],
    );
}

#[test]
fn an_open_is_a_durable_point() {
    let told = tell("put put kill open put", 0);
    check(
        &told,
        &[
            ("after 2", PowerCut, &[], None),
            ("during 3", PowerCut, &[0], None),
            ("after 3", PowerCut, &[0, 1], None),
            ("after 3", PowerCut, &[0], Some(Q3)),
            ("after 4", PowerCut, &[0, 1], None),
        ],
    );
}

#[test]
fn where_a_reader_stood_after_a_kill_is_found_out() {
    let told = tell("put put put read read kill open read=1 sync", 0);
    check(
        &told,
        &[
            ("after 5", Kill, &[0, 1, 2], None),
            ("during 6", Kill, &[0, 1, 2], None),
            ("after 6", Kill, &[0, 1, 2], Some(Q4)),
            ("after 6", Kill, &[1, 2], None),
            ("after 6", PowerCut, &[2], Some(Q4)),
            ("after 8", PowerCut, &[2], None),
            ("after 8", PowerCut, &[1, 2], Some(Q4)),
        ],
    );
}

#[test]
fn an_empty_says_nothing_of_where_a_reader_stood() {
    let told = tell("put put read kill open empty", 0);
    check(
        &told,
        &[
            ("after 4", Kill, &[0, 1], None),
            ("after 4", Kill, &[1], None),
            ("after 4", Kill, &[], Some(Q2)),
            ("after 5", Kill, &[], None),
        ],
    );
}

#[test]
fn owed_syncs_are_counted_over_puts_and_reads() {
    let told = tell("put put put read depth", 2);
    check(
        &told,
        &[
            ("after 0", PowerCut, &[], None),
            ("during 1", PowerCut, &[], None),
            ("after 1", PowerCut, &[], Some(Q11)),
            ("after 1", PowerCut, &[0], None),
            ("after 2", PowerCut, &[0], Some(Q11)),
            ("after 2", PowerCut, &[0, 1], None),
            ("after 3", PowerCut, &[0, 1], None),
            ("after 4", PowerCut, &[0, 1], Some(Q11)),
            ("after 4", PowerCut, &[0, 1, 2], None),
        ],
    );
    let every = tell("put read depth", 1);
    check(
        &every,
        &[
            ("after 0", PowerCut, &[], Some(Q11)),
            ("after 1", PowerCut, &[0], None),
            ("during 2", PowerCut, &[0], None),
            ("after 2", PowerCut, &[0], Some(Q11)),
        ],
    );
}

#[test]
fn a_tick_owes_a_sync() {
    let told = tell("tick:10 put tick:20 tick:119 tick:120", 0);
    check(
        &told,
        &[
            ("after 3", PowerCut, &[], None),
            ("during 4", PowerCut, &[], None),
            ("after 4", PowerCut, &[], Some(Q11)),
            ("after 4", PowerCut, &[0], None),
        ],
    );
}

#[test]
fn a_log_without_a_read_position_starts_over() {
    let told = tell_with("put put read read sync", 0, Strengths::TOY_LOG);
    check(
        &told,
        &[
            ("after 4", PowerCut, &[0, 1], None),
            ("after 4", PowerCut, &[1], Some(Q4)),
            ("after 4", PowerCut, &[], Some(Q3)),
        ],
    );
}
