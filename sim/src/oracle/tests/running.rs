//! What is judged without a crash: Q1, Q5, Q6, Q9, C1, C3, C4, C11, C12.

use super::story::{clauses, tell};
use crate::scenario::Clause::{self, C1, C3, C4, C11, C12, Q1, Q2, Q4, Q5, Q6, Q7, Q9, Q12};

#[test]
fn answers_of_a_running_queue() {
    let cases: &[(&str, &[Clause])] = &[
        ("put put depth peek read read read depth", &[]),
        ("batch:8,8 read read read", &[]),
        ("put read=garbled", &[Q1]),
        ("put put read=1", &[Q1]),
        ("put read read=0", &[Q1]),
        ("put read=none", &[C12]),
        ("put depth=2", &[Q5]),
        ("put depth=-1", &[Q5]),
        ("put put peek=1", &[Q6]),
        ("put empty read=0", &[Q7]),
        ("put delete open read=0", &[Q12]),
        ("put:100", &[]),
        ("put:100=ok", &[Q9]),
        ("batch:8,100 depth=0", &[]),
        ("put=refused", &[C1]),
        ("put=fail", &[C1]),
        ("put read=fail read", &[C12]),
        ("put sync=fail", &[C1]),
        ("put=panic", &[C3]),
        ("put read=cutoff", &[C3]),
        ("close put", &[]),
        ("close put=ok", &[C4]),
        ("put:50 close open:20 read", &[]),
        ("put:50 close open:20 read=none", &[Q9]),
        ("put:50 close open:20 depth=0", &[Q9]),
        ("put look=ok peek", &[]),
        ("put close look peek read put empty close open read", &[]),
        ("put close look read close open read=none", &[C11]),
        ("put put read close open read", &[]),
        ("put put read close open depth=2", &[C11]),
        ("put put read close open read=0", &[C11]),
        ("put put kill open depth", &[]),
        ("put put kill open depth=1", &[Q2]),
        ("put put read kill open depth=2 read=0", &[]),
        ("put put read kill open depth=1 read=0", &[Q4]),
        ("put put read kill open read=1", &[]),
        ("put put sync read sync kill open read=0", &[Q4]),
    ];
    for (text, expected) in cases {
        assert_eq!(clauses(&tell(text, 0)), *expected, "{text}");
    }
}

#[test]
fn short_messages_in_a_running_queue() {
    assert_eq!(clauses(&tell("put:1 put:1 read read read", 0)), []);
    assert_eq!(clauses(&tell("put:1 put:2 read=1", 0)), [Q1]);
    // After a kill both readings are kept until the depth tells.
    assert_eq!(
        clauses(&tell("put:1 put:1 put:1 read kill open read=1 depth=1", 0)),
        []
    );
    assert_eq!(
        clauses(&tell("put:1 put:1 put:1 read kill open read=1 depth=0", 0)),
        [Q5]
    );
}
