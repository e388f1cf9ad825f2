//! C3: no bytes on disk make an engine panic.

use super::changed::{Habit, changed};
use crate::scenario::{Action, FailureKind, Outcome};
use crate::subject::{Object, OpenRequest, Opened, Subject};

/// Opens; reading then takes every record for whole.
pub(super) fn open(request: &OpenRequest<'_>, engine: &dyn Subject) -> Opened {
    changed(engine.open(request), Careless)
}

#[derive(Debug)]
struct Careless;

impl Habit for Careless {
    fn apply(&mut self, inner: &mut dyn Object, action: &Action, payloads: &[Vec<u8>]) -> Outcome {
        let outcome = inner.apply(action, payloads);
        if *action == Action::Read {
            self.drained(&outcome);
        }
        outcome
    }

    fn drained(&mut self, outcome: &Outcome) {
        let failure = outcome.result.as_ref().err().map(|failure| failure.kind);
        let met = failure == Some(FailureKind::Damage) || !outcome.losses.is_empty();
        assert!(!met, "a record is whole");
    }
}
