//! What came back from a log after one crash, reduced to what judging needs. Equal observations
//! are one: many images give the same.

use crate::model::Place;
use crate::oracle::Violation;
use crate::scenario::Clause;

/// A broken clause that holds wherever the crash fell, and what shows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogFinding {
    /// The clause.
    pub clause: Clause,
    /// What shows it, in one sentence.
    pub evidence: String,
}

impl LogFinding {
    /// Puts it into the form of all violations.
    #[must_use]
    pub fn violation(&self, step: Option<u32>) -> Violation {
        Violation {
            clause: self.clause,
            evidence: self.evidence.clone(),
            step,
        }
    }
}

/// What came back after one crash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LogObservation {
    /// Where the log starts.
    pub start: Place,
    /// Where it ends.
    pub end: Place,
    /// The sum over its messages, each by offset and bytes.
    pub sum: u128,
    /// For each reader that was opened: its index among the readers of the run, in order, and its
    /// confirmed position.
    pub readers: Vec<(u32, Place)>,
    /// The readers that reported a loss when they were opened, by index.
    pub losses: Vec<u32>,
    /// A move was cut off, and finished by a second one.
    pub is_moved_again: bool,
    /// The first violation that holds wherever the crash fell.
    pub finding: Option<LogFinding>,
}
