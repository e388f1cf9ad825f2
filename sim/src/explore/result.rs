//! What a check found.

use super::Timeline;
use crate::oracle::Violation;
use crate::scenario::{Clause, RunKind, Scenario};
use std::collections::BTreeSet;

/// The answer of a whole check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Everything asked for was judged, and nothing broke a clause.
    Pass,
    /// A clause was broken.
    Fail,
    /// Something could not be decided, or was cut short: the reason.
    Unknown(String),
    /// There was nothing to check.
    Nothing,
}

/// One line of the table: an engine on a profile in one kind of run.
#[derive(Debug, Clone)]
pub struct Row {
    /// The engine's name.
    pub engine: String,
    /// The profile's name.
    pub profile: String,
    /// The kind of run.
    pub run: RunKind,
    /// Scenarios recorded.
    pub scenarios: u64,
    /// Crash points looked at.
    pub points: u64,
    /// Of these, points at which every allowed state was taken; the others were sampled.
    pub points_enumerated: u64,
    /// (crash point, state) pairs judged.
    pub states_judged: u64,
    /// Images built, hashed and looked up.
    pub states_built: u64,
    /// Distinct images opened, drained, continued, reopened and judged.
    pub states_recovered: u64,
    /// Violations found.
    pub violations: u64,
}

/// How often a clause was judged for an engine.
#[derive(Debug, Clone)]
pub struct ClauseRow {
    /// The engine's name.
    pub engine: String,
    /// The clause.
    pub clause: Clause,
    /// Judgements in which the clause could have been broken.
    pub judged: u64,
    /// Violations.
    pub violations: u64,
    /// Why it was not judged, where it was not.
    pub skipped: Option<String>,
}

/// A violation, shrunk.
#[derive(Debug, Clone)]
pub struct Found {
    /// The broken clause.
    pub clause: Clause,
    /// What shows it, in one sentence.
    pub evidence: String,
    /// The step whose promise was broken or whose answer was wrong, where there is one.
    pub step: Option<u32>,
    /// The engine's name.
    pub engine: String,
    /// The weakest profile of this check that shows it.
    pub profile: String,
    /// What replays it, with the one crash spelled out.
    pub scenario: Scenario,
    /// What happened, for a person.
    pub timeline: Timeline,
}

impl Found {
    /// A violation, what shows it again, and what happened.
    pub(crate) fn of(violation: Violation, scenario: Scenario, timeline: Timeline) -> Self {
        Self {
            clause: violation.clause,
            evidence: violation.evidence,
            step: violation.step,
            engine: scenario.engine.clone(),
            profile: scenario.profile.clone(),
            scenario,
            timeline,
        }
    }
}

/// All of it.
#[derive(Debug, Clone)]
pub struct CheckReport {
    /// A line for each engine, profile and kind of run.
    pub rows: Vec<Row>,
    /// A line for each engine and clause.
    pub clauses: Vec<ClauseRow>,
    /// The violations; of a check at most one for each engine and clause.
    pub found: Vec<Found>,
    /// What is expected to be broken, by engine and clause: none of it is a failure.
    pub expected: BTreeSet<(String, Clause)>,
    /// "Sometimes" marks that were reached: the name, and in how many rows.
    pub marks: Vec<(String, u64)>,
    /// Fault kinds: the name, and how often one fired.
    pub faults: Vec<(String, u64)>,
    /// A hash over everything judged, in order; none when time cut the run short.
    pub digest: Option<u128>,
    /// The answer.
    pub verdict: Verdict,
}

impl CheckReport {
    /// Whether a violation is one that is expected.
    #[must_use]
    pub fn expects(&self, found: &Found) -> bool {
        let broken = (found.engine.clone(), found.clause);
        self.expected.contains(&broken)
    }

    /// The report of a check that had nothing to check.
    pub(crate) fn nothing() -> Self {
        Self {
            rows: Vec::new(),
            clauses: Vec::new(),
            found: Vec::new(),
            expected: BTreeSet::new(),
            marks: Vec::new(),
            faults: Vec::new(),
            digest: None,
            verdict: Verdict::Nothing,
        }
    }
}

impl Row {
    /// A row with nothing in it.
    pub(crate) fn new(engine: &str, profile: &str, run: RunKind) -> Self {
        Self {
            engine: engine.to_owned(),
            profile: profile.to_owned(),
            run,
            scenarios: 0,
            points: 0,
            points_enumerated: 0,
            states_judged: 0,
            states_built: 0,
            states_recovered: 0,
            violations: 0,
        }
    }
}
