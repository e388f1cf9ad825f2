//! What an answer after a crash is held against.

use super::observer::{Reopened, TailObserver};
use super::sequence::Place;
use crate::oracle::{Finding, Item, Put, What};
use crate::scenario::{Clause, CrashKind, Failure, FailureKind, payload};

impl TailObserver<'_> {
    pub(super) fn identify(&self, bytes: &[u8]) -> Item {
        let item = self.history.messages().identify(bytes);
        if item == Item::Invented
            && let Some((number, size)) = self.sequence.tail_put(bytes)
            && payload(number, size) == bytes
        {
            return Item::Number(number);
        }
        item
    }

    pub(super) fn take(&mut self, item: Item) {
        match self.sequence.take(item) {
            Place::Fits => {}
            Place::Twice(number) => self.found(self.clause_of(number), What::Twice(number)),
            Place::Before(number) => self.found(self.clause_of(number), What::OutOfOrder(number)),
            Place::Elsewhere => {
                let (before, after) = (self.sequence.held(), self.sequence.stands());
                let what = What::RecoveredLost(before, after);
                self.found(self.reopened_clause(), what);
            }
        }
    }

    /// The clause for a message that came where it must not: a put that failed and left something
    /// behind is to blame for that.
    fn clause_of(&self, number: u32) -> Clause {
        let put = self.history.messages().get(number);
        if put.is_some_and(Put::has_failed) {
            Clause::C4
        } else {
            Clause::Q1
        }
    }

    pub(super) fn look_at_depth(&mut self, said: i64) {
        if said < 0 {
            self.found(Clause::Q5, What::Depth(said, self.left().unwrap_or(0)));
            return;
        }
        let before = self.sequence.left();
        if self.sequence.depth(said) {
            return;
        }
        let real = before.unwrap_or(0);
        match self.reopened {
            Reopened::Idle if self.idle => self.found(Clause::C2, What::Unstable(real, said)),
            Reopened::Otherwise if self.idle => {
                self.found(Clause::Q9, What::Unstable(real, said));
            }
            Reopened::AfterClose | Reopened::AfterCrash(_) if self.idle => {
                self.found(self.reopened_clause(), What::RecoveredLost(real, said));
            }
            Reopened::First
            | Reopened::AfterClose
            | Reopened::Idle
            | Reopened::Otherwise
            | Reopened::AfterCrash(_) => self.found(Clause::Q5, What::Depth(said, real)),
        }
    }

    pub(super) fn look_at_nothing(&mut self) {
        if let Some(Some(_)) = self.peeked {
            self.found(Clause::Q6, What::PeekNothing);
        }
        if let Some(number) = self.sequence.lost() {
            self.found(self.reopened_clause(), What::TailLost(number));
        }
        let left = self.sequence.left();
        if !self.sequence.nothing() {
            let left = left.unwrap_or(0);
            if self.sequence.depth_is_of_this_object() {
                let real = self.sequence.stands() - self.sequence.asked_at();
                self.found(Clause::Q5, What::Depth(left + real, real));
            } else {
                self.found(self.reopened_clause(), What::Stopped(left));
            }
        }
        self.drained = true;
    }

    /// The clause that a difference to what was there before the last reopening breaks.
    pub(super) fn reopened_clause(&self) -> Clause {
        match self.reopened {
            Reopened::First => Clause::C12,
            Reopened::AfterClose => Clause::C11,
            Reopened::Idle => Clause::C2,
            Reopened::Otherwise => Clause::Q9,
            Reopened::AfterCrash(CrashKind::Kill) => Clause::Q2,
            Reopened::AfterCrash(CrashKind::PowerCut) => Clause::Q3,
        }
    }

    #[cold]
    pub(super) fn fail(&mut self, name: &'static str, failure: &Failure) {
        let words = failure.message.clone();
        if failure.kind == FailureKind::Refused && self.history.has_last_numbers() {
            // C13: there is nothing to be asked of it any more.
            self.refused = true;
            return;
        }
        if failure.kind == FailureKind::Damage && matches!(name, "peek" | "read" | "depth") {
            // Passed; what it costs is judged by what comes.
            return self.doubt_all();
        }
        match failure.kind {
            FailureKind::Panic => self.found(Clause::C3, What::Panicked(name, words)),
            FailureKind::CutOff => self.found(Clause::C3, What::CutOff(name)),
            FailureKind::Unsupported => {}
            FailureKind::Io(_)
            | FailureKind::Refused
            | FailureKind::Locked
            | FailureKind::Closed
            | FailureKind::Damage
            | FailureKind::Foreign => match name {
                _ if self.reopened == Reopened::Otherwise => {
                    self.found(Clause::Q9, What::Failed(name, words));
                }
                "open" => self.found(Clause::C1, What::DoesNotOpen(words)),
                "read" | "peek" | "depth" => self.found(Clause::C12, What::Failed(name, words)),
                _ => self.found(Clause::C1, What::Failed(name, words)),
            },
        }
    }

    #[cold]
    pub(super) fn found(&mut self, clause: Clause, what: What) {
        self.finding.get_or_insert(Finding { clause, what });
    }
}
