//! The second question: which clauses does a history break, and at which step?
//!
//! A history tells for every step what would be delivered from there on. What that must be follows
//! from the step before and the operation; where it differs, this step broke a clause, and from
//! there on the judging goes by what is really left, so that one loss is told once.

mod align;
mod damage;
mod delivery;
mod failures;
mod files;
mod item;
mod judge;
mod ledger;
mod owed;
mod segments;

pub(super) use judge::judge;

use crate::scenario::Clause;

/// A clause that a step broke.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Broken {
    /// The step, counted from 1.
    pub step: usize,
    /// The clause.
    pub clause: Clause,
    /// What shows it.
    pub evidence: String,
}
