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
    /// A call through a handle.
    OnFile {
        /// Which one, counted from the oldest that is open.
        handle: usize,
        /// What is called.
        call: FileCall,
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

/// One call on an open file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileCall {
    /// Writes bytes that all have one value.
    Write {
        /// Where in the file.
        offset: u64,
        /// How many.
        size: usize,
        /// The value.
        byte: u8,
    },
    /// Reads bytes.
    Read {
        /// Where in the file.
        offset: u64,
        /// How many.
        size: usize,
    },
    /// Sets the size.
    SetSize {
        /// In bytes.
        size: u64,
    },
    /// Asks for the size.
    Size,
    /// Syncs it.
    Sync {
        /// How.
        kind: SyncKind,
    },
}
