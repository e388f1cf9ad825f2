//! A real directory that is made for the runs and removed after them.
#![expect(
    clippy::disallowed_methods,
    reason = "the directories of killed processes are real, and are not an engine's business"
)]

use crate::cli::failure::Failure;
use crate::cli::files::reason;
use crate::explore::LeftFiles;
use crate::scenario::{Planted, PlantedKind};
use crate::simfs::TreeEntry;
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
        fs::create_dir(&path).map_err(|error| {
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

/// Puts into a directory what lies there before a scenario begins. A link to nowhere stands for
/// everything that must not be opened.
pub(super) fn plant(directory: &Path, planted: &[Planted]) -> Result<(), Failure> {
    for one in planted {
        let path = directory.join(&one.name);
        let planted = match one.kind {
            PlantedKind::File => fs::write(&path, &one.text),
            PlantedKind::Directory => fs::create_dir(&path),
            PlantedKind::Special => std::os::unix::fs::symlink("nowhere", &path),
        };
        planted.map_err(|error| {
            Failure::usage(format!(
                "cannot make {}: {}",
                path.display(),
                reason(&error)
            ))
        })?;
    }
    Ok(())
}

/// What is in a directory.
pub(super) fn files_in(directory: &Path) -> Result<LeftFiles, Failure> {
    let read = || -> std::io::Result<LeftFiles> {
        let mut files = Vec::new();
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let what = if kind.is_file() {
                TreeEntry::File(fs::read(entry.path())?)
            } else if kind.is_dir() {
                TreeEntry::Directory
            } else {
                TreeEntry::Special
            };
            files.push((entry.file_name(), what));
        }
        files.sort_by(|one, other| one.0.cmp(&other.0));
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
        files.iter().try_for_each(|(name, entry)| match entry {
            TreeEntry::File(bytes) => fs::write(folder.join(name), bytes),
            TreeEntry::Directory => fs::create_dir_all(folder.join(name)),
            TreeEntry::Special => Ok(()),
        })
    });
    written.map_err(|error| {
        Failure::usage(format!(
            "cannot write {}: {}",
            folder.display(),
            reason(&error)
        ))
    })
}
