//! The operations as plain data, carried out on a store. No call of it tells of a failure.

use super::store::OffsetStore;
use crate::scenario::{Applied, FailureKind, OffsetOp, OffsetOutcome, OffsetReply};

impl OffsetStore {
    /// Carries out one operation. To persist all is to persist every queue of the table; closing
    /// is nothing that the original does.
    pub fn apply(&mut self, op: &OffsetOp) -> OffsetOutcome {
        let reply = match op {
            OffsetOp::Read { queue, from } => {
                let offset = self.read(queue, *from);
                OffsetReply::Offset((offset != -1).then_some(offset))
            }
            OffsetOp::Update {
                queue,
                offset,
                increase_only,
            } => {
                self.update(queue, *offset, *increase_only);
                OffsetReply::Done
            }
            OffsetOp::Persist { queues } => {
                self.persist(queues);
                OffsetReply::Done
            }
            OffsetOp::PersistAll => {
                self.persist(&self.queues());
                OffsetReply::Done
            }
            OffsetOp::Remove { queue } => {
                self.remove(queue);
                OffsetReply::Done
            }
            OffsetOp::Offsets { topic } => match self.offsets(topic) {
                Some(offsets) => OffsetReply::Offsets(offsets),
                None => return unsupported("the original has no such call"),
            },
            OffsetOp::Open | OffsetOp::OpenReadOnly | OffsetOp::Close | OffsetOp::Kill => {
                return unsupported("an open store cannot do this");
            }
        };
        OffsetOutcome::ok(reply)
    }
}

fn unsupported(message: &str) -> OffsetOutcome {
    OffsetOutcome::failed(FailureKind::Unsupported, Applied::No, message)
}
