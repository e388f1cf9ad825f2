//! Names with a number where originals draw one at random: the twins count, passing by those that
//! are taken, since a drawn number never meets another.

use crashline::fs::{Fs, FsFile, OpenMode};
use std::io;
use std::path::{Path, PathBuf};

/// Creates the first file that is not there yet; `number` stays at the one taken.
pub(super) fn create_numbered(
    fs: &dyn Fs,
    number: &mut u64,
    permissions: u32,
    name: impl Fn(u64) -> PathBuf,
) -> io::Result<Box<dyn FsFile>> {
    pass_taken(number, |number| {
        fs.open(&name(number), OpenMode::CreateNew, permissions)
    })
}

/// Renames to the first name that is not taken yet; `number` stays at that one.
pub(super) fn rename_numbered(
    fs: &dyn Fs,
    source: &Path,
    number: &mut u64,
    name: impl Fn(u64) -> PathBuf,
) -> io::Result<()> {
    pass_taken(number, |number| fs.rename_no_replace(source, &name(number)))
}

fn pass_taken<T>(number: &mut u64, call: impl Fn(u64) -> io::Result<T>) -> io::Result<T> {
    loop {
        match call(*number) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => *number += 1,
            other => return other,
        }
    }
}

/// The original takes no notice of this failure.
pub(super) fn ignore<T>(result: io::Result<T>) {
    drop(result);
}
