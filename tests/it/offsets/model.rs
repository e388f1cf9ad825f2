//! The engine against the reference model: every answer, the table, and what a power cut leaves.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::support::{Disk, ROOT};
use crashline::offsets::{self, Dialect, Error, MessageQueue, OffsetStore, Options, Table};
use crashline_sim::generate::{Choices, OffsetGenerator, Walk};
use crashline_sim::model::OffsetModel;
use crashline_sim::scenario::{
    FailureKind, OffsetDialect, OffsetOp, OffsetOptions, OffsetQueue, OffsetReply, OffsetTable,
    ReadFrom,
};
use std::ffi::OsStr;
use std::path::Path;

fn queue(queue: &OffsetQueue) -> MessageQueue {
    MessageQueue::new(queue.topic.as_str(), queue.broker.as_str(), queue.queue_id)
}

fn listed(table: &Table) -> OffsetTable {
    let entries = table.iter();
    entries
        .map(|(queue, offset)| {
            let MessageQueue {
                topic,
                broker,
                queue_id,
            } = queue.clone();
            (OffsetQueue::from((topic, broker, queue_id)), *offset)
        })
        .collect()
}

/// The engine and the model, side by side.
struct Both {
    disk: Disk,
    options: OffsetOptions,
    store: Option<OffsetStore>,
    model: OffsetModel,
}

impl Both {
    fn new(options: OffsetOptions) -> Self {
        Self {
            disk: Disk::empty(),
            options,
            store: None,
            model: OffsetModel::new(OffsetTable::new()),
        }
    }

    fn open(&self, disk: &Disk, is_writable: bool) -> OffsetStore {
        let options = Options {
            dialect: match self.options.dialect {
                OffsetDialect::Go => Dialect::Go,
                OffsetDialect::Java => Dialect::Java,
            },
            ..Options::default()
        };
        let open = match is_writable {
            true => OffsetStore::open,
            false => OffsetStore::open_read_only,
        };
        let (client, group) = (
            OsStr::new(&self.options.client),
            OsStr::new(&self.options.group),
        );
        let opened = open(disk.fs(), Path::new(ROOT), client, group, options).unwrap();
        assert!(opened.losses.is_empty(), "{:?}", opened.losses);
        opened.store
    }

    fn engine(&mut self, op: &OffsetOp) -> Result<OffsetReply, Error> {
        match op {
            OffsetOp::Open | OffsetOp::OpenReadOnly | OffsetOp::Kill => {
                self.store = None;
                let is_opened = *op != OffsetOp::Kill;
                let open = || self.open(&self.disk, *op == OffsetOp::Open);
                self.store = is_opened.then(open);
                return Ok(OffsetReply::Done);
            }
            OffsetOp::Read { .. }
            | OffsetOp::Update { .. }
            | OffsetOp::Persist { .. }
            | OffsetOp::PersistAll
            | OffsetOp::Remove { .. }
            | OffsetOp::Offsets { .. }
            | OffsetOp::Close => {}
        }
        match &mut self.store {
            Some(store) => called(store, op),
            None => Err(Error::Closed),
        }
    }

    fn step(&mut self, op: &OffsetOp) {
        let answered = self.engine(op);
        let kind = |error: &Error| match error {
            Error::Refused { .. } => FailureKind::Refused,
            Error::Closed | Error::ReadOnly => FailureKind::Closed,
            Error::Io { .. }
            | Error::Locked { .. }
            | Error::Damage { .. }
            | Error::BothDamaged { .. } => panic!("{op:?}: {error}"),
        };
        let expected = self.model.apply(op);
        let told = answered.as_ref().map_err(|error| Some(kind(error)));
        assert!(expected.is(told), "{op:?}: {answered:?}, not {expected:?}");
        let table = self.store.as_ref().map(|store| store.table());
        if let Some(Ok(table)) = table {
            assert_eq!(&listed(table), self.model.table(), "{op:?}");
        }
    }

    /// What a power cut leaves is what the model's file holds.
    fn check_file(&self, op: &OffsetOp) {
        let cut = self.disk.after_power_cut();
        let store = self.open(&cut, false);
        assert_eq!(&listed(store.table().unwrap()), self.model.file(), "{op:?}");
    }
}

fn called(store: &mut OffsetStore, op: &OffsetOp) -> Result<OffsetReply, Error> {
    Ok(match op {
        OffsetOp::Read { queue: asked, from } => {
            let from = match from {
                ReadFrom::Memory => offsets::ReadFrom::Memory,
                ReadFrom::Store => offsets::ReadFrom::Store,
                ReadFrom::MemoryThenStore => offsets::ReadFrom::MemoryThenStore,
            };
            OffsetReply::Offset(store.read(&queue(asked), from)?)
        }
        OffsetOp::Update {
            queue: updated,
            offset,
            increase_only,
        } => {
            store.update(&queue(updated), *offset, *increase_only)?;
            OffsetReply::Done
        }
        OffsetOp::Persist { queues } => {
            let queues: Vec<MessageQueue> = queues.iter().map(queue).collect();
            OffsetReply::Wrote(store.persist(&queues)?.wrote)
        }
        OffsetOp::PersistAll => OffsetReply::Wrote(store.persist_all()?.wrote),
        OffsetOp::Remove { queue: removed } => OffsetReply::Offset(store.remove(&queue(removed))?),
        OffsetOp::Offsets { topic } => {
            OffsetReply::Offsets(listed(&store.offsets(topic)?).into_iter().collect())
        }
        OffsetOp::Close => {
            store.close()?;
            OffsetReply::Done
        }
        OffsetOp::Open | OffsetOp::OpenReadOnly | OffsetOp::Kill => unreachable!("done elsewhere"),
    })
}

#[test]
fn random_runs() {
    for seed in 0..300 {
        let mut choices = Choices::from_seed(seed);
        let generator = OffsetGenerator::draw(&mut choices);
        let mut both = Both::new(generator.options().clone());
        both.step(&OffsetOp::Open);
        for number in 0..40 {
            let op = generator.next(&mut choices);
            both.step(&op);
            if number % 8 == 7 {
                both.check_file(&op);
            }
        }
    }
}

#[test]
fn all_short_runs_on_two_queues() {
    let generator = OffsetGenerator::small();
    let mut walk = Walk::new();
    let mut runs = 0;
    loop {
        let ops = walk.next(|choices| {
            let op = |_| generator.next_small(choices);
            (0..3).map(op).collect::<Vec<OffsetOp>>()
        });
        let Some(ops) = ops else {
            break;
        };
        let mut both = Both::new(generator.options().clone());
        both.step(&OffsetOp::Open);
        for op in &ops {
            both.step(op);
        }
        both.check_file(&ops[2]);
        runs += 1;
    }
    assert_eq!(runs, 20_i32.pow(3), "all of them");
}
