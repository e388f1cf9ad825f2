//! [`RealFs`]: the trait over the operating system, and the one file that may name `std::fs`.
//!
//! Thin: every method is one or two system calls. `EINTR` is retried where the system call is not
//! a transfer (transfers retry in `whole.rs`).
#![expect(
    clippy::disallowed_methods,
    reason = "this file is the door to the real filesystem"
)]

use super::{BootId, FileIdentity, FileKind, Fs, FsFile, FsLock, OpenMode, Stat, SyncKind};
use rustix::fs::OFlags;
use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

/// The operating system's filesystem.
#[derive(Debug, Default, Clone, Copy)]
pub struct RealFs;

impl Fs for RealFs {
    fn open(&self, path: &Path, mode: OpenMode, permissions: u32) -> io::Result<Box<dyn FsFile>> {
        let file = open_regular(path, mode, permissions)?;
        Ok(Box::new(RealFile(file)))
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        retry(|| std::fs::symlink_metadata(path)).map(|metadata| stat_of(&metadata))
    }

    fn list_dir(&self, directory: &Path, show: &mut dyn FnMut(&OsStr)) -> io::Result<()> {
        let mut names = Vec::new();
        for entry in retry(|| std::fs::read_dir(named(directory)))? {
            names.push(entry?.file_name());
        }
        names.sort_unstable();
        names.iter().for_each(|name| show(name));
        Ok(())
    }

    fn create_dir(&self, directory: &Path) -> io::Result<()> {
        retry(|| std::fs::create_dir(directory))
    }

    fn rename(&self, source: &Path, target: &Path) -> io::Result<()> {
        retry(|| std::fs::rename(source, target))
    }

    fn rename_no_replace(&self, source: &Path, target: &Path) -> io::Result<()> {
        retry(|| rename_exclusive(source, target))
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        retry(|| std::fs::remove_file(path))
    }

    fn sync_dir(&self, directory: &Path) -> io::Result<()> {
        let handle = retry(|| File::open(named(directory)))?;
        retry(|| handle.sync_all())
    }

    fn try_lock(&self, path: &Path, permissions: u32) -> io::Result<Box<dyn FsLock>> {
        let file = open_regular(path, OpenMode::Create, permissions)?;
        match file.try_lock() {
            Ok(()) => Ok(Box::new(RealLock(file))),
            Err(TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn boot_id(&self) -> Option<BootId> {
        let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        parse_boot_id(&text)
    }
}

/// A path without a parent has the empty one for its parent; what lies there lies in the working
/// directory.
fn named(directory: &Path) -> &Path {
    match directory.as_os_str().is_empty() {
        true => Path::new("."),
        false => directory,
    }
}

#[derive(Debug)]
struct RealFile(File);

impl FsFile for RealFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        FileExt::read_at(&self.0, buffer, offset)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        FileExt::write_at(&self.0, bytes, offset)
    }

    fn size(&self) -> io::Result<u64> {
        retry(|| self.0.metadata()).map(|metadata| metadata.len())
    }

    fn set_size(&self, size: u64) -> io::Result<()> {
        retry(|| self.0.set_len(size))
    }

    fn sync(&self, kind: SyncKind) -> io::Result<()> {
        match kind {
            SyncKind::Data => retry(|| self.0.sync_data()),
            SyncKind::All => retry(|| self.0.sync_all()),
        }
    }
}

/// The open file carries the lock: it is close-on-exec, and the lock goes with the last handle.
/// A process that is being started by another thread has a copy of every handle until it executes
/// its program, so the lock is given up by name, not by closing.
#[derive(Debug)]
struct RealLock(File);

impl FsLock for RealLock {}

impl Drop for RealLock {
    fn drop(&mut self) {
        // Where unlocking fails, closing the last copy of the handle unlocks.
        drop(self.0.unlock());
    }
}

/// Opens without following a link or waiting for a FIFO, and refuses what is not a regular file.
fn open_regular(path: &Path, mode: OpenMode, permissions: u32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).mode(permissions);
    match mode {
        OpenMode::Read => options.write(false),
        OpenMode::Write => options.write(true),
        OpenMode::Create | OpenMode::Truncate => options.write(true).create(true),
        OpenMode::CreateNew => options.write(true).create_new(true),
    };
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    options.custom_flags(i32::try_from(flags.bits()).map_err(io::Error::other)?);
    let file = retry(|| options.open(path)).map_err(name_a_link)?;
    let kind = kind_of(&retry(|| file.metadata())?);
    if kind != FileKind::Regular {
        return Err(not_regular());
    }
    // Truncation comes after the check, so that it never touches what is not a regular file.
    if mode == OpenMode::Truncate {
        retry(|| file.set_len(0))?;
    }
    Ok(file)
}

