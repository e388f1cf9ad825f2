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

/// What the comparison of one step came to.
#[derive(Debug)]
pub(super) enum Compared<'a> {
    /// It is the same.
    Same,
    /// A file was damaged before it, or could not be, and why.
    Damaged(Option<&'a str>),
    /// It differs behind a kill, where this clause leaves a choice.
    Free(Clause, String),
    /// It differs.
    Different(String),
}

impl EngineAnswer {
    /// The answer of an engine that broke these clauses. The first step that is not the same ends
    /// the comparison, and so does the first one at which the record breaks a clause.
    pub(super) fn of<'a>(
        violations: Vec<Broken>,
        first_broken: Option<usize>,
        steps: impl Iterator<Item = Compared<'a>>,
    ) -> Self {
        let mut answer = Self {
            same_until: 0,
            divergences: Vec::new(),
            difference: None,
            violations,
        };
        let count = first_broken.map_or(usize::MAX, |step| step - 1);
        for (step, compared) in (1..).zip(steps.take(count)) {
            let (clause, text) = match compared {
                Compared::Same => {
                    answer.same_until = step;
                    continue;
                }
                Compared::Different(text) => {
                    answer.difference = Some((step, text));
                    break;
                }
                Compared::Free(clause, text) => (clause, text),
                Compared::Damaged(None) => {
                    (Clause::C7, "the damage was done to our file".to_owned())
                }
                Compared::Damaged(Some(error)) => {
                    (Clause::C7, format!("the damage was skipped: {error}"))
                }
            };
            answer.divergences.push(Divergence { step, clause, text });
            break;
        }
        answer
    }
}

/// Compares our engine's history with the record, whose first broken step ends the comparison.
pub(super) fn compare_engine(
    trace: &Trace,
    record: &History,
    first_broken: Option<usize>,
    ours: &History,
) -> EngineAnswer {
    let steps = trace.steps.iter().zip(&record.steps).zip(&ours.steps);
    let steps = steps.map(|((recorded, theirs), our)| {
        if let Operation::CloseDamageOpen(_) = our.operation {
            return Compared::Damaged(our.played.damage_skipped.as_deref());
        }
        let told = (&recorded.recorded, recorded.depth);
        let (outcome, depth) = (&our.played.outcome, &our.played.depth);
        match difference(told, outcome, depth, "our engine") {
            Some(text) if our.operation == Operation::KillAndOpen => {
                Compared::Free(clause_of(theirs, our), text)
            }
            Some(text) => Compared::Different(text),
            None => Compared::Same,
        }
    });
    EngineAnswer::of(judge(trace, ours), first_broken, steps)
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
