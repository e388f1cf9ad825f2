//! What recovery decides, as a value: read from the files, nothing written yet.

use super::error::Loss;
use super::frame_reader::FrameReader;
use super::meta::Note;
use super::position::Position;
use crate::fs::FsFile;
use crate::records::sums::Entry;
use std::collections::VecDeque;

/// Bytes that are not delivered and are to be quarantined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reject {
    pub(super) segment: u64,
    pub(super) from: u64,
    /// The end of the segment's file; an empty range is an empty file.
    pub(super) to: u64,
}

/// Bytes that are delivered, but may not be durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) segment: u64,
    pub(super) from: u64,
    pub(super) to: u64,
    /// Whether they must be written again before a sync of them means anything.
    pub(super) rewrite: bool,
}

/// The files of the segment in which the log ends, as far as recovery opened them.
#[derive(Debug)]
pub(super) struct Tail {
    pub(super) segment: u64,
    pub(super) reader: FrameReader,
    /// The sums, and their size.
    pub(super) sums: Option<(Box<dyn FsFile>, u64)>,
}

/// What the files say.
#[derive(Debug, Default)]
pub(super) struct Recovery {
    /// The next message to deliver.
    pub(super) read: Position,
    /// The end of what is delivered.
    pub(super) end: Position,
    pub(super) depth: u64,
    /// It was counted by lengths, whatever the sums say.
    pub(super) is_depth_counted: bool,
    /// Segments to be read or removed, ascending.
    pub(super) segments: VecDeque<u64>,
    /// Segments that end before their files do, and where.
    pub(super) ends: Vec<(u64, u64)>,
    pub(super) rejects: Vec<Reject>,
    pub(super) losses: Vec<Loss>,
    /// The note of the meta; without one everything is to be noted anew.
    pub(super) note: Option<Note>,
    /// The meta is damaged, or counts as damaged.
    pub(super) is_meta_damaged: bool,
    /// Whether the note is of this boot, or might be.
    pub(super) may_be_this_boot: bool,
    pub(super) spans: Vec<Span>,
    pub(super) tail: Option<Tail>,
    /// Bytes of the last segment's sums that are right and belong to kept records.
    pub(super) sums_bytes: u64,
    /// So many of them are durable for sure.
    pub(super) sums_durable: u64,
    /// The sums of kept records at the end of the last segment that are not in its file.
    pub(super) entries: Vec<Entry>,
    /// The segment whose sums tell of records that are known to be lost, and where it ends.
    pub(super) short: Option<(u64, u64)>,
    /// Whether writing must go on in a new segment.
    pub(super) needs_new_segment: bool,
    /// The number of that segment.
    pub(super) next_segment: u64,
}

impl Recovery {
    /// The first segment from `number` on.
    pub(super) fn segment_from(&self, number: u64) -> Option<u64> {
        let at = self.segments.partition_point(|segment| *segment < number);
        self.segments.get(at).copied()
    }
}

/// Where `segment` ends, if before its file does.
pub(super) fn end_of(ends: &[(u64, u64)], segment: u64) -> Option<u64> {
    ends.iter()
        .find(|(number, _)| *number == segment)
        .map(|(_, end)| *end)
}

/// The runs of numbers in `from..until` that `segments` (ascending) does not have.
pub(super) fn missing_runs(segments: &VecDeque<u64>, from: u64, until: u64) -> Vec<(u64, u64)> {
    let mut runs = Vec::new();
    let mut next = from;
    for segment in segments.iter().copied().filter(|number| *number >= from) {
        if segment >= until {
            break;
        }
        if next < segment {
            runs.push((next, segment));
        }
        next = segment + 1;
    }
    if next < until {
        runs.push((next, until));
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_numbers_come_in_runs() {
        let segments = VecDeque::from([1, 2, 5, 9]);
        assert_eq!(missing_runs(&segments, 1, 3), []);
        assert_eq!(missing_runs(&segments, 0, 9), [(0, 1), (3, 5), (6, 9)]);
        assert_eq!(missing_runs(&segments, 6, 8), [(6, 8)]);
        assert_eq!(
            missing_runs(&segments, 7, 1_000_000),
            [(7, 9), (10, 1_000_000)]
        );
        assert_eq!(missing_runs(&VecDeque::new(), 0, 0), []);
    }
}
