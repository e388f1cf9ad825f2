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
        RunKind::Crashes | RunKind::Errors => {
            crashes(&case, profile, &recorded, limits, &mut explored);
        }
        RunKind::Damage => damage::explore(&case, &recorded, &mut explored)?,
        RunKind::Orders => {
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
        inside_one_in: limits.inside_one_in(recording),
        seed: scenario.seed,
        wanted: limits.wanted,
    });
    let summary = walk(recording, profile, &limits.first, scenario.seed, &mut visit);
    explored.take_visit(scenario, recording, &summary, visit);
}
