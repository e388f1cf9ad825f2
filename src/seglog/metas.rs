//! Writes both copies of the writer meta, in place, so that one of them is whole at every moment
//! and no write needs new space.
//!
//! A durable write is the first copy, synced, then the second, synced; another is the first alone.
//! While the second is owed, since its write failed, it is written before anything else; before a
//! durable write also where it names another start or generation than the first: a sync that fails
//! may take the first back to what was durable, and nothing else knows where the log starts. Where
//! the first copy is not one of ours yet, the second one goes first, under sequence 0: a first copy
//! that is torn then is no damage.

use super::error::{Applied, Error};
use super::noted::META_BYTES;
use super::position::Position;
use super::reader_changes::Changes;
use super::store::Store;
use super::survey::Survey;
use super::writer_meta::{WriterMeta, WriterNote, WriterState, encode};
use crate::fs::{BootId, FsFile, OpenMode, SyncKind, write_all_at};
use std::path::Path;

/// What a meta says, but for its sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) boot: Option<BootId>,
    pub(super) generation: u64,
    pub(super) life: u64,
    pub(super) state: WriterState,
    /// What an original that takes over after a kill should believe.
    pub(super) flushed: Position,
    pub(super) durable: Position,
    pub(super) sums_bytes: u64,
    pub(super) start: Position,
}

impl Content {
    fn of(flushed: Position, note: &WriterNote) -> Self {
        Self {
            boot: note.boot,
            generation: note.generation,
            life: note.life,
            state: note.state,
            flushed,
            durable: note.durable,
            sums_bytes: note.sums_bytes,
            start: note.start,
        }
    }

    /// What only the metas say.
    fn place(&self) -> (u64, Position) {
        (self.generation, self.start)
    }

    fn encode(&self, sequence: u64) -> [u8; META_BYTES] {
        let note = WriterNote {
            boot: self.boot,
            generation: self.generation,
            life: self.life,
            state: self.state,
            sequence,
            sums_bytes: self.sums_bytes,
            durable: self.durable,
            start: self.start,
        };
        encode(&self.flushed, &note)
    }
}

#[derive(Debug)]
pub(super) struct Metas {
    main: Option<Box<dyn FsFile>>,
    copy: Option<Box<dyn FsFile>>,
    sequence: u64,
    /// What the first copy says, unless its last write failed.
    said: Option<Content>,
    /// The bytes of that.
    bytes: [u8; META_BYTES],
    /// Both copies say it, and that is durable.
    is_durable: bool,
    copy_owed: bool,
    /// The second copy may name another place.
    place_owed: bool,
    copy_first: bool,
    /// A copy may say that the log is closed, though it is open: closing it failed. Whatever is put
    /// behind the end that it names would be rejected after a kill.
    may_say_closed: bool,
    /// What readers that follow are told.
    pub(super) changes: Changes,
}

impl Drop for Metas {
    fn drop(&mut self) {
        self.changes.end();
    }
}

impl Metas {
    /// Goes on behind `sequence`, that of what is believed of those found.
    pub(super) fn new(sequence: u64, found: &Survey) -> Self {
        let mut metas = Self {
            main: None,
            copy: None,
            sequence,
            said: None,
            bytes: [0; META_BYTES],
            is_durable: false,
            copy_owed: false,
            place_owed: false,
            copy_first: true,
            may_say_closed: false,
            changes: Changes::default(),
        };
        let WriterMeta::Noted(flushed, note) = &found.main else {
            return metas;
        };
        metas.copy_first = false;
        if note.sequence == sequence {
            let said = Content::of(*flushed, note);
            metas.place_owed = match &found.copy {
                WriterMeta::Noted(flushed, copy) => {
                    Content::of(*flushed, copy).place() != said.place()
                }
                WriterMeta::Absent | WriterMeta::Bare(_) | WriterMeta::Damaged => true,
            };
            metas.bytes = said.encode(sequence);
            metas.said = Some(said);
        }
        metas
    }

