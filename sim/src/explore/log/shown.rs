//! Every quirk of the log breaks its clause in a scenario of its own, and without it the scenario
//! breaks nothing there.

use crate::explore::{find_break, scenario_of_quirk};
use crate::scenario::{Clause, Scenario};
use crashline::seglog::QUIRKS;

fn breaks(scenario: &Scenario, clause: Clause) -> bool {
    let found = find_break(scenario, clause, true, false);
    found.expect("it can be run").is_some()
}

#[test]
fn every_quirk_is_shown() {
    let mut shown = Vec::new();
    for info in QUIRKS {
        let right = scenario_of_quirk(info.name);
        let right = right.unwrap_or_else(|| panic!("{} has a scenario", info.name));
        let clause: Clause = info.clause.parse().expect("the list names clauses");
        let mut broken = right.clone();
        broken.quirks = vec![info.name.to_owned()];
        assert!(breaks(&broken, clause), "{}", info.name);
        if !shown.contains(&(right.clone(), clause)) {
            assert!(!breaks(&right, clause), "{clause} without {}", info.name);
            shown.push((right, clause));
        }
    }
}
