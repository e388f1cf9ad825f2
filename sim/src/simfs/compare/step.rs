//! [`FileStep`]: one call, with its paths relative to a root.

use crashline::fs::{OpenMode, SyncKind};

/// One call. Handles are numbered by the opens that succeeded or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileStep {
    /// Opens a path.
    Open {
        /// Where.
        path: &'static str,
        /// How.
        mode: OpenMode,
    },
    /// Drops a handle.
    Close {
        /// Which one, counted from the oldest that is open.
        handle: usize,
    },
    /// Writes bytes that all have one value.
    Write {
        /// Through which handle.
        handle: usize,
        /// Where in the file.
        offset: u64,
        /// How many.
        size: usize,
        /// The value.
        byte: u8,
    },
    /// Reads bytes.
    Read {
        /// Through which handle.
        handle: usize,
        /// Where in the file.
        offset: u64,
        /// How many.
        size: usize,
    },
    /// Sets the size.
    SetSize {
        /// Through which handle.
        handle: usize,
        /// In bytes.
        size: u64,
    },
    /// Asks for the size.
    Size {
        /// Through which handle.
        handle: usize,
    },
    /// Syncs a file.
    Sync {
        /// Through which handle.
        handle: usize,
        /// How.
        kind: SyncKind,
    },
    /// Syncs a directory.
    SyncDir {
        /// Which one.
        path: &'static str,
    },
    /// Asks what a name stands for.
    Stat {
        /// Which one.
        path: &'static str,
    },
    /// Asks whether two names are one file.
    IsSame {
        /// One name.
        left: &'static str,
        /// The other.
        right: &'static str,
    },
    /// Lists a directory.
    List {
        /// Which one.
        path: &'static str,
    },
    /// Creates a directory.
    CreateDir {
        /// Where.
        path: &'static str,
    },
    /// Renames.
    Rename {
        /// From.
        source: &'static str,
        /// To.
        target: &'static str,
        /// Whether an existing target is replaced or refused.
        replace: bool,
    },
    /// Removes a file.
    Remove {
        /// Which one.
        path: &'static str,
    },
    /// Takes a lock, and keeps it.
    Lock {
        /// On which file.
        path: &'static str,
    },
    /// Drops the oldest lock.
    Unlock,
}
