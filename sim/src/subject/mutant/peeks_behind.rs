//! Q6: peek shows what the next read returns.

use super::changed::{Habit, changed};
use crate::scenario::{Action, Outcome, Reply};
use crate::subject::{Object, OpenRequest, Opened, Subject};

/// Opens; peek then shows the last message that was read, as if a buffer had not been moved on.
pub(super) fn open(request: &OpenRequest<'_>, engine: &dyn Subject) -> Opened {
    changed(engine.open(request), Behind { last: None })
}

#[derive(Debug)]
struct Behind {
    last: Option<Vec<u8>>,
}

impl Habit for Behind {
    fn apply(&mut self, inner: &mut dyn Object, action: &Action, payloads: &[Vec<u8>]) -> Outcome {
        let outcome = inner.apply(action, payloads);
        match (action, &outcome.result, &self.last) {
            (Action::Read, Ok(Reply::Message(message)), _) => self.last = Some(message.clone()),
            (Action::Peek, Ok(Reply::Message(_)), Some(last)) => {
                return Outcome::ok(Reply::Message(last.clone()));
            }
            _ => {}
        }
        outcome
    }

    fn delivered(&mut self, message: &[u8]) {
        self.last = Some(message.to_vec());
    }
}
