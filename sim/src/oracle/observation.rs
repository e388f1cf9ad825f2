//! What came back after one crash, reduced to what judging needs. Equal observations are one:
//! many images give the same, and every (crash point, image) pair is judged by it.

use super::{Finding, Window};

/// One reading of what was delivered: the messages from `first` to before `end`, less some that
/// may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Run {
    /// The first message that came.
    pub first: u32,
    /// One more than the last message that came.
    pub end: u32,
    /// The position of the run from which on one of those that came must not come any more.
    pub absent_from: u32,
    /// The position of the run from which on all those that are missing in between may be missing.
    pub missing_from: u32,
}

impl Run {
    /// Whether a window allows it at a position.
    #[must_use]
    pub fn fits(&self, window: &Window, position: u32) -> bool {
        window.first_min <= self.first
            && self.first <= window.first_max
            && window.end_min <= self.end
            && self.end <= window.end_max
            && position < self.absent_from
            && self.missing_from <= position
    }
}

/// What came back after one crash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Observation {
    /// The readings of what was delivered: one, or several where payloads are too short to tell.
    /// None means that nothing was delivered, or that a finding says why there is none.
    pub runs: Vec<Run>,
    /// How many messages of the recorded run came.
    pub delivered: u32,
    /// It was not read to its end, or too many readings look the same: whoever counts verdicts
    /// counts this as unknown.
    pub undecided: bool,
    /// There are more readings than `runs`: that none of these fits says nothing.
    pub has_more_readings: bool,
    /// The numbers of segments are used up, as the queue said: nothing more was asked of it.
    pub refused: bool,
    /// The first violation that holds wherever the crash fell.
    pub finding: Option<Finding>,
    /// A violation that counts only where nothing else is wrong, since it may be what else is
    /// wrong that shows here.
    pub doubt: Option<Finding>,
}

impl Observation {
    /// Whether a window allows it at a position. A finding is not looked at.
    #[must_use]
    pub fn fits(&self, window: &Window, position: u32) -> bool {
        if self.delivered == 0 {
            window.allows_nothing()
        } else {
            self.runs.iter().any(|run| run.fits(window, position))
        }
    }
}
