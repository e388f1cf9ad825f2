//! C11: after a clean close nothing is lost.

use super::changed::{Habit, changed};
use crate::scenario::{Action, Outcome, Reply};
use crate::subject::{Object, OpenRequest, Opened, Subject};

/// Opens; closing then does nothing at all.
pub(super) fn open(request: &OpenRequest<'_>, engine: &dyn Subject) -> Opened {
    changed(engine.open(request), Leaves)
}

#[derive(Debug)]
struct Leaves;

impl Habit for Leaves {
    fn apply(&mut self, inner: &mut dyn Object, action: &Action, payloads: &[Vec<u8>]) -> Outcome {
        // What is closed is dropped next.
        if *action == Action::Close {
            return Outcome::ok(Reply::Done);
        }
        inner.apply(action, payloads)
    }
}
