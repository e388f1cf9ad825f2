//! Walks the records of a segment by their headers: finds borders and counts, without the bodies.
//!
//! A record of a log has at least one byte: one of length 0 is the mark of a hole, and ends a walk.

use crate::fs::{FsFile, read_up_to};
use crate::records::frame::{Frame, HEADER_BYTES, judge, record_bytes};
use std::io;

/// How much is read at once where so much is there.
const PIECE_BYTES: u64 = 32 * 1024;

/// Where a walk stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Walked {
    /// The border of a record, from the start of the segment.
    pub(super) position: u64,
    /// The records that were passed.
    pub(super) records: u64,
}

/// A walk over one segment's file.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    file: &'a dyn FsFile,
    limit: u64,
    at: Walked,
    buffer: Vec<u8>,
    buffer_start: u64,
}

impl<'a> Walk<'a> {
    /// Begins at `from`, which is a border; what stands at or behind `limit` does not count.
    pub(super) fn new(file: &'a dyn FsFile, from: u64, limit: u64) -> Self {
        Self {
            file,
            limit,
            at: Walked {
                position: from,
                records: 0,
            },
            buffer: Vec::new(),
            buffer_start: 0,
        }
    }

    /// What stands where the walk is; a record is passed.
    ///
    /// # Errors
    /// That of the file.
    pub(super) fn step(&mut self) -> io::Result<Frame> {
        let left = self.limit.saturating_sub(self.at.position);
        if left == 0 {
            return Ok(Frame::End);
        }
        let Some(header) = self.header(left)? else {
            return Ok(Frame::Broken);
        };
        match judge(header, left) {
            Frame::Record { length: 0 } => Ok(Frame::Broken),
            Frame::Record { length } => {
                self.at.position += record_bytes(length);
                self.at.records += 1;
                Ok(Frame::Record { length })
            }
            Frame::End => Ok(Frame::End),
            Frame::Broken => Ok(Frame::Broken),
        }
    }

    /// Passes records until `target` is reached, or none is left before it.
    ///
    /// # Errors
    /// That of the file.
    pub(super) fn to(mut self, target: u64) -> io::Result<Walked> {
        let mut last = self.at;
        while self.at.position < target && matches!(self.step()?, Frame::Record { .. }) {
            if self.at.position <= target {
                last = self.at;
            }
        }
        Ok(last)
    }

    fn header(&mut self, left: u64) -> io::Result<Option<[u8; 4]>> {
        if left < HEADER_BYTES {
            return Ok(None);
        }
        if let Some(header) = self.buffered() {
            return Ok(Some(header));
        }
        let size = usize::try_from(left.min(PIECE_BYTES)).unwrap_or_default();
        self.buffer.resize(size, 0);
        self.buffer_start = self.at.position;
        let count = read_up_to(self.file, self.buffer_start, &mut self.buffer)?;
        self.buffer.truncate(count);
        Ok(self.buffered())
    }

    fn buffered(&self) -> Option<[u8; 4]> {
        let from = self.at.position.checked_sub(self.buffer_start)?;
        let rest = self.buffer.get(usize::try_from(from).ok()?..)?;
        rest.first_chunk().copied()
    }
}

/// As [`Walk::to`], over bytes in memory that begin at a border.
pub(super) fn walk_bytes(bytes: &[u8], target: u64) -> Walked {
    let mut at = Walked {
        position: 0,
        records: 0,
    };
    while let Some(rest) = usize::try_from(at.position)
        .ok()
        .and_then(|from| bytes.get(from..))
    {
        let Some(header) = rest.first_chunk() else {
            break;
        };
        match judge(*header, rest.len() as u64) {
            Frame::Record { length } if length > 0 => {
                let next = at.position + record_bytes(length);
                if next > target {
                    break;
                }
                at.position = next;
                at.records += 1;
            }
            Frame::Record { .. } | Frame::End | Frame::Broken => break,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct InMemory(Vec<u8>);

    impl FsFile for InMemory {
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            let from = usize::try_from(offset).unwrap_or(usize::MAX);
            let rest = self.0.get(from..).unwrap_or_default();
            // Short, to have many pieces.
            let count = rest.len().min(buffer.len()).min(7);
            buffer[..count].copy_from_slice(&rest[..count]);
            Ok(count)
        }
        fn write_at(&self, _: u64, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::Unsupported.into())
        }
        fn size(&self) -> io::Result<u64> {
            Ok(self.0.len() as u64)
        }
        fn set_size(&self, _: u64) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }
        fn sync(&self, _: crate::fs::SyncKind) -> io::Result<()> {
            Ok(())
        }
    }

    fn records(sizes: &[u32]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for size in sizes {
            bytes.extend_from_slice(&size.to_be_bytes());
            bytes.extend(std::iter::repeat_n(0, *size as usize));
        }
        bytes
    }

    fn walked(position: u64, records: u64) -> Walked {
        Walked { position, records }
    }

    #[test]
    fn borders_are_found_and_counted() {
        let bytes = records(&[1, 70_000, 3, 2]);
        let file = InMemory(bytes.clone());
        let size = bytes.len() as u64;
        let to = |target| Walk::new(&file, 0, size).to(target).unwrap_or(walked(9, 9));
        for target in [0, 4, 5, 6, 70_009, 70_015, 70_016, size, size + 9] {
            let expected = match target {
                0..5 => walked(0, 0),
                5..70_009 => walked(5, 1),
                70_009..70_016 => walked(70_009, 2),
                70_016..70_022 => walked(70_016, 3),
                _ => walked(70_022, 4),
            };
            assert_eq!(to(target), expected, "{target}");
            assert_eq!(walk_bytes(&bytes, target), expected, "{target}");
        }
    }

    #[test]
    fn a_hole_a_cut_record_and_the_limit_end_a_walk() {
        for sizes in [&[1, 0, 2][..], &[1, 9]] {
            let mut bytes = records(sizes);
            bytes.truncate(9);
            let file = InMemory(bytes.clone());
            assert_eq!(Walk::new(&file, 0, 9).to(99).ok(), Some(walked(5, 1)));
            assert_eq!(walk_bytes(&bytes, 99), walked(5, 1));
        }
        let file = InMemory(records(&[1, 1]));
        assert_eq!(Walk::new(&file, 0, 9).to(99).ok(), Some(walked(5, 1)));
        assert_eq!(Walk::new(&file, 5, 10).to(99).ok(), Some(walked(10, 1)));
    }
}
