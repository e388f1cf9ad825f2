//! Clusters: one run of a scenario is one walk through its faults; the judge sees all of it.
//!
//! A run has its crashes in its steps, so there is nothing to enumerate. It counts as
//! [`RUN_IMAGES`] recovered images of the budget: about what it costs.

use super::error::CheckError;
use super::one::Explored;
use super::replayed::{Judged, Replayed, replayed};
use super::timeline::{Entry, Timeline};
use super::words::heading_of;
use crate::crash::Profile;
use crate::generate::{Choices, Prng};
use crate::replication::{Event, Ran, judge, of_event, of_options, of_step, program, run};
use crate::scenario::{Clause, ClusterProgram, RunKind, Scenario};

/// A run counts as so many recovered images.
const RUN_IMAGES: u64 = 40;

/// Runs a scenario of a cluster.
pub(crate) fn explore(scenario: &Scenario, profile: &Profile) -> Result<Explored, CheckError> {
    let ran = ran(scenario, profile)?;
    let mut explored = Explored::default();
    explored.take_violations(scenario, &judge(&ran.events, profile.syncs_keep));
    for fired in &ran.fired {
        *explored.fired.entry(fired.kind).or_default() += 1;
    }
    let crashes = ran.events.iter();
    let crashes = crashes.filter(|event| matches!(event, Event::Crashed { .. }));
    explored.points = crashes.count() as u64;
    explored.states_judged = ran.events.len() as u64;
    explored.states_recovered = RUN_IMAGES;
    explored.digest = ran.digest();
    Ok(explored)
}

/// Follows a run for a person: what happened on all hosts, step by step.
pub(crate) fn follow(
    scenario: &Scenario,
    profile: &Profile,
    wanted: Option<Clause>,
) -> Result<Replayed, CheckError> {
    let ran = ran(scenario, profile)?;
    let program = program_of(scenario)?;
    let timeline = Timeline {
        heading: heading_of(scenario, of_options(&program.options)),
        entries: entries_of(program, &ran.events),
    };
    let mut found = judge(&ran.events, profile.syncs_keep).into_iter();
    let violation = found.find(|one| wanted.is_none_or(|clause| one.clause == clause));
    Ok(replayed(scenario, Judged::of(violation, false), timeline))
}

fn program_of(scenario: &Scenario) -> Result<&ClusterProgram, CheckError> {
    scenario.cluster.as_ref().ok_or_else(|| {
        let words = format!(
            "the engine `{}` needs the program of a cluster",
            scenario.engine
        );
        CheckError::bad_scenario(words)
    })
}

fn ran(scenario: &Scenario, profile: &Profile) -> Result<Ran, CheckError> {
    if matches!(scenario.run, RunKind::Damage | RunKind::Orders) {
        let words = "a cluster has runs of crashes and errors";
        return Err(CheckError::bad_scenario(words));
    }
    run(scenario, program_of(scenario)?, profile).map_err(CheckError::bad_scenario)
}

fn entries_of(program: &ClusterProgram, events: &[Event]) -> Vec<Entry> {
    let mut entries = Vec::new();
    for event in events {
        if let Event::Step { index } = event {
            let step = program.steps.get(*index as usize);
            entries.extend(step.map(|step| Entry::Note(format!("{index}. {}", of_step(step)))));
        }
        let words = of_event(event).map(|words| format!("     {words}"));
        entries.extend(words.map(Entry::Note));
    }
    entries
}

/// The scenario number `index` of a seed. Equal arguments give equal scenarios.
pub(crate) fn sequence(
    engine: &str,
    seed: u64,
    index: u64,
    run: RunKind,
    profile: &str,
) -> Scenario {
    let name = format!("cluster {} {index}", run.name());
    let scenario_seed = Prng::named(seed, &name).draw();
    let mut choices = Choices::from_seed(scenario_seed);
    draw(&mut choices, engine, run, profile, scenario_seed)
}

/// The scenario that choices stand for.
pub(crate) fn draw(
    choices: &mut Choices,
    engine: &str,
    run: RunKind,
    profile: &str,
    seed: u64,
) -> Scenario {
    let program = choices.stream("steps", |choices| program(choices, run));
    Scenario {
        cluster: Some(program),
        ..Scenario::bare(engine, profile, run, seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_scenario_has_one_digest_and_can_be_written_down() {
        for number in 0..20 {
            let scenario = sequence("replication", 7, number, RunKind::Errors, "posix-min");
            assert_eq!(Scenario::parse(&scenario.to_text()), Ok(scenario.clone()));
            let profile = crate::crash::profile("posix-min").unwrap();
            let [one, other] = [(), ()].map(|()| ran(&scenario, profile).unwrap());
            assert_eq!(one.events, other.events);
            assert_eq!(one.digest(), other.digest());
        }
    }
}
