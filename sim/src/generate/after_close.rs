//! What the generated runs whose every call fails have beside their steps. A close that fails
//! leaves an object open, and what is asked of it then must be true; a close that succeeds leaves
//! nothing to ask, which costs little. At the end there is a kill, and everything is read.

use super::Abilities;
use crate::scenario::{Action, LogOp, OffsetOp, ReadFrom, ReaderOp, SnapshotOp, Step, WriterOp};
use std::collections::BTreeSet;

/// Size of the message that is put after a close, as far as the limits allow it.
const SIZE: u32 = 8;

/// Behind each close a queue is asked what it has, put to and read.
pub(super) fn of_a_queue(steps: Vec<Step>, abilities: Abilities) -> Vec<Step> {
    let mut reads = 1;
    let mut actions = Vec::new();
    for step in steps {
        reads += step.action.sizes().len();
        let is_close = step.action == Action::Close;
        let peek = (is_close && abilities.peek).then_some(Action::Peek);
        actions.extend(peek.clone());
        actions.push(step.action);
        actions.extend(peek);
        if is_close {
            reads += 1;
            actions.extend([Action::Read, Action::Put { size: SIZE }, Action::Read]);
        }
    }
    actions.extend([Action::Kill, Action::Open { options: None }]);
    actions.extend(std::iter::repeat_n(Action::Read, reads));
    actions.into_iter().map(Step::queue).collect()
}

/// Behind each close of a writer a log is put to and flushed.
pub(crate) fn of_a_log(steps: Vec<LogOp>) -> Vec<LogOp> {
    let mut reads = 1;
    let mut names = BTreeSet::new();
    let mut all = Vec::new();
    for step in steps {
        if let LogOp::Reader(name, _) = &step {
            names.insert(name.clone());
        }
        if let LogOp::Writer(op) = &step {
            reads += messages_of(op);
        }
        let is_close = step == LogOp::Writer(WriterOp::Close);
        all.push(step);
        if is_close {
            reads += 1;
            let more = [WriterOp::Put { size: SIZE }, WriterOp::FlushBuffer];
            all.extend(more.map(LogOp::Writer));
        }
    }
    all.extend([LogOp::Kill, LogOp::Writer(WriterOp::Open)]);
    for name in names {
        all.push(LogOp::Reader(name.clone(), ReaderOp::Open));
        let read = LogOp::Reader(name, ReaderOp::TryReadOne);
        all.extend(std::iter::repeat_n(read, reads));
    }
    all.push(LogOp::Snapshot(SnapshotOp::Open));
    let read = LogOp::Snapshot(SnapshotOp::ReadOne);
    all.extend(std::iter::repeat_n(read, reads));
    all
}

fn messages_of(op: &WriterOp) -> usize {
    if let WriterOp::PutRaw { sizes, .. } = op {
        return sizes.len();
    }
    usize::from(matches!(op, WriterOp::Put { .. }))
}

/// Behind each close a store is asked, told and persisted.
pub(crate) fn of_a_store(steps: Vec<OffsetOp>) -> Vec<OffsetOp> {
    let named = steps.iter().flat_map(OffsetOp::queues).cloned();
    let queues: BTreeSet<_> = named.collect();
    let read = |from| {
        let read = move |queue| OffsetOp::Read { queue, from };
        queues.iter().cloned().map(read)
    };
    let mut all = Vec::new();
    for step in steps {
        let is_close = step == OffsetOp::Close;
        all.push(step);
        if is_close {
            all.extend(read(ReadFrom::Memory).take(1));
            all.extend(queues.iter().take(1).map(|queue| OffsetOp::Update {
                queue: queue.clone(),
                offset: i64::from(SIZE),
                increase_only: false,
            }));
            all.push(OffsetOp::PersistAll);
        }
    }
    all.extend([OffsetOp::Kill, OffsetOp::Open]);
    all.extend(read(ReadFrom::MemoryThenStore));
    all
}
