//! What is kept aside of a log: segments that a cut left behind its end, and quarantined bytes.
//!
//! Neither is ever overwritten, read or removed by the engine, except that `delete` takes the
//! segments behind a cut with it. It is the caller's to look at and to throw away.

use super::error::Error;
use super::names::{Role, role};
use super::paths::Paths;
use super::writer::LogWriter;
use crate::fs::{Fs, list_names};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The files of a log that are kept aside, each list by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeptAside {
    /// Segments that a rollback or a reset of the write end left behind the end (`.rolldata`).
    pub rolled_back: Vec<PathBuf>,
    /// Damaged or rejected bytes of segments and metas (`.bad`).
    pub quarantined: Vec<PathBuf>,
}

/// Lists what is kept aside of the log `log` in `directory`; how many there are is the length of
/// the lists. Quarantined bytes of its readers' own metas are theirs, and not listed.
///
/// # Errors
/// That of listing the directory.
pub fn kept_aside(fs: &dyn Fs, directory: &Path, log: &OsStr) -> Result<KeptAside, Error> {
    let names = list_names(fs, directory).map_err(|error| Error::io("list", directory, error))?;
    let mut kept = KeptAside::default();
    for name in names {
        match role(name.as_bytes(), log.as_bytes()) {
            Some(Role::RolledBack(_)) => kept.rolled_back.push(directory.join(name)),
            Some(Role::QuarantinedSegment(_) | Role::Quarantined) => {
                kept.quarantined.push(directory.join(name));
            }
            Some(
                Role::Segment(_)
                | Role::Sidecar(_)
                | Role::Sums(_)
                | Role::WriterMeta
                | Role::WriterCopy
                | Role::Corrupt
                | Role::StartMeta
                | Role::StartTemporary
                | Role::StartSpare
                | Role::Cuts
                | Role::CutsSpare
                | Role::Lock
                | Role::ReaderLock(_),
            )
            | None => {}
        }
    }
    kept.rolled_back.sort_unstable();
    kept.quarantined.sort_unstable();
    Ok(kept)
}

impl LogWriter {
    /// What is kept aside of this log.
    ///
    /// # Errors
    /// That of listing the directory.
    pub fn kept_aside(&self) -> Result<KeptAside, Error> {
        let Paths { directory, .. } = &self.store.paths;
        kept_aside(self.store.fs.as_ref(), directory, self.store.paths.log())
    }
}
