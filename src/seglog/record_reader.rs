//! Goes over the records of a log from any boundary on, never at or behind the end it is given.
//!
//! What stands at a place is judged as `corpus/formats/diskqueue.md` says under "Reading": sums
//! vouch for records; what they do not vouch for ends its segment. A segment that is missing or too
//! short is passed to the next one whose start is known.

use super::error::{Error, Loss, LossKind};
use super::position::Position;
use super::quirks::Quirk;
use super::record_reader_piece::Piece;
use super::record_reader_starts::{SegmentStart, Segments};
use super::record_reader_sums::{Generations, SumsReader};
use super::store::Store;
use crate::fs::FsFile;
use crate::records::frame::{Frame, HEADER_BYTES, record_bytes};

/// What stands at a place.
#[derive(Debug)]
pub(super) enum Step {
    /// A message.
    Record(Record),
    /// What lies before this place, where reading goes on, is lost.
    Lost(Position, Loss),
    /// The end that was given.
    End,
}

/// A record that was found and checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Record {
    /// Where it stands.
    pub(super) at: Position,
    /// The place behind it, in the next segment where this one ends there.
    pub(super) next: Position,
}

/// Goes over records.
#[derive(Debug)]
pub(super) struct RecordReader {
    pub(super) segments: Segments,
    open: Option<OpenSegment>,
    piece: Piece,
}

#[derive(Debug)]
struct OpenSegment {
    number: u64,
    file: Box<dyn FsFile>,
    sums: SumsReader,
    /// Where it ends, once it is known to be finished.
    finish: Option<Finish>,
}

#[derive(Debug, Clone, Copy)]
struct Finish {
    /// Bytes up to which there are records.
    limit: u64,
    /// Where the next one starts, where that is known.
    next: Option<SegmentStart>,
}

enum Found {
    /// A message of so many bytes.
    Record(u64),
    /// One that is lost, its size being known.
    Damaged(u64),
    /// Nothing can be told up to the end of the segment.
    Rest,
    /// The segment ends here, as it should.
    End,
}

impl RecordReader {
    /// Reads the log of `store`; sums count if their generation is one of `generations`.
    pub(super) fn new(store: Store, generations: Generations) -> Self {
        Self {
            segments: Segments { store, generations },
            open: None,
            piece: Piece::default(),
        }
    }

    /// Forgets everything that was read, and opens files anew.
    pub(super) fn forget(&mut self) {
        if !self.segments.store.has(Quirk::ReadAheadKept) {
            self.let_go();
        }
    }

    fn let_go(&mut self) {
        self.open = None;
        self.piece.forget();
    }

    /// From now on sums of other generations count.
    pub(super) fn set_generations(&mut self, generations: Generations) {
        self.segments.generations = generations;
        self.forget();
    }

    /// The end that is given from now on lies farther than before: files may have grown.
    pub(super) fn end_moved(&mut self) {
        if let Some(open) = &mut self.open {
            open.sums.look_again();
        }
    }

    /// The body of the record that was found last.
    pub(super) fn body(&self, record: &Record) -> &[u8] {
        let bytes = record.next.offset - record.at.offset - HEADER_BYTES;
        let body = self.piece.bytes(record.at.position + HEADER_BYTES, bytes);
        body.unwrap_or_default()
    }

    /// All bytes of the record that was found last.
    pub(super) fn whole(&self, record: &Record) -> &[u8] {
        let bytes = record.next.offset - record.at.offset;
        let whole = self.piece.bytes(record.at.position, bytes);
        whole.unwrap_or_default()
    }

    /// What stands at `at`, a boundary, where the log ends at `end`.
    ///
    /// # Errors
    /// That of the filesystem; nothing changed.
    pub(super) fn step(&mut self, at: Position, end: &Position) -> Result<Step, Error> {
        let mut at = at;
        while at.offset < end.offset {
            if at.segment > end.segment || !self.open_segment(at)? {
                match self.pass_rest(at, end)? {
                    (next, _) if next.offset == at.offset => at = next,
                    (next, loss) => return Ok(Step::Lost(next, loss)),
                }
                continue;
            }
            match self.judge(at, end)? {
                Found::Record(bytes) => {
                    let next = self.settled(at.moved(bytes, 1), end);
                    return Ok(Step::Record(Record { at, next }));
                }
                Found::Damaged(bytes) => {
                    let path = self.segments.store.paths.segment(at.segment);
                    let loss = Loss::new(LossKind::Damaged, &path, at.position, bytes).of(1);
                    let next = self.settled(at.moved(bytes, 1), end);
                    return Ok(Step::Lost(next, loss));
                }
                Found::End => at = at.in_next_segment(),
                Found::Rest => match self.pass_rest(at, end)? {
                    (next, _) if next.offset == at.offset => at = next,
                    (next, loss) => return Ok(Step::Lost(next, loss)),
                },
            }
        }
        Ok(Step::End)
    }

