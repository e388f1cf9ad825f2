//! Q10: of a batch that failed a leading part remains, and the error tells how much.

use super::changed::{Habit, changed};
use crate::scenario::{Action, Applied, Outcome};
use crate::subject::{Object, OpenRequest, Opened, Subject};

/// Opens; the error of a batch then tells one message too many, where some are left.
pub(super) fn open(request: &OpenRequest<'_>, engine: &dyn Subject) -> Opened {
    changed(engine.open(request), CountsMore)
}

#[derive(Debug)]
struct CountsMore;

impl Habit for CountsMore {
    fn apply(&mut self, inner: &mut dyn Object, action: &Action, payloads: &[Vec<u8>]) -> Outcome {
        let mut outcome = inner.apply(action, payloads);
        if let Err(failure) = &mut outcome.result
            && let Applied::Leading(count) = &mut failure.applied
        {
            *count += 1;
        }
        outcome
    }
}
