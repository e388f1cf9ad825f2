//! How much of a failed operation took place, and what damage cost: every engine tells both.

use std::ffi::OsString;
use std::path::Path;

/// How much of a failed operation took place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Applied {
    /// Nothing: the state is as before.
    Nothing,
    /// Everything; what failed is making it durable or tidying up after it.
    Everything,
    /// The first so many messages of a batch.
    Leading(u32),
}

/// Why bytes are lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LossKind {
    /// They were never durable: what a crash left behind the durable point, now quarantined. No
    /// promise covered them.
    Rejected,
    /// They are not what was written, or are missing.
    Damaged,
}

/// Bytes that will not be delivered. Each loss is reported once, by the call that meets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// Why.
    pub kind: LossKind,
    /// The file's name, without its directory.
    pub file: OsString,
    /// Where in the file the loss starts.
    pub offset: u64,
    /// How many bytes were passed over, as far as is known.
    pub size: u64,
    /// How many messages were in them, where known.
    pub messages: Option<u64>,
}

impl Loss {
    pub(crate) fn new(kind: LossKind, path: &Path, offset: u64, size: u64) -> Self {
        Self {
            kind,
            file: path.file_name().unwrap_or_default().to_owned(),
            offset,
            size,
            messages: None,
        }
    }

    pub(crate) fn of(mut self, messages: u64) -> Self {
        self.messages = Some(messages);
        self
    }
}
