//! A filesystem whose writes and syncs take time: others may run before each of them.

use crashline::fs::{BootId, Fs, FsFile, FsLock, OpenMode, Stat, SyncKind};
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Another filesystem, with choices of the scheduler before its writes and syncs once it is slow.
#[derive(Debug, Clone)]
pub(super) struct SlowFs {
    fs: Arc<dyn Fs>,
    is_slow: Arc<AtomicBool>,
}

#[derive(Debug)]
struct SlowFile {
    file: Box<dyn FsFile>,
    is_slow: Arc<AtomicBool>,
}

impl SlowFs {
    /// As fast as `fs`, until it is made slow.
    pub(super) fn over(fs: Arc<dyn Fs>) -> Self {
        Self {
            fs,
            is_slow: Arc::default(),
        }
    }

    /// From now on, or no more. Only coroutines may use it while it is slow.
    pub(super) fn set_slow(&self, is_slow: bool) {
        self.is_slow.store(is_slow, Ordering::Relaxed);
    }
}

fn let_others_run(is_slow: &AtomicBool) {
    if is_slow.load(Ordering::Relaxed) {
        shuttle::thread::yield_now();
    }
}

impl Fs for SlowFs {
    fn open(&self, path: &Path, mode: OpenMode, permissions: u32) -> io::Result<Box<dyn FsFile>> {
        let file = self.fs.open(path, mode, permissions)?;
        let is_slow = Arc::clone(&self.is_slow);
        Ok(Box::new(SlowFile { file, is_slow }))
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.fs.stat(path)
    }

    fn list_dir(&self, directory: &Path, show: &mut dyn FnMut(&OsStr)) -> io::Result<()> {
        self.fs.list_dir(directory, show)
    }

    fn create_dir(&self, directory: &Path) -> io::Result<()> {
        self.fs.create_dir(directory)
    }

    fn rename(&self, source: &Path, target: &Path) -> io::Result<()> {
        self.fs.rename(source, target)
    }

    fn rename_no_replace(&self, source: &Path, target: &Path) -> io::Result<()> {
        self.fs.rename_no_replace(source, target)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.fs.remove_file(path)
    }

    fn sync_dir(&self, directory: &Path) -> io::Result<()> {
        let_others_run(&self.is_slow);
        self.fs.sync_dir(directory)
    }

    fn try_lock(&self, path: &Path, permissions: u32) -> io::Result<Box<dyn FsLock>> {
        self.fs.try_lock(path, permissions)
    }

    fn boot_id(&self) -> Option<BootId> {
        self.fs.boot_id()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a wrapper hands on the short transfers that it is given"
)]
impl FsFile for SlowFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read_at(offset, buffer)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        let_others_run(&self.is_slow);
        self.file.write_at(offset, bytes)
    }

    fn size(&self) -> io::Result<u64> {
        self.file.size()
    }

    fn set_size(&self, size: u64) -> io::Result<()> {
        self.file.set_size(size)
    }

    fn sync(&self, kind: SyncKind) -> io::Result<()> {
        let_others_run(&self.is_slow);
        self.file.sync(kind)
    }
}
