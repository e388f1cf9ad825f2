//! Saving a reader's position, closing and deleting it.

use super::error::{Applied, Error};
use super::position::Position;
use super::quirks::Quirk;
use super::reader::LogReader;
use super::reader_meta::ReaderPositions;
use super::registry;

impl LogReader {
    /// Saves the confirmed position if it changed; `fsync` makes it durable.
    ///
    /// # Errors
    /// It is closed; that of the filesystem: it is still to be saved, and what was durable still
    /// is.
    pub fn flush(&mut self, fsync: bool) -> Result<(), Error> {
        if self.is_closed {
            return Err(Error::Closed);
        }
        let is_owed = self.is_save_owed || fsync && self.is_sync_owed;
        if !is_owed {
            return Ok(());
        }
        self.is_sync_owed = true;
        let is_durable = fsync && !self.options.quirks.has(Quirk::ReaderFlushNotSynced);
        self.files.save(&self.positions(), self.since, is_durable)?;
        self.is_save_owed = false;
        self.is_sync_owed = !fsync;
        Ok(())
    }

    /// Saves a confirmed position that is to go back to `to`, before it goes: retention keeps what
    /// lies behind the saved position of a reader.
    pub(super) fn save_before_going_back(&mut self, to: Position) -> Result<(), Error> {
        if self.confirmed.offset <= to.offset {
            return Ok(());
        }
        let positions = ReaderPositions {
            confirmed: to,
            ..self.positions()
        };
        // Where it does not come to that, the present ones are to be saved.
        self.owe_save();
        self.files.save(&positions, self.since, false)
    }

    /// Makes the confirmed position durable and gives the reader up.
    ///
    /// # Errors
    /// As [`LogReader::flush`]; then it stays open.
    pub fn close(&mut self) -> Result<(), Error> {
        self.flush(true)?;
        self.give_up();
        Ok(())
    }

    /// Takes the reader's registration back and removes its metas: the log knows it no more.
    ///
    /// # Errors
    /// It is closed; that of the filesystem: it stays open and known, or is gone
    /// ([`LogReader::is_open`]), and a power cut may bring it back.
    pub fn delete(&mut self) -> Result<(), Error> {
        // What is left by a crash in between are metas that say where it stands.
        self.flush(true)?;
        self.owe_save();
        registry::remove(&self.view.store, &self.name)?;
        self.files.remove()?;
        // Nothing says any more where it stands.
        self.give_up();
        let synced = self.view.store.sync_directory();
        synced.map_err(|error| error.with_applied(Applied::Everything))
    }

    /// Whether it is open: not after a close, nor a delete that removed it.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.is_closed
    }

    fn give_up(&mut self) {
        self.view.records.forget();
        self.view.search.forget();
        self.lock = None;
        self.is_closed = true;
    }
}
