//! What makes the items of lanes: a scenario by its number, explored.

use super::items::{Chosen, item_of, small_of, turns_of};
use super::lanes::{Item, LaneState};
use super::one::{ExploreLimits, explore};
use super::plan::CheckPlan;
use crate::scenario::{RunKind, Scenario};

/// The scenarios of all lanes of a check.
pub(crate) struct Items<'p> {
    plan: &'p CheckPlan,
    limits: ExploreLimits,
    lanes: Vec<LaneItems>,
}

struct LaneItems {
    engine: String,
    profile: String,
    run: RunKind,
    small: Vec<Chosen>,
    /// The lane's share of the budget: no scenario of it goes further inside recoveries.
    budget: u64,
    /// So many of them come before each generated one.
    turns: u64,
}

impl<'p> Items<'p> {
    pub(crate) fn of(plan: &'p CheckPlan, lanes: &[LaneState]) -> Self {
        let items = |lane: &LaneState| {
            let name = (
                lane.row.engine.clone(),
                lane.row.profile.clone(),
                lane.row.run,
            );
            LaneItems {
                small: small_of(plan, &name),
                budget: lane.budget,
                turns: turns_of(&name.0),
                engine: name.0,
                profile: name.1,
                run: name.2,
            }
        };
        Self {
            plan,
            limits: ExploreLimits::default(),
            lanes: lanes.iter().map(items).collect(),
        }
    }

    /// Explores scenario number `item` of a lane.
    pub(crate) fn run(&self, lane: usize, item: u64) -> Item {
        let items = self.lanes.get(lane).expect("every lane has items");
        let Chosen {
            mut scenario,
            crashes_from,
        } = item_of(&items.small, items.turns, item).unwrap_or_else(|item| {
            let lane = (&*items.engine, &*items.profile, items.run);
            Chosen::whole(generated(self.plan, item, lane))
        });
        scenario.quirks.clone_from(&self.plan.quirks);
        scenario.with_dir_sync = self.plan.with_dir_sync;
        let shard = self.plan.shard;
        let is_ours = shard.is_none_or(|shard| shard.has(hash_of(&scenario)));
        let limits = ExploreLimits {
            crashes_from,
            recovered_max: items.budget,
            ..self.limits.clone()
        };
        is_ours.then(|| explore(&scenario, &limits)).transpose()
    }
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
    let mut scenario = super::items::generated(engine, plan.seed, item, run, profile);
    scenario.damage.clear();
    scenario
}
