//! What can be done with the writer.

use super::answer::{LogAnswer, Possible};
use super::content::Content;
use super::core::LogModel;
use super::place::Place;
use crate::scenario::{Clause, LogReply, WriterOp};
use std::sync::Arc;

/// How the writer is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    None,
    Look,
    Full,
}

/// An answer, with the log after it.
type Outcome = (LogAnswer, LogModel);

pub(super) fn done() -> LogAnswer {
    LogAnswer::Reply(LogReply::Done)
}

impl LogModel {
    pub(super) fn apply_to_writer(&self, op: &WriterOp, bytes: &[u8]) -> Vec<Possible> {
        let outcomes = match (self.access, op) {
            (Access::None, WriterOp::Open | WriterOp::OpenReadOnly) => vec![self.opened(op)],
            (_, WriterOp::Open | WriterOp::OpenReadOnly) => vec![self.refused()],
            (Access::None, _) => vec![(LogAnswer::Closed, self.clone())],
            (Access::Look, WriterOp::CleanOldData { dry_run: true, .. }) => self.clean(op),
            (Access::Look, WriterOp::Close) => vec![self.closed()],
            (Access::Look, _) => vec![(LogAnswer::Closed, self.clone())],
            (Access::Full, WriterOp::CleanOldData { .. }) => self.clean(op),
            (Access::Full, WriterOp::TryFixWriteEnd { offset, count }) => self.grown(Place {
                offset: *offset,
                count: *count,
            }),
            (Access::Full, WriterOp::RemoveTo { directory }) => self.moved_to(directory),
            (Access::Full, WriterOp::Put { .. } | WriterOp::PutRaw { .. }) => self.put(op, bytes),
            (Access::Full, _) => vec![self.written(op)],
        };
        let clause = match self.is_out_of_numbers(op, bytes) {
            true => Clause::C13,
            false => clause_of(op),
        };
        let possible = outcomes.into_iter().map(|(answer, after)| Possible {
            answer,
            clause,
            after,
        });
        possible.collect()
    }

    fn refused(&self) -> Outcome {
        (LogAnswer::Refused, self.clone())
    }

    fn opened(&self, op: &WriterOp) -> Outcome {
        let mut after = self.clone();
        let looks = *op == WriterOp::OpenReadOnly;
        after.access = if looks { Access::Look } else { Access::Full };
        (done(), after)
    }

    /// A clean close shows everything to readers.
    fn closed(&self) -> Outcome {
        let mut after = self.clone();
        if self.access == Access::Full {
            after.content.read_end = after.content.end;
        }
        after.access = Access::None;
        (done(), after)
    }

    fn written(&self, op: &WriterOp) -> Outcome {
        let mut after = self.clone();
        let content = &mut after.content;
        let answer = match *op {
            WriterOp::Flush { .. } => {
                content.read_end = content.end;
                done()
            }
            WriterOp::FlushBuffer => {
                let had_data = content.read_end != content.end;
                content.read_end = content.end;
                LogAnswer::Reply(LogReply::HadData(had_data))
            }
            WriterOp::Rollback { offset, count } => {
                let taken = i64::try_from(count).ok();
                let Some(count) = taken.and_then(|taken| content.end.count.checked_sub(taken))
                else {
                    return self.refused();
                };
                return self.cut(Place { offset, count });
            }
            WriterOp::ResetWriteEnd { offset, count } => {
                return self.cut(Place { offset, count });
            }
            WriterOp::ResetWriteWithQueueStart { offset, count } => {
                let at = Place { offset, count };
                if offset < 0 || count < 0 {
                    return self.refused();
                }
                let number = match (offset, content.start().offset) {
                    (0, 0) => 0,
                    _ => content.last_segment().number + 1,
                };
                content.restart_anew(at, number);
                done()
            }
            WriterOp::Empty => {
                content.restart(content.end, content.last_segment().number + 1);
                done()
            }
            WriterOp::Close => return self.closed(),
            WriterOp::Delete => {
                after.begin_new_log();
                done()
            }
            WriterOp::Open
            | WriterOp::OpenReadOnly
            | WriterOp::Put { .. }
            | WriterOp::PutRaw { .. }
            | WriterOp::CleanOldData { .. }
            | WriterOp::RemoveTo { .. }
            | WriterOp::TryFixWriteEnd { .. } => unreachable!("these are told apart before"),
        };
        (answer, after)
    }

    /// The files go away, but those of the readers: these stand at the start of the log that begins
    /// in their place, as after a cut.
    fn begin_new_log(&mut self) {
        self.content.restart_anew(Place::default(), 0);
        for reader in self.readers.values_mut() {
            reader.is_open = false;
        }
        self.snapshot = None;
        self.access = Access::None;
    }

