//! Flags of `check` become a plan: names are looked up, what is left out gets its default.

use super::args::CheckArguments;
use super::failure::Failure;
use super::known::{Known, KnownEngine, KnownProfile, KnownQuirk};
use crate::explore::CheckPlan;
use crate::scenario::RunKind;

/// The seed of a run that names none: the same for everybody, so that results compare.
const SEED: u64 = 1;
/// Images to recover in a run that names no budget: about 30 seconds on two cores.
const BUDGET: u64 = 1_000_000;
/// How much more a full run does.
const FULL_FACTOR: u64 = 10;
/// Different clauses shown to be broken before an engine's run ends.
const VIOLATIONS_MAX: usize = 4;

/// The plan that the flags mean.
pub(super) fn plan_of(arguments: &CheckArguments, known: &Known) -> Result<CheckPlan, Failure> {
    let budget = match (arguments.cases, arguments.full) {
        // So many scenarios are asked for, whatever they cost.
        (Some(_), _) => None,
        (None, true) => Some(BUDGET * FULL_FACTOR),
        (None, false) => Some(BUDGET),
    };
    Ok(CheckPlan {
        engines: engines(arguments, known)?,
        profiles: profiles(arguments, known)?,
        runs: runs(arguments),
        seed: arguments.seed.unwrap_or(SEED),
        cases: arguments.cases,
        budget: arguments.budget.or(budget),
        shard: arguments.shard,
        time_limit_ms: arguments.time_limit,
        jobs: arguments.jobs.unwrap_or_else(cores),
        full: arguments.full,
        quirks: arguments.quirk.clone(),
        with_dir_sync: arguments.with_dir_sync,
        violations_max: VIOLATIONS_MAX,
    })
}

/// The plan of a check of the engine that has this quirk, on the default profiles.
pub(super) fn plan_with(quirk: &KnownQuirk, budget: u64, known: &Known) -> CheckPlan {
    let profiles = known.profiles.iter().filter(|profile| profile.by_default);
    CheckPlan {
        engines: vec![quirk.engine.clone()],
        profiles: profiles.map(|profile| profile.name.clone()).collect(),
        runs: RunKind::ALL.to_vec(),
        seed: SEED,
        cases: None,
        budget: Some(budget),
        shard: None,
        time_limit_ms: None,
        jobs: 1,
        full: false,
        quirks: vec![quirk.name.clone()],
        with_dir_sync: false,
        violations_max: VIOLATIONS_MAX,
    }
}

/// The kinds of runs asked for, in one order; else all.
fn runs(arguments: &CheckArguments) -> Vec<RunKind> {
    let wanted = |kind: &RunKind| arguments.run.is_empty() || arguments.run.contains(kind);
    RunKind::ALL.into_iter().filter(wanted).collect()
}

/// Threads that run at once.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The engines asked for; else those that have the quirks asked for; else the default ones.
fn engines(arguments: &CheckArguments, known: &Known) -> Result<Vec<String>, Failure> {
    let names: Vec<&str> = known.engines.iter().map(|one| one.name.as_str()).collect();
    for name in &arguments.engine {
        if !names.contains(&name.as_str()) {
            return Err(Failure::unknown_name("engine", "engines", name, &names));
        }
    }
    refuse_unknown_quirks(arguments, known)?;
    let chosen: Vec<&KnownEngine> = known
        .engines
        .iter()
        .filter(|engine| match arguments.engine.as_slice() {
            [] if arguments.quirk.is_empty() => engine.by_default,
            [] => true,
            wanted => wanted.contains(&engine.name),
        })
        .collect();
    let able: Vec<String> = chosen
        .iter()
        .copied()
        .filter(|engine| has_quirks(engine, &arguments.quirk, known))
        .map(|engine| engine.name.clone())
        .collect();
    let partly = !arguments.engine.is_empty() && able.len() < chosen.len();
    if able.is_empty() || partly {
        return Err(Failure::usage(format!(
            "no engine asked for has all of these quirks: {}",
            arguments.quirk.join(", ")
        )));
    }
    Ok(able)
}

fn has_quirks(engine: &KnownEngine, wanted: &[String], known: &Known) -> bool {
    wanted.iter().all(|name| {
        let mut quirks = known.quirks.iter();
        quirks.any(|quirk| quirk.name == *name && quirk.engine == engine.name)
    })
}

fn refuse_unknown_quirks(arguments: &CheckArguments, known: &Known) -> Result<(), Failure> {
    let names: Vec<&str> = known.quirks.iter().map(|one| one.name.as_str()).collect();
    let mut wanted = arguments.quirk.iter();
    let unknown = wanted.find(|quirk| !names.contains(&quirk.as_str()));
    unknown.map_or(Ok(()), |quirk| {
        Err(Failure::unknown_name("quirk", "quirks", quirk, &names))
    })
}

