//! The files of one store: small operations whose errors carry operation and path.

use super::error::Error;
use super::paths::{Paths, aside};
use super::quirks::{Quirk, Quirks};
use crate::fs::{FileKind, Fs, FsFile, OpenMode, SyncKind, read_file, write_all_at};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Permission bits of new files, as the originals': what the process's mask leaves of them.
const PERMISSIONS: u32 = 0o666;

/// A larger file is damaged: what it takes to hold it would not be bounded.
pub const BYTES_MAX: usize = 256 * 1024 * 1024;

#[derive(Debug)]
pub(super) struct Files {
    pub(super) fs: Arc<dyn Fs>,
    pub(super) paths: Paths,
    pub(super) quirks: Quirks,
}

/// What a name stands for.
#[derive(Debug)]
pub(super) enum Found {
    Nothing,
    /// Something that is no regular file, and not ours.
    Foreign,
    /// A file of so many bytes, which is not held.
    TooLarge(u64),
    Bytes(Vec<u8>),
}

impl Files {
    /// Reads a whole file.
    pub(super) fn read(&self, path: &Path) -> Result<Found, Error> {
        match read_file(self.fs.as_ref(), path, BYTES_MAX + 1) {
            Ok(bytes) if bytes.len() > BYTES_MAX => {
                let stat = self.fs.stat(path);
                let stat = stat.map_err(|error| Error::io("stat", path, error))?;
                Ok(Found::TooLarge(stat.size))
            }
            Ok(bytes) => Ok(Found::Bytes(bytes)),
            Err(error) if is_missing(&error) => Ok(Found::Nothing),
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(Found::Foreign),
            Err(error) => Err(Error::io("read", path, error)),
        }
    }

    /// Writes the temporary file under a new inode and makes its bytes durable.
    pub(super) fn write_temporary(&self, bytes: &[u8]) -> Result<(), Error> {
        let path = &self.paths.temporary;
        let file = self.create_temporary()?;
        write_all_at(file.as_ref(), 0, bytes).map_err(|error| Error::io("write", path, error))?;
        self.sync_file(file.as_ref(), path)
    }

    /// Replaces `target` by a file with these bytes, in one step. Its name is left to be synced.
    pub(super) fn replace(&self, target: &Path, bytes: &[u8]) -> Result<(), Error> {
        self.write_temporary(bytes)?;
        self.rename_temporary(target)
    }

    /// Renames the temporary file over another one.
    pub(super) fn rename_temporary(&self, target: &Path) -> Result<(), Error> {
        let source = &self.paths.temporary;
        self.fs
            .rename(source, target)
            .map_err(|error| Error::io("rename", source, error))
    }

    /// An older file of the name is not written over: after a crash within a rename it may be the
    /// file itself, or its backup, under a second name.
    fn create_temporary(&self) -> Result<Box<dyn FsFile>, Error> {
        let path = &self.paths.temporary;
        let create = || self.fs.open(path, OpenMode::CreateNew, PERMISSIONS);
        let created = match create() {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.remove(path)?;
                create()
            }
            created => created,
        };
        created.map_err(|error| Error::io("create", path, error))
    }

    /// Makes the bytes of an open file durable.
    pub(super) fn sync_file(&self, file: &dyn FsFile, path: &Path) -> Result<(), Error> {
        if self.quirks.has(Quirk::NoFileSync) {
            return Ok(());
        }
        match file.sync(SyncKind::Data) {
            Err(_) if self.quirks.has(Quirk::SyncErrorIgnored) => Ok(()),
            synced => synced.map_err(|error| Error::io("sync", path, error)),
        }
    }

    /// Makes the names in the store's directory durable.
    pub(super) fn sync_names(&self) -> Result<(), Error> {
        self.sync_directory(&self.paths.group)
    }

    pub(super) fn sync_directory(&self, directory: &Path) -> Result<(), Error> {
        if self.quirks.has(Quirk::NoDirectorySync) {
            return Ok(());
        }
        self.fs
            .sync_dir(directory)
            .map_err(|error| Error::io("sync", directory, error))
    }

    /// Creates a directory unless it is there.
    pub(super) fn ensure_directory(&self, directory: &Path) -> Result<(), Error> {
        match self.fs.create_dir(directory) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.check_directory(directory)
            }
            Err(error) => Err(Error::io("create", directory, error)),
        }
    }

    /// Refuses a name that stands for something else than a directory: a link leads elsewhere.
    pub(super) fn check_directory(&self, directory: &Path) -> Result<(), Error> {
        let stat = self.fs.stat(directory);
        let stat = stat.map_err(|error| Error::io("stat", directory, error))?;
        match stat.kind {
            FileKind::Directory => Ok(()),
            FileKind::Regular | FileKind::Other => {
                let error = io::ErrorKind::NotADirectory.into();
                Err(Error::io("use", directory, error))
            }
        }
    }

    /// Renames a file to the first free one of its names for what is kept aside; nothing to do if
    /// it is not there. The name is left to be synced.
    pub(super) fn keep_aside(&self, path: &Path) -> Result<(), Error> {
        for index in 0.. {
            match self.fs.rename_no_replace(path, &aside(path, index)) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                Err(error) => return Err(Error::io("keep aside", path, error)),
                Ok(()) => break,
            }
        }
        Ok(())
    }

    /// Makes the temporary file's bytes none that could count, durably. Some disks show what a
    /// removed file held in the next one that is not synced yet.
    ///
    /// # Errors
    /// That of the filesystem.
    pub(super) fn blank_temporary(&self) -> io::Result<()> {
        let path = &self.paths.temporary;
        if self.fs.stat(path)?.kind != FileKind::Regular {
            return Ok(());
        }
        let file = self.fs.open(path, OpenMode::Write, 0)?;
        let size = usize::try_from(file.size()?).unwrap_or(0);
        write_all_at(file.as_ref(), 0, &vec![0; size])?;
        file.sync(SyncKind::Data)
    }

    /// Removes the temporary file, where there is one.
    pub(super) fn remove_temporary(&self) -> Result<(), Error> {
        if self.quirks.has(Quirk::TemporaryLeft) {
            return Ok(());
        }
        self.remove(&self.paths.temporary)
    }

    /// Removes a file; a missing one counts as removed, and so does a name that stands for no
    /// regular file, which is not ours and stays.
    pub(super) fn remove(&self, path: &Path) -> Result<(), Error> {
        match self.fs.stat(path) {
            Ok(stat) if stat.kind == FileKind::Regular => {}
            Ok(_) => return Ok(()),
            Err(error) if is_missing(&error) => return Ok(()),
            Err(error) => return Err(Error::io("stat", path, error)),
        }
        match self.fs.remove_file(path) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(Error::io("remove", path, error)),
        }
    }
}

/// Whether there is nothing of the name, also because a directory on the way is missing.
pub(super) fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}
