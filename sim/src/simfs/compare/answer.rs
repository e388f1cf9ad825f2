//! [`Answer`]: what a call said, in a form that two filesystems have in common.

use crashline::fs::FileKind;
use std::ffi::OsString;
use std::io;

/// What a call said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Done.
    Done,
    /// There is no such handle.
    NoHandle,
    /// Bytes written, or a size.
    Count(u64),
    /// Bytes read.
    Bytes(Vec<u8>),
    /// Kind, and size of a regular file.
    Stat(FileKind, u64),
    /// Yes or no.
    Is(bool),
    /// Names.
    Names(Vec<OsString>),
    /// The error's kind, and its number where it has one.
    Failed(io::ErrorKind, Option<i32>),
}

impl Answer {
    pub(crate) fn of<T>(result: io::Result<T>, good: impl FnOnce(T) -> Self) -> Self {
        match result {
            Ok(value) => good(value),
            Err(error) => Self::Failed(error.kind(), error.raw_os_error()),
        }
    }

    /// Whether both mean the same: an error number counts only where both have one.
    #[must_use]
    pub fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Failed(left, Some(left_number)), Self::Failed(right, Some(right_number))) => {
                left == right && left_number == right_number
            }
            (Self::Failed(left, _), Self::Failed(right, _)) => left == right,
            _ => self == other,
        }
    }
}
