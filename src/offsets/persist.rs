//! Persisting: what is to be written, and the order of steps in which it replaces the file.

use super::document::Dialect;
use super::encode::{Layout, Noted, encode};
use super::error::{Applied, Error, Loss};
use super::files::{Files, Found};
use super::message_queue::{MessageQueue, Table};
use super::quirks::Quirk;
use super::store::OffsetStore;
use super::survey::{Source, State, Survey};
use crate::fs::{OpenMode, write_all_at};
use std::path::Path;

/// What a persist did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Persisted {
    /// Whether the file was written; else it held these offsets already, durably.
    pub wrote: bool,
    /// Damage met on the way and kept aside, as far as it was not reported before.
    pub losses: Vec<Loss>,
}

impl OffsetStore {
    /// Makes the table's offsets of these queues durable. A queue without an offset in the table,
    /// and what the file holds of other queues, stays as it is in the file.
    ///
    /// # Errors
    /// An IO error; `applied` says whether the file has its new content, which then is not known
    /// to be durable. [`Error::Refused`] if the file's name stands for something else;
    /// [`Error::ReadOnly`], [`Error::Closed`].
    pub fn persist(&mut self, queues: &[MessageQueue]) -> Result<Persisted, Error> {
        self.check_writable()?;
        let mut given = Table::new();
        for queue in queues {
            if let Some((queue, offset)) = self.table.get_key_value(queue) {
                given.insert(queue.clone(), *offset);
            }
        }
        if given.is_empty() {
            return Ok(Persisted {
                wrote: false,
                losses: Vec::new(),
            });
        }
        if self.options.quirks.has(Quirk::PersistWritesAll) {
            return self.persist_all();
        }
        let survey = Survey::take(&self.files)?;
        let mut table = self.others(&survey);
        table.extend(given);
        self.persist_table(survey, table)
    }

    /// Makes the file equal to the table.
    ///
    /// # Errors
    /// As [`OffsetStore::persist`].
    pub fn persist_all(&mut self) -> Result<Persisted, Error> {
        self.check_writable()?;
        let survey = Survey::take(&self.files)?;
        let table = self.table.clone();
        self.persist_table(survey, table)
    }

    /// What the file holds of all queues; where it cannot be read, what is known of it.
    fn others(&self, survey: &Survey) -> Table {
        if self.options.quirks.has(Quirk::PersistDropsOthers) {
            return Table::new();
        }
        match survey.source {
            Source::Main => survey.table.clone(),
            Source::New | Source::Temporary | Source::Backup | Source::Lost => self.stored.clone(),
        }
    }

    fn persist_table(&mut self, survey: Survey, table: Table) -> Result<Persisted, Error> {
        let losses = self.unreported(&survey);
        let is_stored = match survey.source {
            Source::Main => survey.noted && self.is_durable && survey.table == table,
            Source::New => table.is_empty() && self.stored.is_empty(),
            Source::Temporary | Source::Backup | Source::Lost => false,
        };
        if is_stored {
            self.settle_absence()?;
            return Ok(Persisted {
                wrote: false,
                losses,
            });
        }
        if survey.source == Source::Lost && self.options.quirks.has(Quirk::PersistGivesUp) {
            return Err(Error::BothDamaged { losses });
        }
        let survey = match self.options.quirks.has(Quirk::PersistOneByOne) {
            true => self.persist_first_change(survey, &table)?,
            false => survey,
        };
        let stored = std::mem::replace(&mut self.stored, table);
        match self.write_stored(survey) {
            Ok(()) => Ok(Persisted {
                wrote: true,
                losses,
            }),
            Err(_) if self.options.quirks.has(Quirk::PersistErrorLost) => Ok(Persisted {
                wrote: true,
                losses,
            }),
            Err(error) => {
                if error.applied() == Applied::Nothing {
                    self.stored = stored;
                }
                self.report_again(&losses);
                Err(error)
            }
        }
    }

    /// A file that is not there stays away: what a failed attempt left of a temporary file is gone,
    /// durably, before it counts as that.
    fn settle_absence(&mut self) -> Result<(), Error> {
        if !self.is_durable {
            self.files.remove_temporary()?;
            self.files.sync_names()?;
            self.is_durable = true;
        }
        Ok(())
    }

    /// Writes a file with one of the changes alone.
    fn persist_first_change(&mut self, survey: Survey, table: &Table) -> Result<Survey, Error> {
        let known = survey.table.clone();
        let mut changed = table
            .iter()
            .filter(|(queue, offset)| known.get(*queue) != Some(*offset));
        if let Some((queue, offset)) = changed.next() {
            self.stored = known.clone();
            self.stored.insert(queue.clone(), *offset);
            self.write_stored(survey)?;
            return Survey::take(&self.files);
        }
        Ok(survey)
    }

    /// A failed call could not tell of these.
    fn report_again(&mut self, losses: &[Loss]) {
        for loss in losses {
            self.reported.remove(&loss.file);
        }
    }

    /// Replaces the file by what `stored` says, and makes that durable.
    pub(super) fn write_stored(&mut self, mut survey: Survey) -> Result<(), Error> {
        self.is_durable = false;
        check_main_is_ours(&survey.main)?;
        if survey.source == Source::Temporary {
            self.promote_temporary(&survey)?;
            survey = Survey::take(&self.files)?;
        }
        let replaced = match survey.main {
            State::Whole(..) => self.replace_whole(&survey),
            State::Absent | State::Foreign | State::Unread | State::Damaged { .. } => {
                self.replace_other(&survey)
            }
        };
        if let Err(error) = replaced {
            return Err(self.clean_up(survey.source, error));
        }
        self.is_lost = false;
        self.files
            .sync_names()
            .map_err(|error| error.with_applied(Applied::Everything))?;
        self.is_durable = true;
        self.reported.clear();
        Ok(())
    }

