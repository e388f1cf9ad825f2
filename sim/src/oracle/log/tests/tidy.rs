//! The rules of the directory.

use super::story::{SYNC, Story, position};
use crate::oracle::{FileSeen, LogStrengths};
use crate::scenario::{Clause, CleanTarget, Planted, PlantedKind, WriterOp};

fn clause(story: &mut Story, files: &[(&str, u64)]) -> Option<Clause> {
    let files: Vec<FileSeen<'_>> = files
        .iter()
        .map(|(name, size)| FileSeen {
            name,
            size: *size,
            bytes: None,
        })
        .collect();
    let found = story.oracle.directory(story.step, "q", &files, &[]);
    found.first().map(|one| one.clause)
}

const META: (&str, u64) = ("q.diskqueue.meta.writer.dat", 512);
const FIRST: (&str, u64) = ("q.diskqueue.000000.dat", 36);
const SECOND: (&str, u64) = ("q.diskqueue.000001.dat", 36);
const THIRD: (&str, u64) = ("q.diskqueue.000002.dat", 12);

/// Seven messages: two finished segments, and one message in the third.
fn seven() -> Story {
    let mut story = Story::new();
    story.put(7).write(SYNC);
    story
}

#[test]
fn segments_hold_what_the_log_says() {
    let whole = [META, FIRST, SECOND, THIRD];
    assert_eq!(clause(&mut seven(), &whole), None);
    assert_eq!(
        clause(&mut seven(), &[META, FIRST, SECOND]),
        Some(Clause::L1)
    );
    let behind = ("q.diskqueue.000003.dat", 0);
    let files = [META, FIRST, SECOND, THIRD, behind];
    assert_eq!(clause(&mut seven(), &files), Some(Clause::C8));
    let long = ("q.diskqueue.000002.dat", 24);
    assert_eq!(
        clause(&mut seven(), &[META, FIRST, SECOND, long]),
        Some(Clause::C8)
    );
}

#[test]
fn removed_segments_are_gone() {
    let mut story = seven();
    story.put(3);
    let clean = WriterOp::CleanOldData {
        target: CleanTarget::Position(position(3)),
        dry_run: false,
        offset_max: 0,
    };
    story.write(clean);
    let third = ("q.diskqueue.000002.dat", 36);
    let fourth = ("q.diskqueue.000003.dat", 12);
    let files = [META, SECOND, third, fourth];
    assert_eq!(clause(&mut story, &files), None);
    let files = [META, FIRST, SECOND, third, fourth];
    assert_eq!(clause(&mut story, &files), Some(Clause::L6));
    let mut story = seven();
    story.write(WriterOp::Empty);
    assert_eq!(clause(&mut story, &[META]), None);
    assert_eq!(clause(&mut story, &[META, THIRD]), Some(Clause::Q7));
}

#[test]
fn nothing_lies_about() {
    let whole = [META, FIRST, SECOND, THIRD];
    let with = |name| {
        let mut files = whole.to_vec();
        files.push((name, 9));
        clause(&mut seven(), &files)
    };
    assert_eq!(with("q.diskqueue.000001.sums"), None);
    assert_eq!(with("q.diskqueue.000001.dat.offsetmeta.dat"), None);
    assert_eq!(with("q.diskqueue.000009.sums"), Some(Clause::C8));
    assert_eq!(
        with("q.diskqueue.000002.dat.offsetmeta.dat"),
        Some(Clause::C8)
    );
    assert_eq!(with("q.diskqueue.meta.extra.dat.7.tmp"), Some(Clause::C8));
    assert_eq!(with("q.diskqueue.new"), Some(Clause::C8));
    assert_eq!(with("other"), None);
    let mut original = Story::with(LogStrengths::ORIGINAL_SEGLOG);
    assert_eq!(clause(&mut original, &[META]), None);
    let lock = ("q.diskqueue.lock", 0);
    assert_eq!(clause(&mut original, &[META, lock]), Some(Clause::C8));
}

#[test]
fn a_hundred_sidecars_of_removed_segments_stay() {
    let with = |count: usize| {
        let mut story = Story::new();
        story.put(3 * 101 + 1).write(WriterOp::Empty);
        let names: Vec<String> = (0..count)
            .map(|number| format!("q.diskqueue.{number:06}.dat.offsetmeta.dat"))
            .collect();
        let files: Vec<(&str, u64)> = names.iter().map(|name| (name.as_str(), 9)).collect();
        clause(&mut story, &files)
    };
    assert_eq!(with(100), None);
    assert_eq!(with(101), Some(Clause::C8));
}

#[test]
fn a_deleted_or_moved_log_leaves_locks_and_quarantine() {
    let kept = [("q.diskqueue.lock", 0), ("q.diskqueue.000000.dat.bad", 4)];
    let remove = WriterOp::RemoveTo {
        directory: "elsewhere".to_owned(),
    };
    for (op, expected) in [(WriterOp::Delete, Clause::Q12), (remove, Clause::L13)] {
        let mut story = seven();
        story.write(op);
        assert_eq!(clause(&mut story, &kept), None);
        for left in [META, FIRST] {
            assert_eq!(clause(&mut story, &[kept[0], left]), Some(expected));
        }
    }
}

#[test]
fn what_lay_there_before_stays_as_it_was() {
    let planted = |name: &str, kind, text: &str| Planted {
        name: name.to_owned(),
        kind,
        text: text.to_owned(),
    };
    let all = [
        planted("q.diskqueue.lock.old", PlantedKind::File, "one"),
        planted("q2.diskqueue.000000.dat", PlantedKind::File, "two"),
        planted("q.diskqueue.000000.dat.bad", PlantedKind::File, "three"),
        planted("q.diskqueue.700000.dat", PlantedKind::Directory, ""),
    ];
    let own = ["q.diskqueue.000000.dat", "q.diskqueue.meta.writer.dat"];
    let seen = |left_out: usize, changed: usize| {
        let others = all
            .iter()
            .enumerate()
            .filter(move |(at, _)| *at != left_out);
        let others = others.map(move |(at, one)| FileSeen {
            name: &one.name,
            size: one.text.len() as u64,
            bytes: Some(if at == changed {
                b"xxx"
            } else {
                one.text.as_bytes()
            }),
        });
        let own = own.map(|name| FileSeen {
            name,
            size: 12,
            bytes: None,
        });
        others.chain(own).collect::<Vec<_>>()
    };
    let judged = |files: &[FileSeen<'_>]| {
        let mut story = Story::new();
        story.put(1).write(SYNC);
        let found = story.oracle.directory(story.step, "q", files, &all);
        found.first().map(|one| one.clause)
    };
    let none = all.len();
    assert_eq!(judged(&seen(none, none)), None);
    assert_eq!(judged(&seen(none, 0)), Some(Clause::C9));
    assert_eq!(judged(&seen(none, 1)), Some(Clause::C9));
    let clauses = [Clause::C9, Clause::C9, Clause::C8, Clause::C14];
    for (left_out, clause) in clauses.into_iter().enumerate() {
        assert_eq!(judged(&seen(left_out, none)), Some(clause), "{left_out}");
    }
}