    /// A directory that holds a log of this name may be refused.
    fn moved_to(&self, directory: &str) -> Vec<Outcome> {
        let mut after = self.clone();
        let is_free = after.moved_to.insert(directory.to_owned());
        after.begin_new_log();
        let mut outcomes = vec![(done(), after)];
        if !is_free {
            outcomes.push(self.refused());
        }
        outcomes
    }

    /// What a put or a batch puts, if it may be. A batch knows no limit but that no message is
    /// empty.
    fn messages<'b>(&self, op: &WriterOp, bytes: &'b [u8]) -> Option<Vec<&'b [u8]>> {
        let limits = self.options.message_bytes_min.max(1)..=self.options.message_bytes_max;
        if let WriterOp::PutRaw { count, .. } = op {
            let messages = records(bytes);
            messages.filter(|messages| usize::try_from(*count) == Ok(messages.len()))
        } else {
            let size = u32::try_from(bytes.len());
            size.is_ok_and(|size| limits.contains(&size))
                .then(|| vec![bytes])
        }
    }

    /// C13: the log is open, and has no number left for what this puts.
    fn is_out_of_numbers(&self, op: &WriterOp, bytes: &[u8]) -> bool {
        let puts = matches!(op, WriterOp::Put { .. } | WriterOp::PutRaw { .. });
        let messages = self.messages(op, bytes);
        let messages = messages.filter(|_| puts && self.access == Access::Full);
        messages.is_some_and(|messages| !self.content.has_numbers_for(&messages))
    }

    fn put(&self, op: &WriterOp, bytes: &[u8]) -> Vec<Outcome> {
        let Some(messages) = self.messages(op, bytes) else {
            return vec![self.refused()];
        };
        if !self.content.has_numbers_for(&messages) {
            return vec![self.refused()];
        }
        let mut outcomes = vec![self.after_put(self.content.clone(), &messages)];
        if self.content.may_go_on {
            let mut content = self.content.clone();
            content.go_on_in_full_segment();
            outcomes.push(self.after_put(content, &messages));
        }
        outcomes
    }

    fn after_put(&self, content: Content, messages: &[&[u8]]) -> Outcome {
        let offset = content.end.offset;
        let mut after = Self {
            content,
            ..self.clone()
        };
        after
            .content
            .put(messages.iter().map(|bytes| Arc::from(*bytes)));
        let end = after.content.end;
        let reply = LogReply::Put {
            offset,
            size: end.offset - offset,
            end: after.content.position(end),
        };
        (LogAnswer::Reply(reply), after)
    }

    /// Cuts the end at a boundary of the right count; anything else is refused.
    fn cut(&self, to: Place) -> Outcome {
        if !self.content.holds(to) {
            return self.refused();
        }
        let mut after = self.clone();
        after.content.cut(to);
        let reply = LogReply::Position(after.content.position(to));
        (LogAnswer::Reply(reply), after)
    }

    /// Without a crash there is nothing behind the end to grow over: only the end itself is
    /// accepted. What was put is shown to readers then. An empty log may refuse it all the same.
    fn grown(&self, to: Place) -> Vec<Outcome> {
        let content = &self.content;
        if content.end != to {
            return vec![self.refused()];
        }
        let mut after = self.clone();
        after.content.grow_to_end();
        let reply = LogReply::Position(content.position(to));
        let mut outcomes = vec![(LogAnswer::Reply(reply), after)];
        if content.start() == content.end {
            outcomes.push(self.refused());
        }
        outcomes
    }
}

/// The messages of whole records, none of them empty.
fn records(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut rest = bytes;
    let mut messages = Vec::new();
    while let Some((length, behind)) = rest.split_first_chunk() {
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (message, behind) = behind.split_at_checked(length).filter(|_| length > 0)?;
        messages.push(message);
        rest = behind;
    }
    rest.is_empty().then_some(messages)
}

/// The clause that an operation is judged by.
fn clause_of(op: &WriterOp) -> Clause {
    match op {
        WriterOp::Open => Clause::C2,
        WriterOp::OpenReadOnly => Clause::L14,
        WriterOp::Put { .. } | WriterOp::Flush { .. } | WriterOp::FlushBuffer => Clause::L1,
        WriterOp::PutRaw { .. } => Clause::L11,
        WriterOp::Rollback { .. } | WriterOp::ResetWriteEnd { .. } => Clause::L3,
        WriterOp::TryFixWriteEnd { .. } => Clause::L4,
        WriterOp::ResetWriteWithQueueStart { .. } => Clause::L5,
        WriterOp::CleanOldData { .. } => Clause::L6,
        WriterOp::Empty => Clause::Q7,
        WriterOp::Close => Clause::C11,
        WriterOp::Delete => Clause::Q12,
        WriterOp::RemoveTo { .. } => Clause::L13,
    }
}
