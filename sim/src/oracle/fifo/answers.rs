//! What an answer that no place of the reader explains breaks.

use super::state::State;
use crate::oracle::{Barrier, Item, Messages, Put, Violation};
use crate::scenario::Clause;
use std::ops::RangeInclusive;

/// How the object that answers came to be, until its first message was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fresh {
    /// It has delivered something.
    No,
    /// Opened after a clean close.
    AfterClose,
    /// Opened after a kill.
    AfterKill,
}

impl Fresh {
    /// The clause for a wrong answer: of the reopening, or else of the run itself.
    fn clause(self, running: Clause, after_kill: Clause) -> Clause {
        match self {
            Self::No => running,
            Self::AfterClose => Clause::C11,
            Self::AfterKill => after_kill,
        }
    }
}

/// A violation in a step.
pub(super) fn broken(clause: Clause, step: u32, evidence: String) -> Violation {
    Violation {
        clause,
        evidence,
        step: Some(step),
    }
}

/// A read or peek gave a message that it must not.
pub(super) fn wrong_message(
    item: Item,
    size: usize,
    step: u32,
    state: &State,
    fresh: Fresh,
    messages: &Messages,
) -> Violation {
    let expected = state.reader().low();
    match item {
        Item::Garbled(number) => {
            let evidence = format!("message {number} came with other bytes than were put");
            broken(Clause::Q1, step, evidence)
        }
        Item::Invented | Item::Short { .. } => {
            let evidence = format!("a message of {size} bytes came that was not put here");
            broken(Clause::Q1, step, evidence)
        }
        Item::Number(number) => {
            let (clause, why) = number_clause(number, state, fresh, messages);
            let evidence =
                format!("message {number} came where {expected} was to come next: {why}");
            broken(clause, step, evidence)
        }
    }
}

fn number_clause(
    number: u32,
    state: &State,
    fresh: Fresh,
    messages: &Messages,
) -> (Clause, &'static str) {
    let dropped = |barrier: &Barrier| number < barrier.number;
    if let Some(barrier) = state.barrier.filter(dropped) {
        return (barrier.clause, "it had been dropped");
    }
    let put = messages.get(number);
    if put.is_some_and(|put| put.absent_from <= 2 * put.step + 1) {
        return (Clause::Q9, "its put was refused");
    }
    if put.is_some_and(Put::has_failed) {
        return (
            Clause::C4,
            "its put had failed without saying that it took place",
        );
    }
    let expected = state.reader().low();
    if number < expected {
        (fresh.clause(Clause::Q1, Clause::Q4), "it was read before")
    } else if messages.share_a_put(expected, number) {
        (Clause::Q10, "those of its batch before it are skipped")
    } else if messages.get(expected).is_some_and(Put::has_failed) {
        let clause = failed_clause(messages, expected);
        (
            clause,
            "those before it are skipped, whose put had failed and said that it took place",
        )
    } else {
        (
            fresh.clause(Clause::Q1, Clause::Q4),
            "those before it are skipped",
        )
    }
}

/// A read or peek gave nothing although there is something.
pub(super) fn wrong_nothing(left: i64, failed: Failed, step: u32, fresh: Fresh) -> Violation {
    let evidence = format!("there was said to be no message, and {left} were to come");
    let clause = failed.clause_of(0, left..=left);
    let clause = clause.unwrap_or(fresh.clause(Clause::C12, Clause::Q2));
    broken(clause, step, evidence)
}

/// The clause that says what a failed put tells.
fn failed_clause(messages: &Messages, number: u32) -> Clause {
    if messages.is_of_a_batch(number) {
        Clause::Q10
    } else {
        Clause::C4
    }
}

/// What failed puts said of their messages, from the reader's place on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Failed {
    /// They were said not to be there.
    pub absent: i64,
    /// They were said to be there.
    pub present: i64,
    /// Some of those said to be there are of a batch.
    pub in_part: bool,
}

impl Failed {
    /// C4, or Q10 for a batch, where not what was put, but what failed puts said of themselves
    /// explains why `said` is none of the counts that are right.
    fn clause_of(self, said: i64, right: RangeInclusive<i64>) -> Option<Clause> {
        let (least, most) = right.into_inner();
        let explained = (least - self.present..=most + self.absent).contains(&said);
        let clause = if self.in_part {
            Clause::Q10
        } else {
            Clause::C4
        };
        (explained && !(least..=most).contains(&said)).then_some(clause)
    }
}

/// The depth is wrong.
pub(super) fn wrong_depth(
    said: i64,
    counts: (i64, i64),
    failed: Failed,
    step: u32,
    fresh: Fresh,
) -> Violation {
    let (least, perhaps) = counts;
    let clause = if let Some(clause) = failed.clause_of(said, least..=least + perhaps) {
        clause
    } else if said < least {
        fresh.clause(Clause::Q5, Clause::Q2)
    } else {
        fresh.clause(Clause::Q5, Clause::Q5)
    };
    let clause = if said < 0 { Clause::Q5 } else { clause };
    let evidence = if perhaps == 0 {
        format!("depth said {said}, and {least} messages were to come")
    } else {
        let most = least + perhaps;
        format!("depth said {said}, and {least} to {most} messages were to come")
    };
    broken(clause, step, evidence)
}
