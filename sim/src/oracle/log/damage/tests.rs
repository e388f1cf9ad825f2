//! The damage rule on hand-made files.

use super::{HeldPlaces, LogDamageCase, LogDamageObserver, SettledLog, Walker};
use crate::model::Place;
use crate::oracle::{NamedFile, Verdict};
use crate::scenario::{
    Clause, FailureKind, LogMessage, LogOutcome, LogPosition, LogReply, LogStates, Loss,
    ReaderState, WriterState,
};

const MAIN: &str = "q.diskqueue.meta.writer.dat";
const COPY: &str = "q.diskqueue.meta.writer.dat.tmp";
const FIRST: &str = "q.diskqueue.000000.dat";
const SECOND: &str = "q.diskqueue.000001.dat";
const SUMS: &str = "q.diskqueue.000000.sums";
const READER: &str = "q:a.diskqueue.meta.v2.reader.dat";

/// Messages of 8 bytes, three in a segment.
fn body(number: i64) -> Vec<u8> {
    number.to_be_bytes().to_vec()
}

fn position(count: i64) -> LogPosition {
    LogPosition {
        segment: count / 3,
        position: 12 * (count % 3),
        offset: 12 * count,
        count,
    }
}

/// Messages 0 to 2 in the first segment, 3 and 4 in the second; the reader stood behind none, two
/// and then three of them.
fn files() -> Vec<NamedFile> {
    let segment = |numbers: std::ops::Range<i64>| {
        let record = |number| [8_u32.to_be_bytes().to_vec(), body(number)].concat();
        numbers.flat_map(record).collect::<Vec<u8>>()
    };
    let file = |name: &str, bytes: &[u8]| (name.to_owned(), bytes.to_vec());
    vec![
        file(MAIN, b"main"),
        file(COPY, b"copy"),
        file(FIRST, &segment(0..3)),
        file(SECOND, &segment(3..5)),
        file(SUMS, b"sums"),
        file("q.diskqueue.000001.sums", b"sums"),
        file(READER, b"three"),
    ]
}

fn settled() -> SettledLog {
    SettledLog {
        start: position(0),
        end: position(5).into(),
        messages: (0..5).map(|number| body(number).into()).collect(),
        readers: vec![("a".to_owned(), position(3).into())],
    }
}

fn held() -> HeldPlaces {
    let mut held = HeldPlaces::default();
    for count in [0, 2, 3] {
        held.note_at("a", position(count).into());
    }
    held
}

/// What came back.
struct Came {
    start: LogPosition,
    end: LogPosition,
    reader: LogPosition,
    /// What the open of the writer and that of the reader told.
    told: Vec<Loss>,
    reader_told: Vec<Loss>,
    /// What the snapshot delivered, by number, and told.
    messages: Vec<(i64, Vec<u8>)>,
    losses: Vec<Loss>,
    is_killed: bool,
}

impl Came {
    /// As it was, but for these messages.
    fn without(lost: &[i64]) -> Self {
        let came = (0..5).filter(|number| !lost.contains(number));
        Self {
            start: position(0),
            end: position(5),
            reader: position(3),
            told: Vec::new(),
            reader_told: Vec::new(),
            messages: came.map(|number| (number, body(number))).collect(),
            losses: Vec::new(),
            is_killed: false,
        }
    }

    fn states(&self) -> LogStates {
        let (at, end) = (self.reader, self.end);
        let reader = ReaderState {
            confirmed: at,
            read: at,
            end,
            depth: end.count - at.count,
            depth_size: end.offset - at.offset,
            waiting: at == end,
        };
        LogStates {
            writer: Some(WriterState {
                queue_start: self.start,
                write_end: end,
                read_end: end,
            }),
            readers: [("a".to_owned(), reader)].into(),
            snapshot: None,
        }
    }
}

fn loss(file: &str, offset: u64, size: u64, messages: u64) -> Loss {
    Loss {
        file: file.to_owned(),
        offset,
        size,
        messages: Some(messages),
    }
}

fn with(losses: &[Loss]) -> LogOutcome {
    LogOutcome {
        losses: losses.to_vec(),
        ..LogOutcome::ok(LogReply::Done)
    }
}

