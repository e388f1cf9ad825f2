//! Every crash of generated scenarios is recovered from and judged.

use super::explore::explore;
use crashline_sim::crash::profile;
use crashline_sim::generate::{sequence, small_tier};
use crashline_sim::scenario::{RunKind, Scenario};

fn check(scenarios: impl Iterator<Item = Scenario>, profile_name: &str, depth: u32) -> u64 {
    let profile = profile(profile_name).expect("the profile is known");
    let mut images = 0;
    for scenario in scenarios {
        let explored = explore(&scenario, profile, depth);
        let first = explored.violations.first();
        assert!(first.is_none(), "{first:#?}\nin {scenario:#?}");
        images += explored.images;
    }
    images
}

#[test]
fn all_scenarios_of_two_operations() {
    let scenarios = || small_tier("diskqueue", "posix-min", 2);
    assert!(check(scenarios(), "posix-min", 2) > 1000);
}

#[test]
fn some_longer_scenarios() {
    for name in ["posix-min", "ext4-ordered", "strict-prefix"] {
        let scenario = |index| sequence("diskqueue", 7, index, RunKind::Crashes, name);
        assert!(check((0..12).map(scenario), name, 1) > 100, "{name}");
    }
}
