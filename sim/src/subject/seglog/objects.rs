//! The engine's open objects.

use super::convert::{closed, failure_of, outcome_of, refused, told};
use crate::scenario::{
    self, Failure, LogOp, LogOutcome, LogPosition, LogReply, LogStates, ReaderOp, ReaderState,
    SnapshotOp, SnapshotState, WriterOp, WriterState,
};
use crate::subject::{LogObjects, LogRequest};
use crashline::fs::Fs;
use crashline::seglog::{End, Error, LogOptions, LogReader, LogWriter, Quirks, Snapshot};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// A writer, readers and a snapshot on one directory.
pub(super) struct Objects {
    fs: Arc<dyn Fs>,
    directory: PathBuf,
    log: OsString,
    options: LogOptions,
    writer: Option<LogWriter>,
    readers: BTreeMap<String, LogReader>,
    snapshot: Option<Snapshot>,
    /// Ends that the writer has shown, newest last: a caller tells them to readers later.
    shown: Vec<End>,
}

/// So many ends are remembered at most.
const SHOWN_MAX: usize = 256;

impl std::fmt::Debug for Objects {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Objects")
            .field("writer", &self.writer.is_some())
            .field("readers", &self.readers.keys())
            .finish_non_exhaustive()
    }
}

impl Objects {
    pub(super) fn new(request: &LogRequest<'_>, quirks: Quirks) -> Self {
        Self {
            fs: Arc::clone(request.fs),
            directory: request.directory.to_owned(),
            log: request.log.into(),
            options: options_of(request.options, quirks),
            writer: None,
            readers: BTreeMap::new(),
            snapshot: None,
            shown: Vec::new(),
        }
    }

    fn open(&mut self, op: &WriterOp) -> LogOutcome {
        if self.writer.is_some() {
            return refused("the writer is open");
        }
        let open = if *op == WriterOp::OpenReadOnly {
            LogWriter::open_read_only
        } else {
            LogWriter::open
        };
        let fs = Arc::clone(&self.fs);
        match open(fs, &self.directory, &self.log, self.options) {
            Ok(opened) => {
                for reader in self.readers.values_mut() {
                    reader.follow(&opened.writer.changes());
                }
                self.writer = Some(opened.writer);
                self.shown.clear();
                outcome_of(Ok(LogReply::Done), opened.losses)
            }
            Err(error) => outcome_of(Err(error), []),
        }
    }

    fn on_writer(&mut self, op: &WriterOp, bytes: &[u8]) -> LogOutcome {
        let Some(writer) = self.writer.as_mut() else {
            return closed();
        };
        let outcome = super::writer::apply(writer, op, bytes, &self.directory);
        let ends = matches!(
            op,
            WriterOp::Close | WriterOp::Delete | WriterOp::RemoveTo { .. }
        );
        // A move that failed half way has let go of the log, too.
        let has_ended = ends && !writer.is_open();
        if has_ended {
            self.writer = None;
        }
        // Whoever ends a log lets go of what reads it.
        if has_ended && *op != WriterOp::Close {
            self.readers.clear();
            self.snapshot = None;
        }
        outcome
    }

    fn open_reader(&mut self, name: &str) -> LogOutcome {
        let Some(writer) = &self.writer else {
            return closed();
        };
        if self.readers.contains_key(name) {
            return refused("the reader is open");
        }
        let (own, end) = (self.reader_name(name), writer.read_end());
        let fs = Arc::clone(&self.fs);
        let opened = LogReader::open(fs, &self.directory, &self.log, &own, self.options, end);
        match opened {
            Ok(opened) => {
                let mut reader = opened.reader;
                reader.follow(&writer.changes());
                let met = reader.take_losses();
                self.readers.insert(name.to_owned(), reader);
                outcome_of(Ok(LogReply::Done), opened.losses.into_iter().chain(met))
            }
            Err(error) => outcome_of(Err(error), []),
        }
    }

    /// What nsqd calls a reader: its files are then told from those of another log's readers.
    fn reader_name(&self, name: &str) -> OsString {
        let mut own = self.log.clone();
        own.push(":");
        own.push(name);
        own
    }

    fn on_reader(&mut self, name: &str, op: &ReaderOp) -> LogOutcome {
        let Some(reader) = self.readers.get_mut(name) else {
            return closed();
        };
        let outcome = if let ReaderOp::UpdateQueueEnd { end, force } = *op {
            let Some(end) = end_of(&self.shown, end) else {
                return refused("an end that the writer never showed");
            };
            let result = reader.update_queue_end(end, force).map(LogReply::Changed);
            outcome_of(result, reader.take_losses())
        } else {
            super::reader::apply(reader, op)
        };
        let ends = matches!(op, ReaderOp::Close | ReaderOp::Delete);
        if ends && !reader.is_open() {
            self.readers.remove(name);
        }
        outcome
    }

