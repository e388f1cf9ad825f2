//! The engine's values as plain data, and the other way round.
//!
//! The engine's numbers have no sign: one that has none to give is refused before it is asked.

use crate::scenario::{
    Applied, Failure, FailureKind, LogMessage, LogOutcome, LogPosition, LogReply, Loss, Stands,
};
use crashline::seglog::{self, Error, LossKind, Message, Position};
use std::io;

/// A place as data.
pub(super) fn told(at: Position) -> LogPosition {
    LogPosition::from([at.segment, at.position, at.offset, at.count].map(u64::cast_signed))
}

/// A place as the engine has it.
pub(super) fn position(at: LogPosition) -> Position {
    let [segment, position, offset, count] = <[i64; 4]>::from(at).map(i64::cast_unsigned);
    Position {
        segment,
        position,
        offset,
        count,
    }
}

/// The answer to what moves.
pub(super) fn at(place: Position) -> LogReply {
    LogReply::Position(told(place))
}

/// The answer to a read.
pub(super) fn read(message: Option<Message>) -> LogReply {
    match message {
        None => LogReply::Nothing,
        Some(message) => LogReply::Message(LogMessage {
            offset: message.offset.cast_signed(),
            moved: message.moved.cast_signed(),
            count: message.count_after.cast_signed(),
            bytes: message.bytes,
        }),
    }
}

/// A number without a sign, or a refusal.
pub(super) fn unsigned(number: impl TryInto<u64>) -> Result<u64, LogOutcome> {
    number.try_into().map_err(|_| refused("a negative number"))
}

/// A count that a reader is told: 0 behind the log's beginning stands for one that is not known.
pub(super) fn known(offset: i64, count: i64) -> Result<Option<u64>, LogOutcome> {
    match (offset, count) {
        (1.., 0) => Ok(None),
        _ => unsigned(count).map(Some),
    }
}

pub(super) fn refused(why: &str) -> LogOutcome {
    LogOutcome::failed(FailureKind::Refused, Applied::No, why)
}

pub(super) fn closed() -> LogOutcome {
    LogOutcome::failed(FailureKind::Closed, Applied::No, "it is not open")
}

/// An answer of the engine as data, with the losses that the call met.
pub(super) fn outcome_of(
    result: Result<LogReply, Error>,
    met: impl IntoIterator<Item = seglog::Loss>,
) -> LogOutcome {
    let mut losses: Vec<Loss> = met.into_iter().filter_map(|loss| loss_of(&loss)).collect();
    let result = result.map_err(|error| {
        losses.extend(error.losses().iter().filter_map(loss_of));
        failure_of(&error)
    });
    LogOutcome {
        result,
        stands: Stands::Unsaid,
        losses,
    }
}

/// An error of the engine as data.
pub(super) fn failure_of(error: &Error) -> Failure {
    let applied = match error.applied() {
        seglog::Applied::Nothing => Applied::No,
        seglog::Applied::Everything => Applied::Yes,
        seglog::Applied::Leading(count) => Applied::Leading(count),
    };
    Failure {
        kind: kind_of(error),
        applied,
        message: error.to_string(),
    }
}

fn kind_of(error: &Error) -> FailureKind {
    match error {
        Error::Io { source, .. } if source.kind() == io::ErrorKind::InvalidInput => {
            FailureKind::Foreign
        }
        Error::Io { source, .. } => FailureKind::Io(source.raw_os_error()),
        Error::Locked { .. } => FailureKind::Locked,
        Error::Closed | Error::ReadOnly => FailureKind::Closed,
        Error::Damage { .. } => FailureKind::Damage,
        Error::MessageSize { .. } | Error::Refused { .. } | Error::Exhausted { .. } => {
            FailureKind::Refused
        }
    }
}

/// A loss as data; what a crash left that no promise covered is none.
fn loss_of(loss: &seglog::Loss) -> Option<Loss> {
    (loss.kind == LossKind::Damaged).then(|| Loss {
        file: loss.file.to_string_lossy().into_owned(),
        offset: loss.offset,
        size: loss.size,
        messages: loss.messages,
    })
}
