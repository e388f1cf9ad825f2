//! Runs of operations on the engine, with what the log must be after each of them.
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::support::{Disk, record, small};
use crashline::fs::Fs;
use crashline::seglog::{Applied, CleanTarget, Error, LogWriter, LossKind, Position};
use crashline_sim::fault::{FaultFs, FaultPlan};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

/// What is done in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Open,
    /// The process dies and the log is opened again.
    Kill,
    Put(usize),
    Raw(u8),
    Flush(bool),
    FlushBuffer,
    /// Takes so many messages back.
    Rollback(usize),
    Empty,
    NewStart(u64, u64),
    /// Up to the segment before the last two.
    Clean,
    Close,
    Delete,
}

/// What the log is: its start, and its messages.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Log {
    pub(super) offset: u64,
    pub(super) count: u64,
    pub(super) messages: Vec<Vec<u8>>,
}

impl Log {
    pub(super) fn end(&self) -> u64 {
        let sizes = self.messages.iter().map(|message| 4 + message.len() as u64);
        self.offset + sizes.sum::<u64>()
    }

    /// Whether this is a leading part of `whole` that reaches to `least`, or to its end.
    pub(super) fn is_part_of(&self, whole: &Self, least: u64) -> bool {
        self.offset == whole.offset
            && self.count == whole.count
            && whole.messages.starts_with(&self.messages)
            && self.end() >= least.min(whole.end())
    }

    /// Drops messages up to a new start.
    fn clean_to(&mut self, start: &Position) {
        while self.offset < start.offset {
            let message = self.messages.remove(0);
            self.offset += 4 + message.len() as u64;
            self.count += 1;
        }
        assert_eq!((self.offset, self.count), (start.offset, start.count));
    }
}

/// What an open log holds.
pub(super) fn observed(disk: &Disk, writer: &LogWriter) -> Log {
    let start = writer.queue_start();
    Log {
        offset: start.offset,
        count: start.count,
        messages: disk.messages_between("L", start, writer.read_end().position),
    }
}

/// What is known after an operation.
#[derive(Debug, Clone, Default)]
pub(super) struct After {
    pub(super) log: Log,
    pub(super) is_deleted: bool,
    pub(super) flushed: u64,
    pub(super) durable: u64,
}

/// A run that goes on.
pub(super) struct Run {
    pub(super) disk: Disk,
    pub(super) faults: FaultFs,
    writer: Option<LogWriter>,
    next: u8,
    pub(super) history: Vec<After>,
}

impl Run {
    pub(super) fn new(plan: FaultPlan) -> Self {
        let disk = Disk::empty();
        Self {
            faults: FaultFs::over_sim(disk.0.clone(), plan),
            disk,
            writer: None,
            next: 0,
            history: vec![After::default()],
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.writer.is_some()
    }

    /// What is known now.
    pub(super) fn now(&self) -> &After {
        self.history.last().unwrap()
    }

    fn message(&mut self, size: usize) -> Vec<u8> {
        self.next += 1;
        vec![self.next; size]
    }

    /// Does one operation; an error must tell whether it took place.
    pub(super) fn apply(&mut self, op: Op) -> Result<(), Error> {
        let before = self.now().clone();
        let mut after = before.clone();
        after.is_deleted = op == Op::Delete;
        let result = match op {
            Op::Open | Op::Kill => self.open(&mut after.log),
            Op::Put(size) => self.put(size, &mut after.log),
            Op::Raw(count) => self.put_raw(count, &mut after.log),
            Op::Flush(_)
            | Op::FlushBuffer
            | Op::Rollback(_)
            | Op::Empty
            | Op::NewStart(..)
            | Op::Clean
            | Op::Close
            | Op::Delete => self.change(op, &mut after.log),
        };
        let is_done = match &result {
            Ok(()) => true,
            Err(error) => error.applied() != Applied::Nothing,
        };
        if !is_done {
            after = before;
        }
        if let Some(writer) = &self.writer {
            let log = &after.log;
            let end = writer.write_end();
            assert_eq!(end.offset, log.end(), "{op:?}: {result:?}");
            let count = log.count + log.messages.len() as u64;
            assert_eq!(end.count, count, "{op:?}: {result:?}");
            after.flushed = writer.read_end().position.offset;
        }
        let is_buffered = matches!(
            op,
            Op::Put(_) | Op::Raw(_) | Op::Flush(false) | Op::FlushBuffer
        );
        if result.is_ok() && !is_buffered {
            after.durable = after.log.end();
        }
        after.durable = after.durable.min(after.log.end());
        self.history.push(after);
        self.disk.0.mark(u32::try_from(self.history.len()).unwrap());
        result
    }

    fn open(&mut self, log: &mut Log) -> Result<(), Error> {
        self.writer = None;
        let fs: Arc<dyn Fs> = Arc::new(self.faults.clone());
        let opened = LogWriter::open(fs, Path::new("/data"), OsStr::new("L"), small())?;
        let losses = opened.losses.iter();
        let damage = losses.filter(|loss| loss.kind == LossKind::Damaged).count();
        assert_eq!(damage, 0, "{:?}", opened.losses);
        *log = observed(&self.disk, &opened.writer);
        self.writer = Some(opened.writer);
        Ok(())
    }

    fn put(&mut self, size: usize, log: &mut Log) -> Result<(), Error> {
        let body = self.message(size);
        self.writer.as_mut().unwrap().put(&body)?;
        log.messages.push(body);
        Ok(())
    }

    fn put_raw(&mut self, count: u8, log: &mut Log) -> Result<(), Error> {
        let sizes = 1..=usize::from(count);
        let bodies: Vec<Vec<u8>> = sizes.map(|size| self.message(size)).collect();
        let batch: Vec<u8> = bodies.iter().flat_map(|body| record(body)).collect();
        let writer = self.writer.as_mut().unwrap();
        writer.put_raw(&batch, count.into())?;
        log.messages.extend(bodies);
        Ok(())
    }

    /// Changes the model before the engine: an error may tell that it was done.
    fn change(&mut self, op: Op, log: &mut Log) -> Result<(), Error> {
        let writer = self.writer.as_mut().unwrap();
        match op {
            Op::Flush(fsync) => writer.flush(fsync),
            Op::FlushBuffer => writer.flush_buffer().map(drop),
            Op::Rollback(count) => {
                log.messages.truncate(log.messages.len() - count);
                writer.rollback(log.end(), count as u64).map(drop)
            }
            Op::Empty => {
                let end = writer.write_end();
                log.clean_to(&end);
                writer.empty()
            }
            Op::NewStart(offset, count) => {
                *log = Log {
                    offset,
                    count,
                    messages: Vec::new(),
                };
                writer.reset_write_with_queue_start(offset, count)
            }
            Op::Clean => {
                let target = CleanTarget::Offset(u64::MAX);
                let cleaned = writer.clean_old_data(target, false, None, true);
                log.clean_to(&writer.queue_start());
                cleaned.map(drop)
            }
            Op::Close => {
                writer.close()?;
                self.writer = None;
                Ok(())
            }
            Op::Delete => {
                let end = writer.write_end();
                log.clean_to(&end);
                writer.delete()?;
                self.writer = None;
                *log = Log::default();
                Ok(())
            }
            Op::Open | Op::Kill | Op::Put(_) | Op::Raw(_) => unreachable!("done elsewhere"),
        }
    }
}
