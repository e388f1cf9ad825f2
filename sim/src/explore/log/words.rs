//! Operations on a log and their answers in words, for timelines.

use crate::explore::words::of_failure;
use crate::scenario::{
    CleanTarget, LogOp, LogOptions, LogOutcome, LogPosition, LogReply, ReaderOp, SnapshotOp,
    WriterOp,
};
use std::fmt::Write;

/// The options of a log.
pub(super) fn of_options(options: &LogOptions) -> String {
    let passes = match options.auto_skip_damaged {
        true => ", readers pass damaged segments",
        false => "",
    };
    format!(
        "segments of {} bytes, messages of {} to {} bytes, readers save every {}{passes}",
        options.segment_bytes_max,
        options.message_bytes_min,
        options.message_bytes_max,
        options.sync_every,
    )
}

/// A call in words.
pub(super) fn of_op(op: &LogOp) -> String {
    match op {
        LogOp::Writer(op) => format!("writer: {}", of_writer(op)),
        LogOp::Reader(name, op) => format!("reader {name}: {}", of_reader(op)),
        LogOp::Snapshot(op) => format!("snapshot: {}", of_snapshot(op)),
        LogOp::Kill => "the process is killed".to_owned(),
    }
}

fn of_writer(op: &WriterOp) -> String {
    match op {
        WriterOp::Open => "open".to_owned(),
        WriterOp::OpenReadOnly => "open for reading only".to_owned(),
        WriterOp::Put { size } => format!("put {size} bytes"),
        WriterOp::PutRaw {
            sizes,
            count,
            missing,
        } => {
            let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
            let mut words = format!("put {count} records of {} bytes", sizes.join(", "));
            if *missing > 0 {
                write!(words, " without the last {missing}").expect("a string takes all");
            }
            words
        }
        WriterOp::Flush { fsync: true } => "flush and sync".to_owned(),
        WriterOp::Flush { fsync: false } => "flush".to_owned(),
        WriterOp::FlushBuffer => "flush the buffer".to_owned(),
        WriterOp::Rollback { offset, count } => {
            format!("take {count} messages back, to offset {offset}")
        }
        WriterOp::ResetWriteEnd { offset, count } => {
            format!("reset the write end to offset {offset} count {count}")
        }
        WriterOp::TryFixWriteEnd { offset, count } => {
            format!("grow the write end to offset {offset} count {count}")
        }
        WriterOp::ResetWriteWithQueueStart { offset, count } => {
            format!("start anew at offset {offset} count {count}")
        }
        WriterOp::CleanOldData {
            target,
            dry_run,
            offset_max,
        } => {
            let tries = if *dry_run { "would clean" } else { "clean" };
            let target = match target {
                CleanTarget::Position(at) => at.to_string(),
                CleanTarget::Offset(offset) => format!("offset {offset}"),
            };
            let limit = match offset_max {
                0 => String::new(),
                limit => format!(", not beyond {limit}"),
            };
            format!("{tries} up to {target}{limit}")
        }
        WriterOp::Empty => "empty".to_owned(),
        WriterOp::Close => "close".to_owned(),
        WriterOp::Delete => "delete".to_owned(),
        WriterOp::RemoveTo { directory } => format!("move to ../{directory}"),
    }
}

fn of_reader(op: &ReaderOp) -> String {
    match op {
        ReaderOp::Open => "open".to_owned(),
        ReaderOp::UpdateQueueEnd { end, force } => {
            let forced = if *force { ", by force" } else { "" };
            format!("told the end {}{forced}", of_end(end))
        }
        ReaderOp::TryReadOne => "read".to_owned(),
        ReaderOp::ConfirmRead { offset: -1, .. } => "confirm all that was read".to_owned(),
        ReaderOp::ConfirmRead { offset, count } => {
            format!("confirm up to offset {offset} count {count}")
        }
        ReaderOp::ResetReadToConfirmed => "reset to what was confirmed".to_owned(),
        ReaderOp::ResetReadToOffset { offset, count } => {
            format!("reset to offset {offset} count {count}")
        }
        ReaderOp::SkipReadToOffset { offset, count } => {
            format!("skip to offset {offset} count {count}")
        }
        ReaderOp::SkipReadToEnd => "skip to the end".to_owned(),
        ReaderOp::SkipToNext => "skip to the next segment".to_owned(),
        ReaderOp::ResetLastReadOne {
            offset,
            count,
            moved,
        } => format!("take the last read back: {moved} bytes to offset {offset} count {count}"),
        ReaderOp::Flush { fsync: true } => "flush and sync".to_owned(),
        ReaderOp::Flush { fsync: false } => "flush".to_owned(),
        ReaderOp::Close => "close".to_owned(),
        ReaderOp::Delete => "delete".to_owned(),
    }
}

fn of_snapshot(op: &SnapshotOp) -> String {
    match op {
        SnapshotOp::Open => "open".to_owned(),
        SnapshotOp::UpdateQueueEnd { end } => format!("told the end {}", of_end(end)),
        SnapshotOp::SeekTo { offset, count } => format!("seek to offset {offset} count {count}"),
        SnapshotOp::ResetSeekTo { offset, count } => {
            format!("seek, also backward, to offset {offset} count {count}")
        }
        SnapshotOp::SeekToEnd => "seek to the end".to_owned(),
        SnapshotOp::SkipToNext => "skip to the next segment".to_owned(),
        SnapshotOp::ReadOne => "read".to_owned(),
        SnapshotOp::ReadRaw { size } => format!("read {size} bytes"),
        SnapshotOp::Close => "close".to_owned(),
    }
}

fn of_end(end: &LogPosition) -> String {
    match *end {
        LogPosition::SHOWN => "that the writer shows".to_owned(),
        end => end.to_string(),
    }
}

/// An answer in words.
pub(super) fn of_outcome(outcome: &LogOutcome) -> String {
    let mut words = match &outcome.result {
        Ok(reply) => of_reply(reply),
        Err(failure) => of_failure(failure),
    };
    for loss in &outcome.losses {
        let (size, file, offset) = (loss.size, &loss.file, loss.offset);
        write!(words, "; lost {size} bytes of {file} at {offset}").expect("a string takes all");
    }
    words
}

fn of_reply(reply: &LogReply) -> String {
    match reply {
        LogReply::Done => "acknowledged".to_owned(),
        LogReply::Put { offset, size, end } => {
            format!("{size} bytes at offset {offset}, the end is {end}")
        }
        LogReply::Position(at) => at.to_string(),
        LogReply::Start(Some(at)) => format!("the start is {at}"),
        LogReply::Start(None) => "nothing to clean".to_owned(),
        LogReply::HadData(true) => "something was in the buffer".to_owned(),
        LogReply::HadData(false) => "nothing was in the buffer".to_owned(),
        LogReply::Changed(true) => "taken".to_owned(),
        LogReply::Changed(false) => "nothing changed".to_owned(),
        LogReply::Message(message) => format!(
            "message at offset {}, count {} behind it: {}",
            message.offset,
            message.count,
            crate::explore::words::of_message(&message.bytes)
        ),
        LogReply::Raw(bytes) => format!("{} bytes", bytes.len()),
        LogReply::Nothing => "nothing".to_owned(),
    }
}
