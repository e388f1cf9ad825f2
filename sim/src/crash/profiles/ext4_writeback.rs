//! `ext4-writeback`: ext4 mounted with data=writeback.
//!
//! Source: Documentation/admin-guide/ext4.rst (data=writeback: "data ordering is not preserved",
//! stale data after a crash); else as `ext4_ordered.rs`.

use super::super::profile::Profile;
use super::ext4_ordered::is_first_size_of_renamed;
use super::shared;
use crate::scenario::Fill;

pub(crate) static EXT4_WRITEBACK: Profile = Profile {
    name: "ext4-writeback",
    is_honest: true,
    syncs_keep: true,
    text: "ext4 with data=writeback: as ext4-ordered, but a size may always come before the \
           bytes it shows, which then read as zeros, garbage or bytes of a removed file.",
    fills: &[Fill::Zeros, Fill::Garbage, Fill::Stale],
    must_precede: |first, second| {
        shared::journal_order(first, second) || is_first_size_of_renamed(first, second)
    },
    covers: shared::covers_own_and_names,
    is_glued: shared::is_rename,
};
