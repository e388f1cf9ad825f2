//! The engine's objects behind the vocabulary of scenarios, on a simulated disk.

use crashline::fs::Fs;
use crashline::seglog::{
    CleanTarget, Confirm, End, Error, LogOptions, LogReader, LogWriter, Message, Position, Snapshot,
};
use crashline_sim::scenario::{
    self, FailureKind, LogMessage, LogOp, LogPosition, LogReply, ReaderOp, ReaderState, SnapshotOp,
    WriterOp, WriterState,
};
use crashline_sim::simfs::SimFs;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

const DIRECTORY: &str = "/data";
const LOG: &str = "log";

/// The class of a failure, and its words.
pub(super) type Failed = (FailureKind, String);

type Answer = Result<LogReply, Failed>;

pub(super) struct Objects {
    disk: SimFs,
    fs: Arc<dyn Fs>,
    options: LogOptions,
    writer: Option<LogWriter>,
    readers: BTreeMap<String, LogReader>,
    snapshot: Option<Snapshot>,
    /// What the writer said, newest last, since the log began.
    ends: Vec<End>,
}

impl Objects {
    pub(super) fn new(options: scenario::LogOptions) -> Self {
        let fs = SimFs::new();
        for directory in [DIRECTORY, "/moved"] {
            fs.create_dir(Path::new(directory))
                .expect("a new disk has room");
        }
        Self {
            disk: fs.clone(),
            fs: Arc::new(fs),
            options: LogOptions {
                segment_bytes_max: options.segment_bytes_max,
                message_bytes_min: options.message_bytes_min,
                message_bytes_max: options.message_bytes_max,
                sync_every: options.sync_every,
                auto_skip_damaged: options.auto_skip_damaged,
                ..LogOptions::default()
            },
            writer: None,
            readers: BTreeMap::new(),
            snapshot: None,
            ends: Vec::new(),
        }
    }

    /// The process dies.
    pub(super) fn kill(&mut self) {
        self.disk.kill();
        self.writer = None;
        self.readers.clear();
        self.snapshot = None;
    }

    /// The end at a place, as the writer told it last.
    pub(super) fn told_end(&self, at: LogPosition) -> Option<End> {
        let wanted = (at.offset.cast_unsigned(), at.count.cast_unsigned());
        let place = |end: &&End| (end.position.offset, end.position.count) == wanted;
        self.ends.iter().rev().find(place).copied()
    }

    /// Whether this tells an open reader or snapshot of an end from before the log was cut.
    pub(super) fn is_outdated(&self, op: &LogOp) -> bool {
        let end = match op {
            LogOp::Reader(name, ReaderOp::UpdateQueueEnd { end, .. })
                if self.readers.contains_key(name) =>
            {
                *end
            }
            LogOp::Snapshot(SnapshotOp::UpdateQueueEnd { end }) if self.snapshot.is_some() => *end,
            LogOp::Writer(_) | LogOp::Reader(..) | LogOp::Snapshot(_) | LogOp::Kill => {
                return false;
            }
        };
        let generation = |end: End| end.generation;
        self.told_end(end).map(generation) < self.ends.last().copied().map(generation)
    }

    pub(super) fn writer_state(&self) -> Option<WriterState> {
        let writer = self.writer.as_ref()?;
        Some(WriterState {
            queue_start: told(writer.queue_start()),
            write_end: told(writer.write_end()),
            read_end: told(writer.read_end().position),
        })
    }

    pub(super) fn reader_state(&mut self, name: &str) -> Option<ReaderState> {
        let reader = self.readers.get_mut(name)?;
        let depth = reader.depth().expect("the disk has no faults");
        let depth_size = reader.depth_size().expect("the disk has no faults");
        let waiting = reader
            .is_waiting_more_data()
            .expect("the disk has no faults");
        Some(ReaderState {
            confirmed: told(reader.confirmed()),
            read: told(reader.read_position()),
            end: told(reader.queue_end().position),
            depth: depth.cast_signed(),
            depth_size: depth_size.cast_signed(),
            waiting,
        })
    }

