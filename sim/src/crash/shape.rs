//! Which bytes of a cell or sector mean something in a state, and which were lost.
//!
//! A stretch of a file consists, in this order, of bytes of its source, zeros, lost bytes, zeros;
//! each part may be empty. The source is the newest kept version, or the durable bytes. Bytes that
//! were durable (before `solid`) are never lost: a sector is written whole or not at all.
#![expect(
    clippy::indexing_slicing,
    reason = "hot; versions name writes of the same file, and bounds are clamped to a sector"
)]

use super::bits::{self, Set};
use super::cells::{Cell, FileChanges, SECTOR};
use super::fill::{self, Filler};
use crate::simfs::layer::Layer;
use crate::simfs::sector::{Sector, Sectors};
use crate::simfs::{SECTOR_BYTES, SectorRef};
use xxhash_rust::xxh3::xxh3_128;

/// A cell in a state. All numbers are places in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellState {
    /// Index of the kept version, if any is.
    pub(crate) version: Option<usize>,
    /// Where the source's own meaningful bytes end.
    full: u64,
    /// Where they end in this state.
    pub(crate) defined: u64,
    /// Before it nothing is lost.
    pub(crate) solid: u64,
    /// Where writes end that are not kept.
    pub(crate) lost: u64,
}

/// One sector in a state. All numbers are places in the sector.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SectorState {
    pub(crate) source: SectorRef,
    defined: usize,
    lost_from: usize,
    lost: usize,
    /// It reads as its source.
    pub(crate) is_plain: bool,
}

impl SectorState {
    pub(crate) fn is_lossy(&self) -> bool {
        self.lost > self.lost_from
    }
}

impl CellState {
    /// Whether the whole stretch reads as its source where the file has this size.
    pub(crate) fn is_plain(&self, start: u64, end: u64, size: u64) -> bool {
        let within = |place: u64| place.clamp(start, end);
        let defined = within(self.defined.min(size));
        within(self.full) == defined
            && within(self.lost.min(size)) <= defined.max(within(self.solid))
    }
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
    pub(crate) fn cut_after(&self, kept: &Set, number: Option<u32>) -> u64 {
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

    /// A cell in a state, as far as all its sectors have it in common.
    pub(crate) fn cell_state(&self, cell: &Cell, kept: &Set) -> CellState {
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
        let solid = self.base_size.min(self.cut_after(kept, None));
        let (full, defined) = match version {
            Some(index) => {
                let write = &self.writes[cell.versions[index].write];
                let full = write.data.visible;
                (full, full.min(self.cut_after(kept, Some(write.number))))
            }
            None => (self.base_size, solid),
        };
        CellState {
            version,
            full,
            defined,
            solid,
            lost,
        }
    }

    /// What a cell's state says of one of its sectors.
    pub(crate) fn narrow(&self, look: &CellState, sector: u32, kept: &Set) -> CellState {
        let mut look = *look;
        if self.ends.is_empty() {
            return look;
        }
        let end = self.base_defined(sector);
        look.solid = end.min(self.cut_after(kept, None));
        if look.version.is_none() {
            look.full = end;
            look.defined = look.solid;
        }
        look
    }

    pub(crate) fn sector_state(
        &self,
        cell: &Cell,
        look: &CellState,
        sector: u32,
        size: u64,
        base: &Layer,
        kept: &Set,
    ) -> SectorState {
        let source = if let Some(version) = look.version {
            let data = &self.writes[cell.versions[version].write].data;
            data.bytes.plus(sector - data.sector)
        } else {
            base.sector(self.inode, sector)
        };
        let look = self.narrow(look, sector, kept);
        let start = u64::from(sector) * SECTOR;
        let within = |place: u64| {
            let place = place.clamp(start, start + SECTOR) - start;
            usize::try_from(place).expect("clamped to a sector")
        };
        let defined = within(look.defined.min(size));
        SectorState {
            source,
            defined,
            lost_from: defined.max(within(look.solid)),
            lost: within(look.lost.min(size)),
            is_plain: look.is_plain(start, start + SECTOR, size),
        }
    }
}

/// Tells apart everything that the hash of a sector depends on.
pub(crate) fn memo_key(inode: u32, sector: u32, now: &SectorState, filler: Filler) -> u128 {
    let fill = match filler {
        Filler::Zeros => 0_u64,
        Filler::Garbage { .. } => 1 << 32,
        Filler::Stale(bytes) => 2 << 32 | u64::from(bytes.0),
    };
    let mut ends = now.defined as u64;
    ends = ends << 16 | now.lost_from as u64;
    ends = ends << 16 | now.lost as u64;
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
    let mut bytes: Sector = [0; SECTOR_BYTES];
    bytes[..now.defined].copy_from_slice(&sectors.get(now.source)[..now.defined]);
    if now.is_lossy() {
        let range = now.lost_from..now.lost;
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
