//! How a replica's log is read: raw for its followers, whole, and by its consumer.

use super::entry::Entry;
use super::event::Seen;
use super::store::{DIRECTORY, LOG, Store, StoreError};
use crashline::seglog::{Confirm, End, LogReader, Position, Snapshot};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

const CONSUMER: &str = "log:consumer";

/// What a consumer read, and how it stands then.
#[derive(Debug)]
pub(super) struct Consumed {
    pub(super) messages: Vec<Seen>,
    pub(super) confirmed: Position,
    /// How many messages it says are left.
    pub(super) depth: u64,
    /// The end that it was told.
    pub(super) end: Position,
}

impl Store {
    /// The records between two places, as they are on disk.
    pub(super) fn records(&self, from: &Entry, to: &Entry) -> Result<Vec<u8>, StoreError> {
        if from.offset == to.offset {
            return Ok(Vec::new());
        }
        let mut snapshot = self.snapshot()?;
        snapshot.reset_seek_to(from.offset, Some(from.count))?;
        let size = u32::try_from(to.offset.saturating_sub(from.offset)).unwrap_or(u32::MAX);
        Ok(snapshot.read_raw(size)?)
    }

    fn snapshot(&self) -> Result<Snapshot, StoreError> {
        let (directory, log) = (Path::new(DIRECTORY), OsStr::new(LOG));
        let (start, end) = (self.writer.queue_start(), self.writer.read_end());
        let fs = Arc::clone(&self.fs);
        let mut snapshot = Snapshot::open(fs, directory, log, start, end)?;
        snapshot.follow(&self.writer.changes());
        Ok(snapshot)
    }

    /// Everything that a snapshot of the log shows.
    pub(super) fn scan(&self) -> Result<Vec<Seen>, StoreError> {
        let mut snapshot = self.snapshot()?;
        let mut seen = Vec::new();
        while let Some(message) = snapshot.read_one()? {
            seen.push(Seen::of(message));
        }
        Ok(seen)
    }

    /// Lets the replica's consumer read on and confirm: so many messages at most.
    pub(super) fn consume(&mut self, count: u32) -> Result<Consumed, StoreError> {
        let end = self.writer.read_end();
        let mut consumer = match self.consumer.take() {
            Some(consumer) => consumer,
            None => self.open_consumer()?,
        };
        let result = consume(&mut consumer, end, count);
        self.consumer = Some(consumer);
        result
    }

    /// Opens the consumer; one that the log does not know stands at its end.
    pub(super) fn open_consumer(&self) -> Result<LogReader, StoreError> {
        let (directory, log) = (Path::new(DIRECTORY), OsStr::new(LOG));
        let (name, end) = (OsStr::new(CONSUMER), self.writer.read_end());
        let fs = Arc::clone(&self.fs);
        let mut reader = LogReader::open(fs, directory, log, name, self.options, end)?.reader;
        reader.follow(&self.writer.changes());
        Ok(reader)
    }
}

fn consume(consumer: &mut LogReader, end: End, count: u32) -> Result<Consumed, StoreError> {
    consumer.update_queue_end(end, false)?;
    let mut seen = Vec::new();
    for _ in 0..count {
        let Some(message) = consumer.try_read_one()? else {
            break;
        };
        seen.push(Seen::of(message));
    }
    if !seen.is_empty() {
        consumer.confirm_read(Confirm::AllRead)?;
    }
    let depth = consumer.depth()?;
    Ok(Consumed {
        messages: seen,
        confirmed: consumer.confirmed(),
        depth,
        end: end.position,
    })
}
