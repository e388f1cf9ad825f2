//! Every call of a run fails once, in several ways. Most of an errors run goes into the crashes of
//! a few plans; here it is the plans with one fault that are gone through, all of them. Nothing
//! crashes: what the run shows by itself is judged, how it goes on after its fault and what is left
//! at its end.

use super::engines::System;
use super::error::CheckError;
use super::one::{ExploreLimits, Explored, engine_of};
use crate::scenario::{RunKind, Scenario};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// How a call fails, behind its number: every call, every call that changes something, every write
/// after a part of it, and every sync of a file, which then holds what it held before.
const WAYS: &[&str] = &[
    "any on *: EIO",
    "change on *: ENOSPC",
    "write_at on *: EIO after 3 bytes",
    "sync on *: EIO, reverted",
];

/// Explores a scenario whose calls fail, one after the other. What breaks a clause is shown as an
/// errors run with its one fault.
pub(crate) fn explore(scenario: &Scenario, limits: &ExploreLimits) -> Result<Explored, CheckError> {
    let mut explored = Explored::default();
    let mut failing = Scenario {
        run: RunKind::Errors,
        ..scenario.clone()
    };
    let alone = ExploreLimits {
        without_crashes: true,
        ..limits.clone()
    };
    for way in WAYS {
        for call in 1_u64.. {
            if is_enough(&explored, limits) {
                return Ok(explored);
            }
            failing.faults = vec![format!("{call} {way}")];
            let one = super::one::explore(&failing, &alone)?;
            if one.fired.is_empty() {
                // There are no more calls.
                break;
            }
            explored.take_run(one);
        }
    }
    Ok(explored)
}

fn is_enough(explored: &Explored, limits: &ExploreLimits) -> bool {
    let wanted = limits.wanted.as_ref();
    wanted.is_some_and(|wanted| explored.broken.contains_key(wanted))
        || explored.states_recovered >= limits.recovered_max
}

/// Refuses a scenario whose calls cannot fail one by one.
pub(crate) fn refuse_unfit(scenario: &Scenario) -> Result<(), CheckError> {
    let engine = engine_of(scenario)?;
    if matches!(engine.system, System::Cluster) {
        let words = "a cluster has runs of crashes and errors";
        return Err(CheckError::bad_scenario(words));
    }
    if !scenario.faults.is_empty() || !scenario.damage.is_empty() || !scenario.crashes.is_empty() {
        let words = "a run of calls, each of which fails once, names no faults, damage or crashes";
        return Err(CheckError::bad_scenario(words));
    }
    Ok(())
}

impl Explored {
    /// Takes a run that was judged by itself.
    fn take_run(&mut self, run: Self) {
        self.states_judged += 1;
        self.states_recovered += 1;
        self.violations += run.violations;
        self.is_beside_others |= run.is_beside_others;
        self.has_last_numbers |= run.has_last_numbers;
        self.marks.add(run.marks);
        self.unknown = self.unknown.take().or(run.unknown);
        for (kind, count) in run.fired {
            self.digest = xxh3_64_with_seed(kind.as_bytes(), self.digest ^ run.digest ^ count);
            *self.fired.entry(kind).or_default() += count;
        }
        for (clause, broken) in run.broken {
            self.broken.entry(clause).or_insert(broken);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Action, Step};

    fn scenario() -> Scenario {
        let steps = [
            Action::Open { options: None },
            Action::Put { size: 8 },
            Action::Sync,
            Action::Peek,
            Action::Close,
            Action::Peek,
            Action::Read,
        ];
        Scenario {
            steps: steps.map(Step::queue).to_vec(),
            ..Scenario::bare("diskqueue", "strict-prefix", RunKind::Calls, 1)
        }
    }

    fn explored(scenario: &Scenario, limits: &ExploreLimits) -> Explored {
        super::super::one::explore(scenario, limits).unwrap()
    }

    #[test]
    fn every_call_fails_and_each_is_counted() {
        let explored = explored(&scenario(), &ExploreLimits::default());
        assert!(explored.broken.is_empty(), "{:?}", explored.broken);
        let fired: u64 = explored.fired.values().sum();
        assert!(fired > 60, "{fired}");
        assert!((60..=fired).contains(&explored.states_judged));
        assert_eq!(explored.states_recovered, explored.states_judged);
        assert_eq!((explored.points, explored.states_built), (0, 0));
    }

    #[test]
    fn it_ends_with_its_budget() {
        let limits = ExploreLimits {
            recovered_max: 7,
            ..ExploreLimits::default()
        };
        assert_eq!(explored(&scenario(), &limits).states_judged, 7);
    }

    #[test]
    fn what_breaks_is_shown_with_its_one_fault() {
        let mut scenario = scenario();
        scenario.quirks = vec!["sync-error-ignored".to_owned()];
        let explored = explored(&scenario, &ExploreLimits::default());
        assert!(!explored.broken.is_empty());
        for (_, shown) in explored.broken.values() {
            assert_eq!((shown.run, shown.faults.len()), (RunKind::Errors, 1));
        }
    }

    #[test]
    fn a_scenario_with_faults_of_its_own_is_refused() {
        let mut scenario = scenario();
        scenario.faults = vec!["1 any on *: EIO".to_owned()];
        let limits = ExploreLimits::default();
        assert!(super::super::one::explore(&scenario, &limits).is_err());
    }
}
