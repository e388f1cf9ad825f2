//! The directory of one queue: the filesystem, the paths, and small file operations whose errors
//! carry operation and path.

use super::error::Error;
use super::names::Paths;
use super::quirks::{Quirk, Quirks};
use crate::fs::{FileKind, Fs, FsFile, OpenMode};
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Permission bits of new files, as the original's.
pub(super) const PERMISSIONS: u32 = 0o600;

#[derive(Debug)]
pub(super) struct Store {
    pub(super) fs: Arc<dyn Fs>,
    pub(super) paths: Paths,
    pub(super) quirks: Quirks,
    /// How recovery opens what it may have to write.
    pub(super) tail_mode: OpenMode,
}

impl Store {
    pub(super) fn new(fs: Arc<dyn Fs>, directory: &Path, queue: &OsStr, quirks: Quirks) -> Self {
        Self {
            fs,
            paths: Paths::new(directory, queue),
            quirks,
            tail_mode: OpenMode::Read,
        }
    }

    pub(super) fn open_segment(
        &mut self,
        number: u64,
        mode: OpenMode,
    ) -> Result<Box<dyn FsFile>, Error> {
        let path = self.paths.segment(number);
        self.fs
            .open(path, mode, PERMISSIONS)
            .map_err(|error| Error::io("open", path, error))
    }

    /// Opens a segment for reading; `None` if there is no regular file of this name.
    pub(super) fn find_segment(&mut self, number: u64) -> Result<Option<Box<dyn FsFile>>, Error> {
        find(self.fs.as_ref(), self.paths.segment(number), OpenMode::Read)
    }

    /// As [`Store::find_segment`], writable where the queue is.
    pub(super) fn find_tail(&mut self, number: u64) -> Result<Option<Box<dyn FsFile>>, Error> {
        find(self.fs.as_ref(), self.paths.segment(number), self.tail_mode)
    }

    /// As [`Store::find_sums`], writable where the queue is.
    pub(super) fn find_tail_sums(&mut self, number: u64) -> Result<Option<Box<dyn FsFile>>, Error> {
        self.find_sums_as(number, self.tail_mode)
    }

    /// Opens a segment's sums for reading; `None` if there is no regular file of this name.
    pub(super) fn find_sums(&mut self, number: u64) -> Result<Option<Box<dyn FsFile>>, Error> {
        self.find_sums_as(number, OpenMode::Read)
    }

    /// As [`Store::find_sums`], in this mode.
    pub(super) fn find_sums_as(
        &mut self,
        number: u64,
        mode: OpenMode,
    ) -> Result<Option<Box<dyn FsFile>>, Error> {
        find(self.fs.as_ref(), self.paths.sums(number), mode)
    }

    /// An error about a segment.
    pub(super) fn segment_error(
        &mut self,
        operation: &'static str,
        number: u64,
        error: io::Error,
    ) -> Error {
        Error::io(operation, self.paths.segment(number), error)
    }

    /// An error about a segment's sums.
    pub(super) fn sums_error(
        &mut self,
        operation: &'static str,
        number: u64,
        error: io::Error,
    ) -> Error {
        Error::io(operation, self.paths.sums(number), error)
    }

    pub(super) fn sync_directory(&self) -> Result<(), Error> {
        if self.quirks.has(Quirk::NoDirectorySync) {
            return Ok(());
        }
        let directory = &self.paths.directory;
        self.fs
            .sync_dir(directory)
            .map_err(|error| Error::io("sync", directory, error))
    }

    /// Removes a segment and its sums; what is not there counts as removed.
    pub(super) fn remove_segment(&mut self, number: u64) -> Result<(), Error> {
        remove(self.fs.as_ref(), self.paths.segment(number))?;
        self.remove_sums(number)
    }

    /// Removes a segment's sums.
    pub(super) fn remove_sums(&mut self, number: u64) -> Result<(), Error> {
        remove(self.fs.as_ref(), self.paths.sums(number))
    }
}

fn find(fs: &dyn Fs, path: &Path, mode: OpenMode) -> Result<Option<Box<dyn FsFile>>, Error> {
    match fs.open(path, mode, PERMISSIONS) {
        Ok(file) => Ok(Some(file)),
        Err(error) if is_no_file(&error) => Ok(None),
        Err(error) => Err(Error::io("open", path, error)),
    }
}

/// Whether an open failed because there is nothing of the kind, as opposed to a failing system.
pub(super) fn is_no_file(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::InvalidInput
    )
}

/// Removes a file; a missing one counts as removed, and so does a name that stands for no regular
/// file, which is not ours and stays.
pub(super) fn remove(fs: &dyn Fs, path: &Path) -> Result<(), Error> {
    match fs.stat(path) {
        Ok(stat) if stat.kind == FileKind::Regular => {}
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Error::io("stat", path, error)),
    }
    match fs.remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Error::io("remove", path, error)),
    }
}
