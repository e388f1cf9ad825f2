//! What is known of disks, held against recoveries that know nothing; for tests.

use super::trial::Trial;
use crate::crash::{Image, Limits, Point, Profile, State, Visitor, walk};
use crate::simfs::Recording;
use std::fmt::Debug;

/// Recovers every image of a run with what is known by then, and with nothing known: the same
/// comes back. How many images there were, and how many of them broke something.
pub(super) fn both_ways<T>(
    recording: &Recording,
    profile: &Profile,
    shared: &T,
    alone: &dyn Fn() -> T,
    is_broken: fn(&T::Observation) -> bool,
) -> (usize, usize)
where
    T: Trial<Observation: Debug>,
{
    let mut both = Both {
        shared,
        alone,
        is_broken,
        images: 0,
        broken: 0,
    };
    walk(recording, profile, &Limits::default(), 1, &mut both);
    (both.images, both.broken)
}

struct Both<'a, T: Trial> {
    shared: &'a T,
    alone: &'a dyn Fn() -> T,
    is_broken: fn(&T::Observation) -> bool,
    images: usize,
    broken: usize,
}

impl<T: Trial<Observation: Debug>> Visitor for Both<'_, T> {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let recover = |trial: &T| {
            let (seen, _) = trial.recover(image.mount(), image.kind(), image.hash(), false);
            seen
        };
        let seen = recover(self.shared);
        assert_eq!(seen, recover(&(self.alone)()));
        self.images += 1;
        self.broken += usize::from((self.is_broken)(&seen));
        0
    }

    fn state(&mut self, _point: &Point, _state: &State<'_>, _outcome: u32) {}
}
