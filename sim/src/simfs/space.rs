//! Room on the disk: blocks of 4 KiB, counted only where a capacity is set.
//!
//! A write that only overwrites allocated blocks needs none. Names need none, unless asked for:
//! then a new name needs one free block, which it does not keep (a directory block that is full).

use super::errno::error;
use super::layer::{NodeKind, ROOT};
use super::sector::{SECTOR_BYTES, SectorRef};
use super::state::Core;
use super::tear::PAGE_BYTES;
use rustix::io::Errno;
use std::io;

const SECTORS_PER_BLOCK: u32 = 8;

const _: () = assert!(SECTORS_PER_BLOCK as u64 * SECTOR_BYTES as u64 == PAGE_BYTES);

#[derive(Debug, Default)]
pub(crate) struct Space {
    /// Blocks in all; `None` is without end.
    capacity: Option<u64>,
    used: u64,
    pub(crate) names_need_space: bool,
    /// A full disk says `EDQUOT`.
    pub(crate) is_quota: bool,
}

impl Space {
    /// Whether there is not room for everything.
    pub(crate) fn is_bounded(&self) -> bool {
        self.capacity.is_some()
    }
}

impl Core {
    /// Bounds the disk to `bytes`, counting what is there now.
    pub(crate) fn set_capacity(&mut self, bytes: Option<u64>) {
        self.space.capacity = bytes.map(|bytes| bytes / PAGE_BYTES);
        if bytes.is_some() {
            self.space.used = self.used_blocks(ROOT);
        }
    }

    /// Bounds the disk to what is there now and `bytes` more.
    pub(crate) fn set_free_space(&mut self, bytes: u64) {
        self.space.used = self.used_blocks(ROOT);
        self.space.capacity = Some(self.space.used + bytes / PAGE_BYTES);
    }

    fn used_blocks(&self, directory: u32) -> u64 {
        let mut used = 0;
        for (_, inode) in self.top.entries(directory) {
            used += match self.kind(inode) {
                NodeKind::Directory => self.used_blocks(inode),
                NodeKind::File => self.blocks_from(inode, 0),
                NodeKind::Special => 0,
            };
        }
        used
    }

    /// The allocated blocks of a file from the one that holds byte `size` on, or after it.
    fn blocks_from(&self, inode: u32, size: u64) -> u64 {
        let first = u32::try_from(size.div_ceil(PAGE_BYTES)).unwrap_or(u32::MAX);
        let end = self.top.sectors_end(inode).div_ceil(SECTORS_PER_BLOCK);
        (first..end)
            .map(|block| u64::from(self.is_allocated(inode, block)))
            .sum()
    }

    fn is_allocated(&self, inode: u32, block: u32) -> bool {
        let first = block * SECTORS_PER_BLOCK;
        (first..first + SECTORS_PER_BLOCK)
            .any(|sector| self.top.sector(inode, sector) != SectorRef::ZEROS)
    }

    /// Takes the blocks that a write needs; gives the bytes of it that there is room for.
    pub(crate) fn take_space(
        &mut self,
        inode: u32,
        offset: u64,
        count: usize,
    ) -> io::Result<usize> {
        self.require_writable()?;
        let Some(capacity) = self.space.capacity else {
            return Ok(count);
        };
        let end = offset + count as u64;
        let mut block_start = offset / PAGE_BYTES * PAGE_BYTES;
        while block_start < end {
            let block = u32::try_from(block_start / PAGE_BYTES).expect("sizes are bounded");
            if !self.is_allocated(inode, block) {
                if self.space.used >= capacity {
                    let fits = block_start.saturating_sub(offset);
                    return if fits == 0 {
                        Err(self.no_space())
                    } else {
                        Ok(usize::try_from(fits).expect("less than the write"))
                    };
                }
                self.space.used += 1;
            }
            block_start += PAGE_BYTES;
        }
        Ok(count)
    }

    pub(crate) fn require_space_for_name(&self) -> io::Result<()> {
        match self.space.capacity {
            Some(capacity) if self.space.names_need_space && self.space.used >= capacity => {
                Err(self.no_space())
            }
            _ => Ok(()),
        }
    }

    fn no_space(&self) -> io::Error {
        error(if self.space.is_quota {
            Errno::DQUOT
        } else {
            Errno::NOSPC
        })
    }

    /// Gives back the blocks of a file behind `size`, before they are dropped.
    pub(crate) fn give_back(&mut self, inode: u32, size: u64) {
        if self.space.capacity.is_some() {
            let freed = self.blocks_from(inode, size);
            self.space.used = self.space.used.saturating_sub(freed);
        }
    }
}
