//! What lost bytes read as. Derived from the file and the sector alone, so that the same loss
//! reads the same in every state, walk and replay.

use crate::scenario::Fill;
use crate::simfs::{SECTOR_BYTES, SectorRef};

/// The bytes of one lost sector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filler {
    Zeros,
    Garbage { key: u64 },
    Stale(SectorRef),
}

/// The one fill of a sector, where a mixture is asked for.
pub(crate) fn of_mixture(fills: &[Fill], key: u64) -> Fill {
    let count = fills.len().max(1) as u64;
    let at = usize::try_from(scramble(key ^ 0x6d69_7874) % count).unwrap_or(0);
    fills.get(at).copied().unwrap_or(Fill::Zeros)
}

/// Names a sector of a file for [`Filler::Garbage`].
pub(crate) fn key(inode: u32, sector: u32) -> u64 {
    u64::from(inode) << 32 | u64::from(sector)
}

/// Arbitrary bytes, no two sectors alike, none of them all zero.
pub(crate) fn garbage(key: u64) -> [u8; SECTOR_BYTES] {
    let mut bytes = [0; SECTOR_BYTES];
    let mut word = scramble(key);
    for part in bytes.chunks_exact_mut(8) {
        word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
        part.copy_from_slice(&scramble(word).to_le_bytes());
    }
    bytes
}

/// SplitMix64's finalizer.
pub(crate) fn scramble(word: u64) -> u64 {
    let mut mixed = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
