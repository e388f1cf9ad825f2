//! Calls on the writer and on the snapshot.

use super::super::vector::Bytes;
use super::ops::{SnapshotCall, Target, WriterCall};
use super::stages::Answer;
use crashline::seglog::{CleanTarget, End, Error, LogWriter, Message, Position, Put, Snapshot};
use std::path::Path;

/// Makes one call on an open writer.
pub(super) fn on_writer(
    writer: &mut LogWriter,
    call: &WriterCall,
    directory: &Path,
) -> Result<Answer, Error> {
    match call {
        WriterCall::Put { message_b64 } => writer.put(&message_b64.0).map(put),
        WriterCall::PutRaw { records_b64, count } => {
            writer.put_raw(&records_b64.0, *count).map(put)
        }
        WriterCall::Flush { fsync } => writer.flush(*fsync).map(done),
        WriterCall::FlushBuffer {} => writer.flush_buffer().map(Answer::HadData),
        WriterCall::Rollback { offset, count } => writer.rollback(*offset, *count).map(position),
        WriterCall::ResetWriteEnd { offset, count } => {
            writer.reset_write_end(*offset, *count).map(position)
        }
        WriterCall::TryFixWriteEnd { offset, count } => {
            writer.try_fix_write_end(*offset, *count).map(position)
        }
        WriterCall::ResetWriteWithQueueStart { offset, count } => writer
            .reset_write_with_queue_start(*offset, *count)
            .map(done),
        WriterCall::CleanOldData {
            target,
            dry_run,
            offset_max,
            force,
        } => {
            let target = match target {
                Target::Position(place) => CleanTarget::Position((*place).into()),
                Target::Offset(offset) => CleanTarget::Offset(*offset),
            };
            let start = writer.clean_old_data(target, *dry_run, *offset_max, *force);
            start.map(|start| Answer::Start(start.map(Into::into)))
        }
        WriterCall::Empty {} => writer.empty().map(done),
        WriterCall::Close {} => writer.close().map(done),
        WriterCall::Delete {} => writer.delete().map(done),
        WriterCall::RemoveTo { directory: name } => {
            writer.remove_to(&directory.join(name)).map(done)
        }
        WriterCall::Open { .. } | WriterCall::OpenReadOnly { .. } | WriterCall::OpenSecond {} => {
            unreachable!("these need no open object")
        }
    }
}

/// Makes one call on an open snapshot.
pub(super) fn on_snapshot(
    snapshot: &mut Snapshot,
    call: &SnapshotCall,
    end: End,
) -> Result<Answer, Error> {
    match *call {
        SnapshotCall::UpdateQueueEnd { .. } => snapshot.update_queue_end(end).map(Answer::Changed),
        SnapshotCall::SeekTo { offset, count } => snapshot.seek_to(offset, count).map(done),
        SnapshotCall::ResetSeekTo { offset, count } => {
            snapshot.reset_seek_to(offset, count).map(done)
        }
        SnapshotCall::SeekToEnd {} => snapshot.seek_to_end().map(done),
        SnapshotCall::SkipToNext {} => snapshot.skip_to_next().map(done),
        SnapshotCall::ReadOne {} => snapshot.read_one().map(message),
        SnapshotCall::ReadRaw { size } => {
            let bytes = snapshot.read_raw(size);
            bytes.map(|bytes| Answer::RawB64(Bytes(bytes)))
        }
        SnapshotCall::Open {} | SnapshotCall::Close {} => {
            unreachable!("these need no open object")
        }
    }
}

pub(super) fn done((): ()) -> Answer {
    Answer::Done
}

pub(super) fn position(at: Position) -> Answer {
    Answer::Position(at.into())
}

pub(super) fn message(found: Option<Message>) -> Answer {
    match found {
        None => Answer::Nothing,
        Some(message) => Answer::Message {
            offset: message.offset,
            moved: message.moved,
            count: message.count_after,
            message_b64: Bytes(message.bytes),
        },
    }
}

fn put(put: Put) -> Answer {
    Answer::Put {
        offset: put.offset,
        size: put.size,
        end: put.end.into(),
    }
}