/// `O_NOFOLLOW` on a link says `ELOOP`, a FIFO without reader `ENXIO`, a directory `EISDIR`.
fn name_a_link(error: io::Error) -> io::Error {
    use rustix::io::Errno;
    match error.raw_os_error() {
        Some(code)
            if [Errno::LOOP, Errno::NXIO, Errno::ISDIR]
                .iter()
                .any(|errno| errno.raw_os_error() == code) =>
        {
            not_regular()
        }
        _ => error,
    }
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}

#[cfg(target_os = "linux")]
fn rename_exclusive(source: &Path, target: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(
        CWD,
        source,
        CWD,
        target,
        RenameFlags::NOREPLACE,
    )?)
}

/// Elsewhere a hard link refuses an existing target; a crash between the two calls leaves both
/// names, which the caller meets as a file that is already quarantined.
#[cfg(not(target_os = "linux"))]
fn rename_exclusive(source: &Path, target: &Path) -> io::Result<()> {
    std::fs::hard_link(source, target)?;
    std::fs::remove_file(source)
}

fn stat_of(metadata: &Metadata) -> Stat {
    Stat {
        kind: kind_of(metadata),
        size: metadata.len(),
        identity: FileIdentity {
            device: metadata.dev(),
            inode: metadata.ino(),
        },
    }
}

fn kind_of(metadata: &Metadata) -> FileKind {
    let kind = metadata.file_type();
    debug_assert!(
        !(kind.is_file() && kind.is_fifo()),
        "one name stands for one kind"
    );
    if kind.is_file() {
        FileKind::Regular
    } else if kind.is_dir() {
        FileKind::Directory
    } else {
        FileKind::Other
    }
}

/// The kernel's text form is 32 hex digits with dashes.
fn parse_boot_id(text: &str) -> Option<BootId> {
    let digits: Vec<u8> = text.trim().bytes().filter(|byte| *byte != b'-').collect();
    let mut id = [0; 16];
    if digits.len() != 2 * id.len() {
        return None;
    }
    for (byte, pair) in id.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(BootId(id))
}

fn retry<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_without_a_parent_lies_in_the_working_directory() {
        let directory = Path::new("Cargo.toml").parent().unwrap();
        let mut names = Vec::new();
        let show = &mut |name: &OsStr| names.push(name.to_owned());
        RealFs.list_dir(directory, show).unwrap();
        assert!(names.iter().any(|name| name == "Cargo.toml"), "{names:?}");
        RealFs.sync_dir(directory).unwrap();
    }

    #[test]
    fn a_lock_goes_with_its_holder_though_a_copy_of_its_handle_lives() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lock");
        let lock = RealLock(open_regular(&path, OpenMode::Create, 0o600).unwrap());
        lock.0.try_lock().unwrap();
        let copy = lock.0.try_clone().unwrap();
        let taken = RealFs.try_lock(&path, 0o600).unwrap_err();
        assert_eq!(taken.kind(), io::ErrorKind::WouldBlock);
        drop(lock);
        drop(RealFs.try_lock(&path, 0o600).unwrap());
        drop(copy);
    }
}
