//! The operations as plain data, carried out on the objects.

use super::error::{LogError, ReadFailure};
use super::reader::Reader;
use super::snapshot::Snapshot;
use super::writer::Writer;
use crate::scenario::{
    Applied, FailureKind, LogOutcome, LogReply, ReaderOp, SnapshotOp, Stands, WriterOp,
};

/// The outcome of a failure. The original's errors do not say how much was done.
#[must_use]
pub fn failure(error: &LogError) -> LogOutcome {
    let (kind, applied) = match error {
        LogError::Exiting => (FailureKind::Closed, Applied::No),
        LogError::Io(error) => (FailureKind::Io(error.raw_os_error()), Applied::Unknown),
        LogError::CutOff(_) => (FailureKind::CutOff, Applied::Unknown),
        LogError::Unsealed
        | LogError::StartUnknown
        | LogError::CountMissing
        | LogError::ReadBehindEnd
        | LogError::EndOfFile
        | LogError::MessageSize(_) => (FailureKind::Foreign, Applied::Unknown),
        LogError::Size { .. }
        | LogError::InvalidOffset
        | LogError::CleanLimit
        | LogError::ConfirmOffset
        | LogError::ConfirmCount
        | LogError::Move
        | LogError::MoveBehindEnd
        | LogError::Cleaned
        | LogError::Step
        | LogError::Backward
        | LogError::EndOfLog => (FailureKind::Refused, Applied::Unknown),
    };
    LogOutcome::failed(kind, applied, error.to_string())
}

fn failure_at(error: &LogError, stands: Stands) -> LogOutcome {
    LogOutcome {
        stands,
        ..failure(error)
    }
}

fn read_failure(error: &ReadFailure) -> LogOutcome {
    failure_at(&error.error, Stands::Offset(error.offset))
}

fn outcome<T>(result: Result<T, LogError>, reply: impl FnOnce(T) -> LogReply) -> LogOutcome {
    match result {
        Ok(done) => LogOutcome::ok(reply(done)),
        Err(error) => failure(&error),
    }
}

fn done(result: Result<(), LogError>) -> LogOutcome {
    outcome(result, |()| LogReply::Done)
}

fn unsupported() -> LogOutcome {
    let message = "an open object cannot do this";
    LogOutcome::failed(FailureKind::Unsupported, Applied::No, message)
}

impl Writer {
    /// Carries out one operation; `bytes` are those of a put or batch.
    pub fn apply(&mut self, op: &WriterOp, bytes: &[u8]) -> LogOutcome {
        let moved = match *op {
            WriterOp::Open | WriterOp::OpenReadOnly => return unsupported(),
            WriterOp::Put { .. } => return outcome(self.put(bytes), put_reply),
            WriterOp::PutRaw { count, .. } => {
                return outcome(self.put_raw(bytes, count), put_reply);
            }
            WriterOp::Flush { fsync } => return done(self.flush(fsync)),
            WriterOp::FlushBuffer => return LogOutcome::ok(LogReply::HadData(self.flush_buffer())),
            WriterOp::ResetWriteWithQueueStart { offset, count } => {
                return done(self.reset_write_with_queue_start(offset, count));
            }
            WriterOp::CleanOldData {
                target,
                dry_run,
                offset_max,
            } => {
                let result = self.clean_old_data(target, dry_run, offset_max);
                return outcome(result, LogReply::Start);
            }
            WriterOp::Empty => return done(self.empty()),
            WriterOp::Close => {
                self.close();
                return LogOutcome::ok(LogReply::Done);
            }
            WriterOp::Delete => return done(self.delete()),
            WriterOp::RemoveTo { ref directory } => {
                let beside = self.base.names.directory().with_file_name(directory);
                return done(self.remove_to(&beside));
            }
            WriterOp::Rollback { offset, count } => self.rollback(offset, count),
            WriterOp::ResetWriteEnd { offset, count } => self.reset_write_end(offset, count),
            WriterOp::TryFixWriteEnd { offset, count } => self.try_fix_write_end(offset, count),
        };
        match moved {
            Ok(end) => LogOutcome::ok(LogReply::Position(end)),
            Err(error) => failure_at(&error, Stands::At(self.state().write_end)),
        }
    }
}

fn put_reply(done: super::writer::PutDone) -> LogReply {
    LogReply::Put {
        offset: done.offset,
        size: done.size,
        end: done.end,
    }
}

impl Reader {
    /// Carries out one operation.
    pub fn apply(&mut self, op: &ReaderOp) -> LogOutcome {
        let moved = match *op {
            ReaderOp::Open => return unsupported(),
            ReaderOp::UpdateQueueEnd { end, force } => {
                return outcome(self.update_queue_end(end, force), LogReply::Changed);
            }
            ReaderOp::TryReadOne => {
                return match self.try_read_one() {
                    Ok(Some(message)) => LogOutcome::ok(LogReply::Message(message)),
                    Ok(None) => LogOutcome::ok(LogReply::Nothing),
                    Err(error) => read_failure(&error),
                };
            }
            ReaderOp::ConfirmRead { offset: -1, .. } => return done(self.confirm_all()),
            ReaderOp::ConfirmRead { offset, count } => {
                return done(self.confirm_read(offset, count));
            }
            ReaderOp::ResetLastReadOne {
                offset,
                count,
                moved,
            } => {
                self.reset_last_read_one(offset, count, moved);
                return LogOutcome::ok(LogReply::Done);
            }
            ReaderOp::Flush { fsync } => {
                self.flush(fsync);
                return LogOutcome::ok(LogReply::Done);
            }
            ReaderOp::Close => {
                self.close();
                return LogOutcome::ok(LogReply::Done);
            }
            ReaderOp::Delete => {
                self.delete();
                return LogOutcome::ok(LogReply::Done);
            }
            // It does not say where it stands after an error, although it may have moved.
            ReaderOp::SkipToNext => return outcome(self.skip_to_next(), LogReply::Position),
            ReaderOp::ResetReadToConfirmed => self.reset_read_to_confirmed(),
            ReaderOp::ResetReadToOffset { offset, count } => {
                self.reset_read_to_offset(offset, count)
            }
            ReaderOp::SkipReadToOffset { offset, count } => self.skip_read_to_offset(offset, count),
            ReaderOp::SkipReadToEnd => self.skip_read_to_end(),
        };
        match moved {
            Ok(confirmed) => LogOutcome::ok(LogReply::Position(confirmed)),
            Err(error @ LogError::Exiting) => failure(&error),
            Err(error) => failure_at(&error, Stands::At(self.state().confirmed)),
        }
    }
}

impl Snapshot {
    /// Carries out one operation.
    pub fn apply(&mut self, op: &SnapshotOp) -> LogOutcome {
        match *op {
            SnapshotOp::Open => return unsupported(),
            SnapshotOp::UpdateQueueEnd { end } => self.update_queue_end(end),
            SnapshotOp::SeekTo { offset, count } => return done(self.seek_to(offset, count)),
            SnapshotOp::ResetSeekTo { offset, count } => {
                return done(self.reset_seek_to(offset, count));
            }
            SnapshotOp::SeekToEnd => self.seek_to_end(),
            SnapshotOp::SkipToNext => return done(self.skip_to_next()),
            SnapshotOp::ReadOne => {
                return match self.read_one() {
                    Ok(message) => LogOutcome::ok(LogReply::Message(message)),
                    Err(error) => read_failure(&error),
                };
            }
            SnapshotOp::ReadRaw { size } => return outcome(self.read_raw(size), LogReply::Raw),
            SnapshotOp::Close => self.close(),
        }
        LogOutcome::ok(LogReply::Done)
    }
}
