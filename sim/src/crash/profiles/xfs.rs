//! `xfs`: sizes at IO completion, metadata in one order, no help for renames.
//!
//! Sources: Linux commit ba87ea699ebd (the size on disk is updated when the IO that reaches it
//! completes); `xfs_file_release` (flush at close after a truncation only narrows the window);
//! strictly ordered metadata (Chinner, linux-fsdevel 2019).

use super::super::profile::Profile;
use super::shared;
use crate::scenario::Fill;
use crate::simfs::EffectKind;

pub(crate) static XFS: Profile = Profile {
    name: "xfs",
    is_honest: true,
    syncs_keep: true,
    text: "XFS. Metadata in one order; the size of an append comes with the bytes that reach it, \
           so that what is before them may be a hole of zeros, and in no order with later names; \
           renaming a file starts nothing. A sync of a file covers its own names, and every sync \
           the log before it.",
    fills: &[Fill::Zeros],
    must_precede: |first, second| {
        shared::journal_order(first, second) || reaches_size(first, second)
    },
    covers: shared::covers_own_and_names,
    is_glued: shared::is_rename,
};

/// The bytes whose writing brings the size.
fn reaches_size(first: &EffectKind, second: &EffectKind) -> bool {
    shared::data_and_size(first, second)
        .is_some_and(|(data, size)| size.written && data.end == size.to)
}