    /// Whether the first copy says this.
    pub(super) fn says(&self, content: &Content) -> bool {
        self.said.as_ref() == Some(content)
    }

    /// Whether both copies say this, durably.
    pub(super) fn keeps(&self, content: &Content) -> bool {
        self.is_durable && self.says(content)
    }

    /// Whether a copy may say closed, since a write that was to say so failed.
    #[inline]
    pub(super) fn may_say_closed(&self) -> bool {
        self.may_say_closed
    }

    pub(super) fn let_go(&mut self) {
        self.main = None;
        self.copy = None;
        self.changes.end();
    }

    /// Writes `content`. An error tells whether a kill may leave it all the same: after
    /// [`Applied::Nothing`] what recovery believes is as before.
    pub(super) fn write(
        &mut self,
        store: &Store,
        content: &Content,
        durable: bool,
    ) -> Result<(), Error> {
        if self.copy_owed || (durable && self.place_owed) {
            self.write_copy(store)?;
        }
        let said = self.said.take();
        self.is_durable = false;
        if self.copy_first {
            self.bytes = content.encode(0);
            self.write_copy(store)?;
            store.sync_directory()?;
        }
        self.sequence += 1;
        let bytes = content.encode(self.sequence);
        let path = store.paths.writer_meta();
        let file = handle(store, &path, &mut self.main)?;
        self.may_say_closed |= content.state == WriterState::Closed;
        if let Err(error) = write_all_at(file, 0, &bytes) {
            // A part of it may be there: what was there before comes back, if it can.
            if said.is_some() && write_all_at(file, 0, &self.bytes).is_ok() {
                self.said = said;
            }
            return Err(Error::io("write", &path, error));
        }
        self.bytes = bytes;
        self.said = Some(*content);
        self.may_say_closed = content.state == WriterState::Closed;
        if said.is_none_or(|said| said.place() != content.place()) {
            self.place_owed = true;
            self.changes.tell();
        }
        if !durable {
            return Ok(());
        }
        let everything = |error: Error| error.with_applied(Applied::Everything);
        sync(file, &path, &bytes).map_err(everything)?;
        if self.copy_first {
            store.sync_directory().map_err(everything)?;
            self.copy_first = false;
        }
        self.copy_owed = true;
        self.write_copy(store).map_err(everything)?;
        self.is_durable = true;
        Ok(())
    }

    /// Writes what the first copy says, which is durable there, to the second.
    fn write_copy(&mut self, store: &Store) -> Result<(), Error> {
        let path = store.paths.writer_copy();
        let file = handle(store, &path, &mut self.copy)?;
        write_all_at(file, 0, &self.bytes).map_err(|error| Error::io("write", &path, error))?;
        sync(file, &path, &self.bytes)?;
        self.copy_owed = false;
        self.place_owed = false;
        Ok(())
    }
}

/// Opens a copy once; one that is longer than ours is cut.
fn handle<'a>(
    store: &Store,
    path: &Path,
    slot: &'a mut Option<Box<dyn FsFile>>,
) -> Result<&'a dyn FsFile, Error> {
    let file = match slot.take() {
        Some(file) => file,
        None => {
            let file = store.open(path, OpenMode::Create)?;
            let cut = |file: &dyn FsFile| match file.size()? > META_BYTES as u64 {
                true => file.set_size(META_BYTES as u64),
                false => Ok(()),
            };
            cut(file.as_ref()).map_err(|error| Error::io("cut", path, error))?;
            file
        }
    };
    Ok(&**slot.insert(file))
}

/// Syncs; after a failure the bytes are written again, since the system may have dropped them.
fn sync(file: &dyn FsFile, path: &Path, bytes: &[u8]) -> Result<(), Error> {
    file.sync(SyncKind::Data).map_err(|error| {
        let again = write_all_at(file, 0, bytes);
        debug_assert!(again.is_ok() || !bytes.is_empty(), "the caller tries again");
        Error::io("sync", path, error)
    })
}
