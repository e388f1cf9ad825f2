//! Emptying and deleting: the meta says so first, then the files go.

use super::error::{Applied, Error};
use super::meta::Meta;
use super::position::{NUMBER_MAX, Position};
use super::queue::DiskQueue;
use super::quirks::Quirk;
use super::store::remove;

impl DiskQueue {
    /// Drops all messages; when it returns, that is durable.
    ///
    /// # Errors
    /// An IO error, which tells whether the messages are dropped.
    pub fn empty(&mut self) -> Result<(), Error> {
        self.begin()?;
        if self.options.quirks.has(Quirk::EmptyRemovesFirst) {
            self.reclaim(self.writer.position().segment + 1);
        }
        self.empty_meta()
    }

    /// Moves both positions behind everything there is.
    fn empty_meta(&mut self) -> Result<(), Error> {
        let old = self.writer.position();
        let next = match self.new_segment {
            Some(next) => next,
            None if old.offset == 0 && !self.writer.exists() => old.segment,
            None => old.segment + 1,
        };
        if next > NUMBER_MAX {
            return Err(Error::Exhausted {
                reason: "the next segment would have a number beyond 63 bits",
                applied: Applied::Nothing,
            });
        }
        let meta = Meta {
            depth: 0,
            read: Position::start_of(next),
            write: Position::start_of(next),
        };
        self.replace_empty_meta(&meta)?;
        // From here on the messages are gone, whatever fails.
        self.writer.abandon(next);
        self.reader.move_to(Position::start_of(next));
        self.depth = 0;
        self.is_depth_counted = false;
        self.new_segment = None;
        self.owed.clear();
        self.meta_owed = true;
        self.finish_replace(&meta, false)
            .map_err(|error| error.with_applied(Applied::Everything))
    }

    /// The note of an emptied queue is of this boot, and has no sums.
    fn replace_empty_meta(&mut self, meta: &Meta) -> Result<(), Error> {
        let noted = std::mem::replace(&mut self.noted_boot, self.boot);
        let replaced = self.replace_meta(meta, false);
        if replaced.is_err() {
            self.noted_boot = noted;
        }
        replaced
    }

    /// Drops all messages and removes all files but the lock and what is quarantined. After an
    /// error the queue is still open, and deleting may be tried again.
    ///
    /// # Errors
    /// An IO error, which tells whether the messages are dropped.
    pub fn delete(&mut self) -> Result<(), Error> {
        self.begin()?;
        if self.options.quirks.has(Quirk::DeleteRemovesMetaFirst) {
            remove(self.store.fs.as_ref(), &self.store.paths.meta)?;
        }
        self.empty_meta()?;
        self.remove_all()
            .map_err(|error| error.with_applied(Applied::Everything))?;
        self.let_go();
        Ok(())
    }

    fn remove_all(&mut self) -> Result<(), Error> {
        // What emptying could not remove; a segment of a failed put may be there as well.
        for number in self.segments.clone() {
            self.store.remove_segment(number)?;
            self.forget_segment(number);
        }
        let fs = self.store.fs.as_ref();
        while let Some(path) = self.superfluous.last() {
            remove(fs, path)?;
            self.superfluous.pop();
        }
        self.store.sync_directory()?;
        self.spare = None;
        remove(fs, &self.store.paths.spare)?;
        remove(fs, &self.store.paths.meta)?;
        self.store.sync_directory()
    }
}
