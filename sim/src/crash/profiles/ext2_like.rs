//! `ext2-like`: no journal, so that a rename is two changes of two names.
//!
//! Source: Pillai et al., OSDI 2014 (directory operations are not atomic on ext2).

use super::super::profile::Profile;
use super::shared;
use crate::scenario::Fill;

pub(crate) static EXT2_LIKE: Profile = Profile {
    name: "ext2-like",
    is_honest: false,
    syncs_keep: true,
    text: "posix-min without atomic renames: the new name and the going of the old one reach the \
           disk in any order, so that both or none may be left. For information, never a gate.",
    fills: &[Fill::Zeros, Fill::Garbage, Fill::Stale],
    must_precede: |_, _| false,
    covers: shared::covers_own,
    is_glued: |_, _| false,
};
