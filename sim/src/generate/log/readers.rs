//! Operations on readers and on the snapshot.

use super::places::{boundary, place};
use super::view::LogView;
use crate::generate::Choices;
use crate::scenario::{LogPosition, ReaderOp, ReaderState, SnapshotOp};

/// Telling an end: that of the log, one below it, or one that is none.
pub(super) fn tell(choices: &mut Choices, view: &LogView) -> ReaderOp {
    let end = match choices.weighted(&[10, 2, 1]) {
        0 => view.read_end(),
        1 => choices.pick(&view.boundaries),
        _ => {
            let (offset, count) = place(choices, view);
            LogPosition {
                offset,
                count,
                ..view.read_end()
            }
        }
    };
    let force = choices.chance(1, 3);
    ReaderOp::UpdateQueueEnd { end, force }
}

/// Confirming all, up to a boundary, or something that cannot be confirmed.
pub(super) fn confirm(choices: &mut Choices, view: &LogView, reader: &ReaderState) -> ReaderOp {
    let (offset, count) = match choices.weighted(&[4, 3, 2, 1]) {
        0 => (-1, 0),
        1 => (reader.read.offset, choices.pick(&[reader.read.count, 0])),
        2 => boundary(choices, view),
        _ => place(choices, view),
    };
    ReaderOp::ConfirmRead { offset, count }
}

/// Moving without reading.
pub(super) fn moving(choices: &mut Choices, view: &LogView, reader: &ReaderState) -> ReaderOp {
    match choices.weighted(&[2, 3, 3, 1, 2, 2, 1]) {
        0 => ReaderOp::ResetReadToConfirmed,
        1 => {
            let (offset, count) = place(choices, view);
            ReaderOp::ResetReadToOffset { offset, count }
        }
        2 => {
            let (offset, count) = place(choices, view);
            ReaderOp::SkipReadToOffset { offset, count }
        }
        3 => ReaderOp::SkipReadToEnd,
        4 => ReaderOp::SkipToNext,
        5 => last_read(choices, view, reader),
        _ => ReaderOp::Flush {
            fsync: choices.chance(1, 2),
        },
    }
}

/// The last message before the read position, or something else.
fn last_read(choices: &mut Choices, view: &LogView, reader: &ReaderState) -> ReaderOp {
    let read = reader.read.offset;
    let before = view.boundaries.iter().rev().find(|at| at.offset < read);
    let (offset, count) = match before {
        Some(before) if choices.chance(3, 4) => (before.offset, before.count),
        Some(_) | None => place(choices, view),
    };
    ReaderOp::ResetLastReadOne {
        offset,
        count,
        moved: i32::try_from(read - offset).unwrap_or(i32::MAX),
    }
}

/// Anything on a snapshot, which is opened anew now and then.
pub(super) fn snapshot(choices: &mut Choices, view: &LogView) -> SnapshotOp {
    let Some(snapshot) = view.snapshot.filter(|_| !choices.chance(1, 10)) else {
        return SnapshotOp::Open;
    };
    match choices.weighted(&[5, 3, 3, 1, 2, 3, 1, 1]) {
        0 => SnapshotOp::ReadOne,
        1 => {
            let (offset, count) = place(choices, view);
            SnapshotOp::SeekTo { offset, count }
        }
        2 => {
            let (offset, count) = place(choices, view);
            SnapshotOp::ResetSeekTo { offset, count }
        }
        3 => SnapshotOp::SeekToEnd,
        4 => SnapshotOp::SkipToNext,
        5 => {
            let (offset, _) = boundary(choices, view);
            let whole = u32::try_from(offset - snapshot.offset).ok();
            let size = whole.filter(|size| *size > 0 && choices.chance(3, 4));
            SnapshotOp::ReadRaw {
                size: size.unwrap_or_else(|| choices.between(1, 40)),
            }
        }
        6 => SnapshotOp::Close,
        _ => SnapshotOp::UpdateQueueEnd {
            end: view.read_end(),
        },
    }
}
