//! `ext4-ordered`: ext4 as it is mounted by default.
//!
//! Sources: Documentation/admin-guide/ext4.rst (data=ordered: data "forced directly out prior to
//! its metadata being committed"; delayed allocation; auto_da_alloc); `ext4_alloc_da_blocks` starts
//! the writing at a rename over a file and does not wait; linux-ext4 2023-03-24, "defer updating
//! i_disksize until endio": an append inside a block that has bytes already may leave its size and
//! zeros; Bornholt et al., ASPLOS 2016, and Pillai et al., OSDI 2014, for what reorders.

use super::super::profile::Profile;
use super::shared;
use crate::scenario::Fill;
use crate::simfs::{EffectKind, PAGE_BYTES, SECTOR_BYTES};

pub(crate) static EXT4_ORDERED: Profile = Profile {
    name: "ext4-ordered",
    is_honest: true,
    syncs_keep: true,
    text: "ext4 by default. One journal: names, cuts and growths in one order; the size of an \
           append after the names before it, but in no order with later ones (delayed \
           allocation). Bytes of a new block before the size that shows them; in a block that \
           was partly filled the size may come first (a tail of zeros). Renaming over a file \
           starts the way of the new file's bytes without waiting: its first blocks are there, \
           later ones may miss. A sync of a file covers its own names, and every sync the journal \
           before it.",
    fills: &[Fill::Zeros],
    must_precede: |first, second| {
        shared::journal_order(first, second)
            || is_new_block(first, second)
            || is_first_size_of_renamed(first, second)
    },
    covers: shared::covers_own_and_names,
    is_glued: shared::is_rename,
};

/// Bytes beyond the block that the file's end fell into, before the size that shows them.
pub(crate) fn is_new_block(first: &EffectKind, second: &EffectKind) -> bool {
    shared::data_and_size(first, second).is_some_and(|(data, size)| {
        let end = u64::from(data.sector + data.count) * SECTOR_BYTES as u64;
        size.written && end > size.from.next_multiple_of(PAGE_BYTES)
    })
}

/// The first growth of a file that is renamed over another one.
pub(crate) fn is_first_size_of_renamed(first: &EffectKind, second: &EffectKind) -> bool {
    first
        .size()
        .is_some_and(|size| size.from == 0 && shared::renamed_over(second) == Some(size.file))
}
