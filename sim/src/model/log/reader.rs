//! A reader: three places, and the generation of the log that they belong to.

use super::answer::{LogAnswer, Possible};
use super::content::Content;
use super::core::LogModel;
use super::place::Place;
use super::writer::{Access, done};
use crate::scenario::{Clause, LogPosition, LogReply, ReaderOp, ReaderState};

/// A reader that was opened once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reader {
    pub(super) confirmed: Place,
    pub(super) read: Place,
    /// The end that it was told last.
    pub(super) end: Place,
    pub(super) generation: usize,
    pub(super) is_open: bool,
}

/// An answer, with the reader after it.
pub(super) type Outcome = (LogAnswer, Reader);

/// Where the reader stands: not below the log's start, and not above the lowest place at which
/// the log's end was cut since.
pub(super) fn standing(reader: &Reader, content: &Content) -> Reader {
    let cut = content.cut_since(reader.generation);
    let stand = |place: Place| {
        let left = cut.map_or(place, |cut| place.min(cut));
        left.max(content.start())
    };
    Reader {
        confirmed: stand(reader.confirmed),
        read: stand(reader.read),
        end: stand(reader.end),
        generation: content.generation(),
        ..*reader
    }
}

/// How a reader may stand: where it must, or where it stood before a cut that it does not know of
/// yet. It cannot miss that it is below the log's start.
fn ways(reader: &Reader, content: &Content) -> Vec<Reader> {
    let aware = standing(reader, content);
    let places = |reader: &Reader| (reader.confirmed, reader.read, reader.end);
    let is_below = reader.confirmed.offset < content.start().offset;
    if is_below || places(&aware) == places(reader) {
        vec![aware]
    } else {
        vec![aware, *reader]
    }
}

pub(super) fn told_states(reader: &Reader, content: &Content) -> Vec<ReaderState> {
    let state = |reader: Reader| {
        let Reader {
            confirmed,
            read,
            end,
            ..
        } = reader;
        ReaderState {
            confirmed: content.position(confirmed),
            read: content.position(read),
            end: content.position(end),
            depth: end.count - confirmed.count,
            depth_size: end.offset - confirmed.offset,
            waiting: end == confirmed,
        }
    };
    ways(reader, content).into_iter().map(state).collect()
}

impl LogModel {
    pub(super) fn apply_to_reader(&self, name: &str, op: &ReaderOp) -> Vec<Possible> {
        let content = &self.content;
        let known = self.readers.get(name).copied();
        let outcomes = match (known.filter(|reader| reader.is_open), op) {
            (None, ReaderOp::Open) if self.access == Access::None => {
                vec![(LogAnswer::Closed, known)]
            }
            (None, ReaderOp::Open) => {
                let stood = self.stood.get(name).filter(|_| known.is_some());
                let stood = stood.map_or_else(
                    || vec![known],
                    |all| all.iter().copied().map(Some).collect(),
                );
                let opened = |known| (done(), Some(opened(known, content)));
                stood.into_iter().map(opened).collect()
            }
            (None, ReaderOp::Flush { .. } | ReaderOp::Close) => {
                vec![(LogAnswer::Closed, known), (done(), known)]
            }
            (None, _) => vec![(LogAnswer::Closed, known)],
            (Some(_), ReaderOp::Open) => vec![(LogAnswer::Refused, known)],
            (Some(_), ReaderOp::Delete) => vec![(done(), None)],
            (Some(reader), op) => {
                let outcomes = outcomes(&reader, op, content).into_iter();
                outcomes
                    .map(|(answer, after)| (answer, Some(after)))
                    .collect()
            }
        };
        let clause = clause_of(op);
        let mut possible = Vec::with_capacity(outcomes.len());
        for (answer, reader) in outcomes {
            let mut after = self.clone();
            match reader {
                Some(reader) => {
                    if reader.is_open || known.is_some_and(|known| known.is_open) {
                        after.note_reader(name, op, reader);
                    }
                    after.readers.insert(name.into(), reader);
                }
                None => after.forget_reader(name),
            }
            possible.push(Possible {
                answer,
                clause,
                after,
            });
        }
        possible
    }
}

