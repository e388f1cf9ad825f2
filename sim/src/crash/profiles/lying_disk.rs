//! `lying-disk`: a drive whose cache says "written" and sometimes means it.
//!
//! Source: drives and controllers with a volatile write cache that ignore flushes; fsync(2) can
//! only promise what the drive does.

use super::super::fill::scramble;
use super::super::profile::Profile;
use super::posix_min::is_rename_within;
use super::shared;
use crate::scenario::Fill;
use crate::simfs::{Effect, EffectKind};

pub(crate) static LYING_DISK: Profile = Profile {
    name: "lying-disk",
    is_honest: false,
    syncs_keep: false,
    text: "posix-min on which one sync in two keeps nothing although it succeeds; which ones \
           follows from the number of the call. Nothing survives for certain: what may be asked \
           is that wrong data are never delivered.",
    fills: &[Fill::Zeros, Fill::Garbage, Fill::Stale],
    must_precede: shared::is_rename,
    covers: covers_if_true,
    is_glued: is_rename_within,
};

fn covers_if_true(sync: &Effect, effect: &EffectKind) -> bool {
    scramble(u64::from(sync.call)).is_multiple_of(2) && shared::covers_own(sync, effect)
}
