//! The pending changes of one file: its sizes, and its sectors grouped into cells.
//!
//! A cell is a run of sectors that every pending write covers whole or not at all; its versions
//! are the writes that cover it, in order. So a state of the file is one size and one version of
//! each cell, and the hash of a version is computed once.
#![expect(
    clippy::indexing_slicing,
    reason = "hot; cells and versions name writes of the same file"
)]

use super::pool::{Clear, Reused};
use crate::simfs::layer::Layer;
use crate::simfs::sector::Sectors;
use crate::simfs::{Data, Name, SECTOR_BYTES, SectorRef, Size, hash};

pub(crate) const SECTOR: u64 = SECTOR_BYTES as u64;

/// A pending write.
#[derive(Debug, Clone)]
pub(crate) struct Write {
    pub(crate) unit: u32,
    pub(crate) number: u32,
    pub(crate) data: Data,
}

/// A pending change of the size.
#[derive(Debug, Clone)]
pub(crate) struct Resize {
    pub(crate) unit: u32,
    pub(crate) number: u32,
    pub(crate) size: Size,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Version {
    /// Index in the file's writes.
    pub(crate) write: usize,
    /// The hashes of the cell's sectors in it.
    pub(crate) sum: u128,
}

#[derive(Debug, Default)]
pub(crate) struct Cell {
    pub(crate) first: u32,
    pub(crate) count: u32,
    pub(crate) versions: Vec<Version>,
    /// The hashes of the cell's sectors as they are durable, within the durable size.
    pub(crate) base_sum: u128,
}

impl Clear for Cell {
    fn clear(&mut self) {
        self.versions.clear();
    }
}

impl Cell {
    pub(crate) fn end(&self) -> u32 {
        self.first + self.count
    }

    /// Its first byte in the file, and the one behind its last.
    pub(crate) fn range(&self) -> (u64, u64) {
        (
            u64::from(self.first) * SECTOR,
            u64::from(self.end()) * SECTOR,
        )
    }
}

/// A file with pending changes.
#[derive(Debug, Default)]
pub(crate) struct FileChanges {
    pub(crate) inode: u32,
    /// The durable size, and the sum of the sectors within it.
    pub(crate) base_size: u64,
    pub(crate) base_sum: u128,
    pub(crate) writes: Vec<Write>,
    pub(crate) resizes: Vec<Resize>,
    /// Sorted, not overlapping.
    pub(crate) cells: Reused<Cell>,
    /// A pending change makes the file smaller.
    pub(crate) has_cut: bool,
    /// Sums of the sectors outside all cells, by the size that clips them.
    pub(crate) untouched: Vec<(u64, u128)>,
    /// Durable sectors whose meaningful bytes end elsewhere than at the durable size: behind it,
    /// where bytes became durable before the size; before it, where the size did before the bytes.
    pub(crate) ends: Vec<(u32, u64)>,
    /// (number, size): durable cuts that pending writes with lower numbers are older than.
    pub(crate) cuts: Vec<(u32, u64)>,
    /// The durable names without pending changes: directory, name, hash of the path where the
    /// directory has a durable one.
    pub(crate) names: Vec<(u32, Name, Option<u128>)>,
}

impl Clear for FileChanges {
    fn clear(&mut self) {
        self.writes.clear();
        self.resizes.clear();
        self.cells.clear();
        self.has_cut = false;
        self.untouched.clear();
        self.ends.clear();
        self.cuts.clear();
        self.names.clear();
    }
}

impl FileChanges {
    pub(crate) fn start(&mut self, inode: u32, base: &Layer) {
        self.inode = inode;
        let node = base.node(inode);
        self.base_size = node.map_or(0, |node| node.size);
        self.base_sum = node.map_or(0, |node| node.sum);
    }

    pub(crate) fn add_resize(&mut self, unit: u32, number: u32, size: &Size) {
        self.has_cut |= size.to < size.from;
        self.resizes.push(Resize {
            unit,
            number,
            size: size.clone(),
        });
    }

    /// Whether a write could be lost where a state that was there before it has a size that shows
    /// its place: then that state reads otherwise now.
    pub(crate) fn changes_others(&self, data: &Data) -> bool {
        let sizes = || self.resizes.iter().map(|resize| resize.size.to);
        let shown = sizes().fold(self.base_size, u64::max);
        let solid = if self.has_cut {
            sizes().fold(self.base_size, u64::min)
        } else {
            self.base_size
        };
        // An append shows nothing in states with a smaller size, unless its sector was grown into.
        let has_hole = self
            .resizes
            .iter()
            .any(|resize| !resize.size.written && resize.size.to > resize.size.from);
        let start = if has_hole {
            u64::from(data.sector) * SECTOR
        } else {
            data.start
        };
        start < shown && data.end > solid
    }

