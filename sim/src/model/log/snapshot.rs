//! A snapshot: an offset between a start and an end, in the generation that it was opened in.

use super::answer::LogAnswer;
use super::content::Content;
use super::place::Place;
use super::reader::nothing;
use super::writer::done;
use crate::scenario::{LogMessage, LogReply, SnapshotOp, SnapshotState};

/// An open snapshot. Reading bytes may leave it within a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Snapshot {
    start: Place,
    end: Place,
    read: i64,
    /// The count that was told last: reading bytes need not move it.
    told_count: i64,
    generation: usize,
}

type Outcome = (LogAnswer, Snapshot);

impl Snapshot {
    pub(super) fn new(content: &Content) -> Self {
        let start = content.start();
        Self {
            start,
            end: content.read_end,
            read: start.offset,
            told_count: start.count,
            generation: content.generation(),
        }
    }

    /// It may or may not know of cuts and of removed segments.
    fn ways(self, content: &Content) -> Vec<Self> {
        let (start, cut) = (content.start(), content.cut_since(self.generation));
        let stand = |place: Place| cut.map_or(place, |cut| place.min(cut)).max(start);
        let known = Self {
            start: stand(self.start),
            end: stand(self.end),
            ..self
        };
        let aware = Self {
            generation: content.generation(),
            ..known.standing_at(
                self.read.clamp(known.start.offset, known.end.offset),
                content,
            )
        };
        if (aware.read, aware.end) == (self.read, self.end) {
            vec![aware]
        } else {
            vec![aware, self]
        }
    }

    /// At an offset; the count is that of the message there.
    fn standing_at(self, read: i64, content: &Content) -> Self {
        let place = content.boundary(read).filter(|_| read != self.read);
        Self {
            read,
            told_count: place.map_or(self.told_count, |place| place.count),
            ..self
        }
    }

    pub(super) fn told_states(self, content: &Content) -> Vec<SnapshotState> {
        let state = |one: Self| {
            let at = content.position(Place {
                offset: one.read,
                count: 0,
            });
            SnapshotState {
                segment: at.segment,
                position: at.position,
                offset: at.offset,
            }
        };
        self.ways(content).into_iter().map(state).collect()
    }

    pub(super) fn apply(self, op: &SnapshotOp, content: &Content) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        for (index, way) in self.ways(content).into_iter().enumerate() {
            if index == 0 {
                outcomes.extend(way.moved(op, content));
                continue;
            }
            outcomes.push((LogAnswer::Refused, way));
            let reads = matches!(
                op,
                SnapshotOp::ReadOne | SnapshotOp::ReadRaw { .. } | SnapshotOp::SkipToNext
            );
            if !reads || content.boundary(way.read).is_some() {
                outcomes.extend(way.moved(op, content));
            }
        }
        outcomes
    }

    fn moved(self, op: &SnapshotOp, content: &Content) -> Vec<Outcome> {
        let refused = (LogAnswer::Refused, self);
        match *op {
            SnapshotOp::UpdateQueueEnd { end } => {
                let end = Place::from(end);
                if end.offset < content.start().offset {
                    return vec![refused, (done(), self)];
                }
                if !content.holds(end) || end > content.read_end {
                    return vec![refused];
                }
                let after = Self { end, ..self };
                let after = after.standing_at(self.read.min(end.offset), content);
                let past = content.may_be_of_the_past(end).then_some((done(), self));
                [(done(), after)].into_iter().chain(past).collect()
            }
            SnapshotOp::SeekTo { offset, .. } if offset < self.read => vec![refused],
            SnapshotOp::SeekTo { offset, count } | SnapshotOp::ResetSeekTo { offset, count } => {
                vec![match self.target(Place { offset, count }, content) {
                    Some(to) => (done(), self.at(to)),
                    None => refused,
                }]
            }
            SnapshotOp::SeekToEnd => vec![(done(), self.at(self.end))],
            SnapshotOp::SkipToNext => self.skip_to_next(content),
            SnapshotOp::ReadOne => self.read_one(content),
            SnapshotOp::ReadRaw { size } => vec![self.read_raw(size, content)],
            SnapshotOp::Open | SnapshotOp::Close => Vec::new(),
        }
    }

    fn at(self, to: Place) -> Self {
        Self {
            read: to.offset,
            told_count: to.count,
            ..self
        }
    }

    fn target(&self, to: Place, content: &Content) -> Option<Place> {
        let is_inside = (self.start..=self.end).contains(&to);
        (is_inside && content.holds(to)).then_some(to)
    }

    /// To the start of the next segment; that is an error where there is none up to the end. At a
    /// border the next one may be the one that starts there.
    fn skip_to_next(self, content: &Content) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        match content.next_start(self.read) {
            Some(next) if next <= self.end => outcomes.push((done(), self.at(next))),
            Some(_) | None => outcomes.push((LogAnswer::Refused, self)),
        }
        if content.may_go_on && content.next_start(self.read) == Some(content.end) {
            // The log may have gone back into this segment.
            outcomes.push((LogAnswer::Refused, self));
        }
        let here = content.boundary(self.read);
        if let Some(here) = here.filter(|_| content.is_border(self.read)) {
            outcomes.push((done(), self.at(here)));
        }
        outcomes
    }

    /// At the end there is nothing, told as an error or not; within a message there is none.
    /// Behind bytes that were read the count may be that of before.
    fn read_one(self, content: &Content) -> Vec<Outcome> {
        let refused = (LogAnswer::Refused, self);
        if self.read == self.end.offset {
            return vec![(nothing(), self), refused];
        }
        let next = content.message_at(self.read);
        let Some(message) = next.filter(|next| next.end().offset <= self.end.offset) else {
            return vec![refused];
        };
        let end = message.end();
        let reply = |count: i64| {
            LogAnswer::Reply(LogReply::Message(LogMessage {
                offset: self.read,
                moved: message.size(),
                count,
                bytes: message.bytes.to_vec(),
            }))
        };
        let stale_count = self.told_count.saturating_add(1);
        let mut outcomes = vec![(reply(end.count), self.at(end))];
        if stale_count != end.count {
            let after = Self {
                told_count: stale_count,
                ..self.at(end)
            };
            outcomes.push((reply(stale_count), after));
        }
        outcomes
    }

    fn read_raw(self, size: u32, content: &Content) -> Outcome {
        let end = self.read.saturating_add(i64::from(size));
        if end > self.end.offset || self.read == self.end.offset {
            return (LogAnswer::Refused, self);
        }
        let bytes = content.raw(self.read, end);
        if u32::try_from(bytes.len()) != Ok(size) {
            // An end that it was given is no longer one.
            return (LogAnswer::Refused, self);
        }
        let reply = LogReply::Raw(bytes);
        let after = Self { read: end, ..self };
        (LogAnswer::Reply(reply), after)
    }
}
