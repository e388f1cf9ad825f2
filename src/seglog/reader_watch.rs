//! What the writer says in its meta, looked at again and again while a reader or snapshot is open.
//!
//! The meta is written in place, so one handle stays good; a look that shows the same bytes costs
//! one read. Where there is no meta yet, it is looked for. Bytes that are no noted meta are none of
//! its states: the writer is at work on them.

use super::believed::{Believed, believe, credible_copy, credible_main, sensible};
use super::error::Error;
use super::generations::Found;
use super::noted::META_BYTES;
use super::store::Store;
use super::writer_meta::{WriterMeta, WriterNote, parse};
use crate::fs::{FsFile, read_up_to};

/// Looks at the writer meta.
#[derive(Debug)]
pub(super) struct Watch {
    file: Option<Box<dyn FsFile>>,
    seen: [u8; META_BYTES],
    note: Option<WriterNote>,
}

/// A note that differs from the one seen last.
#[derive(Debug)]
pub(super) struct News {
    bytes: [u8; META_BYTES],
    /// The note.
    pub(super) note: WriterNote,
}

impl Watch {
    /// Opens the writer meta and takes what both copies say, as the format's table has it.
    ///
    /// # Errors
    /// That of the filesystem.
    pub(super) fn open(store: &Store) -> Result<Self, Error> {
        let meta = store.read(&store.paths.writer_meta(), META_BYTES + 1)?;
        let copy = store.read(&store.paths.writer_copy(), META_BYTES + 1)?;
        let state = |bytes: Option<&Vec<u8>>| match bytes {
            None => WriterMeta::Absent,
            Some(bytes) => sensible(parse(bytes)),
        };
        let main = state(meta.as_ref());
        // Both are nearly always the same.
        let copy = match copy == meta {
            true => main,
            false => state(copy.as_ref()),
        };
        let main = credible_main(main, &copy);
        let newest = match main {
            WriterMeta::Absent => Found::read(store)?.newest(),
            WriterMeta::Noted(..) | WriterMeta::Bare(_) | WriterMeta::Damaged => None,
        };
        let copy = credible_copy(&main, copy, newest.as_ref());
        let note = match believe(&main, &copy, true) {
            Believed::Noted(note) => Some(note),
            Believed::Bare(_) | Believed::New | Believed::Nothing => None,
        };
        Ok(Self {
            file: store.find(&store.paths.writer_meta())?,
            seen: [0; META_BYTES],
            note,
        })
    }

    /// The note that was seen last; `None` where an original wrote last, or nobody.
    pub(super) fn note(&self) -> Option<&WriterNote> {
        self.note.as_ref()
    }

    /// What changed since the last look, if anything; it counts when it is accepted.
    ///
    /// # Errors
    /// That of the filesystem.
    pub(super) fn look(&mut self, store: &Store) -> Result<Option<News>, Error> {
        let path = store.paths.writer_meta();
        let found = match self.file.take() {
            Some(file) => Some(file),
            None => store.find(&path)?,
        };
        let Some(file) = found.map(|found| &*self.file.insert(found)) else {
            return Ok(None);
        };
        let mut bytes = [0; META_BYTES];
        let count = read_up_to(file.as_ref(), 0, &mut bytes)
            .map_err(|error| Error::io("read", &path, error))?;
        if count < META_BYTES || bytes == self.seen {
            return Ok(None);
        }
        let WriterMeta::Noted(_, note) = sensible(parse(&bytes)) else {
            return Ok(None);
        };
        let is_older = self.note.is_some_and(|known| {
            (note.generation, note.sequence) < (known.generation, known.sequence)
        });
        Ok((!is_older).then_some(News { bytes, note }))
    }

    /// What was looked at is known from now on.
    pub(super) fn accept(&mut self, news: &News) {
        self.seen = news.bytes;
        self.note = Some(news.note);
    }
}