    /// The form in which `at` is told: the end of a finished segment is the start of the next.
    ///
    /// # Errors
    /// That of the filesystem.
    pub(super) fn canonical(&self, at: Position, end: &Position) -> Result<Position, Error> {
        if at.is_same_place(end) {
            return Ok(*end);
        }
        if at.position == 0 || at.segment >= end.segment {
            return Ok(at);
        }
        let size = self.segments.size(at.segment)?;
        let start = at.segment_offset();
        let is_finished = size == Some(at.position)
            && self
                .segments
                .next_start(at.segment, start, size, end)?
                .is_none_or(|next| next.offset == at.offset);
        Ok(if is_finished {
            at.in_next_segment()
        } else {
            at
        })
    }

    fn open_segment(&mut self, at: Position) -> Result<bool, Error> {
        let number = at.segment;
        if self.open.as_ref().is_some_and(|open| open.number == number) {
            return Ok(true);
        }
        self.let_go();
        let Some(file) = self
            .segments
            .store
            .find(&self.segments.store.paths.segment(number))?
        else {
            return Ok(false);
        };
        let sums = if self.segments.generations.is_empty() {
            None
        } else {
            self.segments
                .store
                .find(&self.segments.store.paths.sums(number))?
        };
        self.open = Some(OpenSegment {
            number,
            file,
            sums: SumsReader::new(sums, number, self.segments.generations.clone()),
            finish: None,
        });
        Ok(true)
    }

    /// Judges what stands at `at` in the segment that is open.
    fn judge(&mut self, at: Position, end: &Position) -> Result<Found, Error> {
        let limit = self.limit(at, end)?;
        let Some(open) = &mut self.open else {
            return Ok(Found::Rest);
        };
        let paths = &self.segments.store.paths;
        let frame = self
            .piece
            .frame_at(open.file.as_ref(), at.position, limit)
            .map_err(|error| Error::io("read", &paths.segment(at.segment), error))?;
        let known = open
            .sums
            .entry_at(at.position)
            .map_err(|error| Error::io("read", &paths.sums(at.segment), error))?;
        let left = u64::min(limit.saturating_sub(at.position), end.offset - at.offset);
        let salt = open.sums.salt();
        let mut sound = None;
        if let Frame::Record { length } = frame
            && let bytes = record_bytes(length)
            && bytes <= left
            && let Some(record) = self.piece.bytes(at.position, bytes)
        {
            if known.is_none_or(|entry| salt.agrees(entry, at.position, record)) {
                return Ok(Found::Record(bytes));
            }
            sound = Some(bytes);
        }
        if let Some(entry) = known {
            let size = record_bytes(entry.length);
            // An older copy of the sums has those of records that were cut since.
            let was_cut = self.segments.was_cut(salt.generation(), at.offset + size)?;
            match sound.filter(|_| was_cut) {
                Some(bytes) => return Ok(Found::Record(bytes)),
                None if size <= left && !was_cut => return Ok(Found::Damaged(size)),
                None => {}
            }
        }
        let is_right_end = frame == Frame::End
            && open
                .finish
                .is_some_and(|finish| finish.next.is_none_or(|next| next.offset == at.offset));
        let is_end = is_right_end && at.segment < end.segment;
        Ok(if is_end { Found::End } else { Found::Rest })
    }

    /// How far there are records in the segment that is open.
    fn limit(&mut self, at: Position, end: &Position) -> Result<u64, Error> {
        let Some(open) = &mut self.open else {
            return Ok(0);
        };
        if at.segment >= end.segment {
            return Ok(end.position);
        }
        if let Some(finish) = open.finish {
            return Ok(finish.limit);
        }
        let path = self.segments.store.paths.segment(at.segment);
        let size = open
            .file
            .size()
            .map_err(|error| Error::io("stat", &path, error))?;
        let start = at.segment_offset();
        let next = self
            .segments
            .next_start(at.segment, start, Some(size), end)?;
        let limit = next.map_or(size, |next| size.min(next.offset - start));
        open.finish = Some(Finish { limit, next });
        Ok(limit)
    }

    /// `next` in the next segment, where the one that is open ends there as it should.
    fn settled(&self, next: Position, end: &Position) -> Position {
        if next.offset == end.offset {
            return if next.count == end.count { *end } else { next };
        }
        let finish = self.open.as_ref().and_then(|open| open.finish);
        let is_finished = finish.is_some_and(|finish| {
            finish.limit == next.position
                && finish.next.is_none_or(|start| start.offset == next.offset)
        });
        if is_finished {
            next.in_next_segment()
        } else {
            next
        }
    }
}
