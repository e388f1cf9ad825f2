//! What the crashes of a recorded run are visited with.

use super::vouched::Vouching;
use crate::crash::{Limits, Profile};
use crate::scenario::Clause;

/// Everything that visiting a run's crashes depends on.
#[derive(Clone, Copy)]
pub(crate) struct Bench<'a, T> {
    pub(crate) trial: &'a T,
    pub(crate) profile: &'a Profile,
    /// What vouches for messages, where the disk's syncs keep nothing.
    pub(crate) vouching: Option<&'a Vouching>,
    pub(crate) nested: &'a Limits,
    /// How many crashes inside recovery follow the first crash: 0 or 1.
    pub(crate) depth: u8,
    /// Recoveries are crashed inside until so many images were recovered.
    pub(crate) recovered_max: u64,
    /// Recoveries are crashed inside for one image in so many.
    pub(crate) inside_one_in: u128,
    pub(crate) seed: u64,
    /// Once this clause was found broken, nothing more is recovered.
    pub(crate) wanted: Option<Clause>,
}
