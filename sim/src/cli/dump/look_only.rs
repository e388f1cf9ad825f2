//! [`LookOnly`]: a real directory's files of queues, which nothing can be written to.
//!
//! Every call that would change anything fails, and what is no regular file, cannot be read, or
//! belongs to nobody here, is not there. Nothing is held in memory: a directory may be larger than
//! that.

use crashline::fs::{BootId, FileKind, Fs, FsFile, FsLock, OpenMode, RealFs, Stat};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What the names of all files of a queue have in them.
const MARK: &[u8] = b".diskqueue.";

/// A directory to look at.
#[derive(Debug)]
pub(super) struct LookOnly {
    pub(super) directory: PathBuf,
    /// Names of files that cannot be read, which are told elsewhere.
    pub(super) unreadable: BTreeSet<OsString>,
}

impl LookOnly {
    /// Whether a file is one of a queue.
    fn shows(&self, name: &OsStr, path: &Path) -> bool {
        if self.unreadable.contains(name) {
            return false;
        }
        let is_marked = name.as_bytes().windows(MARK.len()).any(|part| part == MARK);
        is_marked && !matches!(RealFs.stat(path), Ok(stat) if stat.kind != FileKind::Regular)
    }

    fn check(&self, path: &Path) -> io::Result<()> {
        let name = path.file_name().unwrap_or_default();
        match path == self.directory || self.shows(name, path) {
            true => Ok(()),
            false => Err(ErrorKind::NotFound.into()),
        }
    }
}

fn refused<T>() -> io::Result<T> {
    Err(ErrorKind::ReadOnlyFilesystem.into())
}

impl Fs for LookOnly {
    fn open(&self, path: &Path, mode: OpenMode, permissions: u32) -> io::Result<Box<dyn FsFile>> {
        self.check(path)?;
        match mode {
            OpenMode::Read => RealFs.open(path, mode, permissions),
            OpenMode::Write | OpenMode::Create | OpenMode::CreateNew | OpenMode::Truncate => {
                refused()
            }
        }
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.check(path)?;
        RealFs.stat(path)
    }

    fn list_dir(&self, directory: &Path, show: &mut dyn FnMut(&OsStr)) -> io::Result<()> {
        RealFs.list_dir(directory, &mut |name| {
            if self.shows(name, &directory.join(name)) {
                show(name);
            }
        })
    }

    fn create_dir(&self, _directory: &Path) -> io::Result<()> {
        refused()
    }

    fn rename(&self, _source: &Path, _target: &Path) -> io::Result<()> {
        refused()
    }

    fn rename_no_replace(&self, _source: &Path, _target: &Path) -> io::Result<()> {
        refused()
    }

    fn remove_file(&self, _path: &Path) -> io::Result<()> {
        refused()
    }

    fn sync_dir(&self, _directory: &Path) -> io::Result<()> {
        refused()
    }

    fn try_lock(&self, _path: &Path, _permissions: u32) -> io::Result<Box<dyn FsLock>> {
        refused()
    }

    /// Who looks at a copy knows nothing of the boot that wrote it.
    fn boot_id(&self) -> Option<BootId> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crashline::fs::{list_names, write_all_at};

    #[test]
    fn nothing_but_files_of_queues_is_seen_and_none_can_be_changed() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path().to_owned();
        let [file, other, below] =
            ["q.diskqueue.lock", "other", "d.diskqueue.meta.dat"].map(|name| directory.join(name));
        for path in [&file, &other, &directory.join("x.diskqueue.lock")] {
            RealFs.open(path, OpenMode::CreateNew, 0o600).unwrap();
        }
        RealFs.create_dir(&below).unwrap();
        let look = LookOnly {
            directory: directory.clone(),
            unreadable: [OsString::from("x.diskqueue.lock")].into(),
        };
        assert_eq!(list_names(&look, &directory).unwrap(), ["q.diskqueue.lock"]);
        assert!(look.stat(&file).is_ok() && look.stat(&directory).is_ok());
        for hidden in [&other, &below] {
            assert_eq!(look.stat(hidden).unwrap_err().kind(), ErrorKind::NotFound);
        }
        let opened = look.open(&file, OpenMode::Read, 0).unwrap();
        assert!(write_all_at(opened.as_ref(), 0, b"x").is_err());
        let is_refused = |result: io::Result<()>| {
            assert_eq!(result.unwrap_err().kind(), ErrorKind::ReadOnlyFilesystem);
        };
        is_refused(look.open(&file, OpenMode::Write, 0).map(drop));
        is_refused(look.remove_file(&file));
        is_refused(look.rename(&file, &other));
        is_refused(look.sync_dir(&directory));
        is_refused(look.try_lock(&file, 0o600).map(drop));
    }
}
