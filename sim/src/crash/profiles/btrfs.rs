//! `btrfs`: copy on write.
//!
//! Sources: Linux commit 5a3f23d515a2 (flush at a rename over an existing file), bees commit
//! 65a950bc (a file renamed to a new name may be empty), Pillai et al., OSDI 2014 (appends and
//! directory operations reorder, overwrites do not), fstests msg11278 and RocksDB PR #8903 (a sync
//! of a file persists its name; a removal needs the directory).

use super::super::profile::Profile;
use super::shared;
use crate::scenario::Fill;
use crate::simfs::{Data, EffectKind, PAGE_BYTES, SECTOR_BYTES};

pub(crate) static BTRFS: Profile = Profile {
    name: "btrfs",
    is_honest: true,
    syncs_keep: true,
    text: "btrfs. Writes within 4 KiB are atomic; a size comes after all bytes before it; an \
           overwrite comes before everything later; directory operations reorder. Renaming over \
           an existing file comes after the new file's bytes and size. A sync of a file covers \
           its own names, removals need the directory's.",
    fills: &[Fill::Zeros],
    must_precede: |first, second| {
        is_before_size(first, second)
            || shared::is_cut_before(first, second)
            || is_overwrite(first)
            || is_flushed_by_rename(first, second)
    },
    covers: shared::covers_own_and_names,
    is_glued: |first, second| shared::is_rename(first, second) || is_one_page(first, second),
};

fn is_before_size(first: &EffectKind, second: &EffectKind) -> bool {
    shared::data_and_size(first, second)
        .is_some_and(|(data, size)| u64::from(data.sector) * (SECTOR_BYTES as u64) < size.to)
}

/// Bytes that did not make the file grow.
fn is_overwrite(first: &EffectKind) -> bool {
    matches!(first, EffectKind::Data(data) if data.end < data.visible)
}

fn is_flushed_by_rename(first: &EffectKind, second: &EffectKind) -> bool {
    first.file().is_some() && shared::renamed_over(second) == first.file()
}

/// Neighbouring pieces of one write that share a page.
fn is_one_page(first: &EffectKind, second: &EffectKind) -> bool {
    match (first, second) {
        (EffectKind::Data(first), EffectKind::Data(second)) => {
            first.file == second.file && last_page(first) == first_page(second)
        }
        _ => false,
    }
}

fn first_page(data: &Data) -> u64 {
    u64::from(data.sector) * SECTOR_BYTES as u64 / PAGE_BYTES
}

fn last_page(data: &Data) -> u64 {
    (u64::from(data.sector + data.count) * SECTOR_BYTES as u64 - 1) / PAGE_BYTES
}
