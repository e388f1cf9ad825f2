//! Messages that are read one after the other, where only one may come each time: held against the
//! one model at once, which is told once how far it went.

use super::run::LogOracle;
use crate::model::{LogModel, Reading};
use crate::scenario::{LogOutcome, LogReply};

impl LogOracle {
    /// The reader reading on; nothing where more than one thing may come, which only
    /// [`LogOracle::end`] can follow.
    #[must_use]
    pub fn reading(&self, name: &str) -> Option<Reading> {
        let [guess] = self.guesses.as_slice() else {
            return None;
        };
        let is_sure = self.faults.is_empty() && !guess.unsure.contains_key(name);
        guess.model.reading(name).filter(|_| is_sure)
    }

    /// Whether a read of this reader came to the one message that may come; then it is behind it.
    pub fn is_next(&self, reading: &mut Reading, outcome: &LogOutcome) -> bool {
        let Ok(LogReply::Message(message)) = &outcome.result else {
            return false;
        };
        let is_next = |model| LogModel::is_next(model, reading, message);
        outcome.losses.is_empty() && self.model().is_some_and(is_next)
    }

    /// The reader read all that.
    pub fn was_read(&mut self, name: &str, reading: Reading) {
        for guess in &mut self.guesses {
            guess.model.was_read(name, reading);
        }
    }
}
