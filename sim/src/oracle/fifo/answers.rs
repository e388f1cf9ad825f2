//! What an answer that no place of the reader explains breaks.

use super::state::State;
use crate::oracle::{Barrier, Item, Messages, NEVER, Violation};
use crate::scenario::Clause;

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
    if put.is_some_and(|put| put.optional_from != NEVER) {
        return (
            Clause::C4,
            "its put had failed without saying that it took place",
        );
    }
    if number < state.reader().low() {
        (fresh.clause(Clause::Q1, Clause::Q4), "it was read before")
    } else {
        (
            fresh.clause(Clause::Q1, Clause::Q4),
            "those before it are skipped",
        )
    }
}

/// A read or peek gave nothing although there is something.
pub(super) fn wrong_nothing(left: i64, step: u32, fresh: Fresh) -> Violation {
    let evidence = format!("there was said to be no message, and {left} were to come");
    broken(fresh.clause(Clause::C12, Clause::Q2), step, evidence)
}

/// The depth is wrong.
pub(super) fn wrong_depth(said: i64, counts: (i64, i64), step: u32, fresh: Fresh) -> Violation {
    let (least, perhaps) = counts;
    let clause = if said < least {
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
