//! What one file contains in a crash state: its size, which version each cell has, and what of it
//! was lost.
#![expect(
    clippy::indexing_slicing,
    reason = "hot; versions name writes of the same file, and bounds are clamped to a sector"
)]

use super::bits::{self, Set};
use super::cells::{Cell, FileChanges, SECTOR, clipped_hash};
use super::durable::REMOVED_MAX;
use super::fill::{self, Filler};
use super::shape::{CellState, SectorState, memo_key, sector_bytes};
use super::table::Table;
use crate::scenario::Fill;
use crate::simfs::layer::Layer;
use crate::simfs::sector::Sectors;
use crate::simfs::{SectorRef, hash};

/// A file that lost its last name; stale bytes come from it once the removal is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Removed {
    pub(crate) inode: u32,
    /// `None` once it is durable.
    pub(crate) unit: Option<u32>,
}

/// What states are read against.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) base: &'a Layer,
    pub(crate) sectors: &'a Sectors,
    pub(crate) removed: &'a [Removed],
    pub(crate) fills: &'a [Fill],
}

/// A state, and what lost bytes read as in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice<'a> {
    pub(crate) kept: &'a Set,
    pub(crate) fill: Fill,
}

/// A file in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FileState {
    pub(crate) size: u64,
    pub(crate) sum: u128,
    /// Bytes within the size were lost.
    pub(crate) is_lossy: bool,
    /// For some of them there are stale bytes.
    pub(crate) has_stale: bool,
}

impl FileChanges {
    pub(crate) fn state(
        &mut self,
        ground: &Ground<'_>,
        choice: Choice<'_>,
        memo: &mut Table<u128>,
    ) -> FileState {
        let size = self.size_in(choice.kept);
        let clip = size.min(self.cut_after(choice.kept, None));
        let mut state = FileState {
            size,
            sum: self.untouched_sum(clip, ground),
            is_lossy: false,
            has_stale: false,
        };
        for cell in self.cells.as_slice() {
            let look = self.cell_state(cell, choice.kept);
            let (start, end) = cell.range();
            let is_uniform = self.ends.is_empty() || look.version.is_some() && look.lost == 0;
            let sum = if is_uniform && look.is_plain(start, end, size) {
                look.version
                    .map_or(cell.base_sum, |version| cell.versions[version].sum)
            } else {
                self.cell_sum(cell, &look, &mut state, ground, choice, memo)
            };
            state.sum = state.sum.wrapping_add(sum);
        }
        state
    }

    fn cell_sum(
        &self,
        cell: &Cell,
        look: &CellState,
        state: &mut FileState,
        ground: &Ground<'_>,
        choice: Choice<'_>,
        memo: &mut Table<u128>,
    ) -> u128 {
        let mut sum = 0_u128;
        for sector in cell.first..cell.end() {
            if u64::from(sector) * SECTOR >= state.size {
                break;
            }
            let now = self.sector_state(cell, look, sector, state.size, ground.base, choice.kept);
            let mut filler = Filler::Zeros;
            if now.is_lossy() {
                state.is_lossy = true;
                let (found, has_stale) = self.filler(sector, ground, choice);
                state.has_stale |= has_stale;
                filler = found;
            }
            sum = sum.wrapping_add(self.sector_hash(sector, &now, filler, ground.sectors, memo));
        }
        sum
    }

    /// What a lost sector reads as, and whether there are stale bytes for it.
    fn filler(&self, sector: u32, ground: &Ground<'_>, choice: Choice<'_>) -> (Filler, bool) {
        let key = fill::key(self.inode, sector);
        let fill = match choice.fill {
            Fill::Mixed => fill::of_mixture(ground.fills, key),
            fill @ (Fill::Zeros | Fill::Garbage | Fill::Stale) => fill,
        };
        let stale = ground
            .removed
            .iter()
            .rev()
            .filter(|removed| removed.unit.is_none_or(|unit| bits::has(choice.kept, unit)))
            .take(REMOVED_MAX)
            .filter(|removed| removed.inode != self.inode)
            .map(|removed| ground.base.sector(removed.inode, sector))
            .find(|bytes| *bytes != SectorRef::ZEROS);
        let filler = match fill {
            Fill::Garbage => Filler::Garbage { key },
            Fill::Stale => stale.map_or(Filler::Zeros, Filler::Stale),
            Fill::Zeros | Fill::Mixed => Filler::Zeros,
        };
        (filler, stale.is_some())
    }

