//! Keeps damaged and rejected bytes aside, under names that did not exist before.

use super::error::Error;
use super::names::quarantine_path;
use super::quirks::{Quirk, Quirks};
use super::store::{PERMISSIONS, Store, remove};
use crate::fs::{Fs, FsFile, OpenMode, SyncKind, read_up_to, write_all_at};
use std::io;
use std::path::{Path, PathBuf};

const PIECE_BYTES: u64 = 64 * 1024;

/// Renames a whole segment.
pub(super) fn keep_segment(store: &mut Store, number: u64) -> Result<(), Error> {
    let replaces = store.quirks.has(Quirk::BadReplacesBad);
    let path = store.paths.segment(number);
    for index in 0.. {
        let target = quarantine_path(path, index);
        let renamed = if replaces {
            store.fs.rename(path, &target)
        } else {
            store.fs.rename_no_replace(path, &target)
        };
        match renamed {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Error::io("quarantine", path, error)),
            Ok(()) => break,
        }
    }
    store.remove_sums(number)
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

/// Copies `bytes`, which were read from `path`.
pub(super) fn keep_bytes(store: &Store, path: &Path, bytes: &[u8]) -> Result<(), Error> {
    keep(store, path, |target| write_all_at(target, 0, bytes))
}

fn keep(
    store: &Store,
    path: &Path,
    mut write: impl FnMut(&dyn FsFile) -> io::Result<()>,
) -> Result<(), Error> {
    let (target_path, target) = create(store.fs.as_ref(), path, store.quirks)?;
    let written = write(target.as_ref()).and_then(|()| target.sync(SyncKind::Data));
    if let Err(error) = written {
        // A part of a copy is no copy; that it stays where removing fails too costs space only.
        return match remove(store.fs.as_ref(), &target_path) {
            Ok(()) | Err(_) => Err(Error::io("quarantine", path, error)),
        };
    }
    store.sync_directory()
}

fn create(fs: &dyn Fs, path: &Path, quirks: Quirks) -> Result<(PathBuf, Box<dyn FsFile>), Error> {
    let mode = if quirks.has(Quirk::BadReplacesBad) {
        OpenMode::Truncate
    } else {
        OpenMode::CreateNew
    };
    let mut index = 0;
    loop {
        let target = quarantine_path(path, index);
        match fs.open(&target, mode, PERMISSIONS) {
            Ok(file) => return Ok((target, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => index += 1,
            Err(error) => return Err(Error::io("quarantine", &target, error)),
        }
    }
}
