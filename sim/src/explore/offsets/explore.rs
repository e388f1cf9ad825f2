//! One scenario of an offset store: recorded once, then every crash of it.

use super::damage;
use super::program::OffsetCase;
use super::record::{OffsetRecorded, record};
use super::tail::effects_of;
use super::trial::OffsetTrial;
use crate::crash::{Profile, walk};
use crate::explore::engines::OffsetSystem;
use crate::explore::error::CheckError;
use crate::explore::one::{ExploreLimits, Explored};
use crate::explore::visit::{Bench, Visit};
use crate::explore::watch::NoSteps;
use crate::scenario::{RunKind, Scenario};

/// Explores a scenario of an offset store.
pub(crate) fn explore(
    system: &OffsetSystem,
    scenario: &Scenario,
    profile: &Profile,
    limits: &ExploreLimits,
) -> Result<Explored, CheckError> {
    let closed;
    let scenario = if scenario.run == RunKind::Damage {
        closed = damage::with_clean_end(scenario);
        &closed
    } else {
        scenario
    };
    let case = OffsetCase::of(system, scenario, profile.syncs_keep)?;
    let recorded = record(&case, &mut NoSteps)?;
    let mut explored = Explored::default();
    explored.take_violations(scenario, &recorded.violations);
    for fired in &recorded.fired {
        *explored.fired.entry(fired.kind).or_default() += 1;
    }
    match scenario.run {
        _ if limits.without_crashes => {}
        RunKind::Crashes | RunKind::Errors => {
            crashes(&case, profile, &recorded, limits, &mut explored);
        }
        RunKind::Damage => damage::explore(&case, &recorded, &mut explored)?,
        RunKind::Orders | RunKind::Calls => {
            return Err(CheckError::bad_scenario(
                "an offset store has no runs of orders",
            ));
        }
    }
    Ok(explored)
}

fn crashes(
    case: &OffsetCase<'_>,
    profile: &Profile,
    recorded: &OffsetRecorded,
    limits: &ExploreLimits,
    explored: &mut Explored,
) {
    let scenario = case.scenario;
    let tail;
    let recording = match limits.crashes_from {
        0 => &recorded.recording,
        step => {
            tail = recorded.recording.from_mark(2 * step);
            &tail
        }
    };
    let trial = OffsetTrial {
        case,
        profile,
        history: &recorded.history,
        effects: effects_of(recorded),
    };
    let mut visit = Visit::new(Bench {
        trial: &trial,
        profile,
        vouching: None,
        nested: &limits.nested,
        depth: limits.depth,
        recovered_max: limits.recovered_max,
        inside_one_in: limits.inside_one_in(recording),
        seed: scenario.seed,
        wanted: limits.wanted,
    });
    let summary = walk(recording, profile, &limits.first, scenario.seed, &mut visit);
    explored.take_visit(scenario, recording, &summary, visit);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Clause;

    /// From the rename of a first persist on nothing can be changed: its temporary file stays, and
    /// is what the store holds.
    const TEMPORARY_STAYS: &str = r#"{"format": 1, "engine": "offsets",
        "profile": "strict-prefix", "run": "errors", "seed": 1, "offsets": {
        "options": {"client": "a", "group": "group", "dialect": "go"}, "steps": [{"op": "open"},
        {"op": "update", "queue": ["topic", "b", 0], "offset": 1, "increase_only": false},
        {"op": "persist_all"}, {"op": "read", "queue": ["topic", "b", 0], "from": "store"}]},
        "faults": ["6-21 change on *: EROFS"]}"#;

    /// A first persist whose rename fails: its temporary file is removed, and the bytes of its
    /// place must not come back as the next one's (posix-min shows stale bytes).
    const TEMPORARY_STALE: &str = r#"{"format": 1, "engine": "offsets", "profile": "posix-min",
        "run": "errors", "seed": 10070686840917259859, "offsets": {
        "options": {"client": "a", "group": "group", "dialect": "go"}, "steps": [{"op": "open"},
        {"op": "update", "queue": ["topic", "b", 0], "offset": 10, "increase_only": false},
        {"op": "close"}, {"op": "open"},
        {"op": "update", "queue": ["topic", "b", 0], "offset": 11, "increase_only": false},
        {"op": "persist_all"}]}, "faults": ["1-5 rename on *: EIO"]}"#;

    #[test]
    fn what_a_failed_persist_wrote_does_not_come_back() {
        passes(TEMPORARY_STALE);
    }

    #[test]
    fn a_failed_persist_says_what_the_store_holds() {
        passes(TEMPORARY_STAYS);
    }

    fn passes(text: &str) {
        let scenario = Scenario::parse(text).unwrap();
        let explored = crate::explore::explore(&scenario, &ExploreLimits::default()).unwrap();
        let broken: Vec<Clause> = explored.broken.into_keys().collect();
        assert_eq!(broken, []);
        assert!(!explored.fired.is_empty(), "the fault fired");
    }
}
