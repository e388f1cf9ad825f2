//! Operations on the engine's snapshot.

use super::convert::{closed, outcome_of, read, unsigned};
use crate::scenario::{LogOutcome, LogReply, SnapshotOp};
use crashline::seglog::{self, Snapshot};

/// Calls an operation other than open, close and the one that tells an end.
pub(super) fn apply(snapshot: &mut Snapshot, op: &SnapshotOp) -> LogOutcome {
    match call(snapshot, op) {
        Ok(result) => outcome_of(result, snapshot.take_losses()),
        Err(outcome) => outcome,
    }
}

type Called = Result<Result<LogReply, seglog::Error>, LogOutcome>;

fn call(snapshot: &mut Snapshot, op: &SnapshotOp) -> Called {
    let done = |result: Result<(), seglog::Error>| result.map(|()| LogReply::Done);
    Ok(match *op {
        SnapshotOp::SeekTo { offset, count } => {
            done(snapshot.seek_to(unsigned(offset)?, Some(unsigned(count)?)))
        }
        SnapshotOp::ResetSeekTo { offset, count } => {
            done(snapshot.reset_seek_to(unsigned(offset)?, Some(unsigned(count)?)))
        }
        SnapshotOp::SeekToEnd => done(snapshot.seek_to_end()),
        SnapshotOp::SkipToNext => done(snapshot.skip_to_next()),
        SnapshotOp::ReadOne => snapshot.read_one().map(read),
        SnapshotOp::ReadRaw { size } => snapshot.read_raw(size).map(LogReply::Raw),
        SnapshotOp::Open | SnapshotOp::Close | SnapshotOp::UpdateQueueEnd { .. } => {
            return Err(closed());
        }
    })
}
