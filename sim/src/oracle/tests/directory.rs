//! The directory between the steps of a run, and after a crash: C8, C9, Q8, Q12.

use super::story::{follow, tell};
use crate::oracle::{FileSeen, Strengths, TailObserver};
use crate::scenario::Clause::{self, C8, Q8, Q12};
use crate::scenario::{CrashKind, Outcome, Reply};

/// The clause that these files (names without the queue's, and sizes) break after a run.
fn after(text: &str, names: &[(&str, u64)]) -> Option<Clause> {
    let (mut oracle, _) = follow(text, 0, Strengths::DISKQUEUE);
    let names: Vec<(String, u64)> = names
        .iter()
        .map(|(name, size)| (format!("q.diskqueue.{name}"), *size))
        .collect();
    let files: Vec<FileSeen<'_>> = names
        .iter()
        .map(|(name, size)| FileSeen {
            name,
            size: *size,
            bytes: None,
        })
        .collect();
    let step = u32::try_from(text.split_whitespace().count()).unwrap() - 1;
    oracle
        .directory(step, "q", &files)
        .map(|violation| violation.clause)
}

type Case<'a> = (&'a str, &'a [(&'a str, u64)], Option<Clause>);

#[test]
fn between_steps() {
    const META: (&str, u64) = ("meta.dat", 256);
    const FIRST: (&str, u64) = ("000000.dat", 24);
    const SECOND: (&str, u64) = ("000001.dat", 12);
    let cases: &[Case<'_>] = &[
        ("put put put read sync", &[META, FIRST, SECOND], None),
        (
            "put put put read read sync",
            &[META, FIRST, SECOND],
            Some(Q8),
        ),
        ("put put put read read sync", &[META, SECOND], None),
        ("put put put read read", &[META, FIRST, SECOND], None),
        (
            "put put put read read close",
            &[META, FIRST, SECOND],
            Some(Q8),
        ),
        ("put put put empty", &[META, FIRST, SECOND], Some(Q8)),
        ("put put put empty", &[META], None),
        ("put put delete", &[("lock", 0)], None),
        ("put put delete", &[META], Some(Q12)),
        (
            "put put sync",
            &[META, ("000000.dat.bad", 12), SECOND],
            Some(Q8),
        ),
        ("put sync", &[META, SECOND, ("meta.dat.5.tmp", 0)], Some(C8)),
        (
            "put sync=fail!call",
            &[META, SECOND, ("meta.dat.5.tmp", 0)],
            None,
        ),
    ];
    for (text, files, expected) in cases {
        assert_eq!(after(text, files), *expected, "{text}: {files:?}");
    }
}

#[test]
fn after_a_crash() {
    let told = tell("put put", 0);
    let judge = |close: bool, name: &str| {
        let mut observer = TailObserver::new(&told.history).after(Some(CrashKind::PowerCut));
        let done = Outcome::ok(Reply::Done);
        observer.opened(&done);
        observer.drained(&Outcome::ok(Reply::Nothing));
        if close {
            observer.closed(&done);
        }
        let files = ["q.diskqueue.000009.dat", name].map(|name| FileSeen {
            name,
            size: 12,
            bytes: None,
        });
        observer.directory("q", &files);
        observer.finish().finding.map(|finding| finding.clause)
    };
    assert_eq!(judge(false, "q.diskqueue.000000.dat"), None);
    assert_eq!(judge(true, "q.diskqueue.000000.dat"), Some(Q8));
    assert_eq!(judge(true, "q.diskqueue.000000.dat.bad"), None);
    assert_eq!(judge(false, "q.diskqueue.meta.dat.1.tmp"), Some(C8));
    assert_eq!(judge(false, "q.diskqueue.000001.sums"), Some(C8));
}
