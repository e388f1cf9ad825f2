//! Handles of a [`SimFs`]: open files and locks. They follow the inode and die with the process.

use super::api::{DEVICE, SimFs};
use super::effect::{AfterSyncError, SyncOutcome};
use super::errno::error;
use super::state::{Core, Sketch};
use crashline::fs::{FileIdentity, FsFile, FsLock, SyncKind};
use rustix::io::Errno;
use std::io;

/// An open regular file of a [`SimFs`].
#[derive(Debug)]
pub struct SimFile {
    fs: SimFs,
    inode: u32,
    epoch: u32,
    is_writable: bool,
}

impl SimFile {
    pub(crate) fn new(fs: SimFs, inode: u32, epoch: u32, is_writable: bool) -> Self {
        Self {
            fs,
            inode,
            epoch,
            is_writable,
        }
    }

    /// Which file it is, as `Fs::stat` says.
    #[must_use]
    pub fn identity(&self) -> FileIdentity {
        FileIdentity {
            device: DEVICE,
            inode: u64::from(self.inode),
        }
    }

    /// Lets a sync of this file fail with this error number, leaving the cache as `after` says.
    ///
    /// # Errors
    /// Always: the one asked for, or what every call would say.
    pub fn fail_sync(&self, after: AfterSyncError, errno: i32) -> io::Result<()> {
        self.call(self.sketch("sync"), |core| {
            core.fail_sync(self.inode, after);
            Err(io::Error::from_raw_os_error(errno))
        })
    }

    fn sketch(&self, name: &'static str) -> Sketch<'static> {
        Sketch {
            name,
            inode: Some(self.inode),
            ..Sketch::default()
        }
    }

    fn require_alive(&self, core: &Core) -> io::Result<()> {
        if core.epoch == self.epoch {
            Ok(())
        } else {
            Err(error(Errno::STALE))
        }
    }

    fn call<T>(
        &self,
        sketch: Sketch<'_>,
        call: impl FnOnce(&mut Core) -> io::Result<T>,
    ) -> io::Result<T> {
        self.fs.call(&sketch, |core| {
            self.require_alive(core)?;
            call(core)
        })
    }

    fn require_writable(&self, otherwise: Errno) -> io::Result<()> {
        if self.is_writable {
            Ok(())
        } else {
            Err(error(otherwise))
        }
    }
}

impl FsFile for SimFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut sketch = self.sketch("read_at");
        sketch.offset = Some(offset);
        sketch.size = Some(buffer.len() as u64);
        self.fs.transfer(
            &sketch,
            |core| {
                self.require_alive(core)?;
                core.read(self.inode, offset, buffer)
            },
            |count| *count as u64,
        )
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        let mut sketch = self.sketch("write_at");
        sketch.offset = Some(offset);
        sketch.size = Some(bytes.len() as u64);
        self.fs.transfer(
            &sketch,
            |core| {
                self.require_alive(core)?;
                self.require_writable(Errno::BADF)?;
                core.write(self.inode, offset, bytes)
            },
            |count| *count as u64,
        )
    }

    fn size(&self) -> io::Result<u64> {
        self.call(self.sketch("size"), |core| Ok(core.size(self.inode)))
    }

    fn set_size(&self, size: u64) -> io::Result<()> {
        let mut sketch = self.sketch("set_size");
        sketch.offset = Some(size);
        self.call(sketch, |core| {
            self.require_writable(Errno::INVAL)?;
            core.require_writable()?;
            core.set_size(self.inode, size)
        })
    }

    fn sync(&self, kind: SyncKind) -> io::Result<()> {
        let name = match kind {
            SyncKind::Data => "sync_data",
            SyncKind::All => "sync",
        };
        self.call(self.sketch(name), |core| {
            core.sync(self.inode, SyncOutcome::Done);
            Ok(())
        })
    }
}

impl Drop for SimFile {
    fn drop(&mut self) {
        let mut core = self.fs.lock();
        if core.epoch == self.epoch {
            core.drop_handle(self.inode);
        }
    }
}

/// A held lock of a [`SimFs`].
#[derive(Debug)]
pub(crate) struct SimLock {
    fs: SimFs,
    token: u64,
    epoch: u32,
}

impl SimLock {
    pub(crate) fn new(fs: SimFs, token: u64, epoch: u32) -> Self {
        Self { fs, token, epoch }
    }
}

impl FsLock for SimLock {}

impl Drop for SimLock {
    fn drop(&mut self) {
        let mut core = self.fs.lock();
        if core.epoch == self.epoch {
            core.locks.retain(|(_, token)| *token != self.token);
        }
    }
}
