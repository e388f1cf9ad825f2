//! The record of calls, for timelines: what was called, on what, and how it ended.

use std::io;
use std::path::PathBuf;

/// One call of the filesystem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Counted from 0 since the recording began.
    pub number: u32,
    /// How many effects were there before it.
    pub effects: u32,
    /// The method's name.
    pub name: &'static str,
    /// The path, or the present path of the handle's file.
    pub path: PathBuf,
    /// The second path of a rename.
    pub target: Option<PathBuf>,
    /// Offset or size, where the call has one.
    pub offset: Option<u64>,
    /// Bytes asked for, where the call transfers some.
    pub size: Option<u64>,
    /// Bytes transferred (or 0), or the error's number (0 where it has none).
    pub outcome: Result<u64, i32>,
}

impl Call {
    pub(crate) fn failed(error: &io::Error) -> i32 {
        error.raw_os_error().unwrap_or(0)
    }
}

impl std::fmt::Display for Call {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.name, self.path.display())?;
        if let Some(target) = &self.target {
            write!(formatter, " to {}", target.display())?;
        }
        if let Some(offset) = self.offset {
            write!(formatter, " at {offset}")?;
        }
        if let Some(size) = self.size {
            write!(formatter, " {size} bytes")?;
        }
        match self.outcome {
            Ok(moved) if self.size.is_some_and(|size| size != moved) => {
                write!(formatter, ": {moved} bytes")
            }
            Ok(_) => Ok(()),
            Err(number) => write!(formatter, ": {}", io::Error::from_raw_os_error(number)),
        }
    }
}
