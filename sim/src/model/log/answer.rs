//! What an operation may answer.

use super::core::LogModel;
use super::place::Place;
use crate::scenario::{Clause, FailureKind, LogReply};

/// One answer that an operation may give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogAnswer {
    /// This one; positions are compared by offset and count.
    Reply(LogReply),
    /// The operation is refused and changes nothing.
    Refused,
    /// The object is not open, or not open for this; nothing changes.
    Closed,
}

/// An answer and what comes of it.
#[derive(Debug, Clone)]
pub struct Possible {
    /// The answer.
    pub answer: LogAnswer,
    /// The clause that asks for it.
    pub clause: Clause,
    /// The log after it.
    pub after: LogModel,
}

impl LogAnswer {
    /// Whether what was answered is this; a failure whose kind is not known fits every failure.
    #[must_use]
    pub fn is(&self, answered: Result<&LogReply, Option<FailureKind>>) -> bool {
        match (self, answered) {
            (Self::Reply(expected), Ok(reply)) => same(expected, reply),
            (Self::Refused | Self::Closed, Err(None)) => true,
            (Self::Refused, Err(Some(kind))) => kind == FailureKind::Refused,
            (Self::Closed, Err(Some(kind))) => kind == FailureKind::Closed,
            (Self::Reply(_), Err(_)) | (Self::Refused | Self::Closed, Ok(_)) => false,
        }
    }
}

fn same(expected: &LogReply, reply: &LogReply) -> bool {
    match (expected, reply) {
        (LogReply::Position(one), LogReply::Position(other))
        | (LogReply::Start(Some(one)), LogReply::Start(Some(other))) => {
            Place::from(*one) == Place::from(*other)
        }
        (
            LogReply::Put { offset, size, end },
            LogReply::Put {
                offset: other_offset,
                size: other_size,
                end: other_end,
            },
        ) => {
            (offset, size, Place::from(*end)) == (other_offset, other_size, Place::from(*other_end))
        }
        (expected, reply) => expected == reply,
    }
}
