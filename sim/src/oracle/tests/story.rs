//! A history in a short text: `put put sync read=0 kill open`.
//!
//! A word is an operation with `:argument`, `=answer` where it is not what the model says, and
//! `!fault` for a fault that fired in it. Messages have 8 bytes unless `put:SIZE` says otherwise.

use crate::model::{Answer, FifoModel};
use crate::oracle::{
    FaultNote, FifoHistory, FifoOracle, Observation, Strengths, TailObserver, Violation,
    first_numbers, judge,
};
use crate::scenario::{
    Action, Applied, Clause, CrashKind, FORMAT, FailureKind, FifoOptions, Outcome, Reply, RunKind,
    Scenario, Step, payload,
};

/// The options of all stories: sizes from 0 to 99, and a sync when `sync_every` says.
pub(super) fn options(sync_every: u64) -> FifoOptions {
    FifoOptions {
        segment_bytes_max: 64,
        message_bytes_min: 0,
        message_bytes_max: 99,
        sync_every,
        sync_timeout_ms: 100,
    }
}

/// A followed history.
pub(in crate::oracle) struct Told {
    pub history: FifoHistory,
    pub violations: Vec<Violation>,
}

/// Follows a history with the whole contract.
pub(in crate::oracle) fn tell(text: &str, sync_every: u64) -> Told {
    tell_with(text, sync_every, Strengths::DISKQUEUE)
}

/// Follows a history.
pub(super) fn tell_with(text: &str, sync_every: u64, strengths: Strengths) -> Told {
    let (oracle, violations) = follow(text, sync_every, strengths);
    let history = oracle.finish();
    Told {
        history,
        violations,
    }
}

/// Follows a history up to its end, without finishing it.
pub(super) fn follow(
    text: &str,
    sync_every: u64,
    strengths: Strengths,
) -> (FifoOracle, Vec<Violation>) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let steps: Vec<Step> = words.iter().map(|word| Step::queue(action(word))).collect();
    let firsts = first_numbers(&steps);
    let scenario = Scenario {
        format: FORMAT,
        engine: "none".to_owned(),
        options: options(sync_every),
        quirks: Vec::new(),
        profile: "posix-min".to_owned(),
        run: RunKind::Crashes,
        with_dir_sync: false,
        seed: 0,
        steps,
        log: None,
        offsets: None,
        cluster: None,
        faults: Vec::new(),
        damage: Vec::new(),
        planted: Vec::new(),
        crashes: Vec::new(),
    };
    let mut model = FifoModel::new(scenario.options);
    let mut oracle = FifoOracle::new(&scenario, strengths);
    let mut violations = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let step = u32::try_from(index).unwrap();
        let usual = if word.starts_with("read=fail") || word.starts_with("read=damage") {
            Answer::Nothing
        } else {
            model.apply(&scenario.steps[index].action)
        };
        for note in notes(word) {
            oracle.fault_fired(step, note);
        }
        let outcome = outcome(word, usual, &oracle);
        violations.extend(oracle.end(step, &outcome));
    }
    assert_eq!(firsts.len(), words.len());
    (oracle, violations)
}

fn action(word: &str) -> Action {
    let word = word.split(['=', '!']).next().unwrap();
    let (name, argument) = word.split_once(':').unwrap_or((word, "8"));
    let number = || argument.parse().unwrap();
    match name {
        "put" => Action::Put { size: number() },
        "batch" => Action::PutBatch {
            sizes: argument
                .split(',')
                .map(|size| size.parse().unwrap())
                .collect(),
        },
        "read" => Action::Read,
        "peek" => Action::Peek,
        "depth" => Action::Depth,
        "empty" => Action::Empty,
        "sync" => Action::Sync,
        "tick" => Action::Tick {
            now_ms: u64::from(number()),
        },
        "close" => Action::Close,
        "open" if argument == "8" => Action::Open { options: None },
        "open" => Action::Open {
            options: Some(FifoOptions {
                message_bytes_max: number(),
                ..options(0)
            }),
        },
        "look" => Action::OpenReadOnly,
        "kill" => Action::Kill,
        "delete" => Action::Delete,
        other => panic!("there is no word `{other}`"),
    }
}

