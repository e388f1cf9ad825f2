//! [`OffsetModel`]: the operations of the contract, on two tables.

use super::answer::OffsetAnswer;
use crate::scenario::{OffsetOp, OffsetQueue, OffsetReply, OffsetTable, ReadFrom};

/// How the store is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Closed,
    ReadOnly,
    Full,
}

/// A store and its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OffsetModel {
    access: Access,
    table: OffsetTable,
    file: OffsetTable,
}

impl OffsetModel {
    /// A closed store whose file holds this.
    #[must_use]
    pub fn new(file: OffsetTable) -> Self {
        Self {
            access: Access::Closed,
            table: OffsetTable::new(),
            file,
        }
    }

    /// The snapshot that the file holds.
    #[must_use]
    pub fn file(&self) -> &OffsetTable {
        &self.file
    }

    /// The file holds this from now on; the table stays.
    pub fn replace_file(&mut self, file: OffsetTable) {
        self.file = file;
    }

    /// Whether it is open for writing.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        self.access == Access::Full
    }

    /// The table in memory; empty while the store is closed.
    #[must_use]
    pub fn table(&self) -> &OffsetTable {
        &self.table
    }

    /// The snapshot that an operation would leave in the file (O2: a crash in it may leave this or
    /// the one before), if it writes at all.
    #[must_use]
    pub fn in_flight(&self, op: &OffsetOp) -> Option<OffsetTable> {
        if self.access != Access::Full {
            return None;
        }
        let snapshot = match op {
            OffsetOp::Persist { queues } => self.with(queues),
            OffsetOp::PersistAll | OffsetOp::Close => self.table.clone(),
            OffsetOp::Open
            | OffsetOp::OpenReadOnly
            | OffsetOp::Read { .. }
            | OffsetOp::Update { .. }
            | OffsetOp::Remove { .. }
            | OffsetOp::Offsets { .. }
            | OffsetOp::Kill => return None,
        };
        (snapshot != self.file).then_some(snapshot)
    }

    /// Does one operation.
    pub fn apply(&mut self, op: &OffsetOp) -> OffsetAnswer {
        let is_open = self.access != Access::Closed;
        let is_full = self.is_writable();
        let reply = match op {
            OffsetOp::Open => self.open(Access::Full),
            OffsetOp::OpenReadOnly => self.open(Access::ReadOnly),
            OffsetOp::Kill => self.forget(),
            OffsetOp::Read { queue, from } if is_open => {
                OffsetReply::Offset(self.read(queue, *from))
            }
            OffsetOp::Offsets { topic } if is_open => OffsetReply::Offsets(self.offsets(topic)),
            OffsetOp::Close if is_open => {
                self.persist(op);
                self.forget()
            }
            OffsetOp::Update { offset, .. } if is_full && *offset < 0 => {
                return OffsetAnswer::Refused;
            }
            OffsetOp::Update {
                queue,
                offset,
                increase_only,
            } if is_full => self.update(queue, *offset, *increase_only),
            OffsetOp::Remove { queue } if is_full => OffsetReply::Offset(self.table.remove(queue)),
            OffsetOp::Persist { .. } | OffsetOp::PersistAll if is_full => {
                OffsetReply::Wrote(self.persist(op))
            }
            OffsetOp::Read { .. }
            | OffsetOp::Offsets { .. }
            | OffsetOp::Close
            | OffsetOp::Update { .. }
            | OffsetOp::Remove { .. }
            | OffsetOp::Persist { .. }
            | OffsetOp::PersistAll => return OffsetAnswer::Closed,
        };
        OffsetAnswer::Reply(reply)
    }

    fn open(&mut self, access: Access) -> OffsetReply {
        self.access = access;
        self.table = self.file.clone();
        OffsetReply::Done
    }

    /// The process is gone; what was only in memory is, too.
    fn forget(&mut self) -> OffsetReply {
        self.access = Access::Closed;
        self.table.clear();
        OffsetReply::Done
    }

    /// O3.
    fn update(&mut self, queue: &OffsetQueue, offset: i64, increase_only: bool) -> OffsetReply {
        let known = self.table.get(queue).copied();
        let new = match known {
            Some(known) if increase_only && known > offset => known,
            Some(_) | None => offset,
        };
        self.table.insert(queue.clone(), new);
        OffsetReply::Done
    }

    /// O4.
    fn read(&mut self, queue: &OffsetQueue, from: ReadFrom) -> Option<i64> {
        let known = self.table.get(queue).copied();
        match (from, known) {
            (ReadFrom::Memory, _) | (ReadFrom::MemoryThenStore, Some(_)) => return known,
            (ReadFrom::Store, _) | (ReadFrom::MemoryThenStore, None) => {}
        }
        let stored = self.file.get(queue).copied();
        if let Some(stored) = stored {
            self.update(queue, stored, true);
        }
        stored
    }

    fn offsets(&self, topic: &str) -> Vec<(OffsetQueue, i64)> {
        let all = self.table.iter();
        all.filter(|(queue, _)| queue.topic == topic)
            .map(|(queue, offset)| (queue.clone(), *offset))
            .collect()
    }

    /// O7: the file with these queues' values; a queue without one changes nothing.
    fn with(&self, queues: &[OffsetQueue]) -> OffsetTable {
        let mut file = self.file.clone();
        for queue in queues {
            if let Some(offset) = self.table.get(queue) {
                file.insert(queue.clone(), *offset);
            }
        }
        file
    }

    fn persist(&mut self, op: &OffsetOp) -> bool {
        let Some(snapshot) = self.in_flight(op) else {
            return false;
        };
        self.file = snapshot;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(number: i32) -> OffsetQueue {
        OffsetQueue::from(("t".to_owned(), "b".to_owned(), number))
    }

    fn update(number: i32, offset: i64, increase_only: bool) -> OffsetOp {
        OffsetOp::Update {
            queue: queue(number),
            offset,
            increase_only,
        }
    }

    fn read(model: &mut OffsetModel, number: i32, from: ReadFrom) -> Option<i64> {
        let queue = queue(number);
        let answer = model.apply(&OffsetOp::Read { queue, from });
        let OffsetAnswer::Reply(OffsetReply::Offset(offset)) = answer else {
            panic!("{answer:?}");
        };
        offset
    }

    #[test]
    fn a_kill_leaves_what_was_persisted() {
        let mut model = OffsetModel::new(OffsetTable::new());
        assert_eq!(model.apply(&update(0, 1, false)), OffsetAnswer::Closed);
        model.apply(&OffsetOp::Open);
        assert_eq!(model.apply(&update(0, -1, false)), OffsetAnswer::Refused);
        model.apply(&update(0, 5, false));
        model.apply(&update(1, 6, false));
        let persist = OffsetOp::Persist {
            queues: vec![queue(0), queue(7)],
        };
        let wrote = |wrote| OffsetAnswer::Reply(OffsetReply::Wrote(wrote));
        assert_eq!(model.in_flight(&persist).map(|table| table.len()), Some(1));
        assert_eq!(model.apply(&persist), wrote(true));
        assert_eq!(model.apply(&persist), wrote(false));
        model.apply(&OffsetOp::Kill);
        model.apply(&OffsetOp::Open);
        assert_eq!(read(&mut model, 0, ReadFrom::Memory), Some(5));
        assert_eq!(read(&mut model, 1, ReadFrom::MemoryThenStore), None);
    }

    #[test]
    fn a_read_from_the_store_raises_and_never_lowers() {
        let mut model = OffsetModel::new(OffsetTable::from([(queue(0), 5)]));
        model.apply(&OffsetOp::Open);
        model.apply(&update(0, 3, true));
        assert_eq!(
            read(&mut model, 0, ReadFrom::Memory),
            Some(5),
            "increase only"
        );
        model.apply(&update(0, 3, false));
        assert_eq!(read(&mut model, 0, ReadFrom::MemoryThenStore), Some(3));
        assert_eq!(read(&mut model, 0, ReadFrom::Store), Some(5));
        assert_eq!(read(&mut model, 0, ReadFrom::Memory), Some(5));
        model.apply(&update(0, 9, false));
        assert_eq!(read(&mut model, 0, ReadFrom::Store), Some(5));
        assert_eq!(read(&mut model, 0, ReadFrom::Memory), Some(9));
    }
}
