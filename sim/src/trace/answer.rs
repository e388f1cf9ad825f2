//! The three answers on one trace.

use super::file::Trace;
use super::history::observe;
use super::record::{Broken, judge};
use super::twin::{Difference, replay_twin};
use crate::originals::diskqueue::OriginalDiskqueue;
use std::io;

/// What there is to say of a trace.
#[derive(Debug, Clone)]
pub struct Answers {
    /// Whether the twin does the same.
    pub twin: Result<(), Difference>,
    /// The clauses that the record breaks; unknown where the twin differs.
    pub broken: Option<Vec<Broken>>,
}

/// Answers all three questions.
///
/// # Errors
/// None that a simulated disk without faults has.
pub fn examine(trace: &Trace) -> io::Result<Answers> {
    let twin = replay_twin(trace)?;
    let broken = match twin {
        Ok(()) => Some(judge(trace, &observe(&OriginalDiskqueue, trace)?)),
        Err(_) => None,
    };
    Ok(Answers { twin, broken })
}
