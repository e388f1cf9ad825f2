//! Where a reader would stand if it were opened now: the decision of its open, and no change.

use super::error::{Error, Loss};
use super::names::check_name;
use super::position::Position;
use super::reader_files::{ReaderFile, ReaderFiles};
use super::reader_row::ReaderRow;
use super::reader_standing::Standing;
use super::reader_view::View;
use super::registry::{self, Registration};
use super::writer::LogWriter;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

/// Where a reader would stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderLook {
    /// The place.
    pub at: Position,
    /// The row of the format's table that says so.
    pub row: ReaderRow,
    /// The file that is believed.
    pub from: Option<ReaderFile>,
    /// What its open would report.
    pub losses: Vec<Loss>,
    /// Whether there is anything of it: a registration or a meta.
    pub is_known: bool,
}

impl LogWriter {
    /// Where a reader of this log would stand, opened now at the log's end. Reads only; a log that
    /// is open for reading will do.
    ///
    /// # Errors
    /// A name that cannot be; that of the filesystem.
    pub fn look_at_reader(&self, reader: &OsStr) -> Result<ReaderLook, Error> {
        check_name(reader)?;
        let store = &self.store;
        let (fs, paths) = (Arc::clone(&store.fs), &store.paths);
        let directory = &paths.directory;
        let mut view = View::open(fs, directory, paths.log(), self.read_end(), store.quirks)?;
        // The open of the log comes first: what it recovers the reader will find.
        view.start = self.queue_start();
        let saved = ReaderFiles::load(store, reader)?;
        let registration = registry::load(store, reader)?;
        let standing = Standing::decide(&mut view, &saved, registration)?;
        Ok(ReaderLook {
            at: standing.at,
            row: ReaderRow::of(&view, &saved, standing.basis)?,
            from: saved.from,
            losses: standing.losses,
            is_known: saved.is_there || registration != Registration::None,
        })
    }

    /// The names of readers that may be known: registered, or called `LOG:ANYTHING`.
    ///
    /// # Errors
    /// That of the filesystem.
    pub fn readers_named(&self) -> Result<BTreeSet<OsString>, Error> {
        registry::candidates(&self.store)
    }
}
