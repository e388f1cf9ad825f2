//! What an acknowledged operation promises.

use super::guess::{Guess, Names};
use super::windows::{Dropped, LogCause, LogDurable};
use crate::scenario::{Clause, LogOp, ReaderOp, WriterOp};

impl Guess {
    /// Everything that is there now is durable.
    fn promise(&mut self, cause: LogCause, step: u32) {
        let end = self.model.end();
        let keeps_its_cause = cause == LogCause::Open && self.durable.end == end;
        if !keeps_its_cause {
            self.durable = LogDurable {
                end,
                cause,
                step: Some(step),
            };
        }
        self.others.clear();
        self.taken_back = false;
        self.written = None;
    }

    fn drops(&mut self, before: &Self, clause: Clause, step: u32) {
        self.dropped = Some(Dropped {
            chain: before.chain,
            clause,
            step,
        });
    }

    /// An operation was acknowledged that brought the log from `before` to here.
    pub(super) fn acknowledge(&mut self, before: &Self, op: &LogOp, step: u32, names: &mut Names) {
        if let LogOp::Writer(op) = op {
            self.acknowledge_writer(before, op, step);
        }
        let saved = match op {
            LogOp::Reader(name, ReaderOp::Flush { fsync: true } | ReaderOp::Close) => Some(name),
            LogOp::Reader(name, ReaderOp::Open) => Some(name),
            LogOp::Reader(..) | LogOp::Writer(_) | LogOp::Snapshot(_) | LogOp::Kill => None,
        };
        self.note_readers(saved.map(String::as_str), names);
    }

    fn acknowledge_writer(&mut self, before: &Self, op: &WriterOp, step: u32) {
        match op {
            WriterOp::Put { .. } | WriterOp::PutRaw { .. } | WriterOp::OpenReadOnly => {}
            WriterOp::Flush { fsync: false } | WriterOp::FlushBuffer => {
                for other in &mut self.others {
                    other.is_covered = true;
                }
            }
            WriterOp::Flush { fsync: true } => self.promise(LogCause::Sync, step),
            WriterOp::Rollback { .. } | WriterOp::ResetWriteEnd { .. } => {
                self.drops(before, Clause::L3, step);
                self.cut_readers(self.model.end());
                self.promise(LogCause::Cut, step);
            }
            WriterOp::TryFixWriteEnd { .. } => self.promise(LogCause::Grow, step),
            WriterOp::ResetWriteWithQueueStart { .. } => {
                self.drops(before, Clause::L5, step);
                self.start_clause = Clause::L5;
                self.cut_readers(self.model.end());
                self.promise(LogCause::NewStart, step);
            }
            WriterOp::CleanOldData { .. } => {
                // Nothing to remove is success, and nothing was done then.
                if self.model.start() != before.model.start() {
                    self.start_clause = Clause::L6;
                    self.promise(LogCause::Retention, step);
                }
            }
            WriterOp::Empty => {
                self.drops(before, Clause::Q7, step);
                self.start_clause = Clause::Q7;
                self.promise(LogCause::Empty, step);
            }
            WriterOp::Open => self.promise(LogCause::Open, step),
            WriterOp::Close => {
                if before.model.is_writing() {
                    self.promise(LogCause::Close, step);
                }
            }
            WriterOp::Delete => {
                self.drops(before, Clause::Q12, step);
                self.start_clause = Clause::Q12;
                self.promise(LogCause::Delete, step);
            }
            WriterOp::RemoveTo { .. } => {
                self.drops(before, Clause::L13, step);
                self.start_clause = Clause::L13;
                self.promise(LogCause::Move, step);
            }
        }
    }
}
