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
    /// All recoveries of a run with at most so many log entries are crashed inside; of a longer
    /// run, those of every second, third ... image.
    pub log_entries_inside: u128,
    /// Crashes of the run before this step are looked at elsewhere: in a scenario that ends there.
    /// Only offset stores have such scenarios.
    pub crashes_from: u32,
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
            log_entries_inside: 32,
            crashes_from: 0,
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
