//! The steps of an atomic replace that belong to one file: write aside, make durable, rename.
//!
//! The name is durable only after the caller's [`Fs::sync_dir`]; it is left to the caller because
//! one directory sync often serves several names.

use super::{Fs, FsFile, SyncKind, write_all_at};
use std::fmt;
use std::io;
use std::path::Path;

/// The step of [`replace_file`] that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReplaceStep {
    /// Writing the bytes aside: the target is as it was.
    Write,
    /// Making them durable: the target is as it was.
    Sync,
    /// Renaming over the target: it is as it was.
    Rename,
}

impl fmt::Display for ReplaceStep {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Write => "write",
            Self::Sync => "sync",
            Self::Rename => "rename",
        })
    }
}

/// Writes `bytes` over the start of `aside` (an open handle on `source`), makes them durable and
/// renames `source` over `target`. Bytes of `aside` behind them stay, so `source` should be no
/// longer than `bytes`.
///
/// # Errors
/// The step that failed and its cause. The target is whole, old, and can be replaced again with
/// the same handle.
pub fn replace_file(
    fs: &dyn Fs,
    aside: &dyn FsFile,
    source: &Path,
    target: &Path,
    bytes: &[u8],
) -> Result<(), (ReplaceStep, io::Error)> {
    write_all_at(aside, 0, bytes).map_err(|error| (ReplaceStep::Write, error))?;
    aside
        .sync(SyncKind::Data)
        .map_err(|error| (ReplaceStep::Sync, error))?;
    fs.rename(source, target)
        .map_err(|error| (ReplaceStep::Rename, error))
}
