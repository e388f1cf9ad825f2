//! What follows a crash: C1, C2, C3, C11, Q1, Q5, Q6, and that what was put after it stays.

use super::story::{Told, tell, tell_with};
use crate::oracle::{Observation, Strengths, TailObserver, judge};
use crate::scenario::Clause::{self, C1, C2, C3, C11, Q1, Q2, Q3, Q5, Q6};
use crate::scenario::{Applied, CrashKind, FailureKind, Outcome, Reply, payload};

/// Feeds a tail in words: `open depth=2 drain=0,1 put sync cut open drain=2 close`. The one
/// message put is number 2.
fn tail(told: &Told, text: &str) -> Observation {
    let mut observer = TailObserver::new(&told.history);
    let done = Outcome::ok(Reply::Done);
    for word in text.split_whitespace() {
        let (name, answer) = word.split_once('=').unwrap_or((word, ""));
        let numbers = || answer.split(',').filter(|text| !text.is_empty());
        let io = Outcome::failed(FailureKind::Io(None), Applied::No, "EIO");
        let outcome = match answer {
            "fail" => io,
            "panic" => Outcome::failed(FailureKind::Panic, Applied::Unknown, "panicked"),
            "none" => Outcome::ok(Reply::Nothing),
            _ => done.clone(),
        };
        match name {
            "open" => observer.opened(&outcome),
            "depth" => observer.depth(&Outcome::ok(Reply::Count(answer.parse().unwrap()))),
            "peek" if answer == "none" => observer.peeked(&outcome),
            "peek" => {
                let bytes = payload(answer.parse().unwrap(), 8);
                observer.peeked(&Outcome::ok(Reply::Message(bytes)));
            }
            "drain" => {
                for number in numbers() {
                    observer.message(&payload(number.parse().unwrap(), 8));
                }
                observer.drained(&Outcome::ok(Reply::Nothing));
            }
            "put" => observer.put(observer.next_number(), 8, &outcome),
            "sync" => observer.synced(&outcome),
            "close" => observer.closed(&outcome),
            "cut" => observer.crashed(CrashKind::PowerCut),
            "drop" => observer.crashed(CrashKind::Kill),
            "garbled" => {
                observer.message(&[0, 0, 0, 1, 7, 7, 7, 7]);
            }
            other => panic!("there is no word `{other}`"),
        }
    }
    observer.finish()
}

fn clause(told: &Told, text: &str) -> Option<Clause> {
    let seen = tail(told, text);
    assert!(!seen.undecided || seen.finding.is_some(), "{text}");
    seen.finding.map(|finding| finding.clause)
}

#[test]
fn tails_that_are_right_and_tails_that_are_not() {
    let told = tell("put put", 0);
    let cases: &[(&str, Option<Clause>)] = &[
        (
            "open peek=0 depth=2 drain=0,1 depth=0 put sync peek=2 drain=2 close open depth=0 \
             drain=",
            None,
        ),
        ("open depth=2 put sync cut open drain=0,1,2", None),
        ("open depth=2 drop open depth=2 drain=0,1", None),
        ("open depth=1 drain=1", None),
        ("open put sync drop open drain=0,1,2", None),
        ("open put cut open drain=0,1", None),
        ("open put cut open drain=0,1,2", None),
        ("open drain=0,1 cut open drain=0,1", None),
        ("open drain=0,1 cut open drain=1", None),
        ("open=fail", Some(C1)),
        ("open=panic", Some(C3)),
        ("open drain=0,1 put=fail", Some(C1)),
        ("open depth=2 drop open depth=1 drain=1", Some(C2)),
        ("open depth=2 drop open drain=1", Some(C2)),
        ("open depth=2 drain=0", Some(Q5)),
        ("open depth=2 drain=0,1 depth=1", Some(Q5)),
        ("open depth=-1 drain=0,1", Some(Q5)),
        ("open peek=1 drain=0,1", Some(Q6)),
        ("open peek=none drain=0,1", Some(Q6)),
        ("open peek=0 drain=", Some(Q6)),
        ("open drain=0,0,1", Some(Q1)),
        ("open drain=1,0", Some(Q1)),
        ("open garbled", Some(Q1)),
        ("open drain=0,1,3", Some(Q1)),
        ("open depth=2 put sync cut open drain=0,1", Some(Q3)),
        ("open depth=2 put sync cut open drain=0,2", Some(Q3)),
        ("open put sync drop open drain=0,1", Some(Q2)),
        ("open put drop open drain=0,1", Some(Q2)),
        (
            "open drain=0,1 put sync drain=2 close open depth=1 drain=2",
            Some(C11),
        ),
        ("open drain=0,1 put close open depth=0 drain=", Some(C11)),
        ("open drain=0,1 put sync drain=", Some(Clause::C12)),
    ];
    for (text, expected) in cases {
        assert_eq!(clause(&told, text), *expected, "{text}");
    }
}

#[test]
fn a_tail_that_is_not_drained_is_no_pass() {
    let told = tell("put put", 0);
    assert!(tail(&told, "open depth=2").undecided);
}

#[test]
fn equal_deliveries_are_one_observation() {
    let told = tell("put put", 0);
    let first = tail(&told, "open depth=2 drain=0,1 put sync cut open drain=2");
    let second = tail(&told, "open peek=0 drain=0,1");
    assert_eq!(first, second);
}

#[test]
fn damage_met_after_a_crash_is_blamed_where_nothing_else_is_wrong() {
    let told = tell("put put", 0);
    let mut observer = TailObserver::new(&told.history);
    observer.opened(&Outcome::ok(Reply::Done));
    observer.depth(&Outcome::ok(Reply::Count(2)));
    observer.message(&payload(0, 8));
    let mut end = Outcome::ok(Reply::Nothing);
    end.losses.push(crate::scenario::Loss {
        file: "q.diskqueue.000000.dat".to_owned(),
        offset: 12,
        size: 12,
        messages: Some(1),
    });
    observer.drained(&end);
    let seen = observer.finish();
    assert_eq!(seen.finding, None);
    let at = |position, kind| {
        let windows = told.history.windows_at(position).unwrap();
        judge(windows, kind, &seen).map(|broken| broken.clause)
    };
    assert_eq!(at(4, CrashKind::Kill), Some(Q2));
    assert_eq!(at(4, CrashKind::PowerCut), Some(Clause::C12));
}

#[test]
fn a_log_without_a_read_position_delivers_all_again() {
    let told = tell_with("put put", 0, Strengths::TOY_LOG);
    let right = "open depth=2 drain=0,1 put sync drain=2 close open depth=3 drain=0,1,2";
    assert_eq!(clause(&told, right), None);
    let wrong = "open depth=2 drain=0,1 put sync drain=2 close open depth=1 drain=2";
    assert_eq!(clause(&told, wrong), Some(C11));
}
