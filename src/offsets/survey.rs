//! Looks at file, backup and temporary file, and decides what the store holds.
//!
//! | row | file | backup | temporary | taken is | lost |
//! |---|---|---|---|---|---|
//! | D1 | whole | any | any | the file | a damaged or foreign backup |
//! | D2 | not whole | any | whole | the temporary file | a file that is there; as D1 |
//! | D3 | not whole | whole | not whole | the backup | the file |
//! | D4 | absent | absent | not whole | nothing: the store is new | nothing |
//! | D5 | not whole | not whole | not whole, not D4 | nothing | file, and a backup that is there |
//!
//! An absent file beside a backup was there before. A temporary file that is whole is newer than
//! the file: an original died between removing that and renaming this one. An empty backup is what
//! the Go client leaves beside its file; alone it vouches for a file that was there. What is no
//! regular file counts as damaged.

use super::document::{Document, parse_with};
use super::error::{Error, Loss, LossKind};
use super::files::{Files, Found};
use super::message_queue::Table;
use super::quirks::Quirk;
use std::path::Path;

/// What a file is.
///
/// | row | state | when |
/// |---|---|---|
/// | S1 | absent | there is nothing of the name |
/// | S2 | foreign | there is something that is no regular file |
/// | S3 | whole | it can be read, and a note that it has vouches for it |
/// | S4 | damaged | anything else |
#[derive(Debug)]
pub(super) enum State {
    Absent,
    Foreign,
    /// A backup that could not be read and is not needed.
    Unread,
    /// Nothing in it is believed.
    Damaged {
        size: u64,
    },
    Whole(Document, Vec<u8>),
}

impl State {
    pub(super) fn take(files: &Files, path: &Path) -> Result<Self, Error> {
        let bytes = match files.read(path)? {
            Found::Nothing => return Ok(Self::Absent),
            Found::Foreign => return Ok(Self::Foreign),
            Found::TooLarge(size) => return Ok(Self::Damaged { size }),
            Found::Bytes(bytes) => bytes,
        };
        match parse_with(&bytes, !files.quirks.has(Quirk::NoteUnchecked)) {
            Ok(_) if files.quirks.has(Quirk::NotAsciiIsAbsent) && !bytes.is_ascii() => {
                Ok(Self::Absent)
            }
            Ok(document) => Ok(Self::Whole(document, bytes)),
            Err(_) if files.quirks.has(Quirk::DamageIsEmpty) => {
                let document = Document {
                    table: Table::new(),
                    dialect: None,
                    noted: false,
                };
                Ok(Self::Whole(document, bytes))
            }
            Err(_) => Ok(Self::Damaged {
                size: bytes.len() as u64,
            }),
        }
    }

    pub(super) fn is_whole(&self) -> bool {
        matches!(self, Self::Whole(..))
    }

    /// Whether there are bytes that are kept aside before the name is used again.
    pub(super) fn is_damaged(&self) -> bool {
        matches!(self, Self::Damaged { .. })
    }

    /// What not being able to use it costs.
    fn loss(&self, path: &Path) -> Option<Loss> {
        let size = match self {
            Self::Whole(..) | Self::Unread => return None,
            Self::Absent | Self::Foreign => 0,
            Self::Damaged { size } => *size,
        };
        Some(Loss::new(LossKind::Damaged, path, 0, size))
    }
}

/// Where a table was taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// Nowhere: nothing was ever persisted.
    New,
    /// The file.
    Main,
    /// The temporary file, which an original had finished.
    Temporary,
    /// The backup.
    Backup,
    /// Nowhere: file and backup are both damaged, and whether a queue has an offset is not known.
    Lost,
}

/// What was decided.
#[derive(Debug)]
pub(super) struct Survey {
    pub(super) source: Source,
    /// What the source holds; empty where there is none.
    pub(super) table: Table,
    /// Whether the source was written by this engine: it was durable before it got its name.
    pub(super) noted: bool,
    /// All damage there is, also what is known already.
    pub(super) losses: Vec<Loss>,
    pub(super) main: State,
    pub(super) backup: State,
}

impl Survey {
    /// Looks at the files.
    pub(super) fn take(files: &Files) -> Result<Self, Error> {
        let paths = &files.paths;
        let main = State::take(files, &paths.main)?;
        if matches!(main, State::Absent) && files.quirks.has(Quirk::AbsentMainIsNew) {
            return Ok(Self::of(files, Source::New, main, State::Absent, None));
        }
        let backup = if files.quirks.has(Quirk::BackupWrongPath) {
            State::Absent
        } else {
            match State::take(files, &paths.backup) {
                Err(_) if main.is_whole() => State::Unread,
                taken => taken?,
            }
        };
        if main.is_whole() {
            return Ok(Self::of(files, Source::Main, main, backup, None));
        }
        let temporary = State::take(files, &paths.temporary)?;
        let source = match (&main, &backup, &temporary) {
            (_, _, State::Whole(..)) => Source::Temporary,
            (_, State::Whole(..), _) => Source::Backup,
            (State::Absent, State::Absent, _) => Source::New,
            (_, _, _) => Source::Lost,
        };
        Ok(Self::of(files, source, main, backup, Some(&temporary)))
    }

    fn of(
        files: &Files,
        source: Source,
        main: State,
        backup: State,
        temporary: Option<&State>,
    ) -> Self {
        let taken = match source {
            Source::New | Source::Lost => None,
            Source::Main => Some(&main),
            Source::Temporary => temporary,
            Source::Backup => Some(&backup),
        };
        let (table, noted) = match taken {
            Some(State::Whole(document, _)) => (document.table.clone(), document.noted),
            Some(State::Absent | State::Foreign | State::Unread | State::Damaged { .. }) | None => {
                (Table::new(), false)
            }
        };
        let mut survey = Self {
            source,
            table,
            noted,
            losses: Vec::new(),
            main,
            backup,
        };
        survey.losses = survey.find_losses(files);
        survey
    }

    fn find_losses(&self, files: &Files) -> Vec<Loss> {
        let main_is_lost = match self.source {
            Source::New | Source::Main => false,
            Source::Temporary => !matches!(self.main, State::Absent),
            Source::Backup | Source::Lost => true,
        };
        let backup_is_lost = match self.backup {
            State::Whole(..) | State::Absent | State::Unread => false,
            State::Damaged { size: 0 } => self.source == Source::Lost,
            State::Foreign | State::Damaged { .. } => true,
        };
        let main = main_is_lost.then(|| self.main.loss(&files.paths.main));
        let backup = backup_is_lost.then(|| self.backup.loss(&files.paths.backup));
        [main, backup].into_iter().flatten().flatten().collect()
    }
}