/// A new reader starts at the end of what it may read, which is then its end in any case.
fn opened(known: Option<Reader>, content: &Content) -> Reader {
    let end = content.read_end;
    let confirmed = known.map_or(end, |known| standing(&known, content).confirmed);
    Reader {
        confirmed,
        read: confirmed,
        end,
        generation: content.generation(),
        is_open: true,
    }
}

/// What an open reader may do. One that does not know of a cut may do what it would if it knew,
/// answer as if there were nothing, refuse, or go on where what is there now lets it.
fn outcomes(reader: &Reader, op: &ReaderOp, content: &Content) -> Vec<Outcome> {
    let ways = ways(reader, content);
    let mut outcomes = Vec::new();
    let has_moved = ways.first() != Some(reader);
    for (index, way) in ways.into_iter().enumerate() {
        let is_aware = index == 0;
        if let ReaderOp::UpdateQueueEnd { end, force } = *op {
            let told = way.told(end, force, is_aware, content);
            // Whether that it moved before counts as a change is free.
            let other = told
                .iter()
                .filter(|_| has_moved)
                .filter_map(|(answer, after)| {
                    let other = [changed(true), changed(false)];
                    let other = other.into_iter().find(|other| other != answer)?;
                    (*answer != LogAnswer::Refused).then_some((other, *after))
                });
            let other: Vec<Outcome> = other.collect();
            outcomes.extend(told);
            outcomes.extend(other);
            continue;
        }
        if is_aware || content.holds(way.read) && content.holds(way.confirmed) {
            outcomes.extend(way.moved(op, content));
        }
        if !is_aware {
            outcomes.push((LogAnswer::Refused, way));
            let confirms = matches!(op, ReaderOp::ConfirmRead { offset, .. }
                if *offset <= way.confirmed.offset);
            outcomes.extend(confirms.then(|| (done(), way)));
            outcomes.extend((*op == ReaderOp::TryReadOne).then_some((nothing(), way)));
        }
    }
    outcomes
}

impl Reader {
    /// An end that the log does not have, or does not show to readers, is refused; one before its
    /// start, or from before a cut, may have been one, and may change nothing instead.
    fn told(
        self,
        end: LogPosition,
        force: bool,
        is_aware: bool,
        content: &Content,
    ) -> Vec<Outcome> {
        let end = Place::from(end);
        let unchanged = (changed(false), self);
        if end.offset < content.start().offset {
            return vec![(LogAnswer::Refused, self), unchanged];
        }
        if !content.holds(end) || end > content.read_end {
            return vec![(LogAnswer::Refused, self)];
        }
        let is_taken = self.end != end && (force || self.read <= end);
        match (is_aware, is_taken) {
            (true, false) => vec![unchanged],
            (true, true) => {
                let after = Self {
                    confirmed: self.confirmed.min(end),
                    read: self.read.min(end),
                    end,
                    ..self
                };
                let mut outcomes = vec![(changed(true), after)];
                outcomes.extend(content.may_be_of_the_past(end).then_some(unchanged));
                outcomes
            }
            // It was told nothing new, as far as it can see.
            (false, false) if !force => vec![unchanged],
            (false, _) => {
                let aware = standing(&self, content);
                let after = Self { end, ..aware };
                vec![(changed(true), after), (changed(false), after)]
            }
        }
    }
}

pub(super) fn nothing() -> LogAnswer {
    LogAnswer::Reply(LogReply::Nothing)
}

fn changed(whether: bool) -> LogAnswer {
    LogAnswer::Reply(LogReply::Changed(whether))
}

/// The clause that an operation is judged by.
fn clause_of(op: &ReaderOp) -> Clause {
    match op {
        ReaderOp::Open | ReaderOp::Flush { .. } | ReaderOp::Close | ReaderOp::Delete => Clause::L8,
        ReaderOp::UpdateQueueEnd { .. } | ReaderOp::TryReadOne => Clause::L7,
        ReaderOp::ConfirmRead { .. } => Clause::L8,
        ReaderOp::ResetReadToConfirmed
        | ReaderOp::ResetReadToOffset { .. }
        | ReaderOp::SkipReadToOffset { .. }
        | ReaderOp::SkipReadToEnd
        | ReaderOp::SkipToNext
        | ReaderOp::ResetLastReadOne { .. } => Clause::L9,
    }
}
