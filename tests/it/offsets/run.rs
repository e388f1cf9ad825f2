//! Runs of operations on the engine, with what may be found after each of them.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::support::{Disk, open_on, options, queue};
use crashline::fs::Fs;
use crashline::offsets::{Applied, Dialect, Error, OffsetStore, ReadFrom, Table};
use crashline_sim::fault::{FaultFs, FaultPlan};
use std::sync::Arc;

/// What is done in a run; queues by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Open,
    /// The process dies and the store is opened again.
    Kill,
    Update(i32, i64),
    Increase(i32, i64),
    Remove(i32),
    Persist(&'static [i32]),
    PersistAll,
    Close,
}

/// What is known after an operation.
#[derive(Debug, Clone, Default)]
pub(super) struct After {
    /// The last acknowledged snapshot.
    pub(super) file: Table,
    /// Snapshots of persists that failed since: each may be found as well.
    pub(super) others: Vec<Table>,
    /// The table in memory.
    pub(super) table: Table,
}

impl After {
    /// Whether a crash may leave this.
    pub(super) fn allows(&self, found: &Table) -> bool {
        self.file == *found || self.others.contains(found)
    }
}

/// A run that goes on.
pub(super) struct Run {
    pub(super) disk: Disk,
    pub(super) faults: FaultFs,
    pub(super) dialect: Dialect,
    store: Option<OffsetStore>,
    pub(super) history: Vec<After>,
}

impl Run {
    pub(super) fn new(disk: Disk, dialect: Dialect, file: Table, plan: FaultPlan) -> Self {
        let start = After {
            file,
            ..After::default()
        };
        Self {
            faults: FaultFs::over_sim(disk.0.clone(), plan),
            disk,
            dialect,
            store: None,
            history: vec![start],
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.store.is_some()
    }

    /// What is known now.
    pub(super) fn now(&self) -> &After {
        self.history.last().unwrap()
    }

    /// Does one operation.
    pub(super) fn apply(&mut self, op: Op) -> Result<(), Error> {
        let mut after = self.now().clone();
        let result = match op {
            Op::Open | Op::Kill => self.open(&mut after),
            Op::Update(..)
            | Op::Increase(..)
            | Op::Remove(_)
            | Op::Persist(_)
            | Op::PersistAll
            | Op::Close => self.change(op, &mut after),
        };
        self.history.push(after);
        self.disk.0.mark(u32::try_from(self.history.len()).unwrap());
        result
    }

    fn open(&mut self, after: &mut After) -> Result<(), Error> {
        self.store = None;
        let fs: Arc<dyn Fs> = Arc::new(self.faults.clone());
        let opened = open_on(fs, options(self.dialect))?;
        assert!(opened.losses.is_empty(), "{:?}", opened.losses);
        let found = opened.store.table().unwrap().clone();
        assert!(after.allows(&found), "{found:?} of {after:?}");
        *after = After {
            file: found.clone(),
            others: Vec::new(),
            table: found,
        };
        self.store = Some(opened.store);
        Ok(())
    }

    fn change(&mut self, op: Op, after: &mut After) -> Result<(), Error> {
        let store = self.store.as_mut().unwrap();
        let result = match op {
            Op::Update(number, offset) => {
                after.table.insert(queue(number), offset);
                store.update(&queue(number), offset, false)
            }
            Op::Increase(number, offset) => {
                let known = after.table.entry(queue(number)).or_insert(offset);
                *known = offset.max(*known);
                store.update(&queue(number), offset, true)
            }
            Op::Remove(number) => {
                let removed = after.table.remove(&queue(number));
                store
                    .remove(&queue(number))
                    .map(|found| assert_eq!(found, removed))
            }
            Op::Persist(numbers) => {
                let mut file = after.file.clone();
                for number in numbers {
                    if let Some(offset) = after.table.get(&queue(*number)) {
                        file.insert(queue(*number), *offset);
                    }
                }
                let numbers = numbers.iter();
                let queues: Vec<_> = numbers.map(|number| queue(*number)).collect();
                persisted(file, after, store.persist(&queues).map(|done| done.losses))
            }
            Op::PersistAll => {
                let persist = store.persist_all().map(|done| done.losses);
                persisted(after.table.clone(), after, persist)
            }
            Op::Close => {
                let closed = persisted(after.table.clone(), after, store.close());
                if closed.is_ok() {
                    self.store = None;
                }
                closed
            }
            Op::Open | Op::Kill => unreachable!("done elsewhere"),
        };
        if let Some(store) = &mut self.store {
            assert_eq!(store.table().unwrap(), &after.table, "{op:?}");
            for number in 0..3 {
                let queue = queue(number);
                let read = store.read(&queue, ReadFrom::Memory).unwrap();
                assert_eq!(read, after.table.get(&queue).copied(), "{op:?}");
            }
        }
        result
    }
}

/// Takes the answer of a persist that was to leave `file`.
fn persisted<T: std::fmt::Debug + PartialEq>(
    file: Table,
    after: &mut After,
    result: Result<Vec<T>, Error>,
) -> Result<(), Error> {
    match result {
        Ok(losses) => {
            assert!(losses.is_empty(), "{losses:?}");
            after.file = file;
            after.others.clear();
            Ok(())
        }
        Err(error) => {
            assert_ne!(error.applied(), Applied::Leading(0));
            after.others.push(file);
            Err(error)
        }
    }
}
