//! The damage rule on hand-made files.

use super::delivery::{Delivered, Delivery, Wrong};
use super::layout::{Layout, Record, Segment, Touch};
use super::{DamageCase, DamageObserver, NamedFile};
use crate::oracle::tests::tell;
use crate::oracle::{Item, Verdict};
use crate::scenario::{Clause, FailureKind, Loss, Outcome, Reply, payload};

const META: &str = "q.diskqueue.meta.dat";
const FIRST: &str = "q.diskqueue.000000.dat";
const SECOND: &str = "q.diskqueue.000001.dat";

/// Messages 0 to 2 in the first segment, 3 and 4 in the second; message 0 is read.
fn files() -> Vec<NamedFile> {
    let segment = |numbers: &[u32]| {
        let mut bytes = Vec::new();
        for number in numbers {
            bytes.extend(8_u32.to_be_bytes());
            bytes.extend(payload(*number, 8));
        }
        bytes
    };
    vec![
        (META.to_owned(), b"4\n0,12\n1,24\n".to_vec()),
        (FIRST.to_owned(), segment(&[0, 1, 2])),
        (SECOND.to_owned(), segment(&[3, 4])),
    ]
}

fn loss(file: &str, offset: u64, size: u64, messages: u64) -> Loss {
    Loss {
        file: file.to_owned(),
        offset,
        size,
        messages: Some(messages),
    }
}

/// What came back: messages by number or changed bytes, losses, and the depth at open.
struct Came<'a> {
    messages: Vec<Vec<u8>>,
    losses: Vec<Loss>,
    depth: i64,
    kept: Option<(&'a str, &'a [u8])>,
}

fn judge(change: impl Fn(&mut Vec<NamedFile>), sums: bool, came: &Came<'_>) -> Verdict {
    let told = tell("put put put put put read close", 0);
    let before = files();
    let mut after = files();
    change(&mut after);
    let mut observer = DamageObserver::new(DamageCase {
        history: &told.history,
        queue: "q",
        before: &before,
        after: &after,
        sums,
    });
    observer.opened(&Outcome::ok(Reply::Done));
    observer.depth(&Outcome::ok(Reply::Count(came.depth)));
    for bytes in &came.messages {
        observer.message(bytes);
    }
    if !came.losses.is_empty() {
        let mut met = Outcome::failed(FailureKind::Damage, crate::scenario::Applied::Yes, "damage");
        met.losses.clone_from(&came.losses);
        assert!(observer.drained(&met));
    }
    assert!(!observer.drained(&Outcome::ok(Reply::Nothing)));
    observer.depth(&Outcome::ok(Reply::Count(0)));
    let mut at_end = after.clone();
    if let Some((name, bytes)) = came.kept {
        at_end.push((name.to_owned(), bytes.to_vec()));
    }
    observer.finish(&at_end)
}

fn clause(verdict: &Verdict) -> Option<Clause> {
    match verdict {
        Verdict::Pass => None,
        Verdict::Fail(violation) => Some(violation.clause),
        Verdict::Skipped(reason) | Verdict::Unknown(reason) => panic!("{reason}"),
    }
}

fn numbers(numbers: &[u32]) -> Vec<Vec<u8>> {
    numbers.iter().map(|number| payload(*number, 8)).collect()
}

fn came<'a>(messages: &[Vec<u8>], losses: Vec<Loss>) -> Came<'a> {
    Came {
        messages: messages.to_vec(),
        losses,
        depth: 4,
        kept: None,
    }
}

fn flip(files: &mut [NamedFile], name: &str, at: usize) {
    let file = files.iter_mut().find(|(other, _)| other == name).unwrap();
    file.1[at] ^= 0x40;
}

#[test]
fn without_damage_everything_comes_once() {
    let right = numbers(&[1, 2, 3, 4]);
    assert_eq!(clause(&judge(|_| {}, true, &came(&right, vec![]))), None);
    let short = numbers(&[1, 2, 4]);
    assert_eq!(
        clause(&judge(|_| {}, true, &came(&short, vec![]))),
        Some(Clause::C7)
    );
    let again = numbers(&[0, 1, 2, 3, 4]);
    assert_eq!(
        clause(&judge(|_| {}, true, &came(&again, vec![]))),
        Some(Clause::C11)
    );
}

#[test]
fn a_vouched_record_is_dropped_alone_and_reported() {
    let body = |files: &mut Vec<NamedFile>| flip(files, FIRST, 12 + 6);
    let mut damaged = files();
    body(&mut damaged);
    let aside: Vec<u8> = damaged[1].1[12..24].to_vec();
    let rest = numbers(&[2, 3, 4]);
    let report = vec![loss(FIRST, 12, 12, 1)];
    let right = Came {
        kept: Some(("q.diskqueue.000000.dat.bad", &aside)),
        ..came(&rest, report.clone())
    };
    assert_eq!(clause(&judge(body, true, &right)), None);
    let not_kept = came(&rest, report.clone());
    assert_eq!(clause(&judge(body, true, &not_kept)), Some(Clause::C7));
    let not_told = came(&rest, vec![]);
    assert_eq!(clause(&judge(body, true, &not_told)), Some(Clause::C7));
    let twice = [report.clone(), report].concat();
    assert_eq!(
        clause(&judge(body, true, &came(&rest, twice))),
        Some(Clause::C7)
    );
    let changed = damaged[1].1[16..24].to_vec();
    let mut delivered = vec![changed];
    delivered.extend(rest);
    let blind = came(&delivered, vec![]);
    assert_eq!(clause(&judge(body, true, &blind)), Some(Clause::C7));
    // Where no sum covers it, nobody can see it.
    let blind = came(&delivered, vec![]);
    assert_eq!(clause(&judge(body, false, &blind)), None);
}

