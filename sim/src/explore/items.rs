//! Which scenarios a lane consists of: regressions and the exhaustive tier, by turns with
//! generated ones.

use super::engines::{System, engine};
use super::plan::CheckPlan;
use super::quirk_scenarios::scenario_of_quirk;
use super::regressions::regressions;
use crate::generate::{Choices, from_bytes, sequence, small_tier};
use crate::scenario::{RunKind, Scenario};

/// What a lane takes by turns with generated scenarios: those that show the planted defects, the
/// regressions, then the exhaustive tier (all runs of few operations over tiny segments).
pub(crate) fn small_of(
    plan: &CheckPlan,
    (engine, profile, run): &(String, String, RunKind),
) -> Vec<Scenario> {
    let of_quirks = plan
        .quirks
        .iter()
        .filter_map(|name| scenario_of_quirk(name));
    let of_regressions = regressions().into_iter().map(|(_, scenario)| scenario);
    let mut small: Vec<Scenario> = of_quirks
        .chain(of_regressions)
        .map(|scenario| Scenario {
            profile: profile.clone(),
            ..scenario
        })
        .filter(|scenario| scenario.engine == *engine && scenario.run == *run)
        .collect();
    if *run == RunKind::Crashes {
        let operations_max = if plan.full { 3 } else { 2 };
        match kind_of(engine) {
            Kind::Queue => small.extend(small_tier(engine, profile, operations_max)),
            // A cluster's runs are too long to walk through all of them.
            Kind::Cluster => {}
            Kind::Log => small.extend(super::log::small_tier(engine, profile, operations_max)),
            Kind::Offsets => {
                small.extend(super::offsets::small_tier(engine, profile, operations_max));
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
