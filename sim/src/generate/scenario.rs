//! Whole scenarios, from a seed and a number, or from bytes.

use super::faults::{FaultFiles, fault_plan};
use super::steps::Writer;
use super::{Abilities, Choices, Prng, Swarm, after_close, damages, faults, plants, threads};
use crate::scenario::{Action, RunKind, Scenario, Step};

/// A run whose every call fails is done again for each of them: several short ones show more.
const CALLS_STEPS_MAX: usize = 12;

/// The scenario number `index` of a seed, for an engine, a kind of run and a disk profile. Equal
/// arguments give equal scenarios; profiles see the same operations.
#[must_use]
pub fn sequence(engine: &str, seed: u64, index: u64, run: RunKind, profile: &str) -> Scenario {
    let name = format!("{engine} {} {index}", run.name());
    let scenario_seed = Prng::named(seed, &name).draw();
    let mut choices = Choices::from_seed(scenario_seed);
    draw(&mut choices, engine, run, profile, scenario_seed)
}

/// The scenario that a fuzzer's bytes stand for; every sequence of bytes stands for one.
#[must_use]
pub fn from_bytes(bytes: &[u8], engine: &str, run: RunKind, profile: &str) -> Scenario {
    let mut choices = Choices::from_bytes(bytes);
    draw(&mut choices, engine, run, profile, 0)
}

fn draw(choices: &mut Choices, engine: &str, run: RunKind, profile: &str, seed: u64) -> Scenario {
    if run == RunKind::Orders {
        return threads::draw(choices, engine, profile, seed);
    }
    let abilities = Abilities::of(engine);
    let swarm = choices.stream("swarm", |choices| {
        let swarm = Swarm::draw(choices, abilities);
        match run {
            RunKind::Crashes | RunKind::Orders => swarm,
            RunKind::Errors | RunKind::Calls => swarm.for_errors(abilities),
            RunKind::Damage => swarm.for_damage(),
        }
    });
    let mut steps = choices.stream("steps", |choices| {
        Writer::new(&swarm, abilities).write(choices)
    });
    if run == RunKind::Calls {
        steps.truncate(CALLS_STEPS_MAX);
        steps = after_close::of_a_queue(steps, abilities);
    }
    let count = u32::try_from(steps.len()).unwrap_or(u32::MAX);
    let (mut faults, mut damage) = (Vec::new(), Vec::new());
    choices.stream("faults", |choices| match run {
        RunKind::Crashes | RunKind::Calls | RunKind::Orders => {}
        RunKind::Errors => faults = fault_plan(choices, FaultFiles::QUEUE, count),
        RunKind::Damage => {
            // Open or not, the last step leaves it closed: what the files hold is then known.
            steps.push(Step::queue(Action::Close));
            match choices.weighted(&[3, 1, 1]) {
                // Whoever runs it damages the files that there are, one place at a time.
                0 => {}
                1 => damage = damages::draw(choices, &swarm.options, &steps),
                _ => faults = faults::silent_plan(choices, count),
            }
        }
    });
    let planted = match run {
        RunKind::Crashes | RunKind::Errors if abilities.segments => {
            choices.stream("planted", plants::draw)
        }
        RunKind::Crashes | RunKind::Errors | RunKind::Calls | RunKind::Damage | RunKind::Orders => {
            Vec::new()
        }
    };
    Scenario {
        options: swarm.options,
        steps,
        faults,
        damage,
        planted,
        ..Scenario::bare(engine, profile, run, seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenarios(engine: &str) -> impl Iterator<Item = Scenario> {
        (0..300).map(move |index| sequence(engine, 1, index, RunKind::Crashes, "posix-min"))
    }

    #[test]
    fn equal_arguments_give_equal_scenarios() {
        for index in 0..50 {
            let make = |seed| sequence("diskqueue", seed, index, RunKind::Crashes, "posix-min");
            assert_eq!(make(1), make(1));
            assert_ne!(make(1).steps, make(2).steps, "number {index}");
        }
    }

    #[test]
    fn profiles_see_the_same_operations() {
        let make = |profile| sequence("diskqueue", 1, 7, RunKind::Crashes, profile).steps;
        assert_eq!(make("posix-min"), make("xfs"));
    }

    #[test]
    fn every_kind_of_step_comes() {
        let mut missing = vec![
            "put", "batch", "read", "peek", "depth", "sync", "tick", "open", "look", "kill",
            "empty", "delete", "close",
        ];
        for scenario in scenarios("diskqueue") {
            for step in &scenario.steps {
                let name = match step.action {
                    Action::Put { .. } => "put",
                    Action::PutBatch { .. } => "batch",
                    Action::Read => "read",
                    Action::Peek => "peek",
                    Action::Depth => "depth",
                    Action::Sync => "sync",
                    Action::Tick { .. } => "tick",
                    Action::Open { .. } => "open",
                    Action::OpenReadOnly => "look",
                    Action::Kill => "kill",
                    Action::Empty => "empty",
                    Action::Delete => "delete",
                    Action::Close => "close",
                    Action::Settle => "settle",
                };
                missing.retain(|wanted| *wanted != name);
            }
        }
        assert_eq!(missing, Vec::<&str>::new());
    }

    #[test]
    fn the_toy_log_is_asked_what_it_has() {
        for scenario in scenarios("toylog") {
            for step in &scenario.steps {
                let known = matches!(
                    step.action,
                    Action::Put { .. }
                        | Action::Read
                        | Action::Depth
                        | Action::Sync
                        | Action::Open { .. }
                        | Action::Close
                        | Action::Kill
                );
                assert!(known, "{step:?}");
            }
        }
    }

    #[test]
    fn error_runs_have_faults_and_damage_runs_have_damage() {
        for index in 0..100 {
            let errors = sequence("diskqueue", 1, index, RunKind::Errors, "posix-min");
            assert!(!errors.faults.is_empty() && errors.damage.is_empty());
            let damage = sequence("diskqueue", 1, index, RunKind::Damage, "posix-min");
            assert!(damage.faults.is_empty() || damage.damage.is_empty());
            let last = damage.steps.last().map(|step| &step.action);
            assert_eq!(last, Some(&Action::Close));
            let unknown = damage
                .steps
                .iter()
                .any(|step| matches!(step.action, Action::Kill | Action::Empty | Action::Delete));
            assert!(!unknown, "{damage:?}");
        }
    }

    #[test]
    fn any_bytes_are_a_scenario() {
        let mut prng = Prng::new(5);
        for length in 0..200 {
            let bytes: Vec<u8> = (0..length)
                .map(|_| u8::try_from(prng.below(256)).unwrap())
                .collect();
            let scenario = from_bytes(&bytes, "diskqueue", RunKind::Crashes, "posix-min");
            assert!(!scenario.steps.is_empty());
        }
        let empty = from_bytes(&[], "diskqueue", RunKind::Crashes, "posix-min");
        assert_eq!(empty.steps.len(), 1);
    }
}
