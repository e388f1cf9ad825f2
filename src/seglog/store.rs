//! The directory of one log: the filesystem, the paths, and small file operations whose errors
//! carry operation and path.

use super::error::Error;
use super::paths::Paths;
use super::quirks::{Quirk, Quirks};
use crate::fs::{FileKind, Fs, FsFile, OpenMode, read_up_to};
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Permission bits of new files, as the original's.
pub(super) const PERMISSIONS: u32 = 0o644;

/// The directory of one log.
#[derive(Debug, Clone)]
pub(super) struct Store {
    pub(super) fs: Arc<dyn Fs>,
    pub(super) paths: Paths,
    /// Defects put back on purpose.
    pub(super) quirks: Quirks,
}

impl Store {
    pub(super) fn new(fs: Arc<dyn Fs>, directory: &Path, log: &OsStr) -> Self {
        Self {
            fs,
            paths: Paths::new(directory, log),
            quirks: Quirks::default(),
        }
    }

    /// The same with these defects.
    pub(super) fn with_quirks(self, quirks: Quirks) -> Self {
        Self { quirks, ..self }
    }

    pub(super) fn has(&self, quirk: Quirk) -> bool {
        self.quirks.has(quirk)
    }

    pub(super) fn open(&self, path: &Path, mode: OpenMode) -> Result<Box<dyn FsFile>, Error> {
        self.fs
            .open(path, mode, PERMISSIONS)
            .map_err(|error| Error::io("open", path, error))
    }

    /// Opens a file for reading; `None` if there is no regular file of this name.
    pub(super) fn find(&self, path: &Path) -> Result<Option<Box<dyn FsFile>>, Error> {
        match self.fs.open(path, OpenMode::Read, PERMISSIONS) {
            Ok(file) => Ok(Some(file)),
            Err(error) if is_no_file(&error) => Ok(None),
            Err(error) => Err(Error::io("open", path, error)),
        }
    }

    /// The first `bytes_max` bytes of a file; `None` if there is no regular file of this name.
    pub(super) fn read(&self, path: &Path, bytes_max: usize) -> Result<Option<Vec<u8>>, Error> {
        let Some(file) = self.find(path)? else {
            return Ok(None);
        };
        let read = || {
            let size = usize::try_from(file.size()?).unwrap_or(usize::MAX);
            let mut bytes = vec![0; size.min(bytes_max)];
            let count = read_up_to(file.as_ref(), 0, &mut bytes)?;
            bytes.truncate(count);
            Ok(bytes)
        };
        read()
            .map(Some)
            .map_err(|error| Error::io("read", path, error))
    }

    /// The size of a regular file; `None` if there is none of this name.
    pub(super) fn size(&self, path: &Path) -> Result<Option<u64>, Error> {
        match self.fs.stat(path) {
            Ok(stat) if stat.kind == FileKind::Regular => Ok(Some(stat.size)),
            Ok(_) => Ok(None),
            Err(error) if is_no_file(&error) => Ok(None),
            Err(error) => Err(Error::io("stat", path, error)),
        }
    }

    /// The size of a file of which so many bytes were read, at most one more than `bytes_max`.
    pub(super) fn whole_size(
        &self,
        path: &Path,
        bytes: &[u8],
        bytes_max: usize,
    ) -> Result<u64, Error> {
        let read = bytes.len() as u64;
        match bytes.len() > bytes_max {
            true => Ok(self.size(path)?.unwrap_or(read).max(read)),
            false => Ok(read),
        }
    }

    pub(super) fn sync_directory(&self) -> Result<(), Error> {
        if self.has(Quirk::NoDirectorySync) {
            return Ok(());
        }
        let directory = &self.paths.directory;
        self.fs
            .sync_dir(directory)
            .map_err(|error| Error::io("sync", directory, error))
    }

    /// Removes a file; a missing one counts as removed, and so does a name that stands for no
    /// regular file, which is not ours and stays.
    pub(super) fn remove(&self, path: &Path) -> Result<(), Error> {
        if self.size(path)?.is_none() {
            return Ok(());
        }
        match self.fs.remove_file(path) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(Error::io("remove", path, error)),
        }
    }
}

/// Whether an open failed because there is nothing of the kind, as opposed to a failing system.
pub(super) fn is_no_file(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::InvalidInput
    )
}
