//! The three answers on one trace.

use super::engine::{EngineAnswer, compare_engine};
use super::file::Trace;
use super::history::observe;
use super::record::{Broken, judge};
use super::twin::{Difference, replay_twin};
use crate::originals::diskqueue::OriginalDiskqueue;
use crate::subject::Subject;
use std::io;

/// What there is to say of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answers {
    /// How many steps the trace has.
    pub step_count: usize,
    /// Whether the twin does the same.
    pub twin: Result<(), Difference>,
    /// The clauses that the record breaks; unknown where the twin differs.
    pub broken: Option<Vec<Broken>>,
    /// The step behind which it is not known what the record breaks, where there is one.
    pub broken_until: Option<usize>,
    /// How our engine compares; unknown where the twin differs.
    pub engine: Option<EngineAnswer>,
}

impl Answers {
    /// The first answer alone.
    pub(super) fn of_twin(step_count: usize, twin: Result<(), Difference>) -> Self {
        Self {
            step_count,
            twin,
            broken: None,
            broken_until: None,
            engine: None,
        }
    }

    /// Whether twin and engine do what they must. The record may break clauses.
    #[must_use]
    pub fn is_pass(&self) -> bool {
        let engine = self.engine.as_ref();
        self.twin.is_ok()
            && engine.is_some_and(|one| one.difference.is_none() && one.violations.is_empty())
    }
}

/// Answers all three questions, the third for `engine`.
///
/// # Errors
/// None that a simulated disk without faults has.
pub fn examine(trace: &Trace, engine: &dyn Subject) -> io::Result<Answers> {
    let mut answers = Answers::of_twin(trace.steps.len(), replay_twin(trace)?);
    if answers.twin.is_ok() {
        let record = observe(&OriginalDiskqueue, trace)?;
        let broken = judge(trace, &record);
        let ours = observe(engine, trace)?;
        let first_broken = broken.first().map(|one| one.step);
        answers.engine = Some(compare_engine(trace, &record, first_broken, &ours));
        answers.broken = Some(broken);
    }
    Ok(answers)
}
