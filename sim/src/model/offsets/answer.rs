//! What an operation answers.

use crate::scenario::{FailureKind, OffsetReply};

/// The answer of an operation on undamaged files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OffsetAnswer {
    /// This one.
    Reply(OffsetReply),
    /// The operation is refused and changes nothing.
    Refused,
    /// The store is not open, or not open for this; nothing changes.
    Closed,
}

impl OffsetAnswer {
    /// Whether what was answered is this; a failure whose kind is not known fits every failure.
    #[must_use]
    pub fn is(&self, answered: Result<&OffsetReply, Option<FailureKind>>) -> bool {
        match (self, answered) {
            (Self::Reply(expected), Ok(reply)) => expected == reply,
            (Self::Refused | Self::Closed, Err(None)) => true,
            (Self::Refused, Err(Some(kind))) => kind == FailureKind::Refused,
            (Self::Closed, Err(Some(kind))) => kind == FailureKind::Closed,
            (Self::Reply(_), Err(_)) | (Self::Refused | Self::Closed, Ok(_)) => false,
        }
    }
}
