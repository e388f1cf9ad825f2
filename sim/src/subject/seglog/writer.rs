//! Operations on the engine's writer.

use super::convert::{at, closed, outcome_of, position, told, unsigned};
use crate::scenario::{CleanTarget, LogOutcome, LogReply, WriterOp};
use crashline::seglog::{self, LogWriter, Put};
use std::path::Path;

/// Calls an operation other than the opens.
pub(super) fn apply(
    writer: &mut LogWriter,
    op: &WriterOp,
    bytes: &[u8],
    directory: &Path,
) -> LogOutcome {
    match call(writer, op, bytes, directory) {
        Ok(result) => outcome_of(result, []),
        Err(outcome) => outcome,
    }
}

type Called = Result<Result<LogReply, seglog::Error>, LogOutcome>;

fn call(writer: &mut LogWriter, op: &WriterOp, bytes: &[u8], directory: &Path) -> Called {
    Ok(match *op {
        WriterOp::Put { .. } => writer.put(bytes).map(put_reply),
        WriterOp::PutRaw { count, .. } => writer.put_raw(bytes, unsigned(count)?).map(put_reply),
        WriterOp::Flush { fsync } => writer.flush(fsync).map(|()| LogReply::Done),
        WriterOp::FlushBuffer => writer.flush_buffer().map(LogReply::HadData),
        WriterOp::Rollback { offset, count } => writer.rollback(unsigned(offset)?, count).map(at),
        WriterOp::ResetWriteEnd { offset, count } => writer
            .reset_write_end(unsigned(offset)?, unsigned(count)?)
            .map(at),
        WriterOp::TryFixWriteEnd { offset, count } => writer
            .try_fix_write_end(unsigned(offset)?, unsigned(count)?)
            .map(at),
        WriterOp::ResetWriteWithQueueStart { offset, count } => writer
            .reset_write_with_queue_start(unsigned(offset)?, unsigned(count)?)
            .map(|()| LogReply::Done),
        WriterOp::CleanOldData {
            target,
            dry_run,
            offset_max,
        } => {
            let target = match target {
                CleanTarget::Position(place) => seglog::CleanTarget::Position(position(place)),
                CleanTarget::Offset(offset) => {
                    seglog::CleanTarget::Offset(u64::try_from(offset).unwrap_or(0))
                }
            };
            let limit = u64::try_from(offset_max).ok().filter(|limit| *limit != 0);
            let start = writer.clean_old_data(target, dry_run, limit, false);
            start.map(|start| LogReply::Start(start.map(told)))
        }
        WriterOp::Empty => writer.empty().map(|()| LogReply::Done),
        WriterOp::Close => writer.close().map(|()| LogReply::Done),
        WriterOp::Delete => writer.delete().map(|()| LogReply::Done),
        WriterOp::RemoveTo { directory: ref to } => {
            let beside = directory.with_file_name(to);
            writer.remove_to(&beside).map(|()| LogReply::Done)
        }
        WriterOp::Open | WriterOp::OpenReadOnly => return Err(closed()),
    })
}

fn put_reply(done: Put) -> LogReply {
    LogReply::Put {
        offset: done.offset.cast_signed(),
        size: done.size.cast_signed(),
        end: told(done.end),
    }
}
