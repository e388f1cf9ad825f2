//! What a full run must have met somewhere: rare states that give the verdict its worth. A run
//! that never cut a batch in two has not tested Q10.

use super::{Observation, Role, Windows, role, staying};
use crate::scenario::{Action, CrashKind, Failure, FailureKind, Outcome, Planted, PlantedKind};

/// One state that must be met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Its name in reports.
    pub name: &'static str,
    /// What was met.
    pub meaning: &'static str,
}

macro_rules! marks {
    ($($constant:ident = $name:literal: $meaning:literal;)*) => {
        #[derive(Debug, Clone, Copy)]
        enum Number { $($constant),* }

        /// All marks, in the order of their numbers.
        pub const ALL: &[Mark] = &[$(Mark { name: $name, meaning: $meaning }),*];
    };
}

marks! {
    KillKeptUnsynced = "kill-kept-unsynced":
        "a kill kept messages that no sync had covered";
    PowerCutLost = "power-cut-lost-unsynced":
        "a power cut took messages that no sync had covered";
    PowerCutKept = "power-cut-kept-unsynced":
        "a power cut left messages that no sync had covered";
    PutInFlightKept = "put-in-flight-kept":
        "a put in flight was there after the crash";
    PutInFlightLost = "put-in-flight-lost":
        "a put in flight was not there after the crash";
    BatchCut = "batch-cut":
        "a batch in flight was there in part";
    Redelivered = "redelivered":
        "a message that was read came again";
    EmptyTookPlace = "empty-in-flight-done":
        "an empty in flight had taken place after the crash";
    EmptyDidNot = "empty-in-flight-undone":
        "an empty in flight had not taken place after the crash";
    CleanClosed = "crash-after-clean-close":
        "a crash fell after a clean close";
    NothingLeft = "nothing-came-back":
        "a queue that had held messages came back empty";
    ShortPayload = "told-by-position":
        "messages too short for a number were told by their position";
    OwedSync = "owed-sync":
        "a sync owed by sync_every or sync_timeout made the durable point";
    PutFailed = "put-failed":
        "a put returned an error";
    DiskFull = "disk-full":
        "an operation failed for want of space";
    SyncFailed = "sync-failed":
        "a sync returned an error";
    Refused = "refused":
        "a message was refused for its size";
    BesideOthers = "beside-others":
        "files that are not the queue's lay in its directory";
    BesideNoFile = "beside-no-file":
        "a name like that of one of the queue's files stood for no file";
    NumbersUsedUp = "numbers-used-up":
        "a queue recovered that has no number left for a segment";
}

/// A set of marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks(u32);

impl Marks {
    /// Adds all marks of another set.
    pub fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// The marks that are in the set.
    pub fn iter(self) -> impl Iterator<Item = Mark> {
        ALL.iter()
            .enumerate()
            .filter(move |(index, _)| self.0 & (1 << index) != 0)
            .map(|(_, mark)| *mark)
    }

    fn set(&mut self, number: Number, reached: bool) {
        if reached {
            self.0 |= 1 << (number as u32);
        }
    }
}

/// The marks that one judged pair has reached. It costs nanoseconds.
#[must_use]
pub fn of_pair(windows: &Windows, kind: CrashKind, observation: &Observation) -> Marks {
    let mut marks = Marks::default();
    if observation.finding.is_some() || observation.refused {
        marks.set(Number::NumbersUsedUp, observation.refused);
        return marks;
    }
    let window = windows.of(kind);
    let unsynced = windows.durable.end;
    let emptying = windows.emptied.is_some();
    let Some(run) = observation.runs.first() else {
        marks.set(Number::NothingLeft, windows.messages_before > 0);
        marks.set(Number::EmptyTookPlace, emptying && !window.allows_nothing());
        return marks;
    };
    let acknowledged = windows.kill.end_min;
    let killed = kind == CrashKind::Kill;
    marks.set(Number::KillKeptUnsynced, killed && run.end > unsynced);
    marks.set(
        Number::PowerCutKept,
        !killed && run.end > unsynced && run.end <= acknowledged,
    );
    marks.set(Number::PowerCutLost, !killed && run.end < acknowledged);
    let in_flight = window.end_max.saturating_sub(acknowledged);
    marks.set(
        Number::PutInFlightKept,
        in_flight > 0 && run.end == window.end_max,
    );
    marks.set(
        Number::PutInFlightLost,
        in_flight > 0 && run.end == acknowledged,
    );
    let cut = in_flight > 1 && run.end > acknowledged && run.end < window.end_max;
    marks.set(Number::BatchCut, cut);
    marks.set(
        Number::Redelivered,
        run.first < window.first_max && run.first < run.end,
    );
    marks.set(Number::EmptyDidNot, emptying);
    marks.set(Number::ShortPayload, observation.runs.len() > 1);
    marks.set(
        Number::CleanClosed,
        windows.durable.cause == super::Cause::Close,
    );
    marks.set(
        Number::OwedSync,
        windows.durable.cause == super::Cause::Owed,
    );
    marks
}

