//! `ext4-noauto-da`: ext4 mounted with noauto_da_alloc.
//!
//! Source: Documentation/admin-guide/ext4.rst (auto_da_alloc "avoids the zero-length problem" of
//! a file renamed over another before its blocks are allocated; without it the problem is there).

use super::super::profile::Profile;
use super::ext4_ordered::is_new_block;
use super::shared;
use crate::scenario::Fill;

pub(crate) static EXT4_NOAUTO_DA: Profile = Profile {
    name: "ext4-noauto-da",
    is_honest: true,
    syncs_keep: true,
    text: "ext4 with noauto_da_alloc: as ext4-ordered, but renaming over a file starts nothing, so \
           that the name may come with no bytes at all.",
    fills: &[Fill::Zeros],
    must_precede: |first, second| {
        shared::journal_order(first, second) || is_new_block(first, second)
    },
    covers: shared::covers_own_and_names,
    is_glued: shared::is_rename,
};