    fn open_snapshot(&mut self) -> LogOutcome {
        let Some(writer) = &self.writer else {
            return closed();
        };
        let (start, end) = (writer.queue_start(), writer.read_end());
        let fs = Arc::clone(&self.fs);
        match Snapshot::open(fs, &self.directory, &self.log, start, end) {
            Ok(mut snapshot) => {
                snapshot.follow(&writer.changes());
                let met = snapshot.take_losses();
                self.snapshot = Some(snapshot);
                outcome_of(Ok(LogReply::Done), met)
            }
            Err(error) => outcome_of(Err(error), []),
        }
    }

    fn on_snapshot(&mut self, op: &SnapshotOp) -> LogOutcome {
        let Some(snapshot) = self.snapshot.as_mut() else {
            return closed();
        };
        if let SnapshotOp::UpdateQueueEnd { end } = *op {
            let Some(end) = end_of(&self.shown, end) else {
                return refused("an end that the writer never showed");
            };
            let result = snapshot.update_queue_end(end).map(|_| LogReply::Done);
            return outcome_of(result, snapshot.take_losses());
        }
        if *op == SnapshotOp::Close {
            self.snapshot = None;
            return LogOutcome::ok(LogReply::Done);
        }
        super::snapshot::apply(snapshot, op)
    }

    /// Remembers the end that the writer shows now.
    fn remember(&mut self) {
        let Some(end) = self.writer.as_ref().map(LogWriter::read_end) else {
            return;
        };
        if self.shown.last() != Some(&end) {
            if self.shown.len() == SHOWN_MAX {
                self.shown.remove(0);
            }
            self.shown.push(end);
        }
    }
}

impl LogObjects for Objects {
    fn apply(&mut self, op: &LogOp, bytes: &[u8]) -> LogOutcome {
        let outcome = match op {
            LogOp::Writer(op @ (WriterOp::Open | WriterOp::OpenReadOnly)) => self.open(op),
            LogOp::Writer(op) => self.on_writer(op, bytes),
            LogOp::Reader(name, ReaderOp::Open) => self.open_reader(name),
            LogOp::Reader(name, op) => self.on_reader(name, op),
            LogOp::Snapshot(SnapshotOp::Open) => self.open_snapshot(),
            LogOp::Snapshot(op) => self.on_snapshot(op),
            LogOp::Kill => {
                self.writer = None;
                self.readers.clear();
                self.snapshot = None;
                LogOutcome::ok(LogReply::Done)
            }
        };
        self.remember();
        outcome
    }

    fn states(&mut self) -> Result<LogStates, Failure> {
        let writer = self.writer.as_ref().map(|writer| WriterState {
            queue_start: told(writer.queue_start()),
            write_end: told(writer.write_end()),
            read_end: told(writer.read_end().position),
        });
        let mut readers = BTreeMap::new();
        for (name, reader) in &mut self.readers {
            let state = state_of(reader).map_err(|error| failure_of(&error))?;
            readers.insert(name.clone(), state);
        }
        let snapshot = self.snapshot.as_ref().map(|snapshot| {
            let at = told(snapshot.position());
            SnapshotState {
                segment: at.segment,
                position: at.position,
                offset: at.offset,
            }
        });
        Ok(LogStates {
            writer,
            readers,
            snapshot,
        })
    }
}

fn state_of(reader: &mut LogReader) -> Result<ReaderState, Error> {
    let depth = reader.depth()?.cast_signed();
    let depth_size = reader.depth_size()?.cast_signed();
    let waiting = reader.is_waiting_more_data()?;
    Ok(ReaderState {
        confirmed: told(reader.confirmed()),
        read: told(reader.read_position()),
        end: told(reader.queue_end().position),
        depth,
        depth_size,
        waiting,
    })
}

/// The end as the writer had shown it: the engine's ends are handed out, not made up.
fn end_of(shown: &[End], end: LogPosition) -> Option<End> {
    let is_it = |one: &&End| {
        let at = told(one.position);
        (at.offset, at.count) == (end.offset, end.count)
    };
    shown.iter().rev().find(is_it).copied()
}

/// The engine's options.
fn options_of(options: &scenario::LogOptions, quirks: Quirks) -> LogOptions {
    LogOptions {
        segment_bytes_max: options.segment_bytes_max,
        message_bytes_min: options.message_bytes_min,
        message_bytes_max: options.message_bytes_max,
        sync_every: options.sync_every,
        auto_skip_damaged: options.auto_skip_damaged,
        quirks,
        ..LogOptions::default()
    }
}
