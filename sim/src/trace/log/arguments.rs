//! The call of a line, from its operation and arguments.

use super::file::LogCall;
use super::lines::Line;
use crate::scenario::{CleanTarget, LogOp, LogPosition, ReaderOp, SnapshotOp, WriterOp};
use crate::trace::damage::{DamageArguments, FileDamage};
use crate::trace::text::{bytes, check_arguments};

/// Where `remove_to` moves the files: a directory beside the data directory.
pub(super) const MOVED: &str = "moved";

/// The call, and the names of the arguments that it has.
type Found = (LogCall, &'static [&'static str]);

const OFFSET_COUNT: &[&str] = &["offset", "count"];
const READER: &[&str] = &["reader"];

/// The call of a line; an argument that it does not have is an error.
pub(super) fn call(line: &Line) -> Result<LogCall, String> {
    let op = line.op.as_str();
    let (call, arguments) = if let Some(op) = op.strip_prefix("reader.") {
        let name = given(line.reader.clone(), "reader")?;
        if !["a", "b"].contains(&name.as_str()) {
            return Err(format!("there is no reader `{name}`"));
        }
        let (op, arguments) = reader_op(op, line)?;
        (operation(LogOp::Reader(name, op)), arguments)
    } else if let Some(op) = op.strip_prefix("snapshot.") {
        let (op, arguments) = snapshot_op(op, line)?;
        (operation(LogOp::Snapshot(op)), arguments)
    } else if let Some(found) = opening(op, line)? {
        found
    } else {
        writer_call(op, line)?
    };
    let given = [
        ("reader", line.reader.is_some()),
        ("data_b64", line.data_b64.is_some()),
        ("offset", line.offset.is_some()),
        ("count", line.count.is_some()),
        ("fsync", line.fsync.is_some()),
        ("end", line.end.is_some()),
        ("force", line.force.is_some()),
        ("moved", line.moved.is_some()),
        ("dry_run", line.dry_run.is_some()),
        ("offset_max", line.offset_max.is_some()),
        ("to_offset", line.to_offset.is_some()),
        ("to_segment", line.to_segment.is_some()),
        ("to_position", line.to_position.is_some()),
        ("file", line.file.is_some()),
        ("how", line.how.is_some()),
        ("size", line.size.is_some()),
        ("at", line.at.is_some()),
        ("value", line.value.is_some()),
    ];
    check_arguments(op, &given, arguments)?;
    Ok(call)
}

fn opening(op: &str, line: &Line) -> Result<Option<Found>, String> {
    let call = match op {
        "open" => LogCall::Open,
        "reopen" => LogCall::Reopen,
        "kill_and_open" => LogCall::KillAndOpen,
        "kill_damage_open" => {
            let (damage, arguments) = FileDamage::parse(DamageArguments {
                file: line.file.as_deref(),
                how: line.how.as_deref(),
                size: line.size,
                at: line.at,
                value: line.value,
            })?;
            return Ok(Some((LogCall::KillDamageOpen(damage), arguments)));
        }
        _ => return Ok(None),
    };
    Ok(Some((call, &[])))
}

fn writer_call(op: &str, line: &Line) -> Result<Found, String> {
    let (op, arguments): (_, &'static [&'static str]) = match op {
        "put" => {
            let message = bytes(line.data_b64.as_deref())?;
            let op = WriterOp::Put {
                size: u32::try_from(message.len()).unwrap_or(u32::MAX),
            };
            let call = LogCall::Operation(LogOp::Writer(op), message);
            return Ok((call, &["data_b64"]));
        }
        "put_raw" => {
            let records = bytes(line.data_b64.as_deref())?;
            let count = number(line.count, "count")?;
            let sizes = record_sizes(&records).ok_or("`data_b64` is not whole records")?;
            let op = WriterOp::PutRaw {
                sizes,
                count,
                missing: 0,
            };
            let call = LogCall::Operation(LogOp::Writer(op), records);
            return Ok((call, &["data_b64", "count"]));
        }
        "flush" => {
            let fsync = given(line.fsync, "fsync")?;
            (WriterOp::Flush { fsync }, &["fsync"])
        }
        "flush_buffer" => (WriterOp::FlushBuffer, &[]),
        "rollback" => {
            let offset = given(line.offset, "offset")?;
            let count = given(line.count, "count")?.cast_unsigned();
            (WriterOp::Rollback { offset, count }, OFFSET_COUNT)
        }
        "reset_write_end" => {
            let (offset, count) = offset_count(line)?;
            (WriterOp::ResetWriteEnd { offset, count }, OFFSET_COUNT)
        }
        "try_fix_write_end" => {
            let (offset, count) = offset_count(line)?;
            (WriterOp::TryFixWriteEnd { offset, count }, OFFSET_COUNT)
        }
        "reset_write_with_queue_start" => {
            let (offset, count) = offset_count(line)?;
            let op = WriterOp::ResetWriteWithQueueStart { offset, count };
            (op, OFFSET_COUNT)
        }
        "clean_old_data_by_retention" => clean_old_data(line)?,
        "empty" => (WriterOp::Empty, &[]),
        "delete" => (WriterOp::Delete, &[]),
        "remove_to" => {
            let directory = MOVED.to_owned();
            (WriterOp::RemoveTo { directory }, &[])
        }
        other => return Err(format!("there is no operation `{other}`")),
    };
    Ok((operation(LogOp::Writer(op)), arguments))
}

