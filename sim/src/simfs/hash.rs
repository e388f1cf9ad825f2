//! The content hash of a tree: 128 bits, a sum over names, so that a change costs what it changes.
//!
//! `hash(tree)` = sum over all names of `named(path, content)`; the content of a file is the sum of
//! its sectors' hashes (each keyed by the sector's number; a sector of zeros counts nothing)
//! combined with its size. Inode numbers, times and removed files do not count. Two trees with the
//! same hash are taken to be the same.

use super::sector::{SECTOR_BYTES, Sector};
use super::tree::TreeEntry;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{xxh3_128, xxh3_128_with_seed};

/// The hash of the path of the root directory.
pub(crate) const ROOT_PATH: u128 = 0x6a09_e667_f3bc_c908_bb67_ae85_84ca_a73b;

/// Stands for the content of a directory; what is in it counts by its own paths.
pub(crate) const DIRECTORY: u128 = 0x3c6e_f372_fe94_f82b_a54f_f53a_5f1d_36f1;

/// Stands for the content of what is neither file nor directory.
pub(crate) const SPECIAL: u128 = 0x510e_527f_ade6_82d1_9b05_688c_2b3e_6c1f;

/// The hash of one sector's bytes at one place in a file.
pub(crate) fn sector(number: u64, bytes: &Sector) -> u128 {
    if bytes.iter().all(|byte| *byte == 0) {
        return 0;
    }
    xxh3_128_with_seed(bytes, number)
}

/// The content of a file from the sum of its sectors' hashes.
pub(crate) fn file(sum: u128, size: u64) -> u128 {
    mix(
        sum,
        u128::from(size) ^ 0x1f83_d9ab_fb41_bd6b_5be0_cd19_137e_2179,
    )
}

/// The hash of a name.
pub(crate) fn name(bytes: &[u8]) -> u128 {
    xxh3_128(bytes)
}

/// The hash of the path of a name, which has the hash `name`, in the directory whose path has the
/// hash `directory`.
pub(crate) fn path(directory: u128, name: u128) -> u128 {
    mix(directory, name)
}

/// What a name contributes to the hash of the tree.
pub(crate) fn named(path: u128, content: u128) -> u128 {
    mix(path, content)
}

/// Two rounds of multiplication: no pair of inputs is likely to meet another pair's output, also
/// not in sums.
pub(crate) fn mix(left: u128, right: u128) -> u128 {
    const FIRST: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    const SECOND: u128 = 0xc2b2_ae3d_27d4_eb4f_1656_67b1_9e37_79f9;
    let mut mixed = (left ^ (left >> 67)).wrapping_mul(FIRST);
    mixed ^= right.rotate_left(41) ^ (mixed >> 64);
    mixed = mixed.wrapping_add(right).wrapping_mul(SECOND);
    mixed ^= mixed >> 59;
    mixed = mixed.wrapping_mul(FIRST);
    mixed ^ (mixed >> 64)
}

/// The hash of a tree given in full, computed from nothing else.
#[must_use]
pub fn tree_hash(tree: &[(PathBuf, TreeEntry)]) -> u128 {
    let mut total = 0_u128;
    for (path_of, entry) in tree {
        let content = match entry {
            TreeEntry::Directory => DIRECTORY,
            TreeEntry::Special => SPECIAL,
            TreeEntry::File(bytes) => file(bytes_sum(bytes), bytes.len() as u64),
        };
        total = total.wrapping_add(named(whole_path(path_of), content));
    }
    total
}

fn whole_path(path_of: &Path) -> u128 {
    path_of
        .iter()
        .filter(|name| *name != "/")
        .fold(ROOT_PATH, |parent, name| {
            path(parent, self::name(name.as_encoded_bytes()))
        })
}

fn bytes_sum(bytes: &[u8]) -> u128 {
    let mut sum = 0_u128;
    for (number, part) in (0_u64..).zip(bytes.chunks(SECTOR_BYTES)) {
        let mut whole = [0; SECTOR_BYTES];
        if let Some(start) = whole.get_mut(..part.len()) {
            start.copy_from_slice(part);
        }
        sum = sum.wrapping_add(sector(number, &whole));
    }
    sum
}