    /// Removes what a failed attempt left, unless it is all there is. Where it stays and is what
    /// the store holds now, the error says so. While no file is whole a temporary one counts: this
    /// one is not to be found in the next.
    fn clean_up(&self, source: Source, error: Error) -> Error {
        let Files { fs, paths, .. } = &self.files;
        let is_needless = source == Source::New || fs.stat(&paths.main).is_ok();
        if is_needless {
            if source != Source::Main {
                // Where that fails too, it is removed as it is.
                drop(self.files.blank_temporary());
            }
            if self.files.remove_temporary().is_ok() {
                return error;
            }
        }
        match Survey::take(&self.files) {
            Ok(Survey {
                source: Source::Temporary,
                ..
            }) => error.with_applied(Applied::Everything),
            Ok(_) | Err(_) => error,
        }
    }

    /// Gives a whole temporary file the name that it was written for. It must not be created anew:
    /// it may be the only file that is whole. Its bytes are written over themselves, which tears
    /// nothing: a sync of them may have failed in this boot, and no later one would cover them.
    fn promote_temporary(&self, survey: &Survey) -> Result<(), Error> {
        let Files { fs, paths, .. } = &self.files;
        let path = &paths.temporary;
        let opened = fs.open(path, OpenMode::Write, 0);
        let opened = opened.map_err(|error| Error::io("open", path, error))?;
        if let Found::Bytes(bytes) = self.files.read(path)? {
            let written = write_all_at(opened.as_ref(), 0, &bytes);
            written.map_err(|error| Error::io("write", path, error))?;
        }
        self.files.sync_file(opened.as_ref(), path)?;
        self.files.sync_names()?;
        if survey.main.is_damaged() {
            self.keep_damaged(&survey.main, &paths.main)?;
            self.files.sync_names()?;
        }
        self.files.rename_temporary(&paths.main)?;
        self.files.sync_names()
    }

    /// The file is whole: it becomes the backup, then it is replaced.
    fn replace_whole(&self, survey: &Survey) -> Result<(), Error> {
        let paths = &self.files.paths;
        if matches!(survey.backup, State::Damaged { size: 1.. }) {
            self.keep_damaged(&survey.backup, &paths.backup)?;
            self.files.sync_names()?;
        }
        let is_ours = !matches!(survey.backup, State::Foreign | State::Unread);
        if let (State::Whole(_, bytes), true) = (&survey.main, is_ours) {
            let is_empty = self.options.quirks.has(Quirk::BackupEmpty);
            let bytes = if is_empty { &[] } else { bytes.as_slice() };
            self.files.replace(&paths.backup, bytes)?;
        }
        let bytes = self.bytes();
        if self.options.quirks.has(Quirk::RemoveBeforeRename) {
            self.files.write_temporary(&bytes)?;
            self.files.remove(&paths.main)?;
            return self.files.rename_temporary(&paths.main);
        }
        self.files.replace(&paths.main, &bytes)
    }

    /// There is no whole file. The new one is durable under its temporary name before what is
    /// damaged is renamed, so that at every moment one of both is there.
    fn replace_other(&self, survey: &Survey) -> Result<(), Error> {
        let paths = &self.files.paths;
        let is_first = survey.source == Source::New;
        if is_first && !self.options.quirks.has(Quirk::FirstPersistFails) {
            return self.files.replace(&paths.main, &self.bytes());
        }
        self.files.write_temporary(&self.bytes())?;
        self.files.sync_names()?;
        if is_first {
            let error = std::io::ErrorKind::NotFound.into();
            return Err(Error::io("rename", &paths.main, error));
        }
        self.keep_damaged(&survey.main, &paths.main)?;
        self.keep_damaged(&survey.backup, &paths.backup)?;
        self.files.sync_names()?;
        self.files.rename_temporary(&paths.main)
    }

    fn keep_damaged(&self, state: &State, path: &Path) -> Result<(), Error> {
        if !state.is_damaged() || self.options.quirks.has(Quirk::DamageNotKept) {
            return Ok(());
        }
        if self.options.quirks.has(Quirk::BackupUnchecked) && path == self.files.paths.main {
            let backup = &self.files.paths.backup;
            let renamed = self.files.fs.rename(path, backup);
            return renamed.map_err(|error| Error::io("rename", path, error));
        }
        self.files.keep_aside(path)
    }

    fn bytes(&self) -> Vec<u8> {
        let dialect = self.options.dialect;
        let layout = match dialect {
            Dialect::Go => Layout::Plain,
            Dialect::Java => Layout::Indented,
        };
        encode(&self.stored, dialect, layout, Noted::Yes)
    }
}

/// A name that stands for something else is not renamed over.
fn check_main_is_ours(main: &State) -> Result<(), Error> {
    match main {
        State::Foreign => Err(Error::Refused {
            reason: "the file's name stands for something that is no regular file",
        }),
        State::Absent | State::Unread | State::Damaged { .. } | State::Whole(..) => Ok(()),
    }
}
