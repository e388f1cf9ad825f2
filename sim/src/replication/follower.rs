//! A replica that follows: it keeps its log like the leader's.

use super::entry::Entry;
use super::event::Event;
use super::node::Node;
use super::quirks::ReplicationQuirk;
use super::store::StoreError;
use super::wire::Message;
use crashline::seglog::Position;

/// What a leader sends.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) epoch: u64,
    pub(super) after: Entry,
    pub(super) end: Entry,
    pub(super) entries: Vec<Entry>,
    pub(super) records: Vec<u8>,
}

impl Node {
    /// The leader's log goes on behind a place: known, or to be looked for further back.
    pub(super) fn append(&mut self, from: u8, batch: &Batch) -> Result<(), StoreError> {
        self.store.settle()?;
        let epoch = batch.epoch;
        if !self.store.has(&batch.after) {
            let nearest = self.store.nearest(batch.after.offset, batch.after);
            self.out.push((from, Message::Unknown { epoch, nearest }));
            return Ok(());
        }
        let to = batch.entries.last().copied().unwrap_or(batch.after);
        let known = batch
            .entries
            .iter()
            .take_while(|entry| self.store.has(entry));
        let known = known.count();
        let kept = match known
            .checked_sub(1)
            .and_then(|last| batch.entries.get(last))
        {
            Some(last) => *last,
            None => batch.after,
        };
        let more = batch.entries.get(known..).unwrap_or_default();
        if !more.is_empty() || self.is_beyond(batch, to) {
            self.cut(kept)?;
        }
        if !more.is_empty() {
            let skipped = usize::try_from(kept.offset - batch.after.offset).unwrap_or(usize::MAX);
            let records = batch.records.get(skipped..).unwrap_or_default();
            self.write(kept, records, more)?;
        }
        self.out.push((from, Message::Ack { epoch, to }));
        Ok(())
    }

    /// Whether it holds what no leader of this epoch wrote behind the end of the leader's log.
    fn is_beyond(&self, batch: &Batch, to: Entry) -> bool {
        let last = self.store.last();
        to == batch.end && last != to && last.epoch < batch.epoch
    }

    fn cut(&mut self, to: Entry) -> Result<(), StoreError> {
        if self.store.last() == to || self.has(ReplicationQuirk::TailKept) {
            return Ok(());
        }
        let host = self.setup.host;
        self.tell(Event::Cuts { host, to });
        self.store.cut(to)?;
        let end = self.end();
        self.tell(Event::Cut { host, to, end });
        Ok(())
    }

    fn write(&mut self, after: Entry, records: &[u8], more: &[Entry]) -> Result<(), StoreError> {
        let is_synced = !self.has(ReplicationQuirk::AckBeforeSync)
            && !self.has(ReplicationQuirk::CommitBeforeData);
        let fits = self.end().offset == after.offset;
        let put = if !fits {
            self.store.append_anywhere(records, more)?
        } else if self.has(ReplicationQuirk::AckBeforeSync) {
            self.store.append_unsynced(records, more)?
        } else {
            self.store.append(records, more)?
        };
        let to = more.last().copied().unwrap_or(after);
        self.tell(Event::Appended {
            host: self.setup.host,
            after,
            to,
            offset: put.offset,
            end: put.end,
            is_synced,
        });
        Ok(())
    }

    fn end(&self) -> Position {
        self.store.span().1
    }

    /// What it lacks is gone from the leader's log: its own begins anew where that starts.
    pub(super) fn begin(&mut self, from: u8, epoch: u64, base: Entry) -> Result<(), StoreError> {
        let host = self.setup.host;
        self.store.settle()?;
        if !self.store.has(&base) {
            self.tell(Event::Begins { host, base });
            if self.has(ReplicationQuirk::StartNotMoved) {
                self.store.believe(base)?;
            } else {
                self.store.begin_at(base)?;
            }
            let (start, end) = self.store.span();
            self.tell(Event::Begun {
                host,
                base,
                start,
                end,
            });
        }
        self.out.push((from, Message::Ack { epoch, to: base }));
        Ok(())
    }
}
