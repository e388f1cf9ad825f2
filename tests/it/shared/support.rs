//! Queues to share, and a filesystem that counts, waits or panics at fsyncs.

use crashline::diskqueue::{DiskQueue, Options};
use crashline::fs::{BootId, Fs, FsFile, FsLock, OpenMode, RealFs, Stat, SyncKind};
use crashline::shared::SharedQueue;
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Opens the queue of a directory for many threads.
pub(super) fn share(fs: Arc<dyn Fs>, directory: &Path, options: Options) -> SharedQueue {
    let opened = DiskQueue::open(fs, directory, OsStr::new("shared"), options);
    SharedQueue::new(opened.expect("the queue opens").queue)
}

/// The same on the real filesystem.
pub(super) fn share_real(directory: &Path, options: Options) -> SharedQueue {
    share(Arc::new(RealFs), directory, options)
}

/// What the fsyncs of segments do.
#[derive(Debug, Default)]
pub(super) struct Syncs {
    pub(super) count: AtomicU64,
    pub(super) pause: Duration,
    pub(super) panics: AtomicBool,
    pub(super) fails: AtomicBool,
}

/// The real filesystem with other fsyncs.
#[derive(Debug)]
pub(super) struct SyncFs(pub(super) Arc<Syncs>);

#[derive(Debug)]
struct SyncFile {
    file: Box<dyn FsFile>,
    syncs: Arc<Syncs>,
}

impl Fs for SyncFs {
    fn open(&self, path: &Path, mode: OpenMode, permissions: u32) -> io::Result<Box<dyn FsFile>> {
        let file = RealFs.open(path, mode, permissions)?;
        if path.extension() != Some(OsStr::new("dat")) {
            return Ok(file);
        }
        let syncs = Arc::clone(&self.0);
        Ok(Box::new(SyncFile { file, syncs }))
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        RealFs.stat(path)
    }

    fn list_dir(&self, directory: &Path, show: &mut dyn FnMut(&OsStr)) -> io::Result<()> {
        RealFs.list_dir(directory, show)
    }

    fn create_dir(&self, directory: &Path) -> io::Result<()> {
        RealFs.create_dir(directory)
    }

    fn rename(&self, source: &Path, target: &Path) -> io::Result<()> {
        RealFs.rename(source, target)
    }

    fn rename_no_replace(&self, source: &Path, target: &Path) -> io::Result<()> {
        RealFs.rename_no_replace(source, target)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        RealFs.remove_file(path)
    }

    fn sync_dir(&self, directory: &Path) -> io::Result<()> {
        RealFs.sync_dir(directory)
    }

    fn try_lock(&self, path: &Path, permissions: u32) -> io::Result<Box<dyn FsLock>> {
        RealFs.try_lock(path, permissions)
    }

    fn boot_id(&self) -> Option<BootId> {
        RealFs.boot_id()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a filesystem passes transfers on as they are"
)]
impl FsFile for SyncFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read_at(offset, buffer)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_at(offset, bytes)
    }

    fn size(&self) -> io::Result<u64> {
        self.file.size()
    }

    fn set_size(&self, size: u64) -> io::Result<()> {
        self.file.set_size(size)
    }

    fn sync(&self, kind: SyncKind) -> io::Result<()> {
        assert!(
            !self.syncs.panics.load(Ordering::Relaxed),
            "a defect, made up by a test"
        );
        self.syncs.count.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(self.syncs.pause);
        if self.syncs.fails.load(Ordering::Relaxed) {
            return Err(io::Error::other("made up by a test"));
        }
        self.file.sync(kind)
    }
}
