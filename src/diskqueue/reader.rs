//! The read end: where the next message is, and the segment that holds it.

use super::frame_reader::FrameReader;
use super::position::Position;
use super::sums_reader::SumsReader;
use super::writer::Writer;
use crate::records::frame::record_bytes;

/// A record that was found, checked and not passed yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Located {
    pub(super) offset: u64,
    pub(super) length: u32,
    /// In the writer's memory, not in the segment's buffer.
    pub(super) is_in_memory: bool,
}

#[derive(Debug)]
pub(super) struct Reader {
    position: Position,
    located: Option<Located>,
    /// The segment that is open.
    pub(super) segment: Option<u64>,
    pub(super) frames: FrameReader,
    pub(super) sums: SumsReader,
}

impl Reader {
    pub(super) fn new(position: Position) -> Self {
        Self {
            position,
            located: None,
            segment: None,
            frames: FrameReader::default(),
            sums: SumsReader::none(),
        }
    }

    pub(super) fn position(&self) -> Position {
        self.position
    }

    pub(super) fn located(&self) -> Option<Located> {
        self.located
    }

    pub(super) fn set_located(&mut self, located: Located) -> Located {
        self.located = Some(located);
        located
    }

    /// The bytes of memory that a located record may lie in are about to go.
    pub(super) fn forget_memory(&mut self) {
        self.located = self.located.filter(|located| !located.is_in_memory);
    }

    /// The next record, where it and its sum are in memory and both agree: so it is with nearly
    /// all of them. What is buffered of a segment is durable and within its end.
    #[inline]
    pub(super) fn next_buffered(&mut self) -> Option<Located> {
        let Position { segment, offset } = self.position;
        if self.segment != Some(segment) || self.located.is_some() {
            return None;
        }
        let entry = self.sums.next_loaded(offset)?;
        let record = self.frames.buffered(offset, record_bytes(entry.length))?;
        let is_right = record.first_chunk() == Some(&entry.length.to_be_bytes())
            && self.sums.salt().sum(offset, record) == entry.sum;
        is_right.then_some(Located {
            offset,
            length: entry.length,
            is_in_memory: false,
        })
    }

    /// Goes behind a record.
    pub(super) fn pass(&mut self, located: Located) {
        self.located = None;
        self.position.offset = located.offset + record_bytes(located.length);
    }

    /// Goes elsewhere; another segment is closed first.
    pub(super) fn move_to(&mut self, position: Position) {
        self.located = None;
        self.position = position;
        if self.segment != Some(position.segment) {
            self.close();
        }
    }

    /// The segment grew: if it is the open one, it may be read up to here.
    pub(super) fn extend(&mut self, segment: u64, limit: u64, sums_bytes: u64) {
        if self.segment == Some(segment) && self.frames.limit() < limit {
            self.frames.extend_to(limit);
            self.sums.extend_to(sums_bytes);
        }
    }

    /// Lets go of the files.
    pub(super) fn close(&mut self) {
        self.located = None;
        self.segment = None;
        self.frames.close();
        self.sums.close();
    }

    /// The body of a located record, which may be passed already.
    pub(super) fn body<'a>(&'a self, located: Located, writer: &'a Writer) -> &'a [u8] {
        let record = if located.is_in_memory {
            writer.record(located.offset, located.length)
        } else {
            self.frames.record(located.offset, located.length)
        };
        let Some((_, body)) = record.split_first_chunk::<4>() else {
            unreachable!("a located record is where it was located until it is passed")
        };
        body
    }
}
