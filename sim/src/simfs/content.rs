//! Calls on the bytes of a file: read, write, size, sync.

use super::blocks::BLOCK_SECTORS;
use super::effect::{Data, EffectKind, Size, Sync, SyncOutcome};
use super::errno::error;
use super::layer::NodeKind;
use super::sector::{SECTOR_BYTES, SectorRef};
use super::state::Core;
use super::tear::{PAGE_BYTES, pieces};
use rustix::io::Errno;
use std::io;

const SECTOR: u64 = SECTOR_BYTES as u64;

/// The size that no file exceeds: sectors have 32-bit numbers, and one is kept free.
const FILE_BYTES_MAX: u64 = (u32::MAX as u64 - 1) * SECTOR;

impl Core {
    pub(crate) fn size(&self, inode: u32) -> u64 {
        self.top.node(inode).map_or(0, |node| node.size)
    }

    /// Copies bytes of the file and says how many there were.
    pub(crate) fn read(&self, inode: u32, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if i64::try_from(offset).is_err() {
            return Err(error(Errno::INVAL));
        }
        self.note_read(inode);
        let left = self.size(inode).saturating_sub(offset);
        let count = usize::try_from(left)
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        let mut at = offset;
        let mut rest = buffer.get_mut(..count).unwrap_or_default();
        while !rest.is_empty() {
            let number = sector_number(at);
            let block = self.top.block(inode, number / BLOCK_SECTORS);
            let mut slot = number % BLOCK_SECTORS;
            while slot < BLOCK_SECTORS && !rest.is_empty() {
                let start = in_sector(at);
                let (now, later) = rest.split_at_mut(rest.len().min(SECTOR_BYTES - start));
                let sector = block
                    .and_then(|block| block.get(slot as usize))
                    .map_or(SectorRef::ZEROS, |sector| *sector);
                let bytes = self.sectors.get(sector).get(start..start + now.len());
                now.copy_from_slice(bytes.expect("a part of one sector"));
                at += now.len() as u64;
                rest = later;
                slot += 1;
            }
        }
        Ok(count)
    }

    /// Writes as many of the bytes as there is room for, and says how many.
    pub(crate) fn write(&mut self, inode: u32, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        let end = offset
            .checked_add(bytes.len() as u64)
            .filter(|end| i64::try_from(*end).is_ok());
        if end.is_none() {
            return Err(error(Errno::INVAL));
        }
        if offset >= FILE_BYTES_MAX {
            return Err(error(Errno::FBIG));
        }
        let most = usize::try_from(FILE_BYTES_MAX - offset).unwrap_or(usize::MAX);
        let count = self.take_space(inode, offset, bytes.len().min(most))?;
        let bytes = bytes.get(..count).unwrap_or_default();
        let end = offset + count as u64;
        pieces(offset, end, self.tearing, |piece| {
            let start = offset.max(piece.first * SECTOR);
            let stop = end.min(piece.end * SECTOR);
            let part = bytes
                .get(distance(offset, start)..distance(offset, stop))
                .expect("pieces lie within the write");
            self.write_piece(inode, start, part, piece.size_step, end);
        });
        Ok(count)
    }

    fn write_piece(&mut self, inode: u32, start: u64, bytes: &[u8], size_step: bool, last: u64) {
        let sector = sector_number(start);
        let stop = start + bytes.len() as u64;
        let count = sector_number(stop.next_multiple_of(SECTOR)) - sector;
        let first = if count == 1 && bytes.len() < SECTOR_BYTES {
            let slot = self.top.slot(inode, sector);
            *slot = self.sectors.push_patched(*slot, in_sector(start), bytes);
            *slot
        } else {
            let first = self.push_sectors(inode, start, bytes);
            self.top.set_sectors(inode, sector, count, first);
            first
        };
        let from = self.size(inode);
        let grows = size_step && stop > from;
        let ends_page = stop.is_multiple_of(PAGE_BYTES) || stop == last;
        self.record(
            grows || !ends_page,
            EffectKind::Data(Data {
                file: inode,
                sector,
                count,
                bytes: first,
                start,
                end: stop,
                visible: stop.max(from),
            }),
        );
        if grows {
            self.top.touch(inode).size = stop;
            self.record(
                false,
                EffectKind::Size(Size {
                    file: inode,
                    from,
                    to: stop,
                    written: true,
                }),
            );
        }
    }

    /// Stores the whole sectors that the bytes at `start` fall into.
    fn push_sectors(&mut self, inode: u32, start: u64, bytes: &[u8]) -> SectorRef {
        let mut first = None;
        let (mut at, mut rest) = (start, bytes);
        while !rest.is_empty() {
            let in_first = in_sector(at);
            let whole = rest.len() / SECTOR_BYTES * SECTOR_BYTES;
            let count = if in_first == 0 && whole > 0 {
                whole
            } else {
                rest.len().min(SECTOR_BYTES - in_first)
            };
            let (now, later) = rest.split_at(count);
            let pushed = if in_first == 0 && whole > 0 {
                self.sectors.push(now)
            } else {
                let old = self.top.sector(inode, sector_number(at));
                self.sectors.push_patched(old, in_first, now)
            };
            first.get_or_insert(pushed);
            at += count as u64;
            rest = later;
        }
        first.expect("a write is not empty")
    }

    pub(crate) fn set_size(&mut self, inode: u32, size: u64) -> io::Result<()> {
        if i64::try_from(size).is_err() {
            return Err(error(Errno::INVAL));
        }
        if size > FILE_BYTES_MAX {
            return Err(error(Errno::FBIG));
        }
        let from = self.size(inode);
        if size == from {
            return Ok(());
        }
        if size < from {
            self.give_back(inode, size);
            self.top.cut(inode, size, &mut self.sectors);
        }
        self.top.touch(inode).size = size;
        self.record(
            false,
            EffectKind::Size(Size {
                file: inode,
                from,
                to: size,
                written: false,
            }),
        );
        Ok(())
    }

    pub(crate) fn sync(&mut self, inode: u32, outcome: SyncOutcome) {
        let is_directory = self.kind(inode) == NodeKind::Directory;
        self.record(
            false,
            EffectKind::Sync(Sync {
                inode,
                is_directory,
                outcome,
            }),
        );
    }
}

/// The number of the sector that holds a byte.
pub(crate) fn sector_number(offset: u64) -> u32 {
    u32::try_from(offset / SECTOR).expect("file sizes are bounded by FILE_BYTES_MAX")
}

fn in_sector(offset: u64) -> usize {
    distance(0, offset % SECTOR)
}

fn distance(from: u64, to: u64) -> usize {
    usize::try_from(to - from).expect("a distance within a buffer")
}
