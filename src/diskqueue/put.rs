//! Putting: into the write segment, after a sync or a roll where one is needed.

use super::error::{Applied, Error};
use super::position::{NUMBER_MAX, Position};
use super::queue::{Access, DiskQueue};
use super::quirks::Quirk;
use super::writer::{length_of, record_size};

impl DiskQueue {
    /// Puts several messages and leaves the sync that they may owe to the caller, who calls
    /// [`DiskQueue::sync_owed_by_put`] before anybody is told.
    pub(crate) fn write_batch<M: AsRef<[u8]>>(&mut self, messages: &[M]) -> Result<(), Error> {
        self.begin()?;
        for message in messages {
            self.options.check_message(message.as_ref().len())?;
        }
        self.make_writable()?;
        let mut done = 0;
        while let Some(rest) = messages.get(done..).filter(|rest| !rest.is_empty()) {
            match self.put_some(rest) {
                Ok(count) => done += count,
                Err(error) => {
                    let count = u32::try_from(done).unwrap_or(u32::MAX);
                    return Err(error.with_applied(Applied::Leading(count)));
                }
            }
        }
        Ok(())
    }

    /// Whether putting these is one write and no sync: then that is all there is to do.
    pub(crate) fn is_quick_put<M: AsRef<[u8]>>(&self, messages: &[M]) -> bool {
        let mut bytes: u64 = 0;
        for message in messages {
            if self.options.check_message(message.as_ref().len()).is_err() {
                return false;
            }
            bytes = bytes.saturating_add(record_size(message.as_ref()));
        }
        let end = self.writer.pushed_end();
        let unsynced = end - self.writer.durable();
        self.access == Access::Full
            && self.stamped
            && !self.meta_owed
            && self.writer.is_prepared()
            && self.writer.exists()
            && end.saturating_add(bytes) <= self.options.segment_bytes_max
            && unsynced.saturating_add(bytes) <= self.options.unsynced_bytes_max
            && !self
                .owed
                .is_due_after(messages.len() as u64, self.options.sync_every)
    }

    /// Puts messages for which [`DiskQueue::is_quick_put`] holds.
    #[inline]
    pub(crate) fn put_quickly<M: AsRef<[u8]>>(&mut self, messages: &[M]) -> Result<(), Error> {
        let mut mark = self.writer.mark();
        for message in messages {
            let message = message.as_ref();
            self.writer.push(&mut mark, message, length_of(message));
        }
        self.writer
            .write(&mut self.store, mark)
            .map_err(|error| error.with_applied(Applied::Leading(0)))?;
        self.depth += messages.len() as u64;
        self.owed.count(messages.len() as u64);
        Ok(())
    }

    /// Does the sync that puts owe, if they owe one; its error waits for the next sync or close.
    #[inline]
    pub(crate) fn sync_owed_by_put(&mut self) {
        if !self.options.quirks.has(Quirk::OwedSyncLater) {
            self.sync_if_owed();
        }
    }

    /// Puts as many of `messages` as one write takes, at least one; returns how many.
    #[inline]
    pub(super) fn put_some<M: AsRef<[u8]>>(&mut self, messages: &[M]) -> Result<usize, Error> {
        let mut mark = self.writer.mark();
        let mut count = 0;
        for message in messages {
            let message = message.as_ref();
            if !self.has_room(message) {
                if count > 0 {
                    break;
                }
                self.make_room(message)?;
                mark = self.writer.mark();
            }
            self.writer.push(&mut mark, message, length_of(message));
            count += 1;
        }
        let result = self.writer.write(&mut self.store, mark);
        let segment = self.writer.position().segment;
        if self.writer.exists() && self.segments.back() != Some(&segment) {
            self.segments.push_back(segment);
        }
        result?;
        self.depth += count as u64;
        self.owed.count(count as u64);
        Ok(count)
    }

    /// Whether a message may be put behind what is pushed, without a roll or a sync.
    #[inline]
    fn has_room(&self, message: &[u8]) -> bool {
        let size = record_size(message);
        let end = self.writer.pushed_end();
        let unsynced = end - self.writer.durable();
        (end == 0 || end.saturating_add(size) <= self.options.segment_bytes_max)
            && (unsynced == 0 || unsynced + size <= self.options.unsynced_bytes_max)
    }

    /// Rolls or syncs, so that a message may be put. Nothing is pushed.
    fn make_room(&mut self, message: &[u8]) -> Result<(), Error> {
        let Position { offset, .. } = self.writer.position();
        let end = offset.saturating_add(record_size(message));
        if offset > 0 && end > self.options.segment_bytes_max {
            return self.roll();
        }
        self.sync_all()
    }

    /// Goes on in the next segment: this one is made durable, and the meta moved, before the next
    /// is created.
    fn roll(&mut self) -> Result<(), Error> {
        let old = self.writer.position();
        let next = old.segment + 1;
        if next > NUMBER_MAX {
            return Err(Error::Exhausted {
                reason: "the next segment would have a number beyond 63 bits",
                applied: Applied::Nothing,
            });
        }
        self.writer.seal(&mut self.store)?;
        self.flush_writer()?;
        let is_read = self.reader.position() == old;
        let is_exact = old.offset == self.options.segment_bytes_max;
        if is_read && self.options.quirks.has(Quirk::BadOnRollAtTail)
            || is_exact && self.options.quirks.has(Quirk::ExactFillIsBad)
        {
            self.kept.push(old.segment);
        }
        self.move_writer(next);
        self.meta_owed = true;
        self.persist(false)
    }

    /// Seals the write segment, all of which is durable, and goes on in `next`.
    pub(super) fn move_writer(&mut self, next: u64) {
        let old = self.writer.position();
        let durable = self.writer.durable();
        debug_assert!(durable == old.offset, "a sealed segment is durable");
        self.reader
            .extend(old.segment, durable, self.writer.sums_bytes());
        self.writer.begin(next);
        if self.reader.position() == old {
            self.reader.move_to(Position::start_of(next));
        }
    }

    /// What a put begins with: everything rejected is cut, and the meta lets puts follow.
    #[inline]
    pub(super) fn make_writable(&mut self) -> Result<(), Error> {
        if self.stamped && !self.meta_owed && self.writer.is_prepared() {
            return Ok(());
        }
        self.discharge()?;
        self.writer.prepare(&mut self.store)?;
        if !self.stamped || self.meta_owed {
            self.persist(false)?;
        }
        Ok(())
    }
}
