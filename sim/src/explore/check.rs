//! Many scenarios within a budget: a lane for each engine, profile and kind of run.
//!
//! A lane ends when its share of the budget is used up, or at the first scenario that breaks a
//! clause. The answer and its digest depend on the plan alone.

use super::engines::{ENGINES, EngineInfo, engine};
use super::error::CheckError;
use super::items::{item_of, small_of};
use super::one::{ExploreLimits, Explored, explore};
use super::plan::{CheckPlan, Progress};
use super::result::{CheckReport, Found, Row};
use super::schedule::{Lane, run_lanes};
use super::timeline::Timeline;
use super::totals::{clause_rows, digest_of, verdict_of};
use crate::generate::sequence;
use crate::oracle::sometimes::Marks;
use crate::scenario::{RunKind, Scenario};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// What one lane came to.
pub(crate) struct LaneState {
    pub(crate) engine: &'static EngineInfo,
    pub(crate) row: Row,
    pub(crate) found: Vec<Found>,
    pub(crate) fired: BTreeMap<&'static str, u64>,
    pub(crate) marks: Marks,
    pub(crate) digest: u128,
    pub(crate) unknown: Option<String>,
    budget: u64,
    cases: u64,
    cases_max: u64,
}

/// One scenario's result, or why it could not be run; nothing for one of another shard.
type Item = Result<Option<Explored>, CheckError>;

impl Lane for LaneState {
    type Item = Item;

    fn fold(&mut self, item: Item) -> bool {
        self.cases += 1;
        match item {
            Ok(explored) => explored.into_iter().for_each(|one| self.take(one)),
            Err(error) => {
                self.unknown = Some(error.to_string());
                return false;
            }
        }
        // An original is there to be found out: all of it, not only its first defect.
        (self.found.is_empty() || !self.engine.in_default_run)
            && self.row.states_recovered < self.budget
            && self.cases < self.cases_max
    }
}

impl LaneState {
    fn take(&mut self, explored: Explored) {
        let row = &mut self.row;
        row.scenarios += 1;
        row.points += explored.points;
        row.points_enumerated += explored.points_enumerated;
        row.states_judged += explored.states_judged;
        row.states_built += explored.states_built;
        row.states_recovered += explored.states_recovered;
        row.violations += explored.violations;
        self.digest = self.digest.wrapping_add(digest_of(row, &explored));
        for (name, count) in explored.fired {
            *self.fired.entry(name).or_default() += count;
        }
        self.marks.add(explored.marks);
        for (violation, scenario) in explored.broken.into_values() {
            self.found
                .push(Found::of(violation, scenario, Timeline::default()));
        }
        self.unknown = self.unknown.take().or(explored.unknown);
    }
}

/// Runs a check. `stop` ends it early; what was found so far is returned, without a digest.
///
/// # Errors
/// When the plan names what does not exist.
pub fn check(
    plan: &CheckPlan,
    on_progress: &(dyn Fn(Progress) + Sync),
    stop: &AtomicBool,
) -> Result<CheckReport, CheckError> {
    let mut report = survey(plan, on_progress, stop)?;
    let mut kept: Vec<Found> = Vec::new();
    for found in report.found {
        let alike = |other: &Found| other.engine == found.engine && other.clause == found.clause;
        if !kept.iter().any(alike) {
            kept.push(found);
        }
    }
    report.found = kept;
    Ok(report)
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
    let lanes = lanes_of(plan)?;
    if lanes.is_empty() {
        return Ok(CheckReport::nothing());
    }
    let limits = ExploreLimits::default();
    let names: Vec<(String, String, RunKind)> = lanes
        .iter()
        .map(|lane| {
            (
                lane.row.engine.clone(),
                lane.row.profile.clone(),
                lane.row.run,
            )
        })
        .collect();
    let small: Vec<Vec<Scenario>> = names.iter().map(|name| small_of(plan, name)).collect();
    let run = |lane: usize, item: u64| -> Item {
        let (engine, profile, run) = names.get(lane).expect("every lane has a name");
        let small = small.get(lane).map_or(&[][..], Vec::as_slice);
        let mut scenario = item_of(small, item)
            .unwrap_or_else(|item| generated(plan, item, (engine, profile, *run)));
        scenario.quirks.clone_from(&plan.quirks);
        scenario.with_dir_sync = plan.with_dir_sync;
        let is_ours = plan.shard.is_none_or(|shard| shard.has(hash_of(&scenario)));
        is_ours.then(|| explore(&scenario, &limits)).transpose()
    };
    let total = Mutex::new(Progress {
        budget: plan.budget,
        cases: plan
            .cases
            .map(|cases| cases / plan.shard.map_or(1, |shard| shard.count)),
        ..Progress::default()
    });
    let seen = Mutex::new(BTreeMap::new());
    let after = |lane: &LaneState| on_progress(add_up(&total, &seen, lane));
    let (lanes, complete) = run_lanes(lanes, plan.jobs, stop, &run, &after);
    Ok(report_of(
        plan,
        lanes,
        complete && !stop.load(Ordering::Relaxed),
    ))
}

