//! Which scenarios a lane consists of: regressions and the exhaustive tier, by turns with
//! generated ones.

use super::engines::{System, engine};
use super::plan::CheckPlan;
use super::quirk_scenarios::scenario_of_quirk;
use super::regressions::regressions;
use crate::generate::{Choices, from_bytes, sequence, small_tier};
use crate::scenario::{RunKind, Scenario};

/// Operations in the longest sequences of an offset store's exhaustive tier.
const OFFSET_OPERATIONS_MAX: u32 = 4;

/// A scenario of a lane.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chosen {
    /// The scenario.
    pub(crate) scenario: Scenario,
    /// Crashes before this step are those of a shorter scenario of the lane.
    pub(crate) crashes_from: u32,
}

impl Chosen {
    /// A scenario with all of its crashes.
    pub(crate) fn whole(scenario: Scenario) -> Self {
        Self {
            scenario,
            crashes_from: 0,
        }
    }
}

/// What a lane takes by turns with generated scenarios: those that show the planted defects, the
/// regressions, then the exhaustive tier (all runs of few operations over tiny segments).
pub(crate) fn small_of(
    plan: &CheckPlan,
    (engine, profile, run): &(String, String, RunKind),
) -> Vec<Chosen> {
    let of_quirks = plan
        .quirks
        .iter()
        .filter_map(|name| scenario_of_quirk(name));
    let of_regressions = regressions().into_iter().map(|(_, scenario)| scenario);
    let mut small: Vec<Chosen> = of_quirks
        .chain(of_regressions)
        .map(|scenario| Scenario {
            profile: profile.clone(),
            ..scenario
        })
        .filter(|scenario| scenario.engine == *engine && scenario.run == *run)
        .map(Chosen::whole)
        .collect();
    if *run == RunKind::Crashes {
        let operations_max = if plan.full { 3 } else { 2 };
        match kind_of(engine) {
            Kind::Queue => {
                let tier = small_tier(engine, profile, operations_max);
                small.extend(tier.map(Chosen::whole));
            }
            // A cluster's runs are too long to walk through all of them.
            Kind::Cluster => {}
            Kind::Log => {
                let tier = super::log::small_tier(engine, profile, operations_max);
                small.extend(tier.map(Chosen::whole));
            }
            // Few of its sequences differ, and only the crashes of their last operation are new.
            Kind::Offsets => {
                let tier = super::offsets::small_tier(engine, profile, OFFSET_OPERATIONS_MAX);
                small.extend(tier);
            }
        }
    }
    small
}

/// The scenario number `item` of a seed.
pub(crate) fn generated(
    engine: &str,
    seed: u64,
    item: u64,
    run: RunKind,
    profile: &str,
) -> Scenario {
    match kind_of(engine) {
        Kind::Queue => sequence(engine, seed, item, run, profile),
        Kind::Cluster => super::cluster::sequence(engine, seed, item, run, profile),
        Kind::Log => super::log::sequence(engine, seed, item, run, profile),
        Kind::Offsets => super::offsets::sequence(engine, seed, item, run, profile),
    }
}

/// The scenario that a fuzzer's bytes stand for; every sequence of bytes stands for one.
#[must_use]
pub fn scenario_of_bytes(bytes: &[u8], engine: &str, run: RunKind, profile: &str) -> Scenario {
    let mut choices = Choices::from_bytes(bytes);
    match kind_of(engine) {
        Kind::Queue => from_bytes(bytes, engine, run, profile),
        Kind::Cluster => super::cluster::draw(&mut choices, engine, run, profile, 0),
        Kind::Log => super::log::draw(&mut choices, engine, run, profile, 0),
        Kind::Offsets => super::offsets::draw(&mut choices, engine, run, profile, 0),
    }
}

/// What a scenario of an engine is a program of.
enum Kind {
    Queue,
    Log,
    Offsets,
    Cluster,
}

fn kind_of(name: &str) -> Kind {
    match engine(name).map(|engine| &engine.system) {
        Some(System::Queue(_)) | None => Kind::Queue,
        Some(System::Log(_)) => Kind::Log,
        Some(System::Offsets(_)) => Kind::Offsets,
        Some(System::Cluster) => Kind::Cluster,
    }
}

/// How many items of the exhaustive tier an engine's lane takes before each generated one. Most
/// scenarios of an offset store's tier have a handful of images that are new, a generated one has
/// a hundred.
pub(crate) fn turns_of(engine: &str) -> u64 {
    match kind_of(engine) {
        Kind::Queue | Kind::Log | Kind::Cluster => 1,
        Kind::Offsets => 8,
    }
}

/// So many items are of the exhaustive tier, then one is not, as long as the tier lasts; else the
/// number of the generated scenario.
pub(crate) fn item_of(small: &[Chosen], turns: u64, item: u64) -> Result<Chosen, u64> {
    let (round, turn) = (item / (turns + 1), item % (turns + 1));
    let before = round * turns + turn.min(turns);
    let index = usize::try_from(before).unwrap_or(usize::MAX);
    match small.get(index) {
        Some(chosen) if turn < turns => Ok(chosen.clone()),
        Some(_) | None => Err(item - before.min(small.len() as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_the_tier_and_every_number_come_once_and_in_order() {
        let tier = super::super::offsets::small_tier("offsets", "posix-min", 1);
        for turns in [1, 2, 8] {
            let (mut small, mut numbers) = (Vec::new(), Vec::new());
            for item in 0..40 {
                match item_of(&tier, turns, item) {
                    Ok(chosen) => small.push(chosen),
                    Err(number) => numbers.push(number),
                }
                assert!(small.len() as u64 <= (numbers.len() as u64 + 1) * turns);
            }
            assert_eq!(small, tier);
            assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<u64>>());
        }
    }
}
