//! Greedy search: the first smaller neighbour that still fails becomes the scenario, until none
//! does or the tries are used up.

use super::candidates::candidates;
use crate::scenario::Scenario;

/// What shrinking came to.
#[derive(Debug, Clone)]
pub struct Shrunk {
    /// The smallest failing scenario met.
    pub scenario: Scenario,
    /// Candidates run.
    pub tries: u32,
    /// Whether the search ended by itself: no smaller neighbour fails.
    pub minimal: bool,
}

/// Shrinks `scenario`, which fails. `still_fails` runs a candidate and says whether it breaks the
/// same clause; at most `tries_max` candidates are run.
pub fn shrink(
    scenario: &Scenario,
    tries_max: u32,
    still_fails: &mut dyn FnMut(&Scenario) -> bool,
) -> Shrunk {
    let mut best = scenario.clone();
    let mut tries = 0;
    loop {
        let of = best.clone();
        let mut smaller = candidates(&of);
        let found = loop {
            let Some(candidate) = smaller.next() else {
                break None;
            };
            if tries == tries_max {
                return Shrunk {
                    scenario: best,
                    tries,
                    minimal: false,
                };
            }
            tries += 1;
            if still_fails(&candidate) {
                break Some(candidate);
            }
        };
        match found {
            Some(candidate) => best = candidate,
            None => {
                return Shrunk {
                    scenario: best,
                    tries,
                    minimal: true,
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Action, FORMAT, FifoOptions, RunKind, Step};

    fn long() -> Scenario {
        let mut steps = Vec::new();
        for size in 0..20 {
            steps.push(Step::queue(Action::Put { size: 10 * size }));
            steps.push(Step::queue(Action::Read));
        }
        steps.push(Step::queue(Action::Sync));
        Scenario {
            format: FORMAT,
            engine: "toylog".to_owned(),
            options: FifoOptions {
                sync_every: 3,
                ..FifoOptions::default()
            },
            quirks: vec!["a".to_owned(), "b".to_owned()],
            profile: "posix-min".to_owned(),
            run: RunKind::Errors,
            with_dir_sync: false,
            seed: 0,
            steps,
            log: None,
            offsets: None,
            cluster: None,
            faults: vec!["one".to_owned(), "two".to_owned()],
            damage: vec![],
            planted: vec![],
            crashes: vec![],
        }
    }

    #[test]
    fn finds_the_one_put_that_matters() {
        let big = |step: &Step| matches!(step.action, Action::Put { size } if size >= 77);
        let mut fails = |scenario: &Scenario| scenario.steps.iter().any(big);
        let shrunk = shrink(&long(), 1000, &mut fails);
        assert!(shrunk.minimal);
        assert_eq!(
            shrunk.scenario.steps,
            [Step::queue(Action::Put { size: 77 })]
        );
        assert!(shrunk.scenario.faults.is_empty() && shrunk.scenario.quirks.is_empty());
        assert_eq!(shrunk.scenario.options, FifoOptions::default());
    }

    #[test]
    fn stops_when_the_tries_are_used_up() {
        let shrunk = shrink(&long(), 3, &mut |_| false);
        assert!(!shrunk.minimal);
        assert_eq!((shrunk.tries, &shrunk.scenario), (3, &long()));
    }
}
