//! Batches, refused and short messages after a crash: Q9, Q10.

use super::power::check;
use super::story::tell;
use crate::scenario::Clause::{Q2, Q3, Q4, Q9, Q10};
use crate::scenario::CrashKind::{Kill, PowerCut};

#[test]
fn a_batch_is_cut_at_its_end_only() {
    let told = tell("put batch:8,8,8", 0);
    check(
        &told,
        &[
            ("during 1", Kill, &[0], None),
            ("during 1", Kill, &[0, 1, 2], None),
            ("during 1", Kill, &[0, 2], Some(Q10)),
            ("during 1", Kill, &[0, 1, 3], Some(Q10)),
            ("after 1", Kill, &[0, 1, 2], Some(Q2)),
            ("after 1", Kill, &[0, 1, 2, 3], None),
        ],
    );
}

#[test]
fn a_refused_message_never_comes() {
    let told = tell("put put:100 put", 0);
    check(
        &told,
        &[
            ("after 2", Kill, &[0, 2], None),
            ("during 1", Kill, &[0, 1], Some(Q9)),
            ("after 2", Kill, &[0, 1, 2], Some(Q9)),
            ("after 2", Kill, &[0], Some(Q2)),
        ],
    );
}

#[test]
fn short_messages_are_matched_by_position() {
    let told = tell("put:1 put:2 put:1 put:0 read sync", 0);
    check(
        &told,
        &[
            ("after 3", Kill, &[0, 1, 2, 3], None),
            ("after 3", Kill, &[0, 1], Some(Q2)),
            ("after 3", Kill, &[0, 2], Some(Q3)),
            ("after 5", PowerCut, &[1, 2, 3], None),
            ("after 5", PowerCut, &[0, 1, 2, 3], Some(Q4)),
            ("after 5", PowerCut, &[1, 2, 3, 3], Some(Q3)),
        ],
    );
}
