//! What a finding of an offset store is told by.

use crate::scenario::OffsetOp;

/// Whether the process is killed while the store is open.
pub(super) fn is_killed(steps: &[OffsetOp]) -> bool {
    let opens = |op: &OffsetOp| matches!(op, OffsetOp::Open | OffsetOp::OpenReadOnly);
    let first = steps.iter().position(opens).unwrap_or(steps.len());
    let rest = steps.get(first..).unwrap_or_default();
    rest.contains(&OffsetOp::Kill)
}

/// The operation of the last of the first `begun` steps.
pub(super) fn last_operation(steps: &[OffsetOp], begun: usize) -> &'static str {
    let begun = steps.get(..begun).unwrap_or(steps);
    begun.last().map_or("open", name_of)
}

fn name_of(op: &OffsetOp) -> &'static str {
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
