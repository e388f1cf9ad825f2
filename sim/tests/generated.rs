//! What generators write is what the other parts read.

use crashline_sim::fault::{Damage, FaultPlan};
use crashline_sim::generate::{from_bytes, sequence};
use crashline_sim::scenario::{RunKind, Scenario};

const KINDS: [RunKind; 3] = [RunKind::Crashes, RunKind::Errors, RunKind::Damage];

fn scenarios() -> impl Iterator<Item = Scenario> {
    KINDS.into_iter().flat_map(|run| {
        (0..300).map(move |index| sequence("diskqueue", 3, index, run, "posix-min"))
    })
}

#[test]
fn plans_and_damage_are_understood() {
    for scenario in scenarios() {
        FaultPlan::parse(&scenario.faults).unwrap();
        for damage in &scenario.damage {
            damage.parse::<Damage>().unwrap();
        }
    }
}

#[test]
fn scenarios_survive_their_text_form() {
    for scenario in scenarios() {
        assert_eq!(Scenario::parse(&scenario.to_text()), Ok(scenario));
    }
}

#[test]
fn bytes_of_a_fuzzer_are_valid_scenarios() {
    for length in 0..100_u8 {
        for run in KINDS {
            let bytes: Vec<u8> = (0..length).map(|at| at.wrapping_mul(length)).collect();
            let scenario = from_bytes(&bytes, "diskqueue", run, "posix-min");
            assert_eq!(Scenario::parse(&scenario.to_text()), Ok(scenario));
        }
    }
}
