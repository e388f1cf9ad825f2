//! What can be called on a log.
//!
//! Sizes are in bytes; a message's bytes are handed over beside the operation. Offsets are virtual
//! ones, counts are totals from the start of the log unless it says otherwise; a count of 0 stands
//! for one that is not known where a reader is told one.

use super::LogPosition;
use serde::{Deserialize, Serialize};

/// An operation on one of the objects of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogOp {
    /// On the writer.
    Writer(WriterOp),
    /// On the reader of this name.
    Reader(String, ReaderOp),
    /// On the snapshot.
    Snapshot(SnapshotOp),
    /// The process dies here; all objects are gone. Only an open can follow.
    Kill,
}

/// What can be called on the writer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum WriterOp {
    /// Opens the log.
    Open,
    /// Opens it for reading only, which changes nothing on disk.
    OpenReadOnly,
    /// Puts one message.
    Put {
        /// Its size.
        size: u32,
    },
    /// Puts a batch of whole records as they are on disk.
    PutRaw {
        /// The size of the message in each record.
        sizes: Vec<u32>,
        /// How many messages there are said to be.
        count: i32,
        /// So many of the last bytes are left out.
        #[serde(default, skip_serializing_if = "is_zero")]
        missing: u32,
    },
    /// Writes what is buffered and the meta.
    Flush {
        /// Makes both durable.
        fsync: bool,
    },
    /// Writes what is buffered.
    FlushBuffer,
    /// Takes back the last messages.
    Rollback {
        /// The new end.
        offset: i64,
        /// How many messages are taken back.
        count: u64,
    },
    /// Cuts the log's end.
    ResetWriteEnd {
        /// The new end.
        offset: i64,
        /// The new total.
        count: i64,
    },
    /// Moves the log's end forward over bytes that are there.
    TryFixWriteEnd {
        /// The new end.
        offset: i64,
        /// The new total.
        count: i64,
    },
    /// Drops all messages; the log goes on at a given place.
    ResetWriteWithQueueStart {
        /// Where it goes on.
        offset: i64,
        /// The total there.
        count: i64,
    },
    /// Removes whole segments from the log's start.
    CleanOldData {
        /// Up to where.
        target: CleanTarget,
        /// Only says what the start would be.
        dry_run: bool,
        /// Nothing behind this offset is removed; 0 is no limit.
        offset_max: i64,
    },
    /// Drops all messages.
    Empty,
    /// Closes the writer.
    Close,
    /// Deletes the log.
    Delete,
    /// Moves the log's files to a directory, which exists beside the data directory.
    RemoveTo {
        /// The name of that directory.
        directory: String,
    },
}

/// Up to where old data is to be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CleanTarget {
    /// A place by segment and byte.
    Position(LogPosition),
    /// A virtual offset alone.
    Offset(i64),
}

/// What can be called on a reader.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum ReaderOp {
    /// Opens it at its saved position, or at the writer's read end.
    Open,
    /// Tells it where the log ends.
    UpdateQueueEnd {
        /// The end; [`LogPosition::SHOWN`] is the one that the writer shows then.
        end: LogPosition,
        /// What was read ahead is dropped; the end may lie before the old one.
        force: bool,
    },
    /// Reads the next message if there is one.
    TryReadOne,
    /// Confirms messages.
    ConfirmRead {
        /// Up to where; -1 stands for all that was read.
        offset: i64,
        /// The total there.
        count: i64,
    },
    /// Reads again from the confirmed position.
    ResetReadToConfirmed,
    /// Moves confirmed and read position, also backward.
    ResetReadToOffset {
        /// Where to.
        offset: i64,
        /// The total there.
        count: i64,
    },
    /// Moves them forward.
    SkipReadToOffset {
        /// Where to.
        offset: i64,
        /// The total there.
        count: i64,
    },
    /// Moves them to the end.
    SkipReadToEnd,
    /// Moves them to the start of the next segment.
    SkipToNext,
    /// Takes the last read back.
    ResetLastReadOne {
        /// The offset of that message.
        offset: i64,
        /// The total before it.
        count: i64,
        /// The bytes that the read moved.
        moved: i32,
    },
    /// Saves the position.
    Flush {
        /// Makes it durable.
        fsync: bool,
    },
    /// Closes it, which saves the position.
    Close,
    /// Deletes it.
    Delete,
}

/// What can be called on a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum SnapshotOp {
    /// Opens one between the writer's queue start and read end of this moment.
    Open,
    /// Moves its end.
    UpdateQueueEnd {
        /// The end; [`LogPosition::SHOWN`] is the one that the writer shows then.
        end: LogPosition,
    },
    /// Moves forward.
    SeekTo {
        /// Where to.
        offset: i64,
        /// The total there.
        count: i64,
    },
    /// Moves, also backward.
    ResetSeekTo {
        /// Where to.
        offset: i64,
        /// The total there.
        count: i64,
    },
    /// Moves to the end.
    SeekToEnd,
    /// Moves to the start of the next segment.
    SkipToNext,
    /// Reads the next message.
    ReadOne,
    /// Reads bytes as they are on disk.
    ReadRaw {
        /// How many.
        size: u32,
    },
    /// Closes it.
    Close,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl LogOp {
    /// Whether an offset or a count that it names lies below zero.
    #[must_use]
    pub fn has_negative(&self) -> bool {
        match self {
            Self::Writer(op) => op.has_negative(),
            Self::Reader(_, op) => op.has_negative(),
            Self::Snapshot(op) => match op {
                SnapshotOp::SeekTo { offset, count }
                | SnapshotOp::ResetSeekTo { offset, count } => offset.min(count).is_negative(),
                SnapshotOp::Open
                | SnapshotOp::UpdateQueueEnd { .. }
                | SnapshotOp::SeekToEnd
                | SnapshotOp::SkipToNext
                | SnapshotOp::ReadOne
                | SnapshotOp::ReadRaw { .. }
                | SnapshotOp::Close => false,
            },
            Self::Kill => false,
        }
    }
}

impl WriterOp {
    fn has_negative(&self) -> bool {
        match self {
            Self::PutRaw { count, .. } => count.is_negative(),
            Self::Rollback { offset, .. } => offset.is_negative(),
            Self::ResetWriteEnd { offset, count }
            | Self::TryFixWriteEnd { offset, count }
            | Self::ResetWriteWithQueueStart { offset, count } => offset.min(count).is_negative(),
            Self::CleanOldData {
                target, offset_max, ..
            } => {
                let target = match target {
                    CleanTarget::Position(at) => at.offset,
                    CleanTarget::Offset(offset) => *offset,
                };
                target.min(*offset_max).is_negative()
            }
            Self::Open
            | Self::OpenReadOnly
            | Self::Put { .. }
            | Self::Flush { .. }
            | Self::FlushBuffer
            | Self::Empty
            | Self::Close
            | Self::Delete
            | Self::RemoveTo { .. } => false,
        }
    }
}

impl ReaderOp {
    fn has_negative(&self) -> bool {
        match self {
            Self::ConfirmRead { offset, count }
            | Self::ResetReadToOffset { offset, count }
            | Self::SkipReadToOffset { offset, count } => offset.min(count).is_negative(),
            Self::ResetLastReadOne {
                offset,
                count,
                moved,
            } => moved.is_negative() || offset.min(count).is_negative(),
            Self::Open
            | Self::UpdateQueueEnd { .. }
            | Self::TryReadOne
            | Self::ResetReadToConfirmed
            | Self::SkipReadToEnd
            | Self::SkipToNext
            | Self::Flush { .. }
            | Self::Close
            | Self::Delete => false,
        }
    }
}
