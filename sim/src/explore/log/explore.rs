//! One scenario of a log: recorded once, then every crash of it.

use super::ending::with_known_end;
use super::program::LogCase;
use super::record::{LogRecorded, record};
use super::trial::LogTrial;
use crate::crash::{Profile, walk};
use crate::explore::engines::LogSystem;
use crate::explore::error::CheckError;
use crate::explore::one::{ExploreLimits, Explored};
use crate::explore::visit::{Bench, Visit};
use crate::explore::watch::NoSteps;
use crate::scenario::{RunKind, Scenario};

/// Explores a scenario of a log.
pub(crate) fn explore(
    system: &LogSystem,
    scenario: &Scenario,
    profile: &Profile,
    limits: &ExploreLimits,
) -> Result<Explored, CheckError> {
    let ended;
    let scenario = if scenario.run == RunKind::Damage {
        ended = with_known_end(scenario);
        &ended
    } else {
        scenario
    };
    let case = LogCase::of(system, scenario, profile.syncs_keep)?;
    let recorded = record(&case, &mut NoSteps)?;
    let mut explored = Explored {
        is_beside_others: !scenario.planted.is_empty(),
        ..Explored::default()
    };
    explored.take_violations(scenario, &recorded.violations);
    for fired in &recorded.fired {
        *explored.fired.entry(fired.kind).or_default() += 1;
    }
    match scenario.run {
        RunKind::Crashes | RunKind::Errors => {
            crashes(&case, profile, &recorded, limits, &mut explored);
        }
        // What went wrong without damage says enough.
        RunKind::Damage if !recorded.violations.is_empty() => {}
        RunKind::Damage => super::damage::explore(&case, &recorded, &mut explored)?,
        RunKind::Orders => {
            return Err(CheckError::bad_scenario("a log has no runs of orders"));
        }
    }
    Ok(explored)
}

fn crashes(
    case: &LogCase<'_>,
    profile: &Profile,
    recorded: &LogRecorded,
    limits: &ExploreLimits,
    explored: &mut Explored,
) {
    let recording = &recorded.recording;
    let trial = LogTrial {
        case,
        profile,
        history: &recorded.history,
        effects: recording.effects().count() as u64,
    };
    let mut visit = Visit::new(Bench {
        trial: &trial,
        profile,
        vouching: None,
        nested: &limits.nested,
        depth: limits.depth,
        inside_one_in: limits.inside_one_in(recording),
        seed: case.scenario.seed,
        wanted: limits.wanted,
    });
    let first = &limits.first;
    let summary = walk(recording, profile, first, case.scenario.seed, &mut visit);
    explored.take_visit(case.scenario, recording, &summary, visit);
    if recorded.history.is_undecided() {
        explored.unknown = Some("a run has too many states that fit what was seen".to_owned());
    }
}