fn clean_old_data(line: &Line) -> Result<(WriterOp, &'static [&'static str]), String> {
    let offset = given(line.to_offset, "to_offset")?;
    let (target, arguments): (_, &'static [&'static str]) = match line.to_segment {
        None => (
            CleanTarget::Offset(offset),
            &["dry_run", "offset_max", "to_offset"],
        ),
        Some(segment) => {
            let position = LogPosition {
                segment,
                position: given(line.to_position, "to_position")?,
                offset,
                count: 0,
            };
            let arguments = &[
                "dry_run",
                "offset_max",
                "to_offset",
                "to_segment",
                "to_position",
            ];
            (CleanTarget::Position(position), arguments)
        }
    };
    let op = WriterOp::CleanOldData {
        target,
        dry_run: given(line.dry_run, "dry_run")?,
        offset_max: given(line.offset_max, "offset_max")?,
    };
    Ok((op, arguments))
}

fn reader_op(op: &str, line: &Line) -> Result<(ReaderOp, &'static [&'static str]), String> {
    const READER_OFFSET_COUNT: &[&str] = &["reader", "offset", "count"];
    Ok(match op {
        "update_queue_end" => {
            let end = given(line.end, "end")?;
            let force = given(line.force, "force")?;
            let op = ReaderOp::UpdateQueueEnd { end, force };
            (op, &["reader", "end", "force"])
        }
        "try_read_one" => (ReaderOp::TryReadOne, READER),
        "confirm_read" => {
            let (offset, count) = offset_count(line)?;
            (ReaderOp::ConfirmRead { offset, count }, READER_OFFSET_COUNT)
        }
        "reset_read_to_confirmed" => (ReaderOp::ResetReadToConfirmed, READER),
        "reset_read_to_offset" => {
            let (offset, count) = offset_count(line)?;
            let op = ReaderOp::ResetReadToOffset { offset, count };
            (op, READER_OFFSET_COUNT)
        }
        "skip_read_to_offset" => {
            let (offset, count) = offset_count(line)?;
            let op = ReaderOp::SkipReadToOffset { offset, count };
            (op, READER_OFFSET_COUNT)
        }
        "skip_read_to_end" => (ReaderOp::SkipReadToEnd, READER),
        "skip_to_next" => (ReaderOp::SkipToNext, READER),
        "reset_last_read_one" => {
            let (offset, count) = offset_count(line)?;
            let op = ReaderOp::ResetLastReadOne {
                offset,
                count,
                moved: given(line.moved, "moved")?,
            };
            (op, &["reader", "offset", "count", "moved"])
        }
        "flush" => {
            let fsync = given(line.fsync, "fsync")?;
            (ReaderOp::Flush { fsync }, &["reader", "fsync"])
        }
        other => return Err(format!("there is no operation `reader.{other}`")),
    })
}

fn snapshot_op(op: &str, line: &Line) -> Result<(SnapshotOp, &'static [&'static str]), String> {
    Ok(match op {
        "open" => (SnapshotOp::Open, &[]),
        "update_queue_end" => {
            let end = given(line.end, "end")?;
            (SnapshotOp::UpdateQueueEnd { end }, &["end"])
        }
        "seek_to" => {
            let (offset, count) = offset_count(line)?;
            (SnapshotOp::SeekTo { offset, count }, OFFSET_COUNT)
        }
        "reset_seek_to" => {
            let (offset, count) = offset_count(line)?;
            (SnapshotOp::ResetSeekTo { offset, count }, OFFSET_COUNT)
        }
        "seek_to_end" => (SnapshotOp::SeekToEnd, &[]),
        "skip_to_next" => (SnapshotOp::SkipToNext, &[]),
        "read_one" => (SnapshotOp::ReadOne, &[]),
        "read_raw" => {
            let size = number(line.size, "size")?;
            (SnapshotOp::ReadRaw { size }, &["size"])
        }
        other => return Err(format!("there is no operation `snapshot.{other}`")),
    })
}

fn operation(op: LogOp) -> LogCall {
    LogCall::Operation(op, Vec::new())
}

fn given<T>(value: Option<T>, key: &str) -> Result<T, String> {
    value.ok_or_else(|| format!("`{key}` is missing"))
}

fn number<T, N: TryFrom<T>>(value: Option<T>, key: &str) -> Result<N, String> {
    N::try_from(given(value, key)?).map_err(|_| format!("`{key}` is too large"))
}

fn offset_count(line: &Line) -> Result<(i64, i64), String> {
    let offset = given(line.offset, "offset")?;
    Ok((offset, given(line.count, "count")?))
}

/// The sizes of the messages in a batch of whole records.
fn record_sizes(mut records: &[u8]) -> Option<Vec<u32>> {
    let mut sizes = Vec::new();
    while let Some((length, rest)) = records.split_first_chunk() {
        let size = u32::from_be_bytes(*length);
        records = rest.get(usize::try_from(size).ok()?..)?;
        sizes.push(size);
    }
    records.is_empty().then_some(sizes)
}
