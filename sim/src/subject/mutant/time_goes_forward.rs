//! C15: the time given to `tick` may stand or jump.

use super::changed::{Habit, changed};
use crate::scenario::{Action, Applied, FailureKind, Outcome};
use crate::subject::{Object, OpenRequest, Opened, Subject};

/// Opens; an earlier time than the last one is then refused.
pub(super) fn open(request: &OpenRequest<'_>, engine: &dyn Subject) -> Opened {
    changed(engine.open(request), Forward { last_ms: 0 })
}

#[derive(Debug)]
struct Forward {
    last_ms: u64,
}

impl Habit for Forward {
    fn apply(&mut self, inner: &mut dyn Object, action: &Action, payloads: &[Vec<u8>]) -> Outcome {
        if let Action::Tick { now_ms } = action {
            if *now_ms < self.last_ms {
                let words = "time went back";
                return Outcome::failed(FailureKind::Refused, Applied::No, words);
            }
            self.last_ms = *now_ms;
        }
        inner.apply(action, payloads)
    }
}
