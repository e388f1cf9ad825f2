//! One replica's files: the data log and the commit log beside it, kept in step.
//!
//! Invariants: an entry of the commit log is written after the data before it is durable, and taken
//! away before the data is; so after any crash the data reaches at least as far as the commit log,
//! and what lies behind that is cut when the replica opens. While a replica starts anew the commit
//! log is empty: a crash then leaves a replica that holds nothing.

use super::commits::CommitLog;
use super::entry::Entry;
use super::quirks::{Quirks, ReplicationQuirk};
use crashline::fs::Fs;
use crashline::seglog::{CleanTarget, Error, LogOptions, LogReader, LogWriter, Position, Put};
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Where the files of a replica are.
pub(super) const DIRECTORY: &str = "/replica";
pub(super) const LOG: &str = "log";

/// Why an operation on a replica's files failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum StoreError {
    /// The data log.
    #[error(transparent)]
    Log(#[from] Error),
    /// The commit log.
    #[error("cannot write the commit log: {0}")]
    Commits(#[from] io::Error),
}

/// The files of a replica.
#[derive(Debug)]
pub(super) struct Store {
    pub(super) fs: Arc<dyn Fs>,
    pub(super) options: LogOptions,
    quirks: Quirks,
    pub(super) writer: LogWriter,
    commits: CommitLog,
    /// The place that the log begins at.
    base: Entry,
    /// Written, but not known to be durable.
    pending: Vec<Entry>,
    /// The log is about to begin anew here.
    beginning: Option<Entry>,
    pub(super) consumer: Option<LogReader>,
}

impl Store {
    /// Opens a replica: what its commit log does not vouch for is cut.
    pub(super) fn open(
        fs: Arc<dyn Fs>,
        segment_bytes_max: u64,
        quirks: Quirks,
    ) -> Result<Self, StoreError> {
        let options = LogOptions {
            segment_bytes_max,
            ..LogOptions::default()
        };
        let (directory, log) = (Path::new(DIRECTORY), OsStr::new(LOG));
        let opened = LogWriter::open(Arc::clone(&fs), directory, log, options)?;
        let commits = CommitLog::open(Arc::clone(&fs), directory)?;
        let mut store = Self {
            fs,
            options,
            quirks,
            writer: opened.writer,
            commits,
            base: Entry::default(),
            pending: Vec::new(),
            beginning: None,
            consumer: None,
        };
        store.agree()?;
        store.settle()?;
        store.consumer = Some(store.open_consumer()?);
        Ok(store)
    }

    /// Makes the commit log speak of what is there.
    fn agree(&mut self) -> Result<(), StoreError> {
        let (start, end) = (self.writer.queue_start(), self.writer.write_end());
        let within = |entry: &&Entry| (start.offset..=end.offset).contains(&entry.offset);
        let mut entries: Vec<Entry> = self
            .commits
            .entries()
            .iter()
            .filter(within)
            .copied()
            .collect();
        if start.offset == 0 {
            self.base = Entry::default();
        } else if let Some(base) = entries.first().filter(|base| base.offset == start.offset) {
            self.base = *base;
        } else {
            // It died while it began anew.
            entries.clear();
            self.beginning = Some(Entry::default());
        }
        self.commits.replace(entries)?;
        Ok(())
    }

    /// The last place whose data and commit log are durable.
    pub(super) fn last(&self) -> Entry {
        match self.beginning {
            Some(_) => Entry::default(),
            None => self.commits.entries().last().copied().unwrap_or(self.base),
        }
    }

    /// The place that the data reaches: beyond the last one while a call that failed is unfinished.
    pub(super) fn reaches(&self) -> Entry {
        let pending = self.pending.last().copied();
        pending.unwrap_or_else(|| self.last())
    }

    /// Where the log begins.
    pub(super) fn base(&self) -> Entry {
        self.base
    }

    /// The data log's start and end.
    pub(super) fn span(&self) -> (Position, Position) {
        (self.writer.queue_start(), self.writer.write_end())
    }

    /// All places that are known, in order, the base among them.
    fn places(&self) -> impl DoubleEndedIterator<Item = Entry> {
        let entries = self.commits.entries().iter().copied();
        let base = self.base;
        std::iter::once(base).chain(entries.filter(move |entry| entry.offset > base.offset))
    }

    /// The greatest place at or before an offset, other than `not`.
    pub(super) fn nearest(&self, offset: u64, not: Entry) -> Option<Entry> {
        let mut places = self.places().rev();
        places.find(|place| place.offset <= offset && *place != not)
    }

    /// The greatest place before an offset.
    pub(super) fn before(&self, offset: u64) -> Option<Entry> {
        self.places().rev().find(|place| place.offset < offset)
    }

    /// Whether a place is one of this log.
    pub(super) fn has(&self, place: &Entry) -> bool {
        if self.quirks.has(ReplicationQuirk::EpochUnchecked) {
            return self
                .places()
                .any(|known| (known.offset, known.count) == (place.offset, place.count));
        }
        self.places().any(|known| known == *place)
    }

    /// The places behind one, so many at most.
    pub(super) fn after(&self, place: &Entry, count: usize) -> Vec<Entry> {
        let behind = self.places().filter(|entry| entry.offset > place.offset);
        behind.take(count).collect()
    }

    /// Finishes what failed before, so that data and commit log end at one place.
    pub(super) fn settle(&mut self) -> Result<(), StoreError> {
        if let Some(base) = self.beginning {
            self.writer
                .reset_write_with_queue_start(base.offset, base.count)?;
            let kept = if base.offset == 0 { vec![] } else { vec![base] };
            self.commits.replace(kept)?;
            self.base = base;
            self.beginning = None;
        }
        if !self.pending.is_empty() {
            if self.quirks.has(ReplicationQuirk::CommitBeforeData) {
                self.commits.append(&self.pending)?;
                self.pending.clear();
                self.writer.flush(false)?;
                return Ok(());
            }
            self.writer.flush(true)?;
            self.commits.append(&self.pending)?;
            self.pending.clear();
        }
        let last = self.last();
        let is_longer = self.writer.write_end().offset > last.offset;
        if is_longer && !self.quirks.has(ReplicationQuirk::TailKept) {
            self.writer.reset_write_end(last.offset, last.count)?;
        }
        Ok(())
    }

    /// Appends records and makes them and their places durable. What the data log answered.
    pub(super) fn append(&mut self, records: &[u8], entries: &[Entry]) -> Result<Put, StoreError> {
        self.settle()?;
        let put = self.writer.put_raw(records, entries.len() as u64)?;
        self.pending = entries.to_vec();
        self.settle()?;
        Ok(put)
    }

    /// As [`Store::append`], but nothing is durable when it returns.
    pub(super) fn append_unsynced(
        &mut self,
        records: &[u8],
        entries: &[Entry],
    ) -> Result<Put, StoreError> {
        self.settle()?;
        let put = self.writer.put_raw(records, entries.len() as u64)?;
        self.writer.flush(false)?;
        self.commits.append(entries)?;
        Ok(put)
    }

    /// Appends without looking where: the places are the leader's.
    pub(super) fn append_anywhere(
        &mut self,
        records: &[u8],
        entries: &[Entry],
    ) -> Result<Put, StoreError> {
        let put = self.writer.put_raw(records, entries.len() as u64)?;
        self.writer.flush(true)?;
        let last = self.last();
        let more: Vec<Entry> = entries
            .iter()
            .filter(|one| one.offset > last.offset)
            .copied()
            .collect();
        self.commits.append(&more)?;
        Ok(put)
    }

    /// Puts one message, as a leader does.
    pub(super) fn put(&mut self, message: &[u8], place: Entry) -> Result<u64, StoreError> {
        self.settle()?;
        let put = self.writer.put(message)?;
        self.pending = vec![place];
        self.settle()?;
        Ok(put.offset)
    }

    /// Cuts everything behind a place of this log. Durable when it returns.
    pub(super) fn cut(&mut self, to: Entry) -> Result<(), StoreError> {
        self.pending.clear();
        if self.last() != to {
            let kept = self.commits.entries().iter();
            let kept = kept
                .filter(|entry| entry.offset <= to.offset)
                .copied()
                .collect();
            self.commits.replace(kept)?;
        }
        self.settle()
    }

    /// Drops everything; the log begins here. Durable when it returns.
    pub(super) fn begin_at(&mut self, base: Entry) -> Result<(), StoreError> {
        self.pending.clear();
        self.commits.replace(Vec::new())?;
        self.beginning = Some(base);
        self.settle()
    }

    /// Takes a place for that of its own end, as it is not.
    pub(super) fn believe(&mut self, base: Entry) -> Result<(), StoreError> {
        self.commits.replace(vec![base])?;
        Ok(())
    }

    /// Removes whole segments before an offset; what the consumer has not confirmed only if forced.
    pub(super) fn clean(&mut self, before: u64, force: bool) -> Result<(), StoreError> {
        self.settle()?;
        let target = CleanTarget::Offset(before);
        let cleaned = self.writer.clean_old_data(target, false, None, force);
        let start = self.writer.queue_start();
        let base = self.places().find(|place| place.offset == start.offset);
        self.base = base.unwrap_or(self.base);
        cleaned?;
        Ok(())
    }
}
