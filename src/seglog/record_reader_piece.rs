//! A piece of a file in memory, and the records in it.
//!
//! Invariant: the buffer holds the bytes of the file from `start` on, and none at or behind the
//! limit of the call that read them.

use super::options::BODY_BYTES_MAX;
use crate::fs::{FsFile, read_up_to};
use crate::records::frame::{self, Frame, HEADER_BYTES, record_bytes};
use std::io;

/// How much is read at once where so much is there.
const PIECE_BYTES: u64 = 128 * 1024;

/// The last bytes that were read from a file.
#[derive(Debug, Default)]
pub(super) struct Piece {
    buffer: Vec<u8>,
    start: u64,
    filled: usize,
}

impl Piece {
    /// Nothing is known of the file any more.
    pub(super) fn forget(&mut self) {
        self.filled = 0;
    }

    /// What stands at `position`, where the segment ends at `limit`; after `Record`,
    /// [`Piece::bytes`] has its bytes. An empty body and one that is too large to be one are
    /// broken.
    pub(super) fn frame_at(
        &mut self,
        file: &dyn FsFile,
        position: u64,
        limit: u64,
    ) -> io::Result<Frame> {
        let left = limit.saturating_sub(position);
        if left == 0 {
            return Ok(Frame::End);
        }
        if left < HEADER_BYTES || !self.load(file, position, HEADER_BYTES, limit)? {
            return Ok(Frame::Broken);
        }
        let Some(header) = self.from(position).first_chunk() else {
            return Ok(Frame::Broken);
        };
        match frame::judge(*header, left) {
            Frame::Record { length } if (1..=BODY_BYTES_MAX).contains(&length) => {
                let is_whole = self.load(file, position, record_bytes(length), limit)?;
                Ok(if is_whole {
                    Frame::Record { length }
                } else {
                    Frame::Broken
                })
            }
            Frame::Record { .. } | Frame::Broken => Ok(Frame::Broken),
            Frame::End => Ok(Frame::End),
        }
    }

    /// So many bytes from `position` on, if all of them are in memory.
    #[inline]
    pub(super) fn bytes(&self, position: u64, size: u64) -> Option<&[u8]> {
        self.from(position).get(..usize::try_from(size).ok()?)
    }

    /// Sees to it that so many bytes from `position` on are in memory; whether the file has them.
    /// They lie before `limit`.
    pub(super) fn load(
        &mut self,
        file: &dyn FsFile,
        position: u64,
        size: u64,
        limit: u64,
    ) -> io::Result<bool> {
        if self.bytes(position, size).is_some() {
            return Ok(true);
        }
        let wanted = size.max(PIECE_BYTES.min(limit.saturating_sub(position)));
        // A header that claims more than the file has costs no memory.
        let wanted = if wanted > PIECE_BYTES {
            wanted.min(file.size()?.saturating_sub(position))
        } else {
            wanted
        };
        if wanted < size {
            return Ok(false);
        }
        let wanted = usize::try_from(wanted).map_err(|_| io::ErrorKind::OutOfMemory)?;
        self.filled = 0;
        if self.buffer.len() < wanted {
            self.buffer.resize(wanted, 0);
        }
        let room = self.buffer.get_mut(..wanted).unwrap_or_default();
        self.filled = read_up_to(file, position, room)?;
        self.start = position;
        Ok(self.filled as u64 >= size)
    }

    #[inline]
    fn from(&self, position: u64) -> &[u8] {
        let from = position.checked_sub(self.start);
        from.and_then(|from| usize::try_from(from).ok())
            .and_then(|from| self.buffer.get(from..self.filled))
            .unwrap_or_default()
    }
}
