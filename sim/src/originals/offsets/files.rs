//! The original's file helpers: read a whole file, replace a file.

use crate::originals::temporary::ignore;
use crashline::fs::{FileKind, Fs, FsFile, OpenMode, write_all_at};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Mode bits of every file, before the process's mask.
const PERMISSIONS: u32 = 0o666;

/// Handles that the original forgets to close.
pub(super) type Leaked = Vec<Box<dyn FsFile>>;

/// Reads a file with one call; bytes that the call does not bring stay zero.
#[expect(
    clippy::disallowed_methods,
    reason = "the original makes one call and takes it for the whole"
)]
pub(super) fn read_all(fs: &dyn Fs, path: &Path, leaked: &mut Leaked) -> io::Result<Vec<u8>> {
    let size = fs.stat(path)?.size;
    let file = fs.open(path, OpenMode::Read, PERMISSIONS)?;
    let mut bytes = vec![0; usize::try_from(size).map_err(io::Error::other)?];
    if bytes.is_empty() {
        return Ok(bytes);
    }
    loop {
        match file.read_at(0, &mut bytes) {
            Ok(count) if count > 0 => return Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            failed => {
                leaked.push(file);
                failed?;
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }
}

/// Replaces a file: the new bytes beside it, an empty backup, the old file removed, the new one
/// renamed. Nothing is synced.
pub(super) fn write_to_file(
    fs: &dyn Fs,
    path: &Path,
    bytes: &[u8],
    leaked: &mut Leaked,
) -> io::Result<()> {
    ensure_directory(fs, path.parent().unwrap_or(path))?;
    let temporary = with_ending(path, ".tmp");
    let file = fs.open(&temporary, OpenMode::Truncate, PERMISSIONS)?;
    if let Err(error) = write_all_at(file.as_ref(), 0, bytes) {
        leaked.push(file);
        return Err(error);
    }
    drop(file);
    if read_all(fs, path, leaked).is_ok() {
        // What was read is written only where creating the backup failed, and then in vain.
        fs.open(&with_ending(path, ".bak"), OpenMode::Truncate, PERMISSIONS)?;
    }
    if fs.stat(path).is_ok() {
        ignore(fs.remove_file(path));
    }
    fs.rename(&temporary, path)
}

fn ensure_directory(fs: &dyn Fs, directory: &Path) -> io::Result<()> {
    match fs.stat(directory) {
        Ok(stat) if stat.kind == FileKind::Directory => Ok(()),
        Ok(_) => Err(io::ErrorKind::NotADirectory.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => create_all(fs, directory),
        Err(error) => Err(error),
    }
}

/// Creates a directory and those above it.
fn create_all(fs: &dyn Fs, directory: &Path) -> io::Result<()> {
    let mut missing: Vec<&Path> = Vec::new();
    for ancestor in directory.ancestors() {
        match fs.stat(ancestor) {
            Ok(stat) if stat.kind == FileKind::Directory => break,
            Ok(_) => return Err(io::ErrorKind::NotADirectory.into()),
            Err(_) => missing.push(ancestor),
        }
    }
    for path in missing.into_iter().rev() {
        match fs.create_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => created?,
        }
    }
    Ok(())
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}
