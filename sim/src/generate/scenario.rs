//! Whole scenarios, from a seed and a number, or from bytes.

use super::steps::Writer;
use super::{Abilities, Choices, Prng, Swarm};
use crate::scenario::{FORMAT, RunKind, Scenario};

/// The scenario number `index` of a seed, for an engine, a kind of run and a disk profile. Equal
/// arguments give equal scenarios; profiles see the same operations.
#[must_use]
pub fn sequence(engine: &str, seed: u64, index: u64, run: RunKind, profile: &str) -> Scenario {
    let run_name = match run {
        RunKind::Crashes => "crashes",
        RunKind::Errors => "errors",
        RunKind::Damage => "damage",
    };
    let name = format!("{engine} {run_name} {index}");
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
    let abilities = Abilities::of(engine);
    let swarm = choices.stream("swarm", |choices| Swarm::draw(choices, abilities));
    let steps = choices.stream("steps", |choices| {
        Writer::new(&swarm, abilities).write(choices)
    });
    Scenario {
        format: FORMAT,
        engine: engine.to_owned(),
        options: swarm.options,
        quirks: Vec::new(),
        profile: profile.to_owned(),
        run,
        with_dir_sync: false,
        seed,
        steps,
        faults: Vec::new(),
        damage: Vec::new(),
        crashes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Action;

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
