//! What a trace of a log says, once its file is parsed and checked.

use crate::scenario::{
    LogOp, LogOptions, LogReply, ReaderState, SnapshotState, Stands, WriterState,
};
use crate::trace::damage::FileDamage;
use std::collections::BTreeMap;

/// A trace of a log with two readers.
#[derive(Debug, Clone)]
pub struct LogTrace {
    /// The log's name.
    pub log: String,
    /// The names of the readers' files, by the name that steps use.
    pub readers: BTreeMap<String, String>,
    /// How everything is opened.
    pub options: LogOptions,
    /// The steps; the first one opens the log in an empty directory, no other one does.
    pub steps: Vec<LogTraceStep>,
}

/// One step.
#[derive(Debug, Clone)]
pub struct LogTraceStep {
    /// What was called.
    pub call: LogCall,
    /// What it answered.
    pub recorded: Recorded,
    /// What the objects said after it; nothing where the log did not open.
    pub shown: Option<Shown>,
    /// Fingerprints of all files after it, by (masked) name.
    pub files: BTreeMap<String, String>,
}

/// What a step calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogCall {
    /// Opens everything in an empty directory.
    Open,
    /// Flushes and closes everything, and opens it.
    Reopen,
    /// Drops everything and opens the directory as it stands.
    KillAndOpen,
    /// Drops everything, damages a file, and opens.
    KillDamageOpen(FileDamage),
    /// One operation, with the bytes of a put.
    Operation(LogOp, Vec<u8>),
}

impl LogCall {
    /// Whether it begins with a kill.
    #[must_use]
    pub fn is_kill(&self) -> bool {
        matches!(self, Self::KillAndOpen | Self::KillDamageOpen(_))
    }

    /// Whether it opens the log.
    #[must_use]
    pub fn is_opening(&self) -> bool {
        !matches!(self, Self::Operation(..))
    }
}

/// What a step answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The answer, or the error in the original's words.
    pub result: Result<LogReply, String>,
    /// What an error tells beside its words.
    pub stands: Stands,
    /// Fingerprints of the files that arrived elsewhere.
    pub moved: BTreeMap<String, String>,
}

/// What the objects said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The writer.
    pub writer: WriterState,
    /// The readers, by the name that steps use.
    pub readers: BTreeMap<String, ReaderState>,
    /// The snapshot that was shown last; it may be closed since.
    pub snapshot: Option<SnapshotState>,
}
