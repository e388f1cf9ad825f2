//! C6: when space is back the engine goes on without reopening.

use super::changed::{Habit, changed};
use crate::scenario::{Action, Applied, FailureKind, Outcome};
use crate::subject::{Object, OpenRequest, Opened, Subject};

/// The error numbers of a full disk and of a full quota.
const FULL: [i32; 2] = [28, 122];

/// Opens; the first error for want of space then holds for all later puts.
pub(super) fn open(request: &OpenRequest<'_>, engine: &dyn Subject) -> Opened {
    changed(engine.open(request), StaysFull { error: None })
}

#[derive(Debug)]
struct StaysFull {
    error: Option<i32>,
}

impl Habit for StaysFull {
    fn apply(&mut self, inner: &mut dyn Object, action: &Action, payloads: &[Vec<u8>]) -> Outcome {
        if let Some(number) = self.error
            && !payloads.is_empty()
        {
            let words = "there was no space before";
            return Outcome::failed(FailureKind::Io(Some(number)), Applied::No, words);
        }
        let outcome = inner.apply(action, payloads);
        if let Err(failure) = &outcome.result
            && let FailureKind::Io(Some(number)) = failure.kind
            && FULL.contains(&number)
        {
            self.error = Some(number);
        }
        outcome
    }
}
