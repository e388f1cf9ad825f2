//! Operations on one of the engine's readers.

use super::convert::{at, closed, known, outcome_of, read, unsigned};
use crate::scenario::{LogOutcome, LogReply, ReaderOp};
use crashline::seglog::{self, Confirm, LogReader};

/// Calls an operation other than open and the one that tells an end. The losses that the call met
/// come with its answer.
pub(super) fn apply(reader: &mut LogReader, op: &ReaderOp) -> LogOutcome {
    match call(reader, op) {
        Ok(result) => outcome_of(result, reader.take_losses()),
        Err(outcome) => outcome,
    }
}

type Called = Result<Result<LogReply, seglog::Error>, LogOutcome>;

fn call(reader: &mut LogReader, op: &ReaderOp) -> Called {
    let done = |result: Result<(), seglog::Error>| result.map(|()| LogReply::Done);
    Ok(match *op {
        ReaderOp::TryReadOne => reader.try_read_one().map(read),
        ReaderOp::ConfirmRead { offset: -1, .. } => done(reader.confirm_read(Confirm::AllRead)),
        ReaderOp::ConfirmRead { offset, count } => done(reader.confirm_read(Confirm::UpTo {
            offset: u64::try_from(offset).unwrap_or(0),
            count: known(offset, count)?,
        })),
        ReaderOp::ResetReadToConfirmed => reader.reset_read_to_confirmed().map(at),
        ReaderOp::ResetReadToOffset { offset, count } => reader
            .reset_read_to_offset(unsigned(offset)?, known(offset, count)?)
            .map(at),
        ReaderOp::SkipReadToOffset { offset, count } => reader
            .skip_read_to_offset(unsigned(offset)?, known(offset, count)?)
            .map(at),
        ReaderOp::SkipReadToEnd => reader.skip_read_to_end().map(at),
        ReaderOp::SkipToNext => reader.skip_to_next().map(at),
        ReaderOp::ResetLastReadOne {
            offset,
            count,
            moved,
        } => {
            let (count, moved) = (known(offset, count)?, unsigned(moved)?);
            done(reader.reset_last_read_one(unsigned(offset)?, count, moved))
        }
        ReaderOp::Flush { fsync } => done(reader.flush(fsync)),
        ReaderOp::Close => done(reader.close()),
        ReaderOp::Delete => done(reader.delete()),
        ReaderOp::Open | ReaderOp::UpdateQueueEnd { .. } => return Err(closed()),
    })
}
