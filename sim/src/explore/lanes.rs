//! Lanes: one engine on one profile in one kind of run, with its share of the budget.
//!
//! A lane ends when its share is used up, or at the first scenario that breaks a clause (an
//! original's goes on, and that of a run with a number of scenarios). How far a lane has come is
//! told in millionths of its share: of several findings the first is the one that its lane came to
//! soonest, measured so.

use super::engines::{ENGINES, EngineInfo, engine};
use super::error::CheckError;
use super::one::Explored;
use super::plan::CheckPlan;
use super::result::{Found, Row};
use super::schedule::Lane;
use super::timeline::Timeline;
use super::totals::digest_of;
use crate::oracle::Violation;
use crate::oracle::sometimes::Marks;
use crate::scenario::{Clause, RunKind, Scenario};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What one lane came to.
pub(crate) struct LaneState {
    pub(crate) engine: &'static EngineInfo,
    pub(crate) row: Row,
    pub(crate) found: Vec<FoundAt>,
    pub(crate) fired: BTreeMap<&'static str, u64>,
    pub(crate) marks: Marks,
    pub(crate) digest: u128,
    pub(crate) unknown: Option<String>,
    /// Judgements beside files of others, and where numbers end.
    judged_beside: u64,
    judged_last_numbers: u64,
    pub(crate) budget: u64,
    cases: u64,
    cases_max: u64,
    /// The first scenario that breaks a clause is its last one. Not where a number of scenarios is
    /// asked for: the shards of such a run could not know of each other's findings.
    ends_at_a_finding: bool,
    /// Where a finding ends all lanes: the place in order of the first one.
    first: Option<Arc<AtomicU64>>,
    /// Which lane it is.
    number: u64,
}

/// A violation, and how far its lane had come before the scenario that shows it.
pub(crate) struct FoundAt {
    /// In millionths of the lane's share of the budget; where every call fails, this scenario
    /// included.
    pub(crate) share: u64,
    /// Scenarios that the lane had taken, this one included.
    pub(crate) scenarios: u64,
    /// Images that the lane had recovered, this scenario's included.
    pub(crate) recovered: u64,
    pub(crate) found: Found,
}

/// More lanes than a check has.
const LANES_MAX: u64 = 1 << 20;

/// One scenario's result, or why it could not be run; nothing for one of another shard.
pub(crate) type Item = Result<Option<Explored>, CheckError>;

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
        let goes_on = self.engine.is_original() || !self.ends_at_a_finding;
        (self.found.is_empty() || goes_on)
            && self.row.states_recovered < self.budget
            && self.cases < self.cases_max
    }

    fn is_over(&self) -> bool {
        // Where there are fewer scenarios than lanes, some lanes have none.
        if self.cases >= self.cases_max {
            return true;
        }
        let first = self.first.as_ref();
        first.is_some_and(|first| self.in_order(self.share()) > first.load(Ordering::Relaxed))
    }
}

impl LaneState {
    /// How far it has come, in millionths.
    fn share(&self) -> u64 {
        let recovered = u128::from(self.row.states_recovered) * 1_000_000;
        u64::try_from(recovered / u128::from(self.budget.max(1))).unwrap_or(u64::MAX)
    }

    /// The order of findings of all lanes: what came sooner, of equals that of the first lane.
    fn in_order(&self, share: u64) -> u64 {
        share.saturating_mul(LANES_MAX) + self.number
    }

    /// Judgements in which a clause could have been broken.
    pub(crate) fn judged(&self, clause: Clause) -> u64 {
        if clause == Clause::C9 && self.engine.has_neighbours() {
            self.judged_beside
        } else if clause == Clause::C13 {
            self.judged_last_numbers
        } else {
            self.row.states_judged + self.row.scenarios
        }
    }

    fn take(&mut self, explored: Explored) {
        let share_before = self.share();
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
        let share = match self.row.run {
            // It is many runs, few of which would do.
            RunKind::Calls => self.share(),
            RunKind::Crashes | RunKind::Errors | RunKind::Damage | RunKind::Orders => share_before,
        };
        let judged = explored.states_judged + 1;
        self.judged_beside += if explored.is_beside_others { judged } else { 0 };
        self.judged_last_numbers += if explored.has_last_numbers { judged } else { 0 };
        self.unknown = self.unknown.take().or(explored.unknown);
        let mut broken: Vec<(Violation, Scenario)> = explored.broken.into_values().collect();
        broken.sort_by_key(simplicity);
        if let (Some(first), false) = (&self.first, broken.is_empty()) {
            first.fetch_min(self.in_order(share), Ordering::Relaxed);
        }
        self.found.extend(broken.into_iter().map(|broken| FoundAt {
            share,
            scenarios: self.row.scenarios,
            recovered: self.row.states_recovered,
            found: Found::of(broken.0, broken.1, Timeline::default()),
        }));
    }
}

/// What a person would rather look at comes first: what needs no crash, then fewer crashes, fewer
/// lost effects, an earlier point.
fn simplicity((violation, scenario): &(Violation, Scenario)) -> (usize, usize, u32, Option<u32>) {
    let crashes = &scenario.crashes;
    (
        crashes.len(),
        crashes.iter().map(|crash| crash.lost.len()).sum(),
        crashes.first().map_or(0, |crash| crash.point),
        violation.step,
    )
}

/// The lanes of a plan, each with its share of the budget.
pub(crate) fn lanes_of(plan: &CheckPlan) -> Result<Vec<LaneState>, CheckError> {
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
            // What does not depend on the profile has one lane.
            let profiles = if matches!(run, RunKind::Damage | RunKind::Calls) {
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
        judged_beside: 0,
        judged_last_numbers: 0,
        budget: 0,
        cases: 0,
        cases_max: u64::MAX,
        ends_at_a_finding: true,
        first: None,
        number: 0,
    }
}

/// Shares by weight: a damage run recovers one image and so does a call that fails, a crash run
/// thousands.
fn share_budget(plan: &CheckPlan, lanes: &mut [LaneState]) {
    let weight = |lane: &LaneState| match (lane.row.run, lane.row.engine.as_str()) {
        (RunKind::Damage | RunKind::Calls, _) => 1_u64,
        (RunKind::Orders, _) => 4,
        (RunKind::Crashes | RunKind::Errors, "toylog" | "offsets" | "replication") => 2,
        // There is more to a log, and each of its images takes longer.
        (RunKind::Errors, "seglog") => 5,
        (RunKind::Crashes, "seglog") => 10,
        (RunKind::Errors, _) => 10,
        (RunKind::Crashes, _) => 20,
    };
    let total: u64 = lanes.iter().map(weight).sum();
    let count = lanes.len() as u64;
    for (number, lane) in (0..count).zip(lanes) {
        lane.budget = plan.budget.map_or(u64::MAX, |budget| {
            let share = u128::from(budget) * u128::from(weight(lane));
            u64::try_from(share.div_ceil(u128::from(total.max(1)))).unwrap_or(u64::MAX)
        });
        if let Some(cases) = plan.cases {
            // What does not come out even goes to the first lanes: all together are just so many.
            lane.cases_max = cases / count + u64::from(number < cases % count);
            lane.ends_at_a_finding = false;
        }
    }
}

/// Lets a finding in one lane end all others, once they have come as far.
pub(crate) fn until_the_first(lanes: &mut [LaneState]) {
    let first = Arc::new(AtomicU64::new(u64::MAX));
    for (number, lane) in (0..LANES_MAX).zip(lanes) {
        lane.number = number;
        lane.first = Some(Arc::clone(&first));
    }
}
