//! A filesystem over another one that passes on all calls, the ones that a hook changes or
//! watches by way of it.

use crashline::fs::{BootId, Fs, FsFile, FsLock, OpenMode, Stat};
use std::ffi::OsStr;
use std::fmt::Debug;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// What happens on the way. What is not said passes.
pub(crate) trait FsHook: Debug + Send + Sync {
    /// Opens a file of the filesystem below.
    fn open(
        &self,
        below: &dyn Fs,
        path: &Path,
        mode: OpenMode,
        permissions: u32,
    ) -> io::Result<Box<dyn FsFile>> {
        below.open(path, mode, permissions)
    }

    /// A name was changed or removed below.
    fn renamed(&self, _path: &Path) {}
}

/// The filesystem.
#[derive(Debug)]
pub(crate) struct FsLayer<H> {
    below: Arc<dyn Fs>,
    hook: H,
}

impl<H: FsHook> FsLayer<H> {
    /// A layer over `below`.
    pub(crate) fn new(below: Arc<dyn Fs>, hook: H) -> Self {
        Self { below, hook }
    }

    /// The hook.
    pub(crate) fn hook(&self) -> &H {
        &self.hook
    }
}

impl<H: FsHook> Fs for FsLayer<H> {
    fn open(&self, path: &Path, mode: OpenMode, permissions: u32) -> io::Result<Box<dyn FsFile>> {
        self.hook.open(self.below.as_ref(), path, mode, permissions)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.below.stat(path)
    }

    fn list_dir(&self, directory: &Path, show: &mut dyn FnMut(&OsStr)) -> io::Result<()> {
        self.below.list_dir(directory, show)
    }

    fn create_dir(&self, directory: &Path) -> io::Result<()> {
        self.below.create_dir(directory)
    }

    fn rename(&self, source: &Path, target: &Path) -> io::Result<()> {
        self.below.rename(source, target)?;
        self.hook.renamed(source);
        self.hook.renamed(target);
        Ok(())
    }

    fn rename_no_replace(&self, source: &Path, target: &Path) -> io::Result<()> {
        self.below.rename_no_replace(source, target)?;
        self.hook.renamed(source);
        Ok(())
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.below.remove_file(path)?;
        self.hook.renamed(path);
        Ok(())
    }

    fn sync_dir(&self, directory: &Path) -> io::Result<()> {
        self.below.sync_dir(directory)
    }

    fn try_lock(&self, path: &Path, permissions: u32) -> io::Result<Box<dyn FsLock>> {
        self.below.try_lock(path, permissions)
    }

    fn boot_id(&self) -> Option<BootId> {
        self.below.boot_id()
    }
}
