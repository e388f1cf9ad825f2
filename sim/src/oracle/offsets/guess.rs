//! One way in which what was seen can be understood: a model, and what a crash may leave beside
//! what its file holds.

use crate::model::{OffsetAnswer, OffsetModel};
use crate::scenario::{Applied, Failure, FailureKind, OffsetOp, OffsetReply, OffsetTable};

/// A model, and the snapshots that failed persists may have left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Guess {
    pub(super) model: OffsetModel,
    pub(super) others: Vec<OffsetTable>,
}

impl Guess {
    pub(super) fn new(model: OffsetModel) -> Self {
        let others = Vec::new();
        Self { model, others }
    }

    /// The snapshots that a crash now may leave.
    pub(super) fn at_rest(&self) -> impl Iterator<Item = &OffsetTable> {
        std::iter::once(self.model.file()).chain(&self.others)
    }

    /// What it becomes by a success, if that is the answer that was to come.
    pub(super) fn succeeded(&self, op: &OffsetOp, reply: &OffsetReply, tells: bool) -> Vec<Self> {
        if matches!(op, OffsetOp::Open | OffsetOp::OpenReadOnly) {
            return self.opened(op);
        }
        let mut after = self.clone();
        let is_writable = after.model.is_writable();
        let answer = after.model.apply(op);
        let is_silent = !tells && *reply == OffsetReply::Done;
        let is_it = answer.is(Ok(reply)) || is_silent && matches!(answer, OffsetAnswer::Reply(_));
        // What a failed persist left on the disk is not known: the same may be written again.
        let is_nothing_new = answer == OffsetAnswer::Reply(OffsetReply::Wrote(false));
        let is_again = *reply == OffsetReply::Wrote(true) && !self.others.is_empty();
        if !(is_it || is_nothing_new && is_again) {
            return Vec::new();
        }
        after.settle(op, reply, is_writable);
        vec![after]
    }

    /// What a persist that succeeded leaves of what failed ones may have left. One that had nothing
    /// to write promises the queues that it was given, and no others. Closing what is open for
    /// reading only persists nothing.
    fn settle(&mut self, op: &OffsetOp, reply: &OffsetReply, is_writable: bool) {
        match op {
            OffsetOp::Close if !is_writable => {}
            OffsetOp::Persist { queues } if *reply == OffsetReply::Wrote(false) => {
                let table = self.model.table();
                let agrees = |other: &OffsetTable| {
                    let mut named = queues.iter().filter(|queue| table.contains_key(*queue));
                    named.all(|queue| other.get(queue) == table.get(queue))
                };
                self.others.retain(agrees);
            }
            OffsetOp::Persist { .. } | OffsetOp::PersistAll | OffsetOp::Close => {
                self.others.clear();
            }
            OffsetOp::Open
            | OffsetOp::OpenReadOnly
            | OffsetOp::Read { .. }
            | OffsetOp::Update { .. }
            | OffsetOp::Remove { .. }
            | OffsetOp::Offsets { .. }
            | OffsetOp::Kill => {}
        }
    }

    /// An open takes any of the snapshots that there may be, and makes it durable.
    fn opened(&self, op: &OffsetOp) -> Vec<Self> {
        let mut ways = Vec::new();
        for file in self.at_rest() {
            let mut after = Self::new(OffsetModel::new(file.clone()));
            after.model.apply(op);
            if *op == OffsetOp::OpenReadOnly {
                after.others = self.at_rest().cloned().collect();
            }
            ways.push(after);
        }
        ways
    }

    /// What it becomes by a failure that a fault excuses, or that was to come.
    pub(super) fn failed(&self, op: &OffsetOp, failure: &Failure, is_excused: bool) -> Vec<Self> {
        // What was open is given up before the next open is tried.
        if matches!(op, OffsetOp::Open | OffsetOp::OpenReadOnly) {
            let mut closed = self.clone();
            closed.model.apply(&OffsetOp::Kill);
            let ways = is_excused || failure.kind == FailureKind::Unsupported;
            return if ways { vec![closed] } else { Vec::new() };
        }
        let mut to_come = self.clone();
        let answer = to_come.model.apply(op);
        if answer.is(Err(Some(failure.kind))) {
            return vec![self.clone()];
        }
        if failure.kind == FailureKind::Unsupported {
            return vec![self.clone()];
        }
        if !is_excused {
            return Vec::new();
        }
        let Some(snapshot) = self.model.in_flight(op) else {
            return vec![self.clone()];
        };
        let mut ways = Vec::new();
        for is_done in [false, true] {
            let fits = match failure.applied {
                Applied::No => !is_done,
                Applied::Yes => is_done,
                Applied::Unknown => true,
                Applied::Leading(_) => false,
            };
            if !fits {
                continue;
            }
            let mut after = self.clone();
            if is_done {
                after.others.push(after.model.file().clone());
                after.model.replace_file(snapshot.clone());
            } else if !after.others.contains(&snapshot) {
                after.others.push(snapshot.clone());
            }
            ways.push(after);
        }
        ways
    }
}
