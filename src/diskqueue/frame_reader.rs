//! Reads the records of one segment in large pieces.
//!
//! Invariant: the buffer's first `filled` bytes are those of the file from `start` on; nothing at
//! or beyond `limit` is ever read.

use crate::fs::{FsFile, read_up_to};
use crate::records::frame::{self, Frame, HEADER_BYTES, record_bytes};
use std::io;

/// How much is read at first, and at once later on, where so much is there: many segments are only
/// looked into.
const PIECE_BYTES_FIRST: u64 = 4 * 1024;
const PIECE_BYTES_MAX: u64 = 128 * 1024;

/// A segment open for reading.
#[derive(Debug, Default)]
pub(super) struct FrameReader {
    file: Option<Box<dyn FsFile>>,
    limit: u64,
    /// How much is read next.
    piece_bytes: u64,
    buffer: Vec<u8>,
    start: u64,
    filled: usize,
}

impl FrameReader {
    /// Reads `file` up to `limit` from now on.
    pub(super) fn open(&mut self, file: Box<dyn FsFile>, limit: u64) {
        self.file = Some(file);
        self.limit = limit;
        self.piece_bytes = PIECE_BYTES_FIRST;
        self.filled = 0;
    }

    /// Lets go of the file.
    pub(super) fn close(&mut self) {
        self.file = None;
        self.filled = 0;
    }

    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    /// The file grew: it may be read up to here. What was read stays right, since bytes below a
    /// limit never change.
    pub(super) fn extend_to(&mut self, limit: u64) {
        debug_assert!(self.limit <= limit, "a limit only grows");
        self.limit = limit;
    }

    pub(super) fn file(&self) -> Option<&dyn FsFile> {
        self.file.as_deref()
    }

    /// What stands at `offset`; after `Record`, [`FrameReader::record`] has its bytes.
    ///
    /// # Errors
    /// That of the file.
    pub(super) fn at(&mut self, offset: u64) -> io::Result<Frame> {
        let left = self.limit.saturating_sub(offset);
        if left == 0 {
            return Ok(Frame::End);
        }
        if left < HEADER_BYTES {
            return Ok(Frame::Broken);
        }
        if (self.rest(offset).len() as u64) < HEADER_BYTES {
            self.fill(offset, HEADER_BYTES)?;
        }
        let rest = self.rest(offset);
        // A file that shrank while it was read has no record here.
        let Some(header) = rest.first_chunk() else {
            return Ok(Frame::Broken);
        };
        let found = frame::judge(*header, left);
        if let Frame::Record { length } = found {
            let size = record_bytes(length);
            if (rest.len() as u64) < size {
                self.fill(offset, size)?;
                if (self.rest(offset).len() as u64) < size {
                    return Ok(Frame::Broken);
                }
            }
        }
        Ok(found)
    }

    /// The bytes of the record that was found at `offset`, its header first.
    #[inline]
    pub(super) fn record(&self, offset: u64, length: u32) -> &[u8] {
        self.buffered(offset, record_bytes(length))
            .unwrap_or_default()
    }

    /// The bytes from `from` to `to`, if they were read in one piece.
    pub(super) fn bytes(&self, from: u64, to: u64) -> Option<&[u8]> {
        self.buffered(from, to.checked_sub(from)?)
    }

    /// The file.
    pub(super) fn into_file(self) -> Option<Box<dyn FsFile>> {
        self.file
    }

    /// So many bytes from `offset` on, if all of them are buffered.
    #[inline]
    pub(super) fn buffered(&self, offset: u64, size: u64) -> Option<&[u8]> {
        self.rest(offset).get(..usize::try_from(size).ok()?)
    }

    /// What is buffered from `offset` on.
    #[inline]
    fn rest(&self, offset: u64) -> &[u8] {
        let from = offset.checked_sub(self.start);
        let from = from.and_then(|from| usize::try_from(from).ok());
        from.and_then(|from| self.buffer.get(from..self.filled))
            .unwrap_or_default()
    }

    /// Reads from `offset` on, at least `needed` bytes if the file has them. What is buffered from
    /// there on is not read again.
    fn fill(&mut self, offset: u64, needed: u64) -> io::Result<()> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let wanted = needed.max(self.piece_bytes.min(self.limit - offset));
        self.piece_bytes = (4 * self.piece_bytes).min(PIECE_BYTES_MAX);
        let wanted = usize::try_from(wanted).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let kept = self.rest(offset).len();
        debug_assert!(kept < wanted, "what is buffered is not asked for");
        self.buffer.copy_within(self.filled - kept..self.filled, 0);
        self.filled = kept;
        self.start = offset;
        if self.buffer.len() < wanted {
            self.buffer.resize(wanted, 0);
        }
        let room = self.buffer.get_mut(kept..wanted).unwrap_or_default();
        self.filled += read_up_to(file.as_ref(), offset + kept as u64, room)?;
        Ok(())
    }
}
