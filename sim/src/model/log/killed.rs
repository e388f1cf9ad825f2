//! What is left of the log when its process was killed, and at which positions its readers may be
//! found again.

use super::core::LogModel;
use super::place::Place;
use super::reader::Reader;
use super::writer::Access;
use crate::scenario::ReaderOp;

impl LogModel {
    /// What the log may be after its process was killed between two operations: it ends at any
    /// boundary from the end that was shown to readers on, and nothing of it is open. Whoever
    /// opens it finds the one that it is.
    #[must_use]
    pub fn after_kill(&self) -> Vec<Self> {
        let read_end = self.content.read_end;
        let boundaries = self.boundaries().into_iter().map(Place::from);
        let ends = boundaries.filter(|end| *end >= read_end);
        ends.map(|end| {
            let mut after = self.clone();
            after.access = Access::None;
            after.snapshot = None;
            after.content.cut(end);
            for reader in after.readers.values_mut() {
                reader.is_open = false;
            }
            after
        })
        .collect()
    }

    /// Notes that an operation on an open reader, or its open, left it like this. It may stand
    /// wherever it stood since it was durable last.
    pub(super) fn note_reader(&mut self, name: &str, op: &ReaderOp, reader: Reader) {
        let is_durable = match op {
            ReaderOp::Open | ReaderOp::Close | ReaderOp::Flush { fsync: true } => true,
            ReaderOp::UpdateQueueEnd { .. }
            | ReaderOp::TryReadOne
            | ReaderOp::ConfirmRead { .. }
            | ReaderOp::ResetReadToConfirmed
            | ReaderOp::ResetReadToOffset { .. }
            | ReaderOp::SkipReadToOffset { .. }
            | ReaderOp::SkipReadToEnd
            | ReaderOp::SkipToNext
            | ReaderOp::ResetLastReadOne { .. }
            | ReaderOp::Flush { fsync: false }
            | ReaderOp::Delete => false,
        };
        let last = self.stood.get(name).and_then(|stood| stood.last());
        let is_new = last.is_none_or(|last| last.confirmed != reader.confirmed);
        if is_durable {
            self.stood.insert(name.into(), vec![reader]);
        } else if is_new {
            self.stood.entry(name.into()).or_default().push(reader);
        }
    }
}
