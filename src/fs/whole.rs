//! Whole transfers over the short ones of [`FsFile`]: the only callers of `read_at`, `write_at`.
#![expect(
    clippy::disallowed_methods,
    reason = "this file is where short transfers end"
)]

use super::{Fs, FsFile, OpenMode};
use std::ffi::OsString;
use std::io;
use std::path::Path;

/// Reads until `buffer` is full or the file ends; returns the bytes read.
///
/// # Errors
/// That of the file; what was read so far is lost.
///
/// # Panics
/// If the file claims to have read more bytes than there was room for.
pub fn read_up_to(file: &dyn FsFile, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let mut done = 0;
    while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
        match file.read_at(offset + done as u64, rest) {
            Ok(0) => break,
            Ok(count) => {
                assert!(
                    count <= rest.len(),
                    "a read returned more than was asked for"
                );
                done += count;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

/// Fills `buffer` from `offset`.
///
/// # Errors
/// `UnexpectedEof` when the file ends before; else that of the file.
pub fn read_exact_at(file: &dyn FsFile, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
    if read_up_to(file, offset, buffer)? == buffer.len() {
        Ok(())
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// Writes all of `bytes` at `offset`.
///
/// # Errors
/// That of the file, with a leading part of `bytes` possibly written; `WriteZero` when the file
/// takes nothing.
///
/// # Panics
/// If the file claims to have written more bytes than it was given.
pub fn write_all_at(file: &dyn FsFile, offset: u64, bytes: &[u8]) -> io::Result<()> {
    let mut done = 0;
    while let Some(rest) = bytes.get(done..).filter(|rest| !rest.is_empty()) {
        match file.write_at(offset + done as u64, rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => {
                assert!(count <= rest.len(), "a write took more than it was given");
                done += count;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The names in a directory, as [`Fs::list_dir`] shows them.
///
/// # Errors
/// That of listing.
pub fn list_names(fs: &dyn Fs, directory: &Path) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    fs.list_dir(directory, &mut |name| names.push(name.to_owned()))?;
    Ok(names)
}

/// Reads a whole file, at most `bytes_max` bytes of it.
///
/// # Errors
/// That of opening or reading it.
pub fn read_file(fs: &dyn Fs, path: &Path, bytes_max: usize) -> io::Result<Vec<u8>> {
    let file = fs.open(path, OpenMode::Read, 0)?;
    let size = usize::try_from(file.size()?)
        .unwrap_or(usize::MAX)
        .min(bytes_max);
    let mut bytes = vec![0; size];
    let count = read_up_to(file.as_ref(), 0, &mut bytes)?;
    bytes.truncate(count);
    Ok(bytes)
}