fn notes(word: &str) -> Vec<FaultNote> {
    word.split('!')
        .skip(1)
        .map(|note| match note.split('=').next().unwrap() {
            "call" => FaultNote::Call,
            "full" => FaultNote::Full,
            "sync" => FaultNote::SyncFailed,
            "back" => FaultNote::SyncTookBack,
            "later" => FaultNote::SyncFailsLater,
            "flip" => FaultNote::Corrupted,
            other => panic!("there is no fault `{other}`"),
        })
        .collect()
}

fn outcome(word: &str, usual: Answer, oracle: &FifoOracle) -> Outcome {
    let message = |number: u32| {
        let size = oracle.messages().get(number).map_or(8, |put| put.size);
        Outcome::ok(Reply::Message(payload(number, size)))
    };
    let io = |applied| Outcome::failed(FailureKind::Io(Some(5)), applied, "EIO");
    let Some((operation, answer)) = word.split_once('=') else {
        return match usual {
            Answer::Done => Outcome::ok(Reply::Done),
            Answer::Message(number) => message(number),
            Answer::Nothing => Outcome::ok(Reply::Nothing),
            Answer::Count(count) => Outcome::ok(Reply::Count(count)),
            Answer::Refused => Outcome::failed(FailureKind::Refused, Applied::No, "size"),
            Answer::Closed => Outcome::failed(FailureKind::Closed, Applied::No, "closed"),
        };
    };
    match answer.split('!').next().unwrap() {
        "ok" => Outcome::ok(Reply::Done),
        "none" => Outcome::ok(Reply::Nothing),
        "piece" => Outcome::ok(Reply::Message([vec![0; 9], payload(1, 8)].concat())),
        "invented" => Outcome::ok(Reply::Message(payload(77, 30))),
        "garbled" => Outcome::ok(Reply::Message(vec![0, 0, 0, 0, 9, 9])),
        "fail" => io(Applied::No),
        "failyes" => io(Applied::Yes),
        "failunknown" => io(Applied::Unknown),
        "failone" => io(Applied::Leading(1)),
        "damage" => Outcome::failed(FailureKind::Damage, Applied::Yes, "damage"),
        "panic" => Outcome::failed(FailureKind::Panic, Applied::Unknown, "panicked"),
        "cutoff" => Outcome::failed(FailureKind::CutOff, Applied::Unknown, "too many calls"),
        "refused" => Outcome::failed(FailureKind::Refused, Applied::No, "refused"),
        number if operation.starts_with("depth") => {
            Outcome::ok(Reply::Count(number.parse().unwrap()))
        }
        number => message(number.parse().unwrap()),
    }
}

/// The clauses broken while the history ran.
pub(super) fn clauses(told: &Told) -> Vec<Clause> {
    told.violations.iter().map(|broken| broken.clause).collect()
}

/// What is seen when recovery has exactly these messages, says so, and delivers them.
pub(in crate::oracle) fn delivered(history: &FifoHistory, numbers: &[u32]) -> Observation {
    let mut observer = TailObserver::new(history);
    observer.opened(&Outcome::ok(Reply::Done));
    let depth = i64::try_from(numbers.len()).unwrap();
    observer.depth(&Outcome::ok(Reply::Count(depth)));
    for number in numbers {
        let size = history.messages().get(*number).map_or(8, |put| put.size);
        observer.message(&payload(*number, size));
    }
    observer.drained(&Outcome::ok(Reply::Nothing));
    observer.finish()
}

/// Where a crash falls: `after 2`, `during 2` (the step), or `start`.
fn position(text: &str) -> u32 {
    match text.split_once(' ') {
        Some(("after", step)) => 2 * step.parse::<u32>().unwrap() + 2,
        Some(("during", step)) => 2 * step.parse::<u32>().unwrap() + 1,
        _ => 0,
    }
}

/// The clause that a crash breaks when exactly these messages come back.
pub(super) fn crash(told: &Told, at: &str, kind: CrashKind, numbers: &[u32]) -> Option<Clause> {
    let observation = delivered(&told.history, numbers);
    let windows = told.history.windows_at(position(at)).unwrap();
    judge(windows, kind, &observation).map(|broken| broken.clause)
}
