//! A real directory that is made for the runs and removed after them.
#![expect(
    clippy::disallowed_methods,
    reason = "the directories of killed processes are real, and are not an engine's business"
)]

use crate::cli::failure::Failure;
use crate::cli::files::reason;
use crate::explore::LeftFiles;
use std::fs;
use std::path::{Path, PathBuf};

/// A directory of ours; removed when dropped.
#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
}

impl Place {
    /// Makes a directory under `parent`.
    pub(super) fn under(parent: &Path) -> Result<Self, Failure> {
        let path = parent.join(format!("crashline-kill-{}", std::process::id()));
        fs::create_dir_all(&path).map_err(|error| {
            Failure::usage(format!(
                "cannot make {}: {}",
                path.display(),
                reason(&error)
            ))
        })?;
        Ok(Self { path })
    }

    /// An empty directory in it; what was there before is removed.
    pub(super) fn fresh(&self, name: &str) -> Result<PathBuf, Failure> {
        let path = self.path.join(name);
        let made = match fs::remove_dir_all(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => fs::create_dir(&path),
        };
        made.map_err(|error| {
            Failure::usage(format!(
                "cannot make {}: {}",
                path.display(),
                reason(&error)
            ))
        })?;
        Ok(path)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // What cannot be removed is left to whoever cleans temporary directories.
        drop(fs::remove_dir_all(&self.path));
    }
}

/// The regular files in a directory.
pub(super) fn files_in(directory: &Path) -> Result<LeftFiles, Failure> {
    let read = || -> std::io::Result<LeftFiles> {
        let mut files = Vec::new();
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                files.push((entry.file_name(), fs::read(entry.path())?));
            }
        }
        files.sort();
        Ok(files)
    };
    read().map_err(|error| {
        Failure::usage(format!(
            "cannot read {}: {}",
            directory.display(),
            reason(&error)
        ))
    })
}

/// Copies files to where they can be looked at.
pub(super) fn keep(files: &LeftFiles, folder: &Path) -> Result<(), Failure> {
    let written = fs::create_dir_all(folder).and_then(|()| {
        files
            .iter()
            .try_for_each(|(name, bytes)| fs::write(folder.join(name), bytes))
    });
    written.map_err(|error| {
        Failure::usage(format!(
            "cannot write {}: {}",
            folder.display(),
            reason(&error)
        ))
    })
}
