//! What the oracle answers.

use crate::scenario::Clause;

/// A broken clause and what shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The most specific clause that is broken.
    pub clause: Clause,
    /// What shows it, in one sentence.
    pub evidence: String,
    /// The step whose promise was broken or whose answer was wrong, where there is one.
    pub step: Option<u32>,
}

/// The answer on one thing judged. Only `Pass` is a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Everything that could be asked holds.
    Pass,
    /// A clause is broken.
    Fail(Violation),
    /// It was not judged, for this reason.
    Skipped(String),
    /// It could not be decided, for this reason.
    Unknown(String),
}

impl Verdict {
    /// Fails with the first violation, passes without one.
    #[must_use]
    pub fn of(violations: Vec<Violation>) -> Self {
        violations.into_iter().next().map_or(Self::Pass, Self::Fail)
    }
}