/// The profiles asked for, in the order of the list, the weakest demands on the disk last.
fn profiles(arguments: &CheckArguments, known: &Known) -> Result<Vec<String>, Failure> {
    let names: Vec<&str> = known.profiles.iter().map(|one| one.name.as_str()).collect();
    for name in &arguments.profile {
        if !names.contains(&name.as_str()) {
            return Err(Failure::unknown_name("profile", "profiles", name, &names));
        }
    }
    let chosen = |profile: &&KnownProfile| match arguments.profile.as_slice() {
        [] if arguments.full => profile.honest,
        [] => profile.by_default,
        wanted => wanted.contains(&profile.name),
    };
    let profiles = known.profiles.iter().filter(chosen);
    Ok(profiles.map(|profile| profile.name.clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::check_arguments;
    use crate::cli::known::Kind;

    fn known() -> Known {
        let engine = |name: &str, by_default| KnownEngine {
            name: name.to_owned(),
            text: String::new(),
            by_default,
        };
        let profile = |name: &str, by_default, honest| KnownProfile {
            name: name.to_owned(),
            text: String::new(),
            by_default,
            honest,
            asked: String::new(),
        };
        let quirk = |name: &str, engine: &str| KnownQuirk {
            name: name.to_owned(),
            kind: Kind::Quirk,
            engine: engine.to_owned(),
            clause: "Q3".to_owned(),
            source: String::new(),
            text: String::new(),
        };
        Known {
            engines: vec![
                engine("toylog", true),
                engine("diskqueue", true),
                engine("original-diskqueue", false),
            ],
            profiles: vec![
                profile("strict-prefix", true, true),
                profile("xfs", false, true),
                profile("lying-disk", false, false),
            ],
            quirks: vec![
                quirk("toy-no-checksum", "toylog"),
                quirk("no-dir-sync", "diskqueue"),
                quirk("torn-meta", "diskqueue"),
            ],
        }
    }

    fn planned(flags: &[&str]) -> Result<CheckPlan, Failure> {
        plan_of(&check_arguments(flags), &known())
    }

    #[test]
    fn without_flags_everything_has_its_default() {
        let plan = planned(&[]).unwrap();
        assert_eq!(plan.engines, ["toylog", "diskqueue"]);
        assert_eq!(plan.profiles, ["strict-prefix"]);
        assert_eq!((plan.seed, plan.budget), (SEED, Some(BUDGET)));
        assert!(plan.jobs >= 1);
    }

    #[test]
    fn a_full_run_takes_all_honest_profiles_and_ten_times_the_budget() {
        let plan = planned(&["--full"]).unwrap();
        assert_eq!(plan.profiles, ["strict-prefix", "xfs"]);
        assert_eq!(plan.budget, Some(10 * BUDGET));
        let budget = |flags| planned(flags).unwrap().budget;
        assert_eq!(budget(&["--full", "--budget", "7"]), Some(7));
        assert_eq!(budget(&["--full", "--cases", "7"]), None);
    }

    #[test]
    fn a_quirk_chooses_the_engines_that_have_it() {
        let plan = planned(&["--quirk", "torn-meta,no-dir-sync"]).unwrap();
        assert_eq!(plan.engines, ["diskqueue"]);
        assert_eq!(plan.quirks, ["torn-meta", "no-dir-sync"]);
    }

    #[test]
    fn what_does_not_exist_is_refused_in_one_sentence() {
        for flags in [
            ["--quirk", "torn-mta"],
            ["--engine", "disk-queue"],
            ["--profile", "ext5"],
            ["--quirk", "toy-no-checksum,torn-meta"],
        ] {
            let failure = planned(&flags).unwrap_err();
            assert!(!failure.sentence.contains('\n'));
            assert!(!failure.sentence.is_empty());
        }
        let failure = planned(&["--engine", "toylog", "--quirk", "torn-meta"]).unwrap_err();
        assert_eq!(
            failure.sentence,
            "no engine asked for has all of these quirks: torn-meta"
        );
    }

    #[test]
    fn runs_are_all_kinds_or_those_asked_for() {
        assert_eq!(planned(&[]).unwrap().runs, RunKind::ALL);
        let plan = planned(&["--run", "damage,crashes"]).unwrap();
        assert_eq!(plan.runs, [RunKind::Crashes, RunKind::Damage]);
    }

    #[test]
    fn several_names_come_separated_by_commas_or_by_repeated_flags() {
        let plan = planned(&["--profile", "xfs,lying-disk", "--profile", "strict-prefix"]).unwrap();
        assert_eq!(plan.profiles, ["strict-prefix", "xfs", "lying-disk"]);
    }
}