    fn sector_hash(
        &self,
        sector: u32,
        now: &SectorState,
        filler: Filler,
        sectors: &Sectors,
        memo: &mut Table<u128>,
    ) -> u128 {
        let key = memo_key(self.inode, sector, now, filler);
        if let Some(known) = memo.get(key) {
            return known;
        }
        let found = hash::sector(u64::from(sector), &sector_bytes(now, filler, sectors));
        memo.insert(key, found);
        found
    }

    /// The hashes of the sectors in no cell, of which only the bytes before `clip` count.
    fn untouched_sum(&mut self, clip: u64, ground: &Ground<'_>) -> u128 {
        if clip == 0 {
            return 0;
        }
        if let Some((_, sum)) = self.untouched.iter().find(|(known, _)| *known == clip) {
            return *sum;
        }
        let mut sum = self.base_sum;
        for cell in self.cells.as_slice() {
            sum = sum.wrapping_sub(cell.base_sum);
        }
        let mut change = |sector: u32| {
            let bytes = ground.base.sector(self.inode, sector);
            if bytes != SectorRef::ZEROS && !self.is_in_cell(sector) {
                let old = clipped_hash(ground.sectors, bytes, sector, self.base_size);
                let new = clipped_hash(ground.sectors, bytes, sector, clip);
                sum = sum.wrapping_add(new).wrapping_sub(old);
            }
        };
        if clip < self.base_size {
            let first = u32::try_from(clip / SECTOR).expect("file sizes are bounded");
            let end = u32::try_from(self.base_size.div_ceil(SECTOR)).expect("as above");
            (first..end).for_each(&mut change);
        } else {
            self.ends.iter().for_each(|(sector, _)| change(*sector));
        }
        self.untouched.push((clip, sum));
        sum
    }

    /// Where the meaningful bytes of durable sectors will end, other than at the size, once the
    /// effects in `durable` are.
    pub(crate) fn ends_after(&self, durable: &Set, each: &mut impl FnMut(u32, u64)) {
        let size = self.size_in(durable);
        for cell in self.cells.as_slice() {
            let look = self.cell_state(cell, durable);
            let (start, end) = cell.range();
            let is_even = look.defined.clamp(start, end)
                == look.defined.min(size).clamp(start, end)
                && look.lost.min(size) <= look.defined.max(look.solid);
            if self.ends.is_empty() && is_even {
                continue;
            }
            for sector in cell.first..cell.end() {
                let look = self.narrow(&look, sector, durable);
                let start = u64::from(sector) * SECTOR;
                let within = |place: u64| place.clamp(start, start + SECTOR);
                let meant = look.defined.max(look.solid);
                let is_behind = within(meant) > within(size);
                if is_behind || within(look.lost.min(size)) > within(meant) {
                    each(sector, within(meant));
                }
            }
        }
        for (sector, end) in &self.ends {
            if !self.is_in_cell(*sector) {
                let end = (*end).min(self.cut_after(durable, None));
                if end > size {
                    each(*sector, end);
                }
            }
        }
    }

    /// Shows every sector that differs from the durable ones clipped at [`Self::clip_in`].
    pub(crate) fn each_change(
        &self,
        ground: &Ground<'_>,
        choice: Choice<'_>,
        mut each: impl FnMut(u32, &SectorState, Filler),
    ) {
        let size = self.size_in(choice.kept);
        for cell in self.cells.as_slice() {
            let look = self.cell_state(cell, choice.kept);
            for sector in cell.first..cell.end() {
                if u64::from(sector) * SECTOR >= size {
                    break;
                }
                let now = self.sector_state(cell, &look, sector, size, ground.base, choice.kept);
                let filler = if now.is_lossy() {
                    self.filler(sector, ground, choice).0
                } else {
                    Filler::Zeros
                };
                if look.version.is_some() || !now.is_plain {
                    each(sector, &now, filler);
                }
            }
        }
    }
}
