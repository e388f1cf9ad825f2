//! What a finding of an offset store is told by.

use crate::scenario::OffsetOp;

/// Whether an operation opens what a kill can end.
pub(super) fn opens(op: &OffsetOp) -> bool {
    matches!(op, OffsetOp::Open | OffsetOp::OpenReadOnly)
}

/// What an operation is called in a key.
pub(super) fn name_of(op: &OffsetOp) -> &'static str {
    match op {
        OffsetOp::Open | OffsetOp::OpenReadOnly => "open",
        OffsetOp::Read { .. } | OffsetOp::Offsets { .. } => "read",
        OffsetOp::Update { .. } => "update",
        OffsetOp::Persist { .. } => "persist",
        OffsetOp::PersistAll => "persist-all",
        OffsetOp::Remove { .. } => "remove",
        OffsetOp::Close => "close",
        OffsetOp::Kill => "kill",
    }
}