    pub(crate) fn add_write(
        &mut self,
        unit: u32,
        number: u32,
        data: &Data,
        base: &Layer,
        sectors: &Sectors,
    ) {
        let write = self.writes.len();
        self.writes.push(Write {
            unit,
            number,
            data: data.clone(),
        });
        let end = data.sector + data.count;
        self.split(data.sector, base, sectors);
        self.split(end, base, sectors);
        let mut at = data.sector;
        let mut index = self
            .cells
            .as_slice()
            .partition_point(|cell| cell.end() <= data.sector);
        while at < end {
            let next = self.cells.as_slice().get(index).map(|cell| cell.first);
            if next != Some(at) {
                let gap_end = next.map_or(end, |next| next.min(end));
                self.insert_cell(index, at, gap_end - at, base, sectors);
            }
            let sum = self.version_sum(write, index, sectors);
            let cell = &mut self.cells.as_mut_slice()[index];
            cell.versions.push(Version { write, sum });
            at = cell.end();
            index += 1;
        }
    }

    fn insert_cell(
        &mut self,
        index: usize,
        first: u32,
        count: u32,
        base: &Layer,
        sectors: &Sectors,
    ) {
        let base_sum = self.base_cell_sum(first, count, base, sectors);
        let cell = self.cells.insert(index);
        cell.first = first;
        cell.count = count;
        cell.base_sum = base_sum;
        self.untouched.clear();
    }

    /// Lets no cell cross the border before `sector`.
    fn split(&mut self, sector: u32, base: &Layer, sectors: &Sectors) {
        let index = self
            .cells
            .as_slice()
            .partition_point(|cell| cell.end() <= sector);
        let Some(cell) = self.cells.as_slice().get(index) else {
            return;
        };
        if cell.first >= sector {
            return;
        }
        let (first, end) = (cell.first, cell.end());
        let right_sum = self.base_cell_sum(sector, end - sector, base, sectors);
        self.cells.insert(index + 1);
        let cells = self.cells.as_mut_slice();
        let (left, right) = cells.split_at_mut(index + 1);
        let (left, right) = (&mut left[index], &mut right[0]);
        right.first = sector;
        right.count = end - sector;
        right.base_sum = right_sum;
        right.versions.extend_from_slice(&left.versions);
        left.count = sector - first;
        left.base_sum = left.base_sum.wrapping_sub(right_sum);
        for version in 0..self.cells.as_slice()[index].versions.len() {
            let write = self.cells.as_slice()[index].versions[version].write;
            for half in [index, index + 1] {
                let sum = self.version_sum(write, half, sectors);
                self.cells.as_mut_slice()[half].versions[version].sum = sum;
            }
        }
    }

    fn version_sum(&self, write: usize, cell: usize, sectors: &Sectors) -> u128 {
        let (cell, data) = (&self.cells.as_slice()[cell], &self.writes[write].data);
        let mut sum = 0_u128;
        for sector in cell.first..cell.end() {
            let bytes = sectors.get(data.bytes.plus(sector - data.sector));
            sum = sum.wrapping_add(hash::sector(u64::from(sector), bytes));
        }
        sum
    }

    fn base_cell_sum(&self, first: u32, count: u32, base: &Layer, sectors: &Sectors) -> u128 {
        let mut sum = 0_u128;
        for sector in first..first + count {
            let bytes = base.sector(self.inode, sector);
            if bytes != SectorRef::ZEROS {
                sum = sum.wrapping_add(clipped_hash(sectors, bytes, sector, self.base_size));
            }
        }
        sum
    }

    /// Whether a cell covers the sector.
    pub(crate) fn is_in_cell(&self, sector: u32) -> bool {
        let cells = self.cells.as_slice();
        let index = cells.partition_point(|cell| cell.end() <= sector);
        cells.get(index).is_some_and(|cell| cell.first <= sector)
    }

    /// Where the meaningful bytes of a durable sector end, as an offset in the file.
    pub(crate) fn base_defined(&self, sector: u32) -> u64 {
        self.ends
            .iter()
            .find(|(known, _)| *known == sector)
            .map_or(self.base_size, |(_, end)| *end)
    }
}

/// The hash of a sector of which only the bytes before `size` count.
pub(crate) fn clipped_hash(sectors: &Sectors, bytes: SectorRef, sector: u32, size: u64) -> u128 {
    let start = u64::from(sector) * SECTOR;
    if size >= start + SECTOR {
        return hash::sector(u64::from(sector), sectors.get(bytes));
    }
    if size <= start {
        return 0;
    }
    let keep = usize::try_from(size - start).expect("less than a sector");
    let mut clipped = *sectors.get(bytes);
    clipped[keep..].fill(0);
    hash::sector(u64::from(sector), &clipped)
}
