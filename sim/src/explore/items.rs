//! Which scenarios a lane consists of: the exhaustive tier, interleaved with generated ones.

use super::plan::CheckPlan;
use crate::generate::small_tier;
use crate::scenario::{RunKind, Scenario};

/// The exhaustive tier of a lane: all runs of few operations over tiny segments.
pub(crate) fn small_of(
    plan: &CheckPlan,
    (engine, profile, run): &(String, String, RunKind),
) -> Vec<Scenario> {
    if *run != RunKind::Crashes {
        return Vec::new();
    }
    small_tier(engine, profile, if plan.full { 3 } else { 2 }).collect()
}

/// Every second item is of the exhaustive tier, as long as that lasts; else the number of the
/// generated scenario.
pub(crate) fn item_of(small: &[Scenario], item: u64) -> Result<Scenario, u64> {
    let pairs = small.len() as u64;
    if item >= 2 * pairs {
        return Err(item - pairs);
    }
    let half = usize::try_from(item / 2).unwrap_or(usize::MAX);
    match small.get(half) {
        Some(scenario) if item.is_multiple_of(2) => Ok(scenario.clone()),
        _ => Err(item / 2),
    }
}
