//! The traits [`Subject`] and [`Object`].

use crate::scenario::{Action, FifoOptions, Outcome};
use crashline::fs::Fs;
use std::path::Path;
use std::sync::Arc;

/// Everything that opening an object depends on.
#[derive(Debug, Clone, Copy)]
pub struct OpenRequest<'a> {
    /// The filesystem; the object keeps a clone of the `Arc`.
    pub fs: &'a Arc<dyn Fs>,
    /// The data directory; it exists.
    pub directory: &'a Path,
    /// The object's name within the subject, as in the scenario's steps.
    pub object: &'a str,
    /// How to open it.
    pub options: &'a FifoOptions,
    /// Open for reading only.
    pub read_only: bool,
    /// Defects put back on purpose.
    pub quirks: &'a [String],
}

/// What opening gave: the answer, and the object where it succeeded.
#[derive(Debug)]
pub struct Opened {
    /// `Reply::Done` or the failure, with the losses that recovery reports.
    pub outcome: Outcome,
    /// There exactly if the outcome is a success.
    pub object: Option<Box<dyn Object>>,
}

/// An implementation of one of the contracts.
pub trait Subject: std::fmt::Debug + Send + Sync {
    /// The name that `--engine` takes.
    fn name(&self) -> &'static str;

    /// Opens one object. A panic of the implementation is the caller's to catch.
    fn open(&self, request: &OpenRequest<'_>) -> Opened;
}

/// One open object. Dropping it writes nothing, as when its process is killed.
pub trait Object: std::fmt::Debug + Send {
    /// Calls one operation. `payloads` are the messages of a put (one) or a batch (several).
    /// After a successful close or delete the object is only dropped.
    fn apply(&mut self, action: &Action, payloads: &[Vec<u8>]) -> Outcome;

    /// Reads until there is nothing more, an operation fails, or `on_message` says `false`;
    /// messages are borrowed, since this is what exploration spends its time on. The outcome is
    /// that of the last read; losses of all of them are in it.
    fn drain(&mut self, on_message: &mut dyn FnMut(&[u8]) -> bool) -> Outcome;
}