fn judge(change: impl Fn(&mut Vec<NamedFile>), came: &Came) -> Verdict {
    let (settled, held) = (settled(), held());
    let (before, mut after) = (files(), files());
    change(&mut after);
    let mut observer = LogDamageObserver::new(LogDamageCase {
        settled: Some(&settled),
        held: &held,
        is_killed: came.is_killed,
        log: "q",
        before: &before,
        after: &after,
    });
    let states = came.states();
    observer.writer_opened(&with(&came.told), &states);
    observer.reader_opened("a", &with(&came.reader_told), &states);
    observer.begins(Walker::Snapshot, came.start.into());
    for one in &came.losses {
        let applied = crate::scenario::Applied::No;
        let mut outcome = LogOutcome::failed(FailureKind::Damage, applied, "damage");
        outcome.losses = vec![one.clone()];
        assert!(observer.read(&outcome), "damage is passed");
    }
    for (number, bytes) in &came.messages {
        let message = LogMessage {
            offset: 12 * number,
            moved: 12,
            count: number + 1,
            bytes: bytes.clone(),
        };
        observer.read(&LogOutcome::ok(LogReply::Message(message)));
    }
    observer.read(&LogOutcome::ok(LogReply::Nothing));
    observer.finish(&after)
}

fn clause(change: impl Fn(&mut Vec<NamedFile>), came: &Came) -> Option<Clause> {
    match judge(change, came) {
        Verdict::Fail(violation) => Some(violation.clause),
        Verdict::Pass => None,
        verdict @ (Verdict::Skipped(_) | Verdict::Unknown(_)) => panic!("{verdict:?}"),
    }
}

fn flip(name: &'static str, at: usize) -> impl Fn(&mut Vec<NamedFile>) {
    move |files| {
        let file = files.iter_mut().find(|(one, _)| one == name);
        let (_, bytes) = file.expect("it is there");
        *bytes.get_mut(at).expect("it is as long") ^= 1;
    }
}

fn remove(names: &'static [&'static str]) -> impl Fn(&mut Vec<NamedFile>) {
    move |files| files.retain(|(one, _)| !names.contains(&one.as_str()))
}

#[test]
fn a_damaged_record_is_told_and_the_others_come() {
    let mut came = Came::without(&[1]);
    assert_eq!(clause(flip(FIRST, 20), &came), Some(Clause::C7), "untold");
    came.losses = vec![loss(FIRST, 12, 12, 1)];
    assert_eq!(clause(flip(FIRST, 20), &came), None);
    assert_eq!(clause(flip(FIRST, 12), &came), None, "its length");
    came.losses = vec![loss(FIRST, 12, 12, 2)];
    assert_eq!(
        clause(flip(FIRST, 20), &came),
        Some(Clause::C7),
        "miscounted"
    );
    came.losses = vec![loss(FIRST, 12, 24, 1)];
    assert_eq!(
        clause(flip(FIRST, 20), &came),
        Some(Clause::C7),
        "too large"
    );
    came.losses = vec![loss(FIRST, 12, 12, 1), loss(FIRST, 12, 12, 0)];
    assert_eq!(
        clause(flip(FIRST, 20), &came),
        Some(Clause::C7),
        "told twice"
    );
    let mut more = Came::without(&[1, 2]);
    more.losses = vec![loss(FIRST, 12, 24, 2)];
    assert_eq!(clause(flip(FIRST, 20), &more), Some(Clause::C7), "too much");
}

#[test]
fn a_changed_body_comes_only_where_no_sums_vouch() {
    let mut came = Came::without(&[1]);
    let mut changed = body(1);
    *changed.get_mut(4).expect("it has 8 bytes") ^= 1;
    came.messages.insert(1, (1, changed));
    assert_eq!(clause(flip(FIRST, 20), &came), Some(Clause::C7));
    let without_sums = |files: &mut Vec<NamedFile>| {
        flip(FIRST, 20)(files);
        flip(SUMS, 0)(files);
    };
    assert_eq!(clause(without_sums, &came), None);
    assert_eq!(clause(flip(SUMS, 0), &came), Some(Clause::L10));
}

#[test]
fn a_changed_length_without_sums_costs_the_rest_of_its_segment_and_no_more() {
    let change = |files: &mut Vec<NamedFile>| {
        flip(FIRST, 15)(files);
        flip(SUMS, 0)(files);
    };
    let mut came = Came::without(&[1, 2]);
    came.losses = vec![Loss {
        messages: None,
        ..loss(FIRST, 12, 24, 0)
    }];
    assert_eq!(clause(change, &came), None);
    for lost in [&[0, 1, 2][..], &[1, 2, 3]] {
        came.messages = Came::without(lost).messages;
        assert_eq!(clause(change, &came), Some(Clause::C7), "{lost:?}");
    }
}

