//! What a process that starts now can find on the disk, as one number: equal numbers, equal lives.
//!
//! Files that are set aside for a human to look at hold what differs where all else is equal. They
//! count by name and size alone, and whether anybody reads one from then on is noted: a life that
//! never does is the same whatever they hold.
#![expect(
    clippy::indexing_slicing,
    reason = "hot; indexes come from the tables of the same layer"
)]

use super::api::SimFs;
use super::blocks::BLOCK_SECTORS;
use super::hash;
use super::layer::{Layer, Node, NodeKind, ROOT};
use super::sector::{SECTOR_BYTES, SectorRef};
use super::state::Core;
use xxhash_rust::xxh3::xxh3_128;

/// Directories within directories, before the tree is taken for a circle.
const DEPTH_MAX: u32 = 8;

impl SimFs {
    /// The hash of the visible tree and the boot, where files whose name `is_aside` count by name
    /// and size. Nothing where a process could find more than that: somebody holds a lock, a file
    /// has two names, or the disk is full or not to be written.
    pub(crate) fn standing(&self, is_aside: impl Fn(&[u8]) -> bool) -> Option<u128> {
        let mut core = self.lock();
        if !core.locks.is_empty() || core.read_only || core.space.is_bounded() {
            return None;
        }
        let (above, known) = layers(&core.top);
        let mut survey = Survey {
            core: &core,
            above,
            known,
            is_aside,
            aside: Vec::new(),
            total: 0,
        };
        survey.add(ROOT, hash::ROOT_PATH, 0)?;
        let (tree, aside) = (survey.total, survey.aside);
        core.aside.extend(aside);
        Some(hash::mix(tree, u128::from(core.boot)))
    }

    /// Whether a file was read that was set aside when [`SimFs::standing`] was asked.
    pub(crate) fn was_aside_read(&self) -> bool {
        self.lock().was_aside_read.get()
    }
}

impl Core {
    /// Notes that a file is read.
    pub(super) fn note_read(&self, inode: u32) {
        if !self.aside.is_empty() && self.aside.contains(&inode) {
            self.was_aside_read.set(true);
        }
    }
}

/// The layers that have no sums, from this one down, and the highest one that has.
fn layers(top: &Layer) -> (Vec<&Layer>, Option<&Layer>) {
    let mut above = Vec::new();
    let mut layer = top;
    while !layer.has_sums {
        above.push(layer);
        match layer.below() {
            Some(below) => layer = below,
            None => return (above, None),
        }
    }
    (above, Some(layer))
}

/// One look at everything.
struct Survey<'c, F> {
    core: &'c Core,
    /// The layers that have no sums, highest first.
    above: Vec<&'c Layer>,
    /// The highest one that has.
    known: Option<&'c Layer>,
    is_aside: F,
    /// The files that are set aside.
    aside: Vec<u32>,
    /// The hash so far.
    total: u128,
}

impl<F: Fn(&[u8]) -> bool> Survey<'_, F> {
    /// Adds what is in a directory.
    fn add(&mut self, directory: u32, path: u128, depth: u32) -> Option<()> {
        if depth > DEPTH_MAX {
            return None;
        }
        let top = &self.core.top;
        let mut is_told = true;
        top.each_entry(directory, |name, inode| {
            let path = hash::path(path, name.hash());
            let content = self.content(name, inode, path, depth);
            is_told &= content.is_some();
            let added = content.map_or(0, |content| hash::named(path, content));
            self.total = self.total.wrapping_add(added);
        });
        is_told.then_some(())
    }

    fn content(&mut self, name: &[u8], inode: u32, path: u128, depth: u32) -> Option<u128> {
        let node = self.core.top.node(inode)?;
        Some(match node.kind {
            NodeKind::Directory => {
                self.add(inode, path, depth + 1)?;
                hash::DIRECTORY
            }
            NodeKind::Special => hash::SPECIAL,
            NodeKind::File if node.names.len() > 1 => return None,
            NodeKind::File if (self.is_aside)(name) => {
                self.aside.push(inode);
                hash::file(0, node.size)
            }
            NodeKind::File if node.size <= SECTOR_BYTES as u64 => self.short(inode, node.size),
            NodeKind::File => hash::file(self.sum(inode), node.size),
        })
    }

    /// The content of a file within one sector: its bytes are hashed sooner than what changed.
    fn short(&self, inode: u32, size: u64) -> u128 {
        let sector = self.core.sectors.get(self.core.top.sector(inode, 0));
        let size = usize::try_from(size).unwrap_or(SECTOR_BYTES);
        xxh3_128(&sector[..size.min(SECTOR_BYTES)])
    }

    /// The sum of a file's sector hashes: that of the highest layer that has sums, and what the
    /// layers above it change.
    fn sum(&self, inode: u32) -> u128 {
        let known = self.known.and_then(|known| known.node(inode));
        let mut sum = known.map_or(0, |node| node.sum);
        let Some(cut) = self
            .nodes(inode, usize::MAX)
            .map(|node| node.below_end)
            .min()
        else {
            return sum;
        };
        for height in 0..self.above.len() {
            let Some(node) = self.node(inode, height) else {
                continue;
            };
            for (number, _) in &node.blocks {
                if !self.has_block(inode, *number, height) {
                    sum = sum.wrapping_add(self.change(inode, *number));
                }
            }
        }
        let known_end = self.known.map_or(0, |known| known.sectors_end(inode));
        for number in cut..known_end.div_ceil(BLOCK_SECTORS) {
            if !self.has_block(inode, number, usize::MAX) {
                sum = sum.wrapping_add(self.change(inode, number));
            }
        }
        sum
    }

    /// What a layer above the known one says of an inode.
    fn node(&self, inode: u32, height: usize) -> Option<&Node> {
        let layer = self.above.get(height)?;
        layer.own_index(inode).map(|index| &layer.nodes[index])
    }

    /// What the first so many layers say of it.
    fn nodes(&self, inode: u32, count: usize) -> impl Iterator<Item = &Node> {
        let heights = 0..count.min(self.above.len());
        heights.filter_map(move |height| self.node(inode, height))
    }

    /// Whether one of the first so many layers has a block of a file.
    fn has_block(&self, inode: u32, number: u32, count: usize) -> bool {
        self.nodes(inode, count)
            .any(|node| node.block(number).is_some())
    }

    /// What one block adds to the sum of its file, less what it added as far as known.
    fn change(&self, inode: u32, number: u32) -> u128 {
        let now = self.core.top.block(inode, number);
        let then = self.known.and_then(|known| known.block(inode, number));
        let mut change = 0_u128;
        for slot in 0..BLOCK_SECTORS {
            let [now, then] = [now, then]
                .map(|block| block.map_or(SectorRef::ZEROS, |block| block[slot as usize]));
            if now != then {
                let number = number * BLOCK_SECTORS + slot;
                change = change
                    .wrapping_add(self.hash(number, now))
                    .wrapping_sub(self.hash(number, then));
            }
        }
        change
    }

    fn hash(&self, number: u32, sector: SectorRef) -> u128 {
        match sector {
            SectorRef::ZEROS => 0,
            sector => hash::sector(u64::from(number), self.core.sectors.get(sector)),
        }
    }
}

#[cfg(test)]
mod tests;
