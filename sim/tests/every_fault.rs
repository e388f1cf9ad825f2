//! Every call of generated runs fails once: more of them than a check has, of the three engines.

use crashline_sim::explore::{ExploreLimits, explore, scenario_of_bytes};
use crashline_sim::generate::Prng;
use crashline_sim::scenario::RunKind;

/// Lets every call of so many runs fail, one after the other; returns how many did.
fn failed_calls(engine: &str, runs: u64) -> u64 {
    let explored = (0..runs).map(|index| {
        let mut draws = Prng::named(11, &format!("{engine} {index}"));
        let bytes: Vec<u8> = (0..400).map(|_| draws.draw().to_le_bytes()[0]).collect();
        let scenario = scenario_of_bytes(&bytes, engine, RunKind::Calls, "strict-prefix");
        let explored = explore(&scenario, &ExploreLimits::default()).expect("it makes sense");
        if let Some((clause, (violation, shown))) = explored.broken.first_key_value() {
            panic!("{clause}: {violation:#?}\nin {}", shown.to_text());
        }
        assert_eq!(explored.unknown, None, "{}", scenario.to_text());
        explored.states_judged
    });
    explored.sum()
}

#[test]
fn every_call_of_generated_runs_of_queues_fails_once() {
    let count = failed_calls("diskqueue", 12);
    assert!(count > 5_000, "{count} calls");
}

#[test]
fn every_call_of_generated_runs_of_logs_fails_once() {
    let count = failed_calls("seglog", 30);
    assert!(count > 5_000, "{count} calls");
}

#[test]
fn every_call_of_generated_runs_of_stores_fails_once() {
    let count = failed_calls("offsets", 60);
    assert!(count > 5_000, "{count} calls");
}
