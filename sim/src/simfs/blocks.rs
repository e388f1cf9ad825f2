//! The content of files in a [`Layer`]: blocks of references to sectors.
#![expect(
    clippy::indexing_slicing,
    reason = "hot; indexes come from the tables of the same layer"
)]

use super::layer::{Layer, Node};
use super::sector::{SECTOR_BYTES, SectorRef, Sectors};

/// Small, since the first change of a file in a layer copies a block.
pub(crate) const BLOCK_SECTORS: u32 = 32;

pub(crate) type Block = [SectorRef; BLOCK_SECTORS as usize];

impl Node {
    pub(super) fn block(&self, number: u32) -> Option<usize> {
        // Files are dense nearly always: then a block stands at its number.
        if let Some((found, index)) = self.blocks.get(number as usize)
            && *found == number
        {
            return Some(*index as usize);
        }
        let at = self
            .blocks
            .binary_search_by_key(&number, |(found, _)| *found)
            .ok()?;
        Some(self.blocks[at].1 as usize)
    }
}

impl Layer {
    /// The references of one block of a file; `None` where all of it is a hole.
    pub(crate) fn block(&self, inode: u32, number: u32) -> Option<&Block> {
        let mut layer = self;
        loop {
            if let Some(index) = layer.own_index(inode) {
                let node = &layer.nodes[index];
                if let Some(block) = node.block(number) {
                    return Some(&layer.blocks[block]);
                }
                if number >= node.below_end {
                    return None;
                }
            }
            layer = layer.below.as_deref()?;
        }
    }

    /// The bytes of one sector of a file.
    pub(crate) fn sector(&self, inode: u32, sector: u32) -> SectorRef {
        self.block(inode, sector / BLOCK_SECTORS)
            .map_or(SectorRef::ZEROS, |block| {
                block[(sector % BLOCK_SECTORS) as usize]
            })
    }

    /// Where the file's sectors end that may be something else than holes.
    pub(crate) fn sectors_end(&self, inode: u32) -> u32 {
        self.node(inode).map_or(0, |node| {
            u32::try_from(node.size.div_ceil(SECTOR_BYTES as u64)).unwrap_or(u32::MAX)
        })
    }

    /// Lets `count` sectors of a file have the bytes at `first` and following.
    pub(crate) fn set_sectors(&mut self, inode: u32, sector: u32, count: u32, first: SectorRef) {
        let mut done = 0;
        while done < count {
            let at = sector + done;
            let start = (at % BLOCK_SECTORS) as usize;
            let block = self.block_to_write(inode, at / BLOCK_SECTORS);
            for slot in &mut self.blocks[block][start..] {
                if done == count {
                    break;
                }
                *slot = first.plus(done);
                done += 1;
            }
        }
    }

    /// The reference of one sector of a file, to be replaced.
    pub(crate) fn slot(&mut self, inode: u32, sector: u32) -> &mut SectorRef {
        let block = self.block_to_write(inode, sector / BLOCK_SECTORS);
        &mut self.blocks[block][(sector % BLOCK_SECTORS) as usize]
    }

    /// The index of a block that this layer owns, copied up if it does not yet.
    fn block_to_write(&mut self, inode: u32, number: u32) -> usize {
        self.touch(inode);
        let index = self.own_index(inode).expect("it was just touched");
        if let Some(block) = self.nodes[index].block(number) {
            return block;
        }
        let refs = self
            .block(inode, number)
            .copied()
            .unwrap_or([SectorRef::ZEROS; BLOCK_SECTORS as usize]);
        let block = if let Some(free) = self.blocks_free.pop() {
            self.blocks[free as usize] = refs;
            free
        } else {
            self.blocks.push(refs);
            u32::try_from(self.blocks.len() - 1).expect("an arena has fewer sectors than that")
        };
        let table = &mut self.nodes[index].blocks;
        let at = table.partition_point(|(found, _)| *found < number);
        table.insert(at, (number, block));
        block as usize
    }

    /// Drops all bytes of a file from `size` on. The size itself stays as it is.
    pub(crate) fn cut(&mut self, inode: u32, size: u64, sectors: &mut Sectors) {
        let first_gone =
            u32::try_from(size.div_ceil(SECTOR_BYTES as u64)).expect("sizes are bounded by EFBIG");
        let (number, start) = (
            first_gone / BLOCK_SECTORS,
            (first_gone % BLOCK_SECTORS) as usize,
        );
        if start > 0 && self.block(inode, number).is_some() {
            let block = self.block_to_write(inode, number);
            self.blocks[block][start..].fill(SectorRef::ZEROS);
        }
        let whole_end = number + u32::from(start > 0);
        let node = self.touch(inode);
        node.below_end = node.below_end.min(whole_end);
        let keep = node.blocks.partition_point(|(found, _)| *found < whole_end);
        let index = self.own_index(inode).expect("it was just touched");
        for (_, block) in self.nodes[index].blocks.drain(keep..) {
            self.blocks_free.push(block);
        }
        let tail = usize::try_from(size % SECTOR_BYTES as u64).expect("less than a sector");
        let sector = first_gone.saturating_sub(1);
        let old = self.sector(inode, sector);
        let zeros = [0; SECTOR_BYTES];
        if tail > 0 && sectors.get(old)[tail..] != zeros[tail..] {
            let new = sectors.push_patched(old, tail, &zeros[tail..]);
            self.set_sectors(inode, sector, 1, new);
        }
    }

    /// Drops what is kept for a file that nobody can reach any more.
    pub(crate) fn release(&mut self, inode: u32) {
        let node = self.touch(inode);
        node.below_end = 0;
        node.size = 0;
        let index = self.own_index(inode).expect("it was just touched");
        for (_, block) in self.nodes[index].blocks.drain(..) {
            self.blocks_free.push(block);
        }
    }
}
