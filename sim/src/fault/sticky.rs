//! Faults that stay until the sector is rewritten: bad sectors and wrong bits.

use super::fault_file::FaultFile;
use super::fault_fs::raw;
use super::state::Flip;
use crate::simfs::SECTOR_BYTES;
use rustix::io::Errno;
use std::io;

const SECTOR: u64 = SECTOR_BYTES as u64;

impl FaultFile {
    /// Lets sectors be unreadable from now on.
    pub(super) fn add_bad_sectors(&self, first: u64, last: u64) {
        let mut state = self.shared.state();
        for sector in first..=last {
            state.bad_sectors.push((self.identity, sector));
        }
        state.note_damage(&self.path, first * SECTOR, (last + 1) * SECTOR);
    }

    /// How many bytes before the first bad sector can be read.
    pub(super) fn readable(&self, offset: u64, size: usize) -> io::Result<usize> {
        let end = offset + size as u64;
        let first_bad = {
            let mut state = self.shared.state();
            let bad = state
                .bad_sectors
                .iter()
                .filter(|(file, sector)| {
                    *file == self.identity
                        && sector * SECTOR < end
                        && (sector + 1) * SECTOR > offset
                })
                .map(|(_, sector)| sector * SECTOR)
                .min();
            if bad.is_some() {
                state.note("bad-sectors", &self.path);
            }
            bad
        };
        match first_bad {
            None => Ok(size),
            Some(bad) if bad <= offset => Err(raw(Errno::IO)),
            Some(bad) => Ok(usize::try_from(bad - offset).unwrap_or(size)),
        }
    }

    /// Puts the wrong bits into what was read at `offset`.
    pub(super) fn flip(&self, offset: u64, bytes: &mut [u8]) {
        let state = self.shared.state();
        for flip in &state.flips {
            if flip.file == self.identity
                && let Some(at) = flip.offset.checked_sub(offset)
                && let Some(byte) = usize::try_from(at).ok().and_then(|at| bytes.get_mut(at))
            {
                *byte ^= flip.mask;
            }
        }
    }

    /// Chooses a bit of what is read to be wrong from now on.
    pub(super) fn add_flip(&self, offset: u64, count: usize) {
        if count == 0 {
            return;
        }
        let mut state = self.shared.state();
        let sector = offset / SECTOR;
        let draw = scramble(state.plan.seed ^ scramble(self.identity.inode) ^ sector);
        let at = offset + draw % count as u64;
        state.flips.push(Flip {
            file: self.identity,
            offset: at,
            mask: 1 << (draw >> 61),
        });
        state.note_damage(&self.path, at, at + 1);
    }

    /// A write makes the sectors good that it covers; one that covers a bad sector in part would
    /// have to read it.
    pub(super) fn rewrite(&self, offset: u64, count: usize) -> io::Result<()> {
        let end = offset + count as u64;
        let identity = self.identity;
        let mut state = self.shared.state();
        if state.bad_sectors.is_empty() && state.flips.is_empty() {
            return Ok(());
        }
        let overlaps = |sector: u64| sector * SECTOR < end && (sector + 1) * SECTOR > offset;
        let covers = |sector: u64| sector * SECTOR >= offset && (sector + 1) * SECTOR <= end;
        if state
            .bad_sectors
            .iter()
            .any(|(file, sector)| *file == identity && overlaps(*sector) && !covers(*sector))
        {
            state.note("bad-sectors", &self.path);
            return Err(raw(Errno::IO));
        }
        state
            .bad_sectors
            .retain(|(file, sector)| *file != identity || !covers(*sector));
        state
            .flips
            .retain(|flip| flip.file != identity || !overlaps(flip.offset / SECTOR));
        Ok(())
    }
}

/// Spreads every bit over all.
fn scramble(word: u64) -> u64 {
    let mut mixed = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