    pub(super) fn snapshot_offset(&self) -> Option<i64> {
        let snapshot = self.snapshot.as_ref()?;
        Some(snapshot.position().offset.cast_signed())
    }

    pub(super) fn apply(&mut self, op: &LogOp, bytes: &[u8]) -> Answer {
        let answer = self.carry_out(op, bytes);
        if let Some(end) = self.writer.as_ref().map(LogWriter::read_end)
            && self.ends.last() != Some(&end)
        {
            self.ends.push(end);
        }
        answer
    }

    fn carry_out(&mut self, op: &LogOp, bytes: &[u8]) -> Answer {
        match op {
            LogOp::Writer(op @ (WriterOp::Open | WriterOp::OpenReadOnly)) => self.open(op),
            LogOp::Writer(op) => {
                let writer = self.writer.as_mut().ok_or_else(closed)?;
                let reply = on_writer(writer, op, bytes)?;
                if matches!(
                    op,
                    WriterOp::Close | WriterOp::Delete | WriterOp::RemoveTo { .. }
                ) {
                    self.writer = None;
                }
                if matches!(op, WriterOp::Delete | WriterOp::RemoveTo { .. }) {
                    self.readers.clear();
                    self.snapshot = None;
                    self.ends.clear();
                }
                Ok(reply)
            }
            LogOp::Reader(name, ReaderOp::Open) => self.open_reader(name),
            LogOp::Reader(name, op) => {
                let end = if let ReaderOp::UpdateQueueEnd { end, .. } = op {
                    self.told_end(*end)
                } else {
                    None
                };
                let reader = self.readers.get_mut(name).ok_or_else(closed)?;
                let reply = on_reader(reader, op, end)?;
                if matches!(op, ReaderOp::Close | ReaderOp::Delete) {
                    self.readers.remove(name);
                }
                Ok(reply)
            }
            LogOp::Snapshot(SnapshotOp::Open) => self.open_snapshot(),
            LogOp::Snapshot(SnapshotOp::Close) => self
                .snapshot
                .take()
                .map(|_| LogReply::Done)
                .ok_or_else(closed),
            LogOp::Snapshot(op) => {
                let end = if let SnapshotOp::UpdateQueueEnd { end } = op {
                    self.told_end(*end)
                } else {
                    None
                };
                on_snapshot(self.snapshot.as_mut().ok_or_else(closed)?, op, end)
            }
            LogOp::Kill => Err(closed()),
        }
    }

    fn open(&mut self, op: &WriterOp) -> Answer {
        if self.writer.is_some() {
            return Err(refused());
        }
        let open = if *op == WriterOp::OpenReadOnly {
            LogWriter::open_read_only
        } else {
            LogWriter::open
        };
        let (fs, directory) = (Arc::clone(&self.fs), Path::new(DIRECTORY));
        let opened = open(fs, directory, OsStr::new(LOG), self.options).map_err(failed)?;
        assert_eq!(opened.losses, [], "nothing was lost");
        for reader in self.readers.values_mut() {
            reader.follow(&opened.writer.changes());
        }
        self.writer = Some(opened.writer);
        Ok(LogReply::Done)
    }

    fn open_reader(&mut self, name: &str) -> Answer {
        let writer = self.writer.as_ref().ok_or_else(closed)?;
        if self.readers.contains_key(name) {
            return Err(refused());
        }
        let (fs, directory) = (Arc::clone(&self.fs), Path::new(DIRECTORY));
        let (log, own) = (OsStr::new(LOG), OsStr::new(name));
        let end = writer.read_end();
        let opened = LogReader::open(fs, directory, log, own, self.options, end).map_err(failed)?;
        let mut reader = opened.reader;
        reader.follow(&writer.changes());
        self.readers.insert(name.to_owned(), reader);
        Ok(LogReply::Done)
    }

