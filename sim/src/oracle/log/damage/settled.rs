//! What a log is at the end of a run, where that is known.

use crate::model::{LogModel, Place};
use crate::oracle::LogOracle;
use crate::scenario::LogPosition;
use std::sync::Arc;

/// A log of which nothing is open and all is durable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettledLog {
    /// Where it starts.
    pub(super) start: LogPosition,
    /// Where it ends.
    pub(super) end: Place,
    /// Its messages, in order.
    pub(super) messages: Vec<Arc<[u8]>>,
    /// The readers that it knows and their confirmed positions, by name. A position may lie below
    /// the start.
    pub(super) readers: Vec<(String, Place)>,
}

impl SettledLog {
    fn of(model: &LogModel) -> Option<Self> {
        let start = model.boundaries().first().copied()?;
        let readers = model.reader_names();
        let readers = readers.filter_map(|name| Some((name.to_owned(), model.confirmed(name)?)));
        Some(Self {
            start,
            end: model.end(),
            messages: model.messages_from(start.offset).cloned().collect(),
            readers: readers.collect(),
        })
    }

    /// The names of the readers that the log knows.
    pub fn readers(&self) -> impl Iterator<Item = &str> {
        self.readers.iter().map(|(name, _)| name.as_str())
    }
}

impl LogOracle {
    /// What the log is now, if everything that fits the run says the same and nothing is left in
    /// doubt by a failed operation.
    #[must_use]
    pub fn settled(&self) -> Option<SettledLog> {
        let first = SettledLog::of(self.model()?)?;
        let is_doubtful = self.guesses.iter().any(|guess| {
            let is_same = SettledLog::of(&guess.model).as_ref() == Some(&first);
            !is_same || !guess.others.is_empty() || guess.taken_back
        });
        (!is_doubtful).then_some(first)
    }
}
