//! Which objects owe their caller an error: a fault fired in a call of theirs, and no sync or close
//! of theirs has succeeded since.

use crate::scenario::{LogOp, ReaderOp, WriterOp};
use std::collections::BTreeSet;

#[derive(Debug, Default)]
pub(super) struct Debts {
    is_of_writer: bool,
    readers: BTreeSet<String>,
}

impl Debts {
    /// Whether the object that was called owed an error before.
    pub(super) fn has(&self, op: &LogOp) -> bool {
        match op {
            LogOp::Writer(_) => self.is_of_writer,
            LogOp::Reader(name, _) => self.readers.contains(name),
            LogOp::Snapshot(_) | LogOp::Kill => false,
        }
    }

    /// The operation ended, in success or not. A sync or close in which no fault fired tells the
    /// error once more, or has made up for it; an open that is refused tells nothing.
    pub(super) fn note(&mut self, op: &LogOp, is_fault: bool, is_success: bool) {
        match op {
            LogOp::Writer(WriterOp::Open) if !is_fault && !is_success => {}
            LogOp::Kill => *self = Self::default(),
            LogOp::Writer(_) if is_fault => self.is_of_writer = true,
            LogOp::Writer(WriterOp::Flush { fsync: true } | WriterOp::Close | WriterOp::Open) => {
                self.is_of_writer = false
            }
            LogOp::Reader(name, _) if is_fault => {
                self.readers.insert(name.clone());
            }
            LogOp::Reader(name, ReaderOp::Flush { fsync: true } | ReaderOp::Close) => {
                self.readers.remove(name);
            }
            LogOp::Writer(_) | LogOp::Reader(..) | LogOp::Snapshot(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_object_tells_of_its_own() {
        let flush = LogOp::Writer(WriterOp::Flush { fsync: true });
        let put = LogOp::Writer(WriterOp::Put { size: 1 });
        let reader = |name: &str, op| LogOp::Reader(name.to_owned(), op);
        let mut debts = Debts::default();
        debts.note(&put, true, true);
        assert!(debts.has(&flush));
        debts.note(&reader("a", ReaderOp::Close), false, false);
        debts.note(&LogOp::Writer(WriterOp::Open), false, false);
        assert!(debts.has(&flush), "a reader says nothing of the writer's");
        debts.note(&reader("a", ReaderOp::TryReadOne), true, false);
        debts.note(&reader("b", ReaderOp::Close), false, true);
        debts.note(&flush, false, false);
        assert!(!debts.has(&put) && debts.has(&reader("a", ReaderOp::Close)));
        debts.note(&LogOp::Kill, false, true);
        assert!(!debts.has(&reader("a", ReaderOp::Close)));
    }
}
