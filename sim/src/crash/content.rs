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
use super::table::Table;
use crate::scenario::Fill;
use crate::simfs::layer::Layer;
use crate::simfs::sector::{Sector, Sectors};
use crate::simfs::{SECTOR_BYTES, SectorRef, hash};
use xxhash_rust::xxh3::xxh3_128;

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
    pub(crate) first_inode: u32,
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

/// A part of a file, in bytes of the file: `source` up to `defined`, then lost up to `lost`.
#[derive(Debug, Clone, Copy)]
struct Shape {
    defined: u64,
    lost: u64,
    /// The source reads so as it is.
    is_plain: bool,
}

/// One sector in a state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SectorState {
    pub(crate) source: SectorRef,
    pub(crate) defined: usize,
    pub(crate) lost: usize,
    pub(crate) is_plain: bool,
}

/// A cell in a state.
#[derive(Debug, Clone, Copy)]
struct CellState {
    /// Index of the kept version, if any is.
    version: Option<usize>,
    /// Where the version's own meaningful bytes end.
    full: u64,
    /// Where they end in this state.
    defined: u64,
    lost: u64,
}

impl FileChanges {
    pub(crate) fn size_in(&self, kept: &Set) -> u64 {
        self.resizes
            .iter()
            .rev()
            .find(|resize| bits::has(kept, resize.unit))
            .map_or(self.base_size, |resize| resize.size.to)
    }

    /// Where the bytes end that were there before effect `number`, by cuts after it.
    fn cut_after(&self, kept: &Set, number: Option<u32>) -> u64 {
        if !self.has_cut {
            return u64::MAX;
        }
        let pending = self
            .resizes
            .iter()
            .filter(|resize| Some(resize.number) > number && bits::has(kept, resize.unit))
            .map(|resize| resize.size.to);
        // Durable cuts changed the durable bytes already.
        let durable = self
            .cuts
            .iter()
            .filter(|(before, _)| number.is_some_and(|number| number < *before))
            .map(|(_, size)| *size);
        pending.chain(durable).min().unwrap_or(u64::MAX)
    }

    /// Where the durable bytes end that no cell covers.
    pub(crate) fn clip_in(&self, kept: &Set) -> u64 {
        self.size_in(kept).min(self.cut_after(kept, None))
    }

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
            let shape = shape(cell.first, cell.count, &look, size);
            let sum = if shape.is_plain && (look.version.is_some() || self.ends.is_empty()) {
                look.version
                    .map_or(cell.base_sum, |version| cell.versions[version].sum)
            } else {
                self.cell_sum(cell, &look, &mut state, ground, choice, memo)
            };
            state.sum = state.sum.wrapping_add(sum);
        }
        state
    }

    fn cell_state(&self, cell: &Cell, kept: &Set) -> CellState {
        let mut lost = 0;
        let mut version = None;
        for (index, candidate) in cell.versions.iter().enumerate().rev() {
            let write = &self.writes[candidate.write];
            if bits::has(kept, write.unit) {
                version = Some(index);
                break;
            }
            lost = lost.max(write.data.end.min(self.cut_after(kept, Some(write.number))));
        }
        let (full, defined) = match version {
            Some(index) => {
                let write = &self.writes[cell.versions[index].write];
                let full = write.data.visible;
                (full, full.min(self.cut_after(kept, Some(write.number))))
            }
            None => (
                self.base_size,
                self.base_size.min(self.cut_after(kept, None)),
            ),
        };
        CellState {
            version,
            full,
            defined,
            lost,
        }
    }

    fn sector_state(
        &self,
        cell: &Cell,
        look: &CellState,
        sector: u32,
        size: u64,
        ground: &Ground<'_>,
        kept: &Set,
    ) -> SectorState {
        let mut look = *look;
        let source = if let Some(version) = look.version {
            let data = &self.writes[cell.versions[version].write].data;
            data.bytes.plus(sector - data.sector)
        } else {
            look.full = self.base_defined(sector);
            look.defined = look.full.min(self.cut_after(kept, None));
            ground.base.sector(self.inode, sector)
        };
        let shape = shape(sector, 1, &look, size);
        let start = u64::from(sector) * SECTOR;
        let within = |end: u64| usize::try_from(end - start).expect("clamped to a sector");
        SectorState {
            source,
            defined: within(shape.defined),
            lost: within(shape.lost),
            is_plain: shape.is_plain,
        }
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
            let now = self.sector_state(cell, look, sector, state.size, ground, choice.kept);
            let mut filler = Filler::Zeros;
            if now.lost > now.defined {
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
        let key = fill::key(self.inode, ground.first_inode, sector);
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
            let whole = shape(cell.first, cell.count, &look, size);
            let is_known = look.version.is_some() || self.ends.is_empty();
            if is_known && whole.is_plain && look.full <= size {
                continue;
            }
            for sector in cell.first..cell.end() {
                let mut look = look;
                if look.version.is_none() {
                    look.full = self.base_defined(sector);
                    look.defined = look.full.min(self.cut_after(durable, None));
                }
                let start = u64::from(sector) * SECTOR;
                let within = |end: u64| end.clamp(start, start + SECTOR);
                let (defined, shown) = (within(look.defined), within(look.defined.min(size)));
                if within(look.lost.min(size)) > shown || defined > shown {
                    each(sector, defined);
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
                let now = self.sector_state(cell, &look, sector, size, ground, choice.kept);
                let filler = if now.lost > now.defined {
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

fn shape(first: u32, count: u32, look: &CellState, size: u64) -> Shape {
    let start = u64::from(first) * SECTOR;
    let end = start + u64::from(count) * SECTOR;
    let defined = look.defined.min(size).clamp(start, end);
    let lost = look.lost.min(size).clamp(start, end);
    Shape {
        defined,
        lost,
        is_plain: look.full.clamp(start, end) == defined && lost <= defined,
    }
}

fn memo_key(inode: u32, sector: u32, now: &SectorState, filler: Filler) -> u128 {
    let fill = match filler {
        Filler::Zeros => 0_u64,
        Filler::Garbage { .. } => 1 << 32,
        Filler::Stale(bytes) => 2 << 32 | u64::from(bytes.0),
    };
    let ends = (now.defined * (SECTOR_BYTES + 1) + now.lost) as u64;
    let mut key = [0; 28];
    key[..4].copy_from_slice(&inode.to_le_bytes());
    key[4..8].copy_from_slice(&sector.to_le_bytes());
    key[8..12].copy_from_slice(&now.source.0.to_le_bytes());
    key[12..20].copy_from_slice(&fill.to_le_bytes());
    key[20..].copy_from_slice(&ends.to_le_bytes());
    xxh3_128(&key)
}

/// The bytes of a sector in a state.
pub(crate) fn sector_bytes(now: &SectorState, filler: Filler, sectors: &Sectors) -> Sector {
    let mut bytes = *sectors.get(now.source);
    bytes[now.defined..].fill(0);
    if now.lost > now.defined {
        let range = now.defined..now.lost;
        match filler {
            Filler::Zeros => {}
            Filler::Garbage { key } => {
                bytes[range.clone()].copy_from_slice(&fill::garbage(key)[range]);
            }
            Filler::Stale(stale) => {
                bytes[range.clone()].copy_from_slice(&sectors.get(stale)[range]);
            }
        }
    }
    bytes
}