    fn open_snapshot(&mut self) -> Answer {
        let writer = self.writer.as_ref().ok_or_else(closed)?;
        let (fs, directory) = (Arc::clone(&self.fs), Path::new(DIRECTORY));
        let (start, end) = (writer.queue_start(), writer.read_end());
        let opened = Snapshot::open(fs, directory, OsStr::new(LOG), start, end);
        let mut snapshot = opened.map_err(failed)?;
        snapshot.follow(&writer.changes());
        self.snapshot = Some(snapshot);
        Ok(LogReply::Done)
    }
}

fn on_writer(writer: &mut LogWriter, op: &WriterOp, bytes: &[u8]) -> Answer {
    let put = |done: crashline::seglog::Put| LogReply::Put {
        offset: done.offset.cast_signed(),
        size: done.size.cast_signed(),
        end: told(done.end),
    };
    let result = match *op {
        WriterOp::Put { .. } => writer.put(bytes).map(put),
        WriterOp::PutRaw { count, .. } => writer.put_raw(bytes, unsigned(count)?).map(put),
        WriterOp::Flush { fsync } => writer.flush(fsync).map(|()| LogReply::Done),
        WriterOp::FlushBuffer => writer.flush_buffer().map(LogReply::HadData),
        WriterOp::Rollback { offset, count } => writer.rollback(unsigned(offset)?, count).map(at),
        WriterOp::ResetWriteEnd { offset, count } => writer
            .reset_write_end(unsigned(offset)?, unsigned(count)?)
            .map(at),
        WriterOp::TryFixWriteEnd { offset, count } => writer
            .try_fix_write_end(unsigned(offset)?, unsigned(count)?)
            .map(at),
        WriterOp::ResetWriteWithQueueStart { offset, count } => writer
            .reset_write_with_queue_start(unsigned(offset)?, unsigned(count)?)
            .map(|()| LogReply::Done),
        WriterOp::CleanOldData {
            target,
            dry_run,
            offset_max,
        } => {
            let target = match target {
                scenario::CleanTarget::Position(place) => CleanTarget::Position(position(place)),
                scenario::CleanTarget::Offset(offset) => {
                    CleanTarget::Offset(u64::try_from(offset).unwrap_or(0))
                }
            };
            let limit = u64::try_from(offset_max).ok().filter(|limit| *limit != 0);
            let start = writer.clean_old_data(target, dry_run, limit, false);
            start.map(|start| LogReply::Start(start.map(told)))
        }
        WriterOp::Empty => writer.empty().map(|()| LogReply::Done),
        WriterOp::Close => writer.close().map(|()| LogReply::Done),
        WriterOp::Delete => writer.delete().map(|()| LogReply::Done),
        WriterOp::RemoveTo { ref directory } => writer
            .remove_to(&Path::new("/").join(directory))
            .map(|()| LogReply::Done),
        WriterOp::Open | WriterOp::OpenReadOnly => return Err(refused()),
    };
    result.map_err(failed)
}

fn on_reader(reader: &mut LogReader, op: &ReaderOp, told: Option<End>) -> Answer {
    // A count below zero is none that a place has, as the largest of the engine's.
    let known = |offset: i64, count: i64| match (offset, count) {
        (1.., 0) => None,
        _ => Some(u64::try_from(count).unwrap_or(u64::MAX)),
    };
    let result = match *op {
        ReaderOp::UpdateQueueEnd { force, .. } => {
            let end = told.ok_or_else(refused)?;
            reader.update_queue_end(end, force).map(LogReply::Changed)
        }
        ReaderOp::TryReadOne => reader.try_read_one().map(read),
        ReaderOp::ConfirmRead { offset: -1, .. } => reader
            .confirm_read(Confirm::AllRead)
            .map(|()| LogReply::Done),
        ReaderOp::ConfirmRead { offset, count } => {
            let confirm = Confirm::UpTo {
                offset: u64::try_from(offset).unwrap_or(0),
                count: known(offset, count),
            };
            reader.confirm_read(confirm).map(|()| LogReply::Done)
        }
        ReaderOp::ResetReadToConfirmed => reader.reset_read_to_confirmed().map(at),
        ReaderOp::ResetReadToOffset { offset, count } => reader
            .reset_read_to_offset(unsigned(offset)?, known(offset, count))
            .map(at),
        ReaderOp::SkipReadToOffset { offset, count } => reader
            .skip_read_to_offset(unsigned(offset)?, known(offset, count))
            .map(at),
        ReaderOp::SkipReadToEnd => reader.skip_read_to_end().map(at),
        ReaderOp::SkipToNext => reader.skip_to_next().map(at),
        ReaderOp::ResetLastReadOne {
            offset,
            count,
            moved,
        } => {
            let (count, moved) = (known(offset, count), unsigned(moved)?);
            let taken = reader.reset_last_read_one(unsigned(offset)?, count, moved);
            taken.map(|()| LogReply::Done)
        }
        ReaderOp::Flush { fsync } => reader.flush(fsync).map(|()| LogReply::Done),
        ReaderOp::Close => reader.close().map(|()| LogReply::Done),
        ReaderOp::Delete => reader.delete().map(|()| LogReply::Done),
        ReaderOp::Open => return Err(refused()),
    };
    result.map_err(failed)
}

