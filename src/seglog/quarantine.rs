//! Keeps damaged and rejected bytes aside, under names that did not exist before.

use super::error::Error;
use super::paths::quarantine_path;
use super::store::{PERMISSIONS, Store};
use crate::fs::{Fs, FsFile, OpenMode, SyncKind, read_up_to, write_all_at};
use std::io;
use std::path::{Path, PathBuf};

const PIECE_BYTES: u64 = 64 * 1024;

/// Renames a file to the first free one of its names for what is kept aside; whether it was
/// there. The directory is left to be synced.
pub(super) fn rename_aside(
    fs: &dyn Fs,
    path: &Path,
    aside: impl Fn(u64) -> PathBuf,
) -> Result<bool, Error> {
    for index in 0.. {
        match fs.rename_no_replace(path, &aside(index)) {
            Ok(()) => break,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(Error::io("keep aside", path, error)),
        }
    }
    Ok(true)
}

/// Copies the bytes `from..to` of `file`, which is at `path`, and makes the copy durable.
pub(super) fn keep_range(
    store: &Store,
    file: &dyn FsFile,
    path: &Path,
    from: u64,
    to: u64,
) -> Result<(), Error> {
    let mut buffer = vec![0; usize::try_from((to - from).min(PIECE_BYTES)).unwrap_or_default()];
    keep(store, path, |target| {
        let mut offset = from;
        while offset < to {
            let wanted = usize::try_from(to - offset).unwrap_or(usize::MAX);
            let room = buffer.len().min(wanted);
            let room = buffer.get_mut(..room).unwrap_or_default();
            let count = read_up_to(file, offset, room)?;
            if count == 0 {
                break;
            }
            let bytes = room.get(..count).unwrap_or_default();
            write_all_at(target, offset - from, bytes)?;
            offset += count as u64;
        }
        Ok(())
    })
}

/// Copies all of the file at `path`, however large it is; nothing where there is none or it is
/// empty.
pub(super) fn keep_file(store: &Store, path: &Path) -> Result<(), Error> {
    let Some(file) = store.find(path)? else {
        return Ok(());
    };
    let size = file
        .size()
        .map_err(|error| Error::io("read", path, error))?;
    match size {
        0 => Ok(()),
        size => keep_range(store, file.as_ref(), path, 0, size),
    }
}

fn keep(
    store: &Store,
    path: &Path,
    mut write: impl FnMut(&dyn FsFile) -> io::Result<()>,
) -> Result<(), Error> {
    let (target_path, target) = create(store.fs.as_ref(), path)?;
    let written = write(target.as_ref()).and_then(|()| target.sync(SyncKind::Data));
    if let Err(error) = written {
        // A part of a copy is no copy; that it stays where removing fails too costs space only.
        return match store.remove(&target_path) {
            Ok(()) | Err(_) => Err(Error::io("keep aside", path, error)),
        };
    }
    store.sync_directory()
}

fn create(fs: &dyn Fs, path: &Path) -> Result<(PathBuf, Box<dyn FsFile>), Error> {
    let mut index = 0;
    loop {
        let target = quarantine_path(path, index);
        match fs.open(&target, OpenMode::CreateNew, PERMISSIONS) {
            Ok(file) => return Ok((target, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => index += 1,
            Err(error) => return Err(Error::io("keep aside", &target, error)),
        }
    }
}