#[test]
fn the_log_ends_or_starts_elsewhere_only_where_segments_are_gone() {
    let mut came = Came::without(&[3, 4]);
    came.end = position(3);
    assert_eq!(clause(flip(MAIN, 0), &came), Some(Clause::L10));
    assert_eq!(clause(remove(&[SECOND]), &came), Some(Clause::C7), "untold");
    came.told = vec![loss(SECOND, 0, 24, 2)];
    assert_eq!(clause(remove(&[SECOND]), &came), None);
    came.end.count = 4;
    assert_eq!(clause(remove(&[SECOND]), &came), Some(Clause::C7), "hybrid");
    let mut came = Came::without(&[0, 1, 2]);
    came.start = position(3);
    came.told = vec![loss(FIRST, 0, 0, 3)];
    assert_eq!(clause(remove(&[FIRST]), &came), None);
    came.told = vec![loss(SECOND, 0, 0, 3)];
    assert_eq!(
        clause(remove(&[FIRST]), &came),
        Some(Clause::C7),
        "of another"
    );
}

#[test]
fn what_damage_put_behind_the_end_is_taken_after_a_kill_alone() {
    let put = |files: &mut Vec<NamedFile>| {
        let file = files.iter_mut().find(|(one, _)| one == SECOND);
        let (_, bytes) = file.expect("it is there");
        bytes.extend([8_u32.to_be_bytes().to_vec(), body(5)].concat());
    };
    let mut came = Came::without(&[]);
    came.is_killed = true;
    assert_eq!(clause(put, &came), None, "it need not be taken");
    came.end = position(6);
    assert_eq!(clause(put, &came), Some(Clause::C7), "it does not come");
    came.messages.push((5, body(5)));
    assert_eq!(clause(put, &came), None);
    assert_eq!(clause(flip(SECOND, 4), &came), Some(Clause::C7), "not put");
    came.is_killed = false;
    assert_eq!(clause(put, &came), Some(Clause::C7), "it was closed");
    came.is_killed = true;
    came.messages.pop();
    came.messages.push((5, body(6)));
    assert_eq!(clause(put, &came), Some(Clause::C7), "another one");
}

#[test]
fn a_reader_stands_where_it_stood_once_or_at_the_start() {
    let reader_at = |count| Came {
        reader: position(count),
        ..Came::without(&[])
    };
    assert_eq!(clause(flip(READER, 0), &reader_at(3)), None);
    assert_eq!(clause(flip(READER, 0), &reader_at(2)), None, "an older one");
    for (count, damaged) in [(1, READER), (5, READER), (2, FIRST), (2, SUMS)] {
        let expected = match damaged {
            FIRST => Clause::C7,
            _ => Clause::L10,
        };
        let mut came = reader_at(count);
        came.messages.remove(0);
        came.losses = vec![loss(FIRST, 0, 12, 1)];
        let found = clause(flip(damaged, 0), &came);
        assert_eq!(found, Some(expected), "at {count}, {damaged}");
    }
    let mut came = reader_at(0);
    came.reader_told = vec![loss(READER, 0, 5, 0)];
    assert_eq!(clause(flip(READER, 0), &came), None, "at the start, told");
    came.reader_told = vec![loss(FIRST, 0, 12, 1)];
    assert_eq!(clause(flip(READER, 0), &came), Some(Clause::L10));
}

#[test]
fn without_any_meta_all_that_is_there_comes_in_its_order() {
    let mut came = Came::without(&[]);
    came.told = vec![loss(MAIN, 0, 0, 0)];
    assert_eq!(clause(remove(&[MAIN, COPY]), &came), None);
    came.messages.remove(2);
    assert_eq!(clause(remove(&[MAIN, COPY]), &came), Some(Clause::L10));
    assert_eq!(clause(remove(&[MAIN]), &Came::without(&[])), None);
    assert_eq!(clause(remove(&[MAIN]), &came), Some(Clause::L10));
}

#[test]
fn positions_that_a_cut_passed_are_held_at_the_cut() {
    use crate::scenario::LogOptions;
    let mut held = held();
    held.note(&crate::model::LogModel::new(LogOptions::default()));
    let places: Vec<Place> = held.of("a").collect();
    assert_eq!(places, [0, 2, 3].map(|count| position(count).into()));
    let mut held = HeldPlaces::default();
    held.note_at("a", position(3).into());
    held.note(&crate::model::LogModel::new(LogOptions::default()));
    let places: Vec<Place> = held.of("a").collect();
    assert_eq!(places, [0, 3].map(|count| position(count).into()));
}
