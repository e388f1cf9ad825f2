//! What recovery decides, as a value: read from the files, nothing written yet.
//!
//! | row | meta | records up to the durable end | behind it |
//! |---|---|---|---|
//! | R1 | noted, `closed` | kept | nothing is kept |
//! | R2 | noted, `cutting` | kept | nothing is kept |
//! | R3 | noted, `moving` | kept; missing segments are no loss | nothing is kept |
//! | R4 | noted, `opened`, this boot | kept | kept while each follows the one before, is not |
//! | | | | empty, and its sum agrees or there is none |
//! | R5 | noted, `opened`, another boot | kept | kept while each follows the one before and its |
//! | | | | sum agrees |
//! | R6 | bare | kept, as the durable end that of the text | complete records that are not empty |
//! | R7 | none | | complete records that are not empty, from the start on |
//! | R8 | noted, the write segment is short | the end is that of the last whole record; loss | |
//! | R9 | noted, the write segment is missing | the end is its start; loss | |
//! | R10 | a segment between is missing | positions stay; loss | as above |
//! | R11 | the first segments are missing | the start is the first that is there; loss | as above |
//!
//! The other rows of the format's tables stand where they are decided: `believed`, `recover_noted`,
//! `recover_bare`, `bare_start`, `chart`, and for readers `reader_standing`.

use super::believed::{Believed, believe, credible_copy};
use super::chart::Starts;
use super::error::{Error, Loss};
use super::generations::{Found, Generations};
use super::position::Position;
use super::quirks::Quirk;
use super::recover_bare;
use super::recover_noted::{self, BootView};
use super::store::Store;
use super::survey::Survey;
use super::writer_meta::{WriterMeta, WriterState};
use crate::fs::BootId;
use crate::records::sums::Entry;
use std::collections::VecDeque;

/// Bytes that do not count; they stay where they are until the log is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reject {
    pub(super) segment: u64,
    pub(super) from: u64,
    /// The end of the segment's file; an empty range is an empty file.
    pub(super) to: u64,
}

/// Bytes that count, but may not be durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) segment: u64,
    pub(super) from: u64,
    pub(super) to: u64,
    /// Whether they must be written again before a sync of them means anything.
    pub(super) rewrite: bool,
}

/// What the files say.
#[derive(Debug, Clone, Default)]
pub(super) struct Recovery {
    pub(super) start: Position,
    pub(super) end: Position,
    /// The meta is one of ours.
    pub(super) is_noted: bool,
    /// It was closed, and the log is as it was then.
    pub(super) is_clean: bool,
    /// The sequence of the meta.
    pub(super) sequence: u64,
    /// Where a log that is being moved away started.
    pub(super) moving_from: Option<Position>,
    pub(super) spans: Vec<Span>,
    pub(super) rejects: Vec<Reject>,
    /// Bytes of the sums of the end's segment that are right, and the records behind them.
    pub(super) sums_bytes: u64,
    pub(super) entries: Vec<Entry>,
    pub(super) losses: Vec<Loss>,
    /// Numbers of the segments that count, ascending, and of those whose end recovery found.
    pub(super) segments: VecDeque<u64>,
    pub(super) starts: Starts,
    /// The first copy of the writer meta is damaged, the start meta is not believed: their bytes
    /// are kept aside.
    pub(super) is_main_damaged: bool,
    pub(super) is_start_damaged: bool,
}

/// Decides what the log is.
pub(super) fn recover(
    store: &Store,
    survey: &Survey,
    boot: Option<BootId>,
) -> Result<(Generations, Recovery), Error> {
    let found = Found::read(store)?;
    let copy = credible_copy(&survey.main, survey.copy, found.newest().as_ref());
    let is_torn = survey.main == WriterMeta::Damaged && store.has(Quirk::TornWriterMetaIsNew);
    let believed = match is_torn {
        true => Believed::New,
        false => believe(&survey.main, &copy, !survey.segments.is_empty()),
    };
    let noted = match &believed {
        Believed::Noted(note) => Some((note.generation, note.life)),
        Believed::Bare(_) | Believed::Nothing | Believed::New => None,
    };
    let generations = Generations::new(&found, noted);
    let recovery = match believed {
        Believed::Noted(note) => {
            let is_this = boot.is_some() && note.boot == boot;
            let view = match is_this || store.has(Quirk::TrustTheTail) {
                true => BootView::This,
                false => BootView::Another,
            };
            recover_noted::recover(store, survey, (note, view), &generations)?
        }
        Believed::Bare(ends) => recover_bare::recover(store, survey, &ends)?,
        Believed::Nothing => recover_bare::recover(store, survey, &[])?,
        Believed::New => Recovery::default(),
    };
    Ok((generations, recovery))
}

/// Whether records behind the durable end are looked at.
pub(super) fn may_follow(state: WriterState) -> bool {
    match state {
        WriterState::Opened => true,
        WriterState::Closed | WriterState::Cutting | WriterState::Moving => false,
    }
}

/// The runs of numbers in `from..until` that `segments` (ascending) does not have.
pub(super) fn missing_runs(
    segments: impl Iterator<Item = u64>,
    from: u64,
    until: u64,
) -> Vec<(u64, u64)> {
    let mut runs = Vec::new();
    let mut next = from;
    for segment in segments.filter(|number| (from..until).contains(number)) {
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
        let runs = |from, until| missing_runs([1, 2, 5, 9].into_iter(), from, until);
        assert_eq!(runs(1, 3), []);
        assert_eq!(runs(0, 9), [(0, 1), (3, 5), (6, 9)]);
        assert_eq!(runs(6, 8), [(6, 8)]);
        assert_eq!(runs(7, 1_000_000), [(7, 9), (10, 1_000_000)]);
        assert_eq!(missing_runs(std::iter::empty(), 0, 0), []);
    }
}
