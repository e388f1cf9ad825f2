//! What vectors of the offset store allow, by stage.

use super::super::stages::Lost;
use super::super::vector::{Bytes, Name, TableEntry};
use super::calls::Call;
use crate::scenario::OffsetDialect;
use crashline::offsets;
use serde::{Deserialize, Serialize};

/// Stage `parse`: what the bytes are.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, tag = "state", rename_all = "kebab-case")]
pub(super) enum AllowedParse {
    /// It can be read.
    Whole {
        /// A note vouches for it.
        noted: bool,
        /// How its first key is written; none where there is no key.
        dialect: Option<OffsetDialect>,
        table: Vec<TableEntry>,
    },
    /// It can not, and this is where: bytes before the place, line and column from 1.
    Damaged { at: [usize; 3] },
}

/// Stage `write`: the table in these forms.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AllowedWrite {
    pub(super) forms: Vec<Form>,
}

/// The bytes of a table in one form.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Form {
    pub(super) dialect: OffsetDialect,
    pub(super) indented: bool,
    pub(super) noted: bool,
    pub(super) data_b64: Bytes,
}

/// Stages `read` and `recover`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AllowedStore {
    pub(super) source: Source,
    /// What is in memory after opening.
    pub(super) table: Vec<TableEntry>,
    /// What opening reports.
    #[serde(default)]
    pub(super) losses: Vec<Lost>,
    /// How many files are kept aside, as opening for writing tells.
    #[serde(default)]
    pub(super) kept_aside: u64,
    /// The same of opening for reading only, where opening for writing keeps more aside.
    #[serde(default)]
    pub(super) kept_aside_before: Option<u64>,
    /// The directory after opening for writing.
    pub(super) files_opened: Vec<StoreFile>,
    /// Left out: the persist that follows writes.
    #[serde(default)]
    pub(super) persist: Option<StoreError>,
    /// The directory after the persist.
    pub(super) files_persisted: Vec<StoreFile>,
}

/// A name that must be there. What it stands for is told in one of three ways.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoreFile {
    pub(super) name: Name,
    /// A file with exactly these bytes.
    #[serde(default)]
    pub(super) data_b64: Option<Bytes>,
    /// A whole file with this table.
    #[serde(default)]
    pub(super) holds: Option<Vec<TableEntry>>,
    /// No regular file, but a directory.
    #[serde(default)]
    pub(super) directory: bool,
    /// A file of the hardened engine.
    #[serde(default)]
    pub(super) optional: bool,
}

/// Stage `operations`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AllowedCalls {
    pub(super) steps: Vec<Step>,
    /// The store's directory afterwards.
    #[serde(default)]
    pub(super) files_after: Option<Vec<StoreFile>>,
    /// All directories below the root afterwards, as paths.
    #[serde(default)]
    pub(super) directories_after: Option<Vec<Name>>,
}

/// A call, and what comes of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    /// Which of several stores; left out: the one without a name.
    #[serde(default)]
    pub(super) store: String,
    pub(super) call: Call,
    pub(super) answer: Answer,
    /// Of an error: how much of the operation took place.
    #[serde(default)]
    pub(super) applied: Applied,
    /// Losses that it reports.
    #[serde(default)]
    pub(super) losses: Vec<Lost>,
    /// Of an open: how many files are kept aside.
    #[serde(default)]
    pub(super) kept_aside: u64,
    /// What the store holds in memory afterwards.
    #[serde(default)]
    pub(super) memory: Option<Vec<TableEntry>>,
}

/// What a call answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Answer {
    Done,
    /// Of an open: where the table comes from.
    Source(Source),
    Offset(i64),
    /// There is no offset.
    Absent,
    Wrote(bool),
    Offsets(Vec<TableEntry>),
    Error(StoreError),
}

/// Where a table comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Source {
    New,
    Main,
    Temporary,
    Backup,
    Lost,
}

impl From<offsets::Source> for Source {
    fn from(source: offsets::Source) -> Self {
        match source {
            offsets::Source::New => Self::New,
            offsets::Source::Main => Self::Main,
            offsets::Source::Temporary => Self::Temporary,
            offsets::Source::Backup => Self::Backup,
            offsets::Source::Lost => Self::Lost,
        }
    }
}

/// The classes of errors that a caller must be able to tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum StoreError {
    Refused,
    Locked,
    Closed,
    Damage,
    BothDamaged,
    Io,
}

impl StoreError {
    pub(super) fn of(error: &offsets::Error) -> Self {
        match error {
            offsets::Error::Refused { .. } => Self::Refused,
            offsets::Error::Locked { .. } => Self::Locked,
            offsets::Error::Closed | offsets::Error::ReadOnly => Self::Closed,
            offsets::Error::Damage { .. } => Self::Damage,
            offsets::Error::BothDamaged { .. } => Self::BothDamaged,
            offsets::Error::Io { .. } => Self::Io,
        }
    }
}

/// How much of a failed operation took place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Applied {
    #[default]
    Nothing,
    Everything,
}