/// What a scenario is called by, whatever others there are.
fn hash_of(scenario: &Scenario) -> u64 {
    xxhash_rust::xxh3::xxh3_64(scenario.to_text().as_bytes())
}

/// A generated scenario. What it damages is derived from the files that there are.
fn generated(
    plan: &CheckPlan,
    item: u64,
    (engine, profile, run): (&str, &str, RunKind),
) -> Scenario {
    let mut scenario = sequence(engine, plan.seed, item, run, profile);
    scenario.damage.clear();
    scenario
}

/// The lanes of a plan, each with its share of the budget.
fn lanes_of(plan: &CheckPlan) -> Result<Vec<LaneState>, CheckError> {
    let mut lanes = Vec::new();
    for name in &plan.engines {
        let engine = engine(name).ok_or_else(|| {
            let known: Vec<&str> = ENGINES.iter().map(|engine| engine.name).collect();
            CheckError::Usage(format!(
                "there is no engine `{name}`; there are {}",
                known.join(", ")
            ))
        })?;
        for run in engine.runs.iter().filter(|run| plan.runs.contains(run)) {
            // Damage does not depend on the profile: one lane is enough.
            let profiles = if *run == RunKind::Damage {
                1
            } else {
                plan.profiles.len()
            };
            for profile in plan.profiles.iter().take(profiles) {
                lanes.push(lane_of(engine, profile, *run));
            }
        }
    }
    share_budget(plan, &mut lanes);
    Ok(lanes)
}

fn lane_of(engine: &'static EngineInfo, profile: &str, run: RunKind) -> LaneState {
    LaneState {
        engine,
        row: Row::new(engine.name, profile, run),
        found: Vec::new(),
        fired: BTreeMap::new(),
        marks: Marks::default(),
        digest: 0,
        unknown: None,
        budget: 0,
        cases: 0,
        cases_max: u64::MAX,
    }
}

/// Shares by weight: a damage run recovers one image, a crash run thousands.
fn share_budget(plan: &CheckPlan, lanes: &mut [LaneState]) {
    let weight = |lane: &LaneState| match (lane.row.run, lane.row.engine.as_str()) {
        (RunKind::Damage, _) => 1_u64,
        (RunKind::Orders, _) => 4,
        (RunKind::Crashes | RunKind::Errors, "toylog") => 2,
        (RunKind::Errors, _) => 10,
        (RunKind::Crashes, _) => 20,
    };
    let total: u64 = lanes.iter().map(weight).sum();
    let count = lanes.len() as u64;
    for lane in lanes {
        lane.budget = plan.budget.map_or(u64::MAX, |budget| {
            let share = u128::from(budget) * u128::from(weight(lane));
            u64::try_from(share.div_ceil(u128::from(total.max(1)))).unwrap_or(u64::MAX)
        });
        if let Some(cases) = plan.cases {
            lane.cases_max = cases.div_ceil(count.max(1));
        }
    }
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

fn report_of(plan: &CheckPlan, lanes: Vec<LaneState>, complete: bool) -> CheckReport {
    let clauses = clause_rows(&lanes);
    let digest = complete.then(|| {
        let digests = lanes.iter().map(|lane| lane.digest);
        digests.fold(0, u128::wrapping_add)
    });
    let mut report = CheckReport {
        verdict: verdict_of(plan, &lanes, complete),
        rows: Vec::new(),
        clauses,
        found: Vec::new(),
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
        for (name, count) in lane.fired {
            *faults.entry(name.to_owned()).or_insert(0) += count;
        }
        report.found.extend(lane.found);
        report.rows.push(lane.row);
    }
    report.marks = marks.into_iter().collect();
    report.faults = faults.into_iter().collect();
    report
}
