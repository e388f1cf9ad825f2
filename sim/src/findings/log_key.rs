//! What a finding of a log is told by.

use crate::scenario::{LogOp, ReaderOp, SnapshotOp, WriterOp};

/// Whether an operation opens what a kill can end.
pub(super) fn opens(op: &LogOp) -> bool {
    matches!(op, LogOp::Writer(WriterOp::Open | WriterOp::OpenReadOnly))
}

/// What an operation is called in a key.
pub(super) fn name_of(op: &LogOp) -> &'static str {
    match op {
        LogOp::Writer(op) => of_writer(op),
        LogOp::Reader(_, op) => of_reader(op),
        LogOp::Snapshot(op) => of_snapshot(op),
        LogOp::Kill => "kill",
    }
}

fn of_writer(op: &WriterOp) -> &'static str {
    match op {
        WriterOp::Open | WriterOp::OpenReadOnly => "open",
        WriterOp::Put { .. } => "put",
        WriterOp::PutRaw { .. } => "put-raw",
        WriterOp::Flush { .. } => "flush",
        WriterOp::FlushBuffer => "flush-buffer",
        WriterOp::Rollback { .. } => "rollback",
        WriterOp::ResetWriteEnd { .. } => "reset-write-end",
        WriterOp::TryFixWriteEnd { .. } => "grow",
        WriterOp::ResetWriteWithQueueStart { .. } => "new-start",
        WriterOp::CleanOldData { .. } => "retention",
        WriterOp::Empty => "empty",
        WriterOp::Close => "close",
        WriterOp::Delete => "delete",
        WriterOp::RemoveTo { .. } => "move",
    }
}

fn of_reader(op: &ReaderOp) -> &'static str {
    match op {
        ReaderOp::Open => "reader-open",
        ReaderOp::UpdateQueueEnd { .. } => "reader-told-end",
        ReaderOp::TryReadOne => "reader-read",
        ReaderOp::ConfirmRead { .. } => "reader-confirm",
        ReaderOp::ResetReadToConfirmed
        | ReaderOp::ResetReadToOffset { .. }
        | ReaderOp::ResetLastReadOne { .. } => "reader-reset",
        ReaderOp::SkipReadToOffset { .. } | ReaderOp::SkipReadToEnd | ReaderOp::SkipToNext => {
            "reader-skip"
        }
        ReaderOp::Flush { .. } => "reader-flush",
        ReaderOp::Close => "reader-close",
        ReaderOp::Delete => "reader-delete",
    }
}

fn of_snapshot(op: &SnapshotOp) -> &'static str {
    match op {
        SnapshotOp::Open => "snapshot-open",
        SnapshotOp::UpdateQueueEnd { .. } => "snapshot-told-end",
        SnapshotOp::SeekTo { .. }
        | SnapshotOp::ResetSeekTo { .. }
        | SnapshotOp::SeekToEnd
        | SnapshotOp::SkipToNext => "snapshot-seek",
        SnapshotOp::ReadOne | SnapshotOp::ReadRaw { .. } => "snapshot-read",
        SnapshotOp::Close => "snapshot-close",
    }
}
