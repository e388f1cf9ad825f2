//! C13: what would pass the largest number is refused.

use super::changed::{Habit, changed};
use crate::scenario::{Action, FailureKind, Outcome, Reply};
use crate::subject::{Object, OpenRequest, Opened, Subject};

/// Opens; a put that finds no number for its segment is then acknowledged all the same, as if it
/// had gone to a segment with a wrapped number.
pub(super) fn open(request: &OpenRequest<'_>, engine: &dyn Subject) -> Opened {
    let options = request.options;
    let wraps = Wraps {
        limits: (options.message_bytes_min, options.message_bytes_max),
    };
    changed(engine.open(request), wraps)
}

#[derive(Debug)]
struct Wraps {
    limits: (u32, u32),
}

impl Habit for Wraps {
    fn apply(&mut self, inner: &mut dyn Object, action: &Action, payloads: &[Vec<u8>]) -> Outcome {
        let outcome = inner.apply(action, payloads);
        let failure = outcome.result.as_ref().err().map(|failure| failure.kind);
        let (min, max) = self.limits;
        let fits = action.sizes().iter().all(|size| (min..=max).contains(size));
        if failure == Some(FailureKind::Refused) && !payloads.is_empty() && fits {
            return Outcome::ok(Reply::Done);
        }
        outcome
    }
}
