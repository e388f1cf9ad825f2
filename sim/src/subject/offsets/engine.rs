//! The engine `offsets` as a subject.

use super::{OffsetObject, OffsetRequest, OffsetSubject};
use crate::scenario::{
    Applied, Failure, FailureKind, Loss, OffsetDialect, OffsetOp, OffsetOutcome, OffsetQueue,
    OffsetReply, OffsetTable, ReadFrom,
};
use crashline::fs::Fs;
use crashline::offsets::{self, Dialect, Error, MessageQueue, OffsetStore, Options, Quirks, Table};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The hardened offset store.
#[derive(Debug)]
pub struct OffsetsSubject;

impl OffsetSubject for OffsetsSubject {
    fn name(&self) -> &'static str {
        "offsets"
    }

    fn start(&self, request: &OffsetRequest<'_>) -> Result<Box<dyn OffsetObject>, String> {
        let quirks = Quirks::parse(request.quirks.iter().map(String::as_str))
            .map_err(|name| format!("there is no quirk `{name}`"))?;
        Ok(Box::new(Store {
            fs: Arc::clone(request.fs),
            root: request.root.to_owned(),
            client: OsString::from(&request.options.client),
            group: OsString::from(&request.options.group),
            options: Options {
                dialect: match request.options.dialect {
                    OffsetDialect::Go => Dialect::Go,
                    OffsetDialect::Java => Dialect::Java,
                },
                quirks,
                ..Options::default()
            },
            open: None,
        }))
    }
}

#[derive(Debug)]
struct Store {
    fs: Arc<dyn Fs>,
    root: PathBuf,
    client: OsString,
    group: OsString,
    options: Options,
    open: Option<OffsetStore>,
}

impl Store {
    fn open(&mut self, is_writable: bool) -> OffsetOutcome {
        self.open = None;
        let open = match is_writable {
            true => OffsetStore::open,
            false => OffsetStore::open_read_only,
        };
        let fs = Arc::clone(&self.fs);
        match open(fs, &self.root, &self.client, &self.group, self.options) {
            Ok(opened) => {
                self.open = Some(opened.store);
                OffsetOutcome {
                    result: Ok(OffsetReply::Done),
                    losses: opened.losses.iter().map(loss_of).collect(),
                }
            }
            Err(error) => failed(&error),
        }
    }
}

impl OffsetObject for Store {
    fn apply(&mut self, op: &OffsetOp) -> OffsetOutcome {
        match op {
            OffsetOp::Open => return self.open(true),
            OffsetOp::OpenReadOnly => return self.open(false),
            OffsetOp::Kill => {
                self.open = None;
                return OffsetOutcome::ok(OffsetReply::Done);
            }
            OffsetOp::Read { .. }
            | OffsetOp::Update { .. }
            | OffsetOp::Persist { .. }
            | OffsetOp::PersistAll
            | OffsetOp::Remove { .. }
            | OffsetOp::Offsets { .. }
            | OffsetOp::Close => {}
        }
        let Some(store) = &mut self.open else {
            return OffsetOutcome::failed(FailureKind::Closed, Applied::No, "it is not open");
        };
        let outcome = match call(store, op) {
            Ok(outcome) => outcome,
            Err(error) => failed(&error),
        };
        if *op == OffsetOp::Close && outcome.result.is_ok() {
            self.open = None;
        }
        outcome
    }

    fn table(&self) -> Option<OffsetTable> {
        let store = self.open.as_ref()?;
        store.table().ok().map(listed)
    }
}

fn call(store: &mut OffsetStore, op: &OffsetOp) -> Result<OffsetOutcome, Error> {
    let wrote = |done: offsets::Persisted| OffsetOutcome {
        result: Ok(OffsetReply::Wrote(done.wrote)),
        losses: done.losses.iter().map(loss_of).collect(),
    };
    Ok(OffsetOutcome::ok(match op {
        OffsetOp::Read { queue, from } => {
            let from = match from {
                ReadFrom::Memory => offsets::ReadFrom::Memory,
                ReadFrom::Store => offsets::ReadFrom::Store,
                ReadFrom::MemoryThenStore => offsets::ReadFrom::MemoryThenStore,
            };
            OffsetReply::Offset(store.read(&queue_of(queue), from)?)
        }
        OffsetOp::Update {
            queue,
            offset,
            increase_only,
        } => {
            store.update(&queue_of(queue), *offset, *increase_only)?;
            OffsetReply::Done
        }
        OffsetOp::Persist { queues } => {
            let queues: Vec<MessageQueue> = queues.iter().map(queue_of).collect();
            return store.persist(&queues).map(wrote);
        }
        OffsetOp::PersistAll => return store.persist_all().map(wrote),
        OffsetOp::Remove { queue } => OffsetReply::Offset(store.remove(&queue_of(queue))?),
        OffsetOp::Offsets { topic } => {
            OffsetReply::Offsets(listed(&store.offsets(topic)?).into_iter().collect())
        }
        OffsetOp::Close => {
            store.close()?;
            OffsetReply::Done
        }
        OffsetOp::Open | OffsetOp::OpenReadOnly | OffsetOp::Kill => OffsetReply::Done,
    }))
}

fn queue_of(queue: &OffsetQueue) -> MessageQueue {
    MessageQueue::new(queue.topic.as_str(), queue.broker.as_str(), queue.queue_id)
}

fn listed(table: &Table) -> OffsetTable {
    let entry = |(queue, offset): (&MessageQueue, &i64)| {
        let MessageQueue {
            topic,
            broker,
            queue_id,
        } = queue.clone();
        (OffsetQueue::from((topic, broker, queue_id)), *offset)
    };
    table.iter().map(entry).collect()
}

fn failed(error: &Error) -> OffsetOutcome {
    let applied = match error.applied() {
        offsets::Applied::Nothing => Applied::No,
        offsets::Applied::Everything => Applied::Yes,
        offsets::Applied::Leading(count) => Applied::Leading(count),
    };
    let failure = Failure {
        kind: kind_of(error),
        applied,
        message: error.to_string(),
    };
    OffsetOutcome {
        result: Err(failure),
        losses: error.losses().iter().map(loss_of).collect(),
    }
}

fn kind_of(error: &Error) -> FailureKind {
    match error {
        Error::Io { source, .. } if source.kind() == io::ErrorKind::InvalidInput => {
            FailureKind::Foreign
        }
        Error::Io { source, .. } => FailureKind::Io(source.raw_os_error()),
        Error::Refused { .. } => FailureKind::Refused,
        Error::Locked { .. } => FailureKind::Locked,
        Error::Closed | Error::ReadOnly => FailureKind::Closed,
        Error::Damage { .. } => FailureKind::Damage,
        Error::BothDamaged { .. } => FailureKind::Foreign,
    }
}

fn loss_of(loss: &offsets::Loss) -> Loss {
    Loss {
        file: loss.file.to_string_lossy().into_owned(),
        offset: loss.offset,
        size: loss.size,
        messages: loss.messages,
    }
}
