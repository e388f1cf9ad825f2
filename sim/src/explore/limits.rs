//! How far one scenario is explored.

use crate::crash::Limits;
use crate::scenario::Clause;
use crate::simfs::Recording;

/// How far one scenario is explored.
#[derive(Debug, Clone)]
pub struct ExploreLimits {
    /// Of the crashes of the run.
    pub first: Limits,
    /// Of the crashes inside a recovery.
    pub nested: Limits,
    /// How many crashes inside recovery follow the first crash: 0 or 1.
    pub depth: u8,
    /// Once a scenario has recovered so many images, no recovery is crashed inside any more; what
    /// was crashed inside so far ends there. The same for any number of threads.
    pub recovered_max: u64,
    /// All recoveries of a run with at most so many log entries are crashed inside; of a longer
    /// run, those of every second, third ... image.
    pub log_entries_inside: u128,
    /// Crashes of the run before this step are looked at elsewhere: in a scenario that ends there.
    /// Only offset stores have such scenarios.
    pub crashes_from: u32,
    /// The run is not crashed at all: what it shows by itself is judged.
    pub without_crashes: bool,
    /// Look for this clause only, and recover nothing more once it was found broken.
    pub wanted: Option<Clause>,
}

impl Default for ExploreLimits {
    fn default() -> Self {
        let nested = Limits {
            states_max: 256,
            ..Limits::default()
        };
        let first = Limits {
            images_max: Some(5_000),
            ..Limits::default()
        };
        Self {
            first,
            nested,
            depth: 1,
            recovered_max: u64::MAX,
            log_entries_inside: 32,
            crashes_from: 0,
            without_crashes: false,
            wanted: None,
        }
    }
}

impl ExploreLimits {
    /// Recoveries are crashed inside for one image in so many.
    pub(crate) fn inside_one_in(&self, recording: &Recording) -> u128 {
        let new = recording.log().len() - recording.history();
        (new as u128).div_ceil(self.log_entries_inside).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::explore;
    use crate::scenario::{Action, RunKind, Scenario, Step};

    #[test]
    fn what_is_not_crashed_inside_is_counted_as_not_enumerated() {
        let mut scenario = Scenario::bare("toylog", "posix-min", RunKind::Crashes, 1);
        scenario.steps = [
            Action::Put { size: 8 },
            Action::Sync,
            Action::Put { size: 8 },
        ]
        .map(Step::queue)
        .to_vec();
        let explored = |recovered_max| {
            let limits = ExploreLimits {
                recovered_max,
                ..ExploreLimits::default()
            };
            explore(&scenario, &limits).unwrap()
        };
        let (whole, cut) = (explored(u64::MAX), explored(1));
        assert!(cut.states_recovered < whole.states_recovered);
        assert_eq!(cut.points, whole.points);
        assert!(cut.points_enumerated < whole.points_enumerated);
        assert_eq!(explored(whole.states_recovered + 1).digest, whole.digest);
    }
}
