//! Reading, confirming, and moving without reading.

use super::answer::LogAnswer;
use super::content::Content;
use super::place::Place;
use super::reader::{Outcome, Reader, nothing};
use super::writer::done;
use crate::scenario::{LogMessage, LogReply, ReaderOp};

/// Confirms all that was read.
const ALL_READ: i64 = -1;

impl Reader {
    /// Everything but being told an end; the reader stands in the log.
    pub(super) fn moved(self, op: &ReaderOp, content: &Content) -> Vec<Outcome> {
        let refused = (LogAnswer::Refused, self);
        match *op {
            ReaderOp::TryReadOne => vec![self.read_one(content)],
            ReaderOp::ConfirmRead { offset, count } => vec![self.confirm(offset, count, content)],
            ReaderOp::ResetReadToConfirmed => vec![self.at(self.confirmed, content)],
            ReaderOp::ResetReadToOffset { offset, count } => {
                match self.target(offset, count, content) {
                    Some(to) => vec![self.at(to, content)],
                    None => vec![refused],
                }
            }
            ReaderOp::SkipReadToOffset { offset, count } => {
                match self.target(offset, count, content) {
                    Some(to) if to >= self.confirmed => vec![self.at(to, content)],
                    Some(_) | None => vec![refused],
                }
            }
            ReaderOp::SkipReadToEnd => vec![self.at(self.end, content)],
            ReaderOp::SkipToNext => self.skip_to_next(content),
            ReaderOp::ResetLastReadOne {
                offset,
                count,
                moved,
            } => self.take_back(Place { offset, count }, moved, content),
            ReaderOp::Flush { .. } => vec![(done(), self)],
            ReaderOp::Close => {
                let closed = Self {
                    is_open: false,
                    read: self.confirmed,
                    ..self
                };
                vec![(done(), closed)]
            }
            ReaderOp::Open | ReaderOp::Delete | ReaderOp::UpdateQueueEnd { .. } => Vec::new(),
        }
    }

    fn read_one(self, content: &Content) -> Outcome {
        let next = content.message_at(self.read.offset);
        let Some(message) = next.filter(|message| message.end() <= self.end) else {
            return (nothing(), self);
        };
        let read = message.end();
        let reply = LogReply::Message(LogMessage {
            offset: message.start.offset,
            moved: message.size(),
            count: read.count,
            bytes: message.bytes.to_vec(),
        });
        (LogAnswer::Reply(reply), Self { read, ..self })
    }

    /// Up to a boundary that was read, with its count; none is needed for all that was read. What
    /// was confirmed is confirmed again without effect.
    fn confirm(self, offset: i64, count: i64, content: &Content) -> Outcome {
        let to = Place { offset, count };
        let confirmed = match offset {
            ALL_READ => self.read,
            _ if offset <= self.confirmed.offset => self.confirmed,
            _ if offset == self.read.offset && count == 0 => self.read,
            _ if to <= self.read && content.holds(to) => to,
            _ => return (LogAnswer::Refused, self),
        };
        (done(), Self { confirmed, ..self })
    }

    /// The boundary at an offset up to the end, if the count fits. No count is needed where the
    /// reader knows it: where it stands, and at the end.
    fn target(&self, offset: i64, count: i64, content: &Content) -> Option<Place> {
        let to = content.boundary(offset)?;
        let is_known = [self.read, self.confirmed, self.end].contains(&to);
        let fits = to.count == count || count == 0 && is_known;
        (fits && to <= self.end).then_some(to)
    }

    fn at(self, to: Place, content: &Content) -> Outcome {
        let reply = LogReply::Position(content.position(to));
        let after = Self {
            confirmed: to,
            read: to,
            ..self
        };
        (LogAnswer::Reply(reply), after)
    }

    /// To the start of the next segment, or to the end. At a border the next one may be the one
    /// that starts there.
    fn skip_to_next(self, content: &Content) -> Vec<Outcome> {
        let from = self.confirmed;
        let next = content.next_start(from.offset).unwrap_or(self.end);
        let mut outcomes = vec![self.at(next.min(self.end), content)];
        if content.is_border(from.offset) {
            outcomes.push(self.at(from, content));
        }
        outcomes
    }

    /// The last message may be read again; whether a confirmed one can is free. What does not name
    /// the last message changes nothing, with or without an error.
    fn take_back(self, to: Place, moved: i32, content: &Content) -> Vec<Outcome> {
        let nothing_done = vec![(done(), self), (LogAnswer::Refused, self)];
        let Some(message) = content.message_at(to.offset) else {
            return nothing_done;
        };
        let is_last = message.end() == self.read && message.size() == i64::from(moved);
        if !is_last || ![message.start.count, 0].contains(&to.count) {
            return nothing_done;
        }
        let read = message.start;
        let taken = (done(), Self { read, ..self });
        if read >= self.confirmed {
            return vec![taken];
        }
        let mut outcomes = vec![taken];
        outcomes.extend(nothing_done);
        outcomes
    }
}
