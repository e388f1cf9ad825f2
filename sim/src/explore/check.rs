//! Many scenarios within a budget: a lane for each engine, profile and kind of run. The answer and
//! its digest depend on the plan alone.

use super::error::CheckError;
use super::lane_items::Items;
use super::lanes::{LaneState, lanes_of};
use super::plan::{CheckPlan, Progress};
use super::result::{CheckReport, Found, Row};
use super::schedule::run_lanes;
use super::totals::{clause_rows, verdict_of};
use crate::scenario::{Clause, RunKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs a check. `stop` ends it early; what was found so far is returned, without a digest.
///
/// # Errors
/// When the plan names what does not exist.
pub fn check(
    plan: &CheckPlan,
    on_progress: &(dyn Fn(Progress) + Sync),
    stop: &AtomicBool,
) -> Result<CheckReport, CheckError> {
    run(plan, on_progress, stop, in_order)
}

/// The same, with the first violation of each clause in every scenario: what an original, which
/// goes on after its first, breaks in how many ways.
///
/// # Errors
/// As [`check`].
pub fn survey(
    plan: &CheckPlan,
    on_progress: &(dyn Fn(Progress) + Sync),
    stop: &AtomicBool,
) -> Result<CheckReport, CheckError> {
    run(plan, on_progress, stop, all)
}

fn run(
    plan: &CheckPlan,
    on_progress: &(dyn Fn(Progress) + Sync),
    stop: &AtomicBool,
    pick: fn(&mut [LaneState]) -> Vec<Found>,
) -> Result<CheckReport, CheckError> {
    let lanes = lanes_of(plan)?;
    if lanes.is_empty() {
        return Ok(CheckReport::nothing());
    }
    let items = Items::of(plan, &lanes);
    let run = |lane: usize, item: u64| items.run(lane, item);
    let total = Mutex::new(Progress {
        budget: plan.budget,
        cases: plan
            .cases
            .map(|cases| cases / plan.shard.map_or(1, |shard| shard.count)),
        ..Progress::default()
    });
    let seen = Mutex::new(BTreeMap::new());
    let after = |lane: &LaneState| on_progress(add_up(&total, &seen, lane));
    let (mut lanes, complete) = run_lanes(lanes, plan.jobs, stop, &run, &after);
    let complete = complete && !stop.load(Ordering::Relaxed);
    let mut report = report_of(plan, &lanes, complete);
    report.found = pick(&mut lanes);
    Ok(report)
}

/// Adds what a lane has done since it was last seen.
fn add_up(
    total: &Mutex<Progress>,
    seen: &Mutex<BTreeMap<(String, String, RunKind), Row>>,
    lane: &LaneState,
) -> Progress {
    let key = (
        lane.row.engine.clone(),
        lane.row.profile.clone(),
        lane.row.run,
    );
    let before = {
        let mut seen = seen
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        seen.insert(key, lane.row.clone())
    };
    let before = before.unwrap_or_else(|| Row::new("", "", lane.row.run));
    let mut total = total
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    total.recovered += lane.row.states_recovered - before.states_recovered;
    total.scenarios += lane.row.scenarios - before.scenarios;
    total.judged += lane.row.states_judged - before.states_judged;
    total.violations += lane.row.violations - before.violations;
    *total
}

fn report_of(plan: &CheckPlan, lanes: &[LaneState], complete: bool) -> CheckReport {
    let clauses = clause_rows(lanes);
    let digest = complete.then(|| {
        let digests = lanes.iter().map(|lane| lane.digest);
        digests.fold(0, u128::wrapping_add)
    });
    let mut report = CheckReport {
        verdict: verdict_of(plan, lanes, complete),
        rows: Vec::new(),
        clauses,
        found: Vec::new(),
        expected: BTreeSet::new(),
        marks: Vec::new(),
        faults: Vec::new(),
        digest,
    };
    let mut marks = BTreeMap::new();
    let mut faults = BTreeMap::new();
    for lane in lanes {
        for mark in lane.marks.iter() {
            *marks.entry(mark.name.to_owned()).or_insert(0) += 1;
        }
        for (name, count) in &lane.fired {
            *faults.entry((*name).to_owned()).or_insert(0) += count;
        }
        report.rows.push(lane.row.clone());
    }
    report.marks = marks.into_iter().collect();
    report.faults = faults.into_iter().collect();
    report
}

/// Everything that was found, lane by lane.
fn all(lanes: &mut [LaneState]) -> Vec<Found> {
    let found = lanes.iter_mut().flat_map(|lane| lane.found.drain(..));
    found.map(|at| at.found).collect()
}

/// One finding for each engine and clause, on the weakest profile that shows it; in the order in
/// which the clauses were first found.
fn in_order(lanes: &mut [LaneState]) -> Vec<Found> {
    let mut firsts: BTreeMap<(String, Clause), (u64, usize, usize)> = BTreeMap::new();
    let mut kept: Vec<Found> = Vec::new();
    for (number, lane) in lanes.iter_mut().enumerate() {
        for (rank, at) in lane.found.drain(..).enumerate() {
            let key = (at.found.engine.clone(), at.found.clause);
            let came = (at.share, number, rank);
            if let Some(first) = firsts.get_mut(&key) {
                *first = came.min(*first);
            } else {
                firsts.insert(key, came);
                kept.push(at.found);
            }
        }
    }
    kept.sort_by_key(|found| firsts.get(&(found.engine.clone(), found.clause)).copied());
    kept
}
