//! The third question: does our engine give what was recorded, as far as the record keeps the
//! contract and the contract leaves no choice, and does it keep the contract from there on?

use super::compare::difference;
use super::file::{Operation, Trace};
use super::history::{History, Observed};
use super::record::{Broken, judge};
use crate::scenario::Clause;

/// How our engine compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineAnswer {
    /// The last step up to which all results and depths are those of the record.
    pub same_until: usize,
    /// Where the comparison ended because the contract leaves a choice.
    pub divergences: Vec<Divergence>,
    /// A difference that nothing explains: the step and what differs.
    pub difference: Option<(usize, String)>,
    /// The clauses that our engine itself breaks.
    pub violations: Vec<Broken>,
}

/// A step from which on our engine may differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divergence {
    /// The step.
    pub step: usize,
    /// The clause that leaves the choice.
    pub clause: Clause,
    /// What happened there.
    pub text: String,
}

/// Compares our engine's history with the record, whose first broken step ends the comparison.
pub(super) fn compare_engine(
    trace: &Trace,
    record: &History,
    first_broken: Option<usize>,
    ours: &History,
) -> EngineAnswer {
    let mut answer = EngineAnswer {
        same_until: 0,
        divergences: Vec::new(),
        difference: None,
        violations: judge(trace, ours),
    };
    let steps = trace.steps.iter().zip(&record.steps).zip(&ours.steps);
    for (index, ((recorded, theirs), our)) in steps.enumerate() {
        let step = index + 1;
        if first_broken == Some(step) {
            break;
        }
        if let Operation::CloseDamageOpen(_) = our.operation {
            let text = match &our.played.damage_skipped {
                Some(error) => format!("the damage was skipped: {error}"),
                None => "the damage was done to our file".to_owned(),
            };
            answer.divergences.push(Divergence {
                step,
                clause: Clause::C7,
                text,
            });
            break;
        }
        let told = (&recorded.recorded, recorded.depth);
        let (outcome, depth) = (&our.played.outcome, &our.played.depth);
        if let Some(text) = difference(told, outcome, depth, "our engine") {
            if our.operation == Operation::KillAndOpen {
                let clause = clause_of(theirs, our);
                answer.divergences.push(Divergence { step, clause, text });
            } else {
                answer.difference = Some((step, text));
            }
            break;
        }
        answer.same_until = step;
    }
    answer
}

/// After a kill, where delivery starts and where the queue ends are left open within bounds: the
/// ends differ unless one history delivers the end of what the other delivers.
fn clause_of(theirs: &Observed, ours: &Observed) -> Clause {
    let (theirs, ours) = (&theirs.left.messages, &ours.left.messages);
    if theirs.ends_with(ours) || ours.ends_with(theirs) {
        Clause::Q4
    } else {
        Clause::Q2
    }
}
