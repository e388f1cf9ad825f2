//! The traits [`LogSubject`] and [`LogObjects`]: implementations of a segmented log.
//!
//! The objects of a log (writer, readers, snapshot) share nothing but the directory and open,
//! close and fail independently; a kill takes all of them, so they are dropped together.

use crate::scenario::{Failure, LogOp, LogOptions, LogOutcome, LogStates};
use crashline::fs::Fs;
use std::path::Path;
use std::sync::Arc;

/// Everything that the objects of a log depend on.
#[derive(Debug, Clone, Copy)]
pub struct LogRequest<'a> {
    /// The filesystem; the objects keep a clone of the `Arc`.
    pub fs: &'a Arc<dyn Fs>,
    /// The data directory; it exists.
    pub directory: &'a Path,
    /// The log's name: what its files' names start with.
    pub log: &'a str,
    /// How writer and readers are opened.
    pub options: &'a LogOptions,
    /// Defects put back on purpose.
    pub quirks: &'a [String],
}

/// An implementation of the contract of a segmented log.
pub trait LogSubject: std::fmt::Debug + Send + Sync {
    /// The name that `--engine` takes.
    fn name(&self) -> &'static str;

    /// A process in which nothing is open yet; nothing is touched.
    ///
    /// # Errors
    /// A quirk that does not exist, in words.
    fn start(&self, request: &LogRequest<'_>) -> Result<Box<dyn LogObjects>, String>;
}

/// The open objects of a log. Dropping them writes nothing, as when their process is killed.
pub trait LogObjects: std::fmt::Debug + Send {
    /// Calls one operation, opens among them; `bytes` are those of a put or batch. A panic is the
    /// caller's to catch; then everything is dropped.
    fn apply(&mut self, op: &LogOp, bytes: &[u8]) -> LogOutcome;

    /// What all open objects say of themselves.
    ///
    /// # Errors
    /// What asking failed with: a depth may need a look at the disk.
    fn states(&mut self) -> Result<LogStates, Failure>;
}
