//! `posix-min`, the gate: what POSIX promises, and nothing else.
//!
//! Source: fsync(2): a file's sync covers its bytes and size; "the entry in the directory" needs a
//! sync of the directory. Same-directory renames are atomic on every disk but ext2-like ones; a
//! rename between directories changes two of them, the new name first, so that one is always
//! there. Writes tear between sectors.

use super::super::profile::Profile;
use super::shared;
use crate::scenario::Fill;
use crate::simfs::EffectKind;

pub(crate) static POSIX_MIN: Profile = Profile {
    name: "posix-min",
    is_honest: true,
    syncs_keep: true,
    text: "The gate. Only what fsync of the file and of its directory promises: names, sizes and \
           sectors reach the disk in any order, also never; bytes lost within the size read as \
           zeros, garbage or bytes of a removed file. A rename within a directory is atomic; one \
           between directories may leave both names, never none.",
    fills: &[Fill::Zeros, Fill::Garbage, Fill::Stale],
    must_precede: shared::is_rename,
    covers: shared::covers_own,
    is_glued: is_rename_within,
};

/// A rename within one directory.
pub(crate) fn is_rename_within(first: &EffectKind, second: &EffectKind) -> bool {
    shared::is_rename(first, second)
        && matches!(
            (first.name_cell(), second.name_cell()),
            (Some(left), Some(right)) if left.0 == right.0
        )
}
