//! Calls on a reader.

use super::calls::{done, message, position};
use super::ops::ReaderCall;
use super::stages::Answer;
use crashline::seglog::{Confirm, End, Error, LogReader};

/// Makes one call on an open reader.
pub(super) fn on_reader(
    reader: &mut LogReader,
    call: &ReaderCall,
    end: End,
) -> Result<Answer, Error> {
    match *call {
        ReaderCall::UpdateQueueEnd { force, .. } => {
            reader.update_queue_end(end, force).map(Answer::Changed)
        }
        ReaderCall::TryReadOne {} => reader.try_read_one().map(message),
        ReaderCall::ConfirmRead { offset, count } => {
            let confirm = match offset {
                None => Confirm::AllRead,
                Some(offset) => Confirm::UpTo { offset, count },
            };
            reader.confirm_read(confirm).map(done)
        }
        ReaderCall::ResetReadToConfirmed {} => reader.reset_read_to_confirmed().map(position),
        ReaderCall::ResetReadToOffset { offset, count } => {
            reader.reset_read_to_offset(offset, count).map(position)
        }
        ReaderCall::ResetReadToQueueStart {} => reader.reset_read_to_queue_start().map(position),
        ReaderCall::SkipReadToOffset { offset, count } => {
            reader.skip_read_to_offset(offset, count).map(position)
        }
        ReaderCall::SkipReadToEnd {} => reader.skip_read_to_end().map(position),
        ReaderCall::SkipToNext {} => reader.skip_to_next().map(position),
        ReaderCall::ResetLastReadOne {
            offset,
            count,
            moved,
        } => reader.reset_last_read_one(offset, count, moved).map(done),
        ReaderCall::Flush { fsync } => reader.flush(fsync).map(done),
        ReaderCall::Close {} => reader.close().map(done),
        ReaderCall::Delete {} => reader.delete().map(done),
        ReaderCall::Open { .. } | ReaderCall::OpenSecond {} => {
            unreachable!("these need no open object")
        }
    }
}