/// The marks that what lies in the directory before the queue reaches.
#[must_use]
pub fn of_planted(planted: &[Planted], queue: &str) -> Marks {
    let mut marks = Marks::default();
    for (one, _) in staying(queue, planted) {
        let is_file = one.kind == PlantedKind::File;
        let is_foreign = role(queue, &one.name) == Role::Foreign;
        marks.set(Number::BesideOthers, is_file && is_foreign);
        marks.set(Number::BesideNoFile, !is_file && !is_foreign);
    }
    marks
}

/// The marks that the answer of a step has reached.
#[must_use]
pub fn of_step(action: &Action, outcome: &Outcome) -> Marks {
    let mut marks = Marks::default();
    if let Err(Failure { kind, .. }) = &outcome.result {
        let puts = !action.sizes().is_empty();
        let refused = *kind == FailureKind::Refused;
        let full = matches!(kind, FailureKind::Io(Some(28 | 122)));
        marks.set(Number::Refused, puts && refused);
        marks.set(Number::PutFailed, puts && !refused);
        marks.set(Number::DiskFull, full);
        marks.set(Number::SyncFailed, *action == Action::Sync);
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::super::tests::{delivered, tell};
    use super::*;

    fn names(text: &str, position: u32, kind: CrashKind, numbers: &[u32]) -> Vec<&'static str> {
        let told = tell(text, 0);
        let windows = told.history.windows_at(position).unwrap();
        let observation = delivered(&told.history, numbers);
        of_pair(windows, kind, &observation)
            .iter()
            .map(|mark| mark.name)
            .collect()
    }

    type Case<'a> = (&'a str, u32, CrashKind, &'a [u32], &'a [&'a str]);

    #[test]
    fn pairs_reach_marks() {
        use CrashKind::{Kill, PowerCut};
        let cases: &[Case<'_>] = &[
            ("put", 2, Kill, &[0], &["kill-kept-unsynced"]),
            (
                "put put",
                4,
                PowerCut,
                &[0],
                &["power-cut-lost-unsynced", "power-cut-kept-unsynced"],
            ),
            (
                "put",
                1,
                Kill,
                &[0],
                &["kill-kept-unsynced", "put-in-flight-kept"],
            ),
            ("put sync put", 5, PowerCut, &[0], &["put-in-flight-lost"]),
            (
                "batch:8,8",
                1,
                Kill,
                &[0],
                &["kill-kept-unsynced", "batch-cut"],
            ),
            ("put sync read", 6, PowerCut, &[0], &["redelivered"]),
            (
                "put sync empty",
                5,
                PowerCut,
                &[],
                &["empty-in-flight-done", "nothing-came-back"],
            ),
            (
                "put sync empty",
                5,
                PowerCut,
                &[0],
                &["empty-in-flight-undone"],
            ),
            ("put close", 4, PowerCut, &[0], &["crash-after-clean-close"]),
            ("put:1 put:1 sync", 2, PowerCut, &[], &["nothing-came-back"]),
        ];
        for (text, position, kind, numbers, expected) in cases {
            let mut found = names(text, *position, *kind, numbers);
            let mut expected = expected.to_vec();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{text} at {position}");
        }
    }

    #[test]
    fn answers_reach_marks() {
        let failed = |kind| Outcome::failed(kind, crate::scenario::Applied::No, "");
        let of = |action: Action, outcome: &Outcome| -> Vec<&str> {
            of_step(&action, outcome)
                .iter()
                .map(|mark| mark.name)
                .collect()
        };
        let put = Action::Put { size: 8 };
        let full = failed(FailureKind::Io(Some(28)));
        assert_eq!(of(put.clone(), &full), ["put-failed", "disk-full"]);
        assert_eq!(of(put, &failed(FailureKind::Refused)), ["refused"]);
        assert_eq!(
            of(Action::Sync, &failed(FailureKind::Io(Some(5)))),
            ["sync-failed"]
        );
        assert_eq!(
            of(Action::Sync, &Outcome::ok(crate::scenario::Reply::Done)),
            [""; 0]
        );
    }
}
