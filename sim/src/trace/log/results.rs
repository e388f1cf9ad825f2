//! The result of a line; which keys it must have follows from its operation.

use super::file::{LogCall, Recorded};
use super::lines::{Answer, Moved};
use crate::scenario::{
    LogMessage, LogOp, LogPosition, LogReply, ReaderOp, SnapshotOp, Stands, WriterOp,
};
use crate::trace::text::bytes;
use std::collections::BTreeMap;

/// What a step answered. A key that its operation does not give is an error.
pub(super) fn recorded(call: &LogCall, answer: Answer) -> Result<Recorded, String> {
    let mut answer = answer;
    let error = answer.error.take();
    let recorded = match error {
        Some(error) => {
            let stands = stands(call, &mut answer)?;
            Recorded {
                result: Err(error),
                stands,
                moved: BTreeMap::new(),
            }
        }
        None => {
            let (reply, moved) = reply(call, &mut answer)?;
            Recorded {
                result: Ok(reply),
                stands: Stands::Unsaid,
                moved,
            }
        }
    };
    nothing_left(&answer)?;
    Ok(recorded)
}

fn reply(
    call: &LogCall,
    answer: &mut Answer,
) -> Result<(LogReply, BTreeMap<String, String>), String> {
    let reply = match call {
        LogCall::Operation(LogOp::Writer(op), _) => match op {
            WriterOp::Put { .. } | WriterOp::PutRaw { .. } => LogReply::Put {
                offset: take(&mut answer.offset, "offset")?,
                size: take(&mut answer.size, "size")?,
                end: take(&mut answer.end, "end")?,
            },
            WriterOp::Rollback { .. }
            | WriterOp::ResetWriteEnd { .. }
            | WriterOp::TryFixWriteEnd { .. } => LogReply::Position(take(&mut answer.end, "end")?),
            WriterOp::FlushBuffer => LogReply::HadData(take(&mut answer.had_data, "had_data")?),
            WriterOp::CleanOldData { .. } => LogReply::Start(answer.queue_start.take()),
            WriterOp::RemoveTo { .. } => {
                return match take(&mut answer.moved, "moved")? {
                    Moved::Files(files) => Ok((LogReply::Done, files)),
                    Moved::Bytes(_) => Err("`moved` is no list of files".to_owned()),
                };
            }
            WriterOp::Open
            | WriterOp::OpenReadOnly
            | WriterOp::Flush { .. }
            | WriterOp::ResetWriteWithQueueStart { .. }
            | WriterOp::Empty
            | WriterOp::Close
            | WriterOp::Delete => LogReply::Done,
        },
        LogCall::Operation(LogOp::Reader(_, op), _) => match op {
            ReaderOp::UpdateQueueEnd { .. } => {
                LogReply::Changed(take(&mut answer.changed, "changed")?)
            }
            ReaderOp::TryReadOne => read(answer)?,
            ReaderOp::ResetReadToConfirmed
            | ReaderOp::ResetReadToOffset { .. }
            | ReaderOp::SkipReadToOffset { .. }
            | ReaderOp::SkipReadToEnd
            | ReaderOp::SkipToNext => LogReply::Position(take(&mut answer.confirmed, "confirmed")?),
            ReaderOp::Open
            | ReaderOp::ConfirmRead { .. }
            | ReaderOp::ResetLastReadOne { .. }
            | ReaderOp::Flush { .. }
            | ReaderOp::Close
            | ReaderOp::Delete => LogReply::Done,
        },
        LogCall::Operation(LogOp::Snapshot(SnapshotOp::ReadOne), _) => read(answer)?,
        LogCall::Operation(LogOp::Snapshot(SnapshotOp::ReadRaw { .. }), _) => {
            LogReply::Raw(bytes(answer.data_b64.take().as_deref())?)
        }
        LogCall::Operation(LogOp::Snapshot(_) | LogOp::Kill, _)
        | LogCall::Open
        | LogCall::Reopen
        | LogCall::KillAndOpen
        | LogCall::KillDamageOpen(_) => LogReply::Done,
    };
    Ok((reply, BTreeMap::new()))
}

