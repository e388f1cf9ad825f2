//! The traits [`OffsetSubject`] and [`OffsetObject`].

use crate::scenario::{OffsetOp, OffsetOptions, OffsetOutcome, OffsetTable};
use crashline::fs::Fs;
use std::path::Path;
use std::sync::Arc;

/// Everything that a store depends on.
#[derive(Debug, Clone, Copy)]
pub struct OffsetRequest<'a> {
    /// The filesystem; the store keeps a clone of the `Arc`.
    pub fs: &'a Arc<dyn Fs>,
    /// The root of all stores; it exists.
    pub root: &'a Path,
    /// How the store is opened.
    pub options: &'a OffsetOptions,
    /// Defects put back on purpose.
    pub quirks: &'a [String],
}

/// An implementation of the contract of an offset store.
pub trait OffsetSubject: std::fmt::Debug + Send + Sync {
    /// The name that `--engine` takes.
    fn name(&self) -> &'static str;

    /// A process in which the store is not open yet; nothing is touched.
    ///
    /// # Errors
    /// A quirk that does not exist, in words.
    fn start(&self, request: &OffsetRequest<'_>) -> Result<Box<dyn OffsetObject>, String>;
}

/// A store, open or not. Dropping it writes nothing, as when its process is killed.
pub trait OffsetObject: std::fmt::Debug + Send {
    /// Calls one operation, opens among them. A panic is the caller's to catch; then everything is
    /// dropped.
    fn apply(&mut self, op: &OffsetOp) -> OffsetOutcome;

    /// The table in memory; nothing where the store is not open.
    fn table(&self) -> Option<OffsetTable>;
}
