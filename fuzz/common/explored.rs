//! Bytes become a scenario, which is run, crashed everywhere within small limits, recovered and
//! judged. Input: one byte that chooses the kind of run and the disk profile, then the choices of
//! the generator; where they end it takes the simplest one.

use crashline_sim::crash::PROFILES;
use crashline_sim::explore::{ExploreLimits, explore, scenario_of_bytes};
use crashline_sim::scenario::{RunKind, Scenario};

/// States at one point, and inside recovery: few, since the fuzzer comes back with variations.
const STATES_MAX: usize = 24;

/// The scenario of an input for an engine; none for an empty one.
pub fn scenario(engine: &str, input: &[u8]) -> Option<Scenario> {
    let (choice, choices) = input.split_first()?;
    let run = match choice & 3 {
        0 | 1 => RunKind::Crashes,
        2 => RunKind::Errors,
        _ => RunKind::Damage,
    };
    let honest: Vec<&str> = PROFILES
        .iter()
        .filter(|profile| profile.is_honest)
        .map(|profile| profile.name)
        .collect();
    let profile = honest[usize::from(choice >> 2) % honest.len()];
    Some(scenario_of_bytes(choices, engine, run, profile))
}

/// Panics where a clause is broken in one of the first `images_max` images: an input that takes
/// seconds is tried instead of hundreds of others.
pub fn explore_whole(scenario: &Scenario, images_max: u64) {
    let mut limits = ExploreLimits::default();
    limits.first.states_max = STATES_MAX;
    limits.first.images_max = Some(images_max);
    limits.nested.states_max = STATES_MAX;
    let explored = explore(scenario, &limits).expect("a generated scenario can be run");
    if let Some((clause, (violation, shown))) = explored.broken.first_key_value() {
        let evidence = &violation.evidence;
        panic!("{clause} is broken: {evidence}\n{}", shown.to_text());
    }
}
