//! How soon a check finds something: what `check` reports first, and no more work than that takes.

use super::error::CheckError;
use super::lane_items::Items;
use super::lanes::{LaneState, lanes_of, until_the_first};
use super::plan::CheckPlan;
use super::schedule::run_lanes;
use super::side_by_side::side_by_side;
use crate::scenario::{Clause, RunKind};
use std::sync::atomic::AtomicBool;

/// The first finding of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstFinding {
    /// The broken clause.
    pub clause: Clause,
    /// What shows it, in one sentence.
    pub evidence: String,
    /// The profile's name.
    pub profile: String,
    /// The kind of run.
    pub run: RunKind,
    /// Scenarios of this profile and kind of run until then.
    pub scenarios: u64,
    /// Images recovered in them.
    pub recovered: u64,
}

/// What a check of this plan would report first; `None` if it would find nothing. The answer
/// depends on the plan alone, not on its threads.
///
/// # Errors
/// When the plan names what does not exist, or a scenario cannot be run.
pub fn first_finding(plan: &CheckPlan) -> Result<Option<FirstFinding>, CheckError> {
    let mut lanes = lanes_of(plan)?;
    until_the_first(&mut lanes);
    let items = Items::of(plan, &lanes);
    let run = |lane: usize, item: u64| items.run(lane, item);
    let never = AtomicBool::new(false);
    let (lanes, _) = run_lanes(lanes, plan.jobs, &never, &run, &|_| ());
    // Of equals the first lane counts, as in the report.
    let firsts = lanes
        .iter()
        .filter_map(|lane| Some((lane, lane.found.first()?)));
    let first = firsts.min_by_key(|(_, at)| at.share);
    match lanes.iter().find_map(|lane| lane.unknown.as_ref()) {
        Some(reason) if first.is_none() => Err(CheckError::defect(reason)),
        Some(_) | None => Ok(first.map(|(lane, at)| finding(lane, at))),
    }
}

/// As [`first_finding`] of each plan, so many at a time.
///
/// # Errors
/// Those of the first plan that has one.
pub fn first_findings(
    plans: &[CheckPlan],
    at_a_time: usize,
) -> Result<Vec<Option<FirstFinding>>, CheckError> {
    let found = side_by_side(plans, at_a_time, &first_finding);
    found.into_iter().collect()
}

fn finding(lane: &LaneState, at: &super::lanes::FoundAt) -> FirstFinding {
    FirstFinding {
        clause: at.found.clause,
        evidence: at.found.evidence.clone(),
        profile: lane.row.profile.clone(),
        run: lane.row.run,
        scenarios: at.scenarios,
        recovered: at.recovered,
    }
}