fn on_snapshot(snapshot: &mut Snapshot, op: &SnapshotOp, told: Option<End>) -> Answer {
    let result = match *op {
        SnapshotOp::UpdateQueueEnd { .. } => {
            let end = told.ok_or_else(refused)?;
            snapshot.update_queue_end(end).map(|_| LogReply::Done)
        }
        SnapshotOp::SeekTo { offset, count } => {
            let count = Some(unsigned(count)?);
            snapshot
                .seek_to(unsigned(offset)?, count)
                .map(|()| LogReply::Done)
        }
        SnapshotOp::ResetSeekTo { offset, count } => {
            let count = Some(unsigned(count)?);
            snapshot
                .reset_seek_to(unsigned(offset)?, count)
                .map(|()| LogReply::Done)
        }
        SnapshotOp::SeekToEnd => snapshot.seek_to_end().map(|()| LogReply::Done),
        SnapshotOp::SkipToNext => snapshot.skip_to_next().map(|()| LogReply::Done),
        SnapshotOp::ReadOne => snapshot.read_one().map(read),
        SnapshotOp::ReadRaw { size } => snapshot.read_raw(size).map(LogReply::Raw),
        SnapshotOp::Open | SnapshotOp::Close => return Err(refused()),
    };
    result.map_err(failed)
}

fn told(at: Position) -> LogPosition {
    LogPosition::from([at.segment, at.position, at.offset, at.count].map(u64::cast_signed))
}

fn at(place: Position) -> LogReply {
    LogReply::Position(told(place))
}

fn position(at: LogPosition) -> Position {
    let [segment, position, offset, count] = <[i64; 4]>::from(at).map(i64::cast_unsigned);
    Position {
        segment,
        position,
        offset,
        count,
    }
}

fn read(message: Option<Message>) -> LogReply {
    match message {
        None => LogReply::Nothing,
        Some(message) => LogReply::Message(LogMessage {
            offset: message.offset.cast_signed(),
            moved: message.moved.cast_signed(),
            count: message.count_after.cast_signed(),
            bytes: message.bytes,
        }),
    }
}

/// The engine's numbers have no sign: one that has none to give is refused before it is asked.
fn unsigned(number: impl TryInto<u64>) -> Result<u64, Failed> {
    number.try_into().map_err(|_| refused())
}

fn refused() -> Failed {
    (FailureKind::Refused, String::new())
}

fn closed() -> Failed {
    (FailureKind::Closed, String::new())
}

fn failed(error: Error) -> Failed {
    let kind = match &error {
        Error::MessageSize { .. } | Error::Refused { .. } | Error::Exhausted { .. } => {
            FailureKind::Refused
        }
        Error::Closed | Error::ReadOnly => FailureKind::Closed,
        Error::Locked { .. } => FailureKind::Locked,
        Error::Damage { .. } => FailureKind::Damage,
        Error::Io { .. } => FailureKind::Io(None),
    };
    (kind, error.to_string())
}
