//! How a store is opened.

use super::document::Dialect;
use super::quirks::Quirks;
pub use crate::fs::LockPolicy;

/// The options of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Which client's file it is: `offset.json` of the Go client, `offsets.json` of the Java
    /// client. It is written as that client writes it; keys of either dialect are read.
    pub dialect: Dialect,
    /// What to do where the filesystem has no locks.
    pub lock: LockPolicy,
    /// Defects put back on purpose; none by default.
    pub quirks: Quirks,
}
