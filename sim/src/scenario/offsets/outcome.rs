//! What an operation on an offset store answered.

use super::OffsetQueue;
use crate::scenario::{Applied, Failure, FailureKind, Loss};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Offsets by queue.
pub type OffsetTable = BTreeMap<OffsetQueue, i64>;

/// A successful answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OffsetReply {
    /// Done; there is nothing to tell.
    Done,
    /// The offset of a queue, if it has one.
    Offset(Option<i64>),
    /// Whether the file was written.
    Wrote(bool),
    /// Queues with their offsets, in order.
    Offsets(Vec<(OffsetQueue, i64)>),
}

/// What an operation answered, and the losses that it reported. That file and backup are both
/// damaged is the kind [`FailureKind::Foreign`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OffsetOutcome {
    /// The answer.
    pub result: Result<OffsetReply, Failure>,
    /// Losses met by this call; each is reported once.
    pub losses: Vec<Loss>,
}

impl OffsetOutcome {
    /// A success without losses.
    #[must_use]
    pub fn ok(reply: OffsetReply) -> Self {
        Self {
            result: Ok(reply),
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
            losses: Vec::new(),
        }
    }
}
