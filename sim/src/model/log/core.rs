//! The log with all its objects.

use super::answer::{LogAnswer, Possible};
use super::content::Content;
use super::reader::{Reader, told_states};
use super::snapshot::Snapshot;
use super::writer::Access;
use crate::generate::LogView;
use crate::model::Shared;
use crate::scenario::{
    Clause, LogOp, LogOptions, LogPosition, ReaderState, SnapshotOp, SnapshotState, WriterState,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A log in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogModel {
    pub(super) options: LogOptions,
    pub(super) content: Content,
    pub(super) access: Access,
    /// All that were opened once, and are not deleted.
    pub(super) readers: Shared<BTreeMap<Arc<str>, Reader>>,
    pub(super) snapshot: Option<Snapshot>,
    /// Where each reader stood since it was durable last, that included.
    pub(super) stood: Shared<BTreeMap<Arc<str>, Vec<Reader>>>,
    /// Directories that the log was moved to.
    pub(super) moved_to: Shared<BTreeSet<String>>,
}

impl LogModel {
    /// A new log of which nothing is open.
    #[must_use]
    pub fn new(options: LogOptions) -> Self {
        Self {
            options,
            content: Content::new(i64::try_from(options.segment_bytes_max).unwrap_or(i64::MAX)),
            access: Access::None,
            readers: Shared::default(),
            snapshot: None,
            stood: Shared::default(),
            moved_to: Shared::default(),
        }
    }

    /// Everything that the operation may do; `bytes` are those of a put or batch. Nothing is known
    /// behind a kill.
    #[must_use]
    pub fn apply(&self, op: &LogOp, bytes: &[u8]) -> Vec<Possible> {
        let mut possible = match op {
            LogOp::Writer(op) => self.apply_to_writer(op, bytes),
            LogOp::Reader(name, op) => self.apply_to_reader(name, op),
            LogOp::Snapshot(op) => self.apply_to_snapshot(op),
            LogOp::Kill => Vec::new(),
        };
        // Which of two good reasons is told is nobody's business; and what would do nothing may be
        // refused for a number that stands for nothing.
        if op.has_negative() {
            let mut closed = possible.iter();
            let closed =
                closed.find(|one| one.answer == LogAnswer::Closed || self.is_left_by(op, one));
            possible.extend(closed.cloned().map(|one| Possible {
                answer: LogAnswer::Refused,
                ..one
            }));
        }
        possible
    }

    /// Whether nothing was done then; that a reader noticed a cut is nothing.
    fn is_left_by(&self, op: &LogOp, possible: &Possible) -> bool {
        let after = &possible.after;
        let is_where_it_was = |name: &str| {
            let (before, after) = (self.reader(name), after.reader(name));
            !after.is_empty() && after.iter().all(|state| before.contains(state))
        };
        *after == *self || matches!(op, LogOp::Reader(name, _) if is_where_it_was(name))
    }

    fn apply_to_snapshot(&self, op: &SnapshotOp) -> Vec<Possible> {
        let reads = matches!(op, SnapshotOp::ReadOne | SnapshotOp::ReadRaw { .. });
        let clause = if reads { Clause::L7 } else { Clause::L9 };
        let outcomes = match &self.snapshot {
            _ if *op == SnapshotOp::Open => {
                let answer = match self.access {
                    Access::None => LogAnswer::Closed,
                    Access::Look | Access::Full => super::writer::done(),
                };
                let opened = (answer != LogAnswer::Closed).then(|| Snapshot::new(&self.content));
                vec![(answer, opened.or(self.snapshot))]
            }
            None => vec![(LogAnswer::Closed, None)],
            Some(_) if *op == SnapshotOp::Close => vec![(super::writer::done(), None)],
            Some(snapshot) => {
                let outcomes = snapshot.apply(op, &self.content).into_iter();
                outcomes
                    .map(|(answer, after)| (answer, Some(after)))
                    .collect()
            }
        };
        let possible = outcomes.into_iter().map(|(answer, snapshot)| Possible {
            answer,
            clause,
            after: Self {
                snapshot,
                ..self.clone()
            },
        });
        possible.collect()
    }

    /// What the writer says; nothing where it is not open.
    #[must_use]
    pub fn writer(&self) -> Option<WriterState> {
        let content = &self.content;
        let state = WriterState {
            queue_start: content.position(content.start()),
            write_end: content.position(content.end),
            read_end: content.position(content.read_end),
        };
        (self.access != Access::None).then_some(state)
    }

    /// What the reader may say: one thing, unless the log was cut below where it stands since it
    /// was told an end. Nothing where it is not open.
    #[must_use]
    pub fn reader(&self, name: &str) -> Vec<ReaderState> {
        let reader = self.readers.get(name).filter(|reader| reader.is_open);
        reader.map_or_else(Vec::new, |reader| told_states(reader, &self.content))
    }

    /// What the snapshot may say; nothing where it is not open.
    #[must_use]
    pub fn snapshot(&self) -> Vec<SnapshotState> {
        let snapshot = self.snapshot.as_ref();
        snapshot.map_or_else(Vec::new, |snapshot| snapshot.told_states(&self.content))
    }

    /// Goes on without a reader whose position is not known: it holds nothing back.
    pub fn forget_reader(&mut self, name: &str) {
        self.readers.remove(name);
        self.stood.remove(name);
    }

    /// Goes on without the snapshot.
    pub fn forget_snapshot(&mut self) {
        self.snapshot = None;
    }

    /// The boundaries of the log, from its start to its end.
    #[must_use]
    pub fn boundaries(&self) -> Vec<LogPosition> {
        let content = &self.content;
        let mut at = content.start();
        let mut boundaries = vec![content.position(at)];
        while let Some(message) = content.message_at(at.offset) {
            at = message.end();
            boundaries.push(content.position(at));
        }
        boundaries
    }

    /// How many messages the log has.
    #[must_use]
    pub fn message_count(&self) -> usize {
        self.content.message_count()
    }

    /// Where things stand, for who makes up what to do next.
    #[must_use]
    pub fn view(&self) -> LogView {
        let readers = self.readers.keys().filter_map(|name| {
            let state = self.reader(name).first().copied()?;
            Some((name.to_string(), state))
        });
        LogView {
            writer: self.writer(),
            boundaries: self.boundaries(),
            readers: readers.collect(),
            snapshot: self.snapshot().first().copied(),
        }
    }

    /// The message whose record starts at an offset.
    #[must_use]
    pub fn message(&self, offset: i64) -> Option<&[u8]> {
        let message = self.content.message_at(offset)?;
        Some(&message.bytes)
    }
}
