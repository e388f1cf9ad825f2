//! The twin as a subject.

use super::{LogError, Reader, Snapshot, Writer, failure};
use crate::scenario::{
    Applied, Failure, FailureKind, LogOp, LogOptions, LogOutcome, LogReply, LogStates, ReaderOp,
    SnapshotOp, WriterOp,
};
use crate::subject::{LogObjects, LogRequest, LogSubject};
use crashline::fs::Fs;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The subject `original-seglog`.
#[derive(Debug)]
pub struct OriginalSeglog;

impl LogSubject for OriginalSeglog {
    fn name(&self) -> &'static str {
        "original-seglog"
    }

    fn start(&self, request: &LogRequest<'_>) -> Result<Box<dyn LogObjects>, String> {
        if let Some(name) = request.quirks.first() {
            return Err(format!("an original has no quirk `{name}`"));
        }
        Ok(Box::new(Objects {
            fs: Arc::clone(request.fs),
            directory: request.directory.to_owned(),
            log: request.log.to_owned(),
            options: *request.options,
            writer: None,
            readers: BTreeMap::new(),
            snapshot: None,
        }))
    }
}

#[derive(Debug)]
struct Objects {
    fs: Arc<dyn Fs>,
    directory: PathBuf,
    log: String,
    options: LogOptions,
    writer: Option<Writer>,
    readers: BTreeMap<String, Reader>,
    snapshot: Option<Snapshot>,
}

impl Objects {
    fn open(&mut self, for_reading: bool) -> LogOutcome {
        if self.writer.is_some() {
            return refused();
        }
        let open = if for_reading {
            Writer::open_for_reading
        } else {
            Writer::open
        };
        let fs = Arc::clone(&self.fs);
        opened(
            open(fs, &self.directory, &self.log, &self.options),
            &mut self.writer,
        )
    }

    fn open_reader(&mut self, name: &str) -> LogOutcome {
        let Some(writer) = &self.writer else {
            return not_open();
        };
        if self.readers.contains_key(name) {
            return refused();
        }
        let end = writer.state().read_end;
        // A reader's files start with the log's name, so that logs do not share a reader.
        let file = format!("{}:{name}", self.log);
        let fs = Arc::clone(&self.fs);
        let reader = Reader::open(fs, &self.directory, &self.log, &file, &self.options, end);
        self.readers.insert(name.to_owned(), reader);
        LogOutcome::ok(LogReply::Done)
    }

    fn open_snapshot(&mut self) -> LogOutcome {
        let Some(writer) = &self.writer else {
            return not_open();
        };
        let state = writer.state();
        let fs = Arc::clone(&self.fs);
        let mut snapshot = Snapshot::open(fs, &self.directory, &self.log, state.read_end);
        snapshot.set_queue_start(state.queue_start);
        self.snapshot = Some(snapshot);
        LogOutcome::ok(LogReply::Done)
    }
}

impl LogObjects for Objects {
    fn apply(&mut self, op: &LogOp, bytes: &[u8]) -> LogOutcome {
        match op {
            LogOp::Writer(WriterOp::Open) => self.open(false),
            LogOp::Writer(WriterOp::OpenReadOnly) => self.open(true),
            LogOp::Writer(op) => {
                let Some(writer) = &mut self.writer else {
                    return not_open();
                };
                let outcome = writer.apply(op, bytes);
                let ends = matches!(
                    op,
                    WriterOp::Close | WriterOp::Delete | WriterOp::RemoveTo { .. }
                );
                if ends && outcome.result.is_ok() {
                    self.writer = None;
                }
                // Whoever ends a log lets go of what reads it.
                if ends && *op != WriterOp::Close && outcome.result.is_ok() {
                    self.readers.clear();
                    self.snapshot = None;
                }
                outcome
            }
            LogOp::Reader(name, ReaderOp::Open) => self.open_reader(name),
            LogOp::Reader(name, op) => {
                let Some(reader) = self.readers.get_mut(name) else {
                    return not_open();
                };
                let outcome = reader.apply(op);
                let ends = matches!(op, ReaderOp::Close | ReaderOp::Delete);
                if ends && outcome.result.is_ok() {
                    self.readers.remove(name);
                }
                outcome
            }
            LogOp::Snapshot(SnapshotOp::Open) => self.open_snapshot(),
            LogOp::Snapshot(op) => {
                let Some(snapshot) = &mut self.snapshot else {
                    return not_open();
                };
                let outcome = snapshot.apply(op);
                let is_refused = |failure: &Failure| failure.kind == FailureKind::Refused;
                // That there is no more is an error of the original's.
                if *op == SnapshotOp::ReadOne && outcome.result.as_ref().is_err_and(is_refused) {
                    return LogOutcome::ok(LogReply::Nothing);
                }
                if *op == SnapshotOp::Close {
                    self.snapshot = None;
                }
                outcome
            }
            LogOp::Kill => {
                self.writer = None;
                self.readers.clear();
                self.snapshot = None;
                LogOutcome::ok(LogReply::Done)
            }
        }
    }

    fn states(&mut self) -> Result<LogStates, Failure> {
        let readers = self.readers.iter();
        Ok(LogStates {
            writer: self.writer.as_ref().map(Writer::state),
            readers: readers
                .map(|(name, reader)| (name.clone(), reader.state()))
                .collect(),
            snapshot: self.snapshot.as_ref().map(Snapshot::state),
        })
    }
}

fn opened<T>(result: Result<T, LogError>, into: &mut Option<T>) -> LogOutcome {
    match result {
        Ok(object) => {
            *into = Some(object);
            LogOutcome::ok(LogReply::Done)
        }
        Err(error) => failure(&error),
    }
}

fn not_open() -> LogOutcome {
    LogOutcome::failed(FailureKind::Closed, Applied::No, "it is not open")
}

fn refused() -> LogOutcome {
    LogOutcome::failed(FailureKind::Refused, Applied::No, "it is open already")
}