#[test]
fn a_changed_length_costs_the_rest_of_its_segment_at_most() {
    let length = |files: &mut Vec<NamedFile>| flip(files, FIRST, 12);
    let mut damaged = files();
    length(&mut damaged);
    let aside: Vec<u8> = damaged[1].1[12..36].to_vec();
    let report = vec![loss(FIRST, 12, 24, 2)];
    let later = numbers(&[3, 4]);
    let right = Came {
        kept: Some(("q.diskqueue.000000.dat.bad", &aside)),
        ..came(&later, report.clone())
    };
    assert_eq!(clause(&judge(length, false, &right)), None);
    assert_eq!(
        clause(&judge(length, true, &right)),
        Some(Clause::C7),
        "sums tell where the next record starts"
    );
    let lost = numbers(&[4]);
    let wrong = Came {
        kept: Some(("q.diskqueue.000000.dat.bad", &aside)),
        ..came(&lost, report)
    };
    assert_eq!(clause(&judge(length, false, &wrong)), Some(Clause::C7));
}

#[test]
fn a_damaged_meta_costs_redelivery() {
    let cut = |files: &mut Vec<NamedFile>| files[0].1.truncate(5);
    for all in [numbers(&[0, 1, 2, 3, 4]), numbers(&[1, 2, 3, 4])] {
        let right = Came {
            depth: i64::try_from(all.len()).unwrap(),
            ..came(&all, vec![])
        };
        assert_eq!(clause(&judge(cut, true, &right)), None);
    }
    let lost = numbers(&[2, 3, 4]);
    assert_eq!(
        clause(&judge(cut, true, &came(&lost, vec![]))),
        Some(Clause::C7)
    );
    let all = numbers(&[0, 1, 2, 3, 4]);
    let wrong_depth = came(&all, vec![]);
    assert_eq!(clause(&judge(cut, true, &wrong_depth)), Some(Clause::Q5));
}

#[test]
fn a_lost_segment_costs_its_messages() {
    let remove = |files: &mut Vec<NamedFile>| {
        files.remove(1);
    };
    let later = numbers(&[3, 4]);
    let report = vec![loss(FIRST, 12, 24, 2)];
    assert_eq!(clause(&judge(remove, true, &came(&later, report))), None);
    assert_eq!(
        clause(&judge(remove, true, &came(&later, vec![]))),
        Some(Clause::C7)
    );
}

#[test]
fn undamaged_files_are_not_blamed() {
    let right = numbers(&[1, 2, 3, 4]);
    let report = vec![loss(SECOND, 0, 12, 1)];
    assert_eq!(
        clause(&judge(|_| {}, true, &came(&right, report))),
        Some(Clause::C7)
    );
}

#[test]
fn files_that_do_not_hold_the_queue_are_unknown() {
    let told = tell("put read close", 0);
    let before = files();
    let mut observer = DamageObserver::new(DamageCase {
        history: &told.history,
        queue: "q",
        before: &before,
        after: &before,
        sums: true,
    });
    observer.opened(&Outcome::ok(Reply::Done));
    observer.drained(&Outcome::ok(Reply::Nothing));
    assert!(matches!(observer.finish(&before), Verdict::Unknown(_)));
}

/// Message 1, message 2, which is empty, and message 3, none of them touched.
fn with_an_empty_message(holes_from: Option<usize>) -> Layout {
    let record = |number, bytes| Record {
        bytes,
        number,
        unread: true,
        touch: Touch::No,
    };
    let segment = Segment {
        name: FIRST.to_owned(),
        records: vec![record(1, 0..12), record(2, 12..16), record(3, 16..28)],
        now: Vec::new(),
        there: true,
        vouched: false,
        holes_from,
        last: true,
        damaged: false,
        grown: false,
    };
    Layout {
        segments: vec![segment],
        meta_damaged: true,
        damaged_names: vec![META.to_owned()],
    }
}

#[test]
fn an_empty_message_that_nothing_tells_of_may_be_taken_for_a_hole() {
    let told = tell("put put put put close", 0);
    let check = |holes_from, numbers: &[u32]| {
        let delivered = numbers.iter().map(|number| Delivered {
            item: Item::Number(*number),
            bytes: Vec::new(),
        });
        let delivered: Vec<Delivered> = delivered.collect();
        let layout = with_an_empty_message(holes_from);
        Delivery::of(&layout).check(told.history.messages(), &delivered)
    };
    for holes_from in [None, Some(12), Some(16)] {
        assert_eq!(check(holes_from, &[1, 2, 3]), Ok(()));
        assert!(check(holes_from, &[2, 3]).is_err());
    }
    assert_eq!(check(Some(0), &[1]), Ok(()));
    assert_eq!(check(Some(12), &[1]), Ok(()));
    assert_eq!(check(Some(16), &[1]), Err(Wrong::Missing(2)));
    assert_eq!(check(None, &[1]), Err(Wrong::Missing(2)));
}