fn read(answer: &mut Answer) -> Result<LogReply, String> {
    match take(&mut answer.kind, "kind")?.as_str() {
        "none" => Ok(LogReply::Nothing),
        "message" => {
            let Moved::Bytes(moved) = take(&mut answer.moved, "moved")? else {
                return Err("`moved` is no number of bytes".to_owned());
            };
            Ok(LogReply::Message(LogMessage {
                offset: take(&mut answer.offset, "offset")?,
                moved,
                count: take(&mut answer.count, "count")?,
                bytes: bytes(answer.data_b64.take().as_deref())?,
            }))
        }
        other => Err(format!("a result of the kind `{other}` does not fit here")),
    }
}

/// What an error tells beside its words. A refused put gives zeros.
fn stands(call: &LogCall, answer: &mut Answer) -> Result<Stands, String> {
    let LogCall::Operation(op, _) = call else {
        return Ok(Stands::Unsaid);
    };
    Ok(match op {
        LogOp::Writer(WriterOp::Put { .. } | WriterOp::PutRaw { .. }) => {
            let (offset, size) = (answer.offset.take(), answer.size.take());
            let end = answer.end.take();
            if (offset, size, end) != (Some(0), Some(0), Some(LogPosition::default())) {
                return Err("a refused put tells an offset, size or end".to_owned());
            }
            Stands::Unsaid
        }
        LogOp::Writer(
            WriterOp::Rollback { .. }
            | WriterOp::ResetWriteEnd { .. }
            | WriterOp::TryFixWriteEnd { .. },
        ) => Stands::At(take(&mut answer.end, "end")?),
        LogOp::Reader(_, ReaderOp::UpdateQueueEnd { .. }) => {
            if answer.changed.take() != Some(false) {
                return Err("a refused end changes nothing".to_owned());
            }
            Stands::Unsaid
        }
        LogOp::Reader(_, ReaderOp::TryReadOne) | LogOp::Snapshot(SnapshotOp::ReadOne) => {
            let kind = take(&mut answer.kind, "kind")?;
            if kind != "error" {
                return Err(format!("a result of the kind `{kind}` does not fit here"));
            }
            Stands::Offset(take(&mut answer.offset, "offset")?)
        }
        LogOp::Reader(
            _,
            ReaderOp::ResetReadToConfirmed
            | ReaderOp::ResetReadToOffset { .. }
            | ReaderOp::SkipReadToOffset { .. }
            | ReaderOp::SkipReadToEnd,
        ) => match answer.confirmed.take() {
            Some(confirmed) => Stands::At(confirmed),
            None => Stands::Unsaid,
        },
        LogOp::Writer(_) | LogOp::Reader(..) | LogOp::Snapshot(_) | LogOp::Kill => Stands::Unsaid,
    })
}

fn take<T>(value: &mut Option<T>, key: &str) -> Result<T, String> {
    value
        .take()
        .ok_or_else(|| format!("the result has no `{key}`"))
}

fn nothing_left(answer: &Answer) -> Result<(), String> {
    let given = [
        ("kind", answer.kind.is_some()),
        ("data_b64", answer.data_b64.is_some()),
        ("offset", answer.offset.is_some()),
        ("size", answer.size.is_some()),
        ("count", answer.count.is_some()),
        ("end", answer.end.is_some()),
        ("confirmed", answer.confirmed.is_some()),
        ("queue_start", answer.queue_start.is_some()),
        ("changed", answer.changed.is_some()),
        ("had_data", answer.had_data.is_some()),
        ("moved", answer.moved.is_some()),
    ];
    match given.iter().find(|(_, is)| *is) {
        Some((key, _)) => Err(format!("a result with `{key}` does not fit here")),
        None => Ok(()),
    }
}
