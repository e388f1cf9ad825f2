//! What an operation on a log answered.

use super::LogPosition;
use crate::scenario::{Applied, Failure, FailureKind, Loss};
use serde::{Deserialize, Serialize};

/// A successful answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogReply {
    /// Done; there is nothing to tell.
    Done,
    /// A put, of one message or a batch.
    Put {
        /// Where its first byte is.
        offset: i64,
        /// The bytes that it takes.
        size: i64,
        /// The write end behind it.
        end: LogPosition,
    },
    /// The new end, or the new confirmed position.
    Position(LogPosition),
    /// The log's start, where anything was done or would be.
    Start(Option<LogPosition>),
    /// Whether there was anything in the write buffer.
    HadData(bool),
    /// Whether the end that was told changed anything.
    Changed(bool),
    /// A message.
    Message(LogMessage),
    /// Bytes as they are on disk.
    Raw(Vec<u8>),
    /// There is no message.
    Nothing,
}

/// A message and where it was read.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LogMessage {
    /// The virtual offset of its record.
    pub offset: i64,
    /// The size of its record in bytes.
    pub moved: i64,
    /// The count behind it.
    pub count: i64,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Where a failed call says that things stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stands {
    /// It does not say.
    Unsaid,
    /// The write end, or the confirmed position.
    At(LogPosition),
    /// The virtual offset of the read position.
    Offset(i64),
}

/// What an operation answered, and the losses that it reported.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LogOutcome {
    /// The answer.
    pub result: Result<LogReply, Failure>,
    /// What a failure tells beside its words; a success tells all in its answer.
    pub stands: Stands,
    /// Losses met by this call; each is reported once.
    pub losses: Vec<Loss>,
}

impl LogOutcome {
    /// A success without losses.
    #[must_use]
    pub fn ok(reply: LogReply) -> Self {
        Self {
            result: Ok(reply),
            stands: Stands::Unsaid,
            losses: Vec::new(),
        }
    }

    /// A failure without losses.
    #[must_use]
    pub fn failed(kind: FailureKind, applied: Applied, message: impl Into<String>) -> Self {
        let failure = Failure {
            kind,
            applied,
            message: message.into(),
        };
        Self {
            result: Err(failure),
            stands: Stands::Unsaid,
            losses: Vec::new(),
        }
    }
}

impl From<Failure> for LogOutcome {
    fn from(failure: Failure) -> Self {
        Self {
            result: Err(failure),
            stands: Stands::Unsaid,
            losses: Vec::new(),
        }
    }
}
