//! [`SimFs`]: the trait over the recorded state. Thin: locks, counts the call, and hands it on.

use super::calls::Call;
use super::effect::SyncOutcome;
use super::errno::error;
use super::file::{SimFile, SimLock};
use super::layer::{Layer, NodeKind};
use super::recording::Uneven;
use super::state::{Core, Sketch, Start};
use crashline::fs::{BootId, FileIdentity, FileKind, Fs, FsFile, FsLock, OpenMode, Stat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The device number of every simulated disk.
pub(crate) const DEVICE: u64 = 0x5117;

/// A simulated disk and the process that uses it. Clones are the same disk.
#[derive(Debug, Clone)]
pub struct SimFs {
    shared: Arc<Mutex<Core>>,
}

impl Default for SimFs {
    fn default() -> Self {
        Self::new()
    }
}

impl SimFs {
    /// A disk with an empty root directory `/`, recording from the start.
    #[must_use]
    pub fn new() -> Self {
        let base = Arc::new(Layer::with_root());
        Self::start(Start {
            visible: Arc::clone(&base),
            base,
            lower: Vec::new(),
            history: Vec::new(),
            uneven: Uneven::default(),
            next_inode: 2,
            boot: 1,
        })
    }

    pub(crate) fn start(start: Start) -> Self {
        Self {
            shared: Arc::new(Mutex::new(Core::new(start))),
        }
    }

    /// This disk, if nobody else holds it.
    pub(crate) fn idle(&mut self) -> Option<&mut Self> {
        Arc::get_mut(&mut self.shared).is_some().then_some(self)
    }

    /// Starts anew with the buffers of this disk.
    pub(crate) fn restart(&self, start: Start) {
        self.lock().reset(start);
    }

    /// Lets go of what it was mounted from, if nobody else holds this disk.
    pub(crate) fn release_if_idle(&mut self) {
        if let Some(shared) = Arc::get_mut(&mut self.shared) {
            shared
                .get_mut()
                .unwrap_or_else(PoisonError::into_inner)
                .let_go();
        }
    }

    /// A panic of the code under test is no damage here: every call leaves the state whole.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Core> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens as [`Fs::open`] does, with the type that can also fail syncs.
    ///
    /// # Errors
    /// As [`Fs::open`].
    pub fn open_file(&self, path: &Path, mode: OpenMode) -> io::Result<SimFile> {
        let (inode, epoch) = self.call(&sketch("open", path), |core| {
            let inode = core.open(path, mode)?;
            core.add_handle(inode);
            Ok((inode, core.epoch))
        })?;
        Ok(SimFile::new(
            self.clone(),
            inode,
            epoch,
            mode != OpenMode::Read,
        ))
    }

    pub(crate) fn call<T>(
        &self,
        sketch: &Sketch<'_>,
        call: impl FnOnce(&mut Core) -> io::Result<T>,
    ) -> io::Result<T> {
        self.transfer(sketch, call, |_| 0)
    }

    /// A call that says how many bytes it moved.
    pub(crate) fn transfer<T>(
        &self,
        sketch: &Sketch<'_>,
        call: impl FnOnce(&mut Core) -> io::Result<T>,
        moved: impl FnOnce(&T) -> u64,
    ) -> io::Result<T> {
        let mut core = self.lock();
        let effects = core.effects();
        let result = core.enter().and_then(|()| call(&mut core));
        if core.log_calls {
            let outcome = result.as_ref().map(moved).map_err(Call::failed);
            core.log_call(sketch, effects, outcome);
        }
        result
    }
}

fn sketch<'a>(name: &'static str, path: &'a Path) -> Sketch<'a> {
    Sketch {
        name,
        path: Some(path),
        ..Sketch::default()
    }
}

impl Fs for SimFs {
    fn open(&self, path: &Path, mode: OpenMode, _permissions: u32) -> io::Result<Box<dyn FsFile>> {
        Ok(Box::new(self.open_file(path, mode)?))
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.call(&sketch("stat", path), |core| {
            let inode = core.find(path)?;
            let kind = match core.kind(inode) {
                NodeKind::File => FileKind::Regular,
                NodeKind::Directory => FileKind::Directory,
                NodeKind::Special => FileKind::Other,
            };
            Ok(Stat {
                kind,
                size: core.size(inode),
                identity: FileIdentity {
                    device: DEVICE,
                    inode: u64::from(inode),
                },
            })
        })
    }

    fn list_dir(&self, directory: &Path, show: &mut dyn FnMut(&OsStr)) -> io::Result<()> {
        self.call(&sketch("list_dir", directory), |core| {
            let inode = core.find_directory(directory)?;
            let entries = core.top.entries(inode);
            entries
                .iter()
                .for_each(|(name, _)| show(OsStr::from_bytes(name)));
            Ok(())
        })
    }

    fn create_dir(&self, directory: &Path) -> io::Result<()> {
        self.call(&sketch("create_dir", directory), |core| {
            core.create_dir(directory)
        })
    }

    fn rename(&self, source: &Path, target: &Path) -> io::Result<()> {
        let mut sketch = sketch("rename", source);
        sketch.target = Some(target);
        self.call(&sketch, |core| core.rename(source, target, true))
    }

    fn rename_no_replace(&self, source: &Path, target: &Path) -> io::Result<()> {
        let mut sketch = sketch("rename_no_replace", source);
        sketch.target = Some(target);
        self.call(&sketch, |core| core.rename(source, target, false))
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.call(&sketch("remove_file", path), |core| core.remove_file(path))
    }

    fn sync_dir(&self, directory: &Path) -> io::Result<()> {
        self.call(&sketch("sync_dir", directory), |core| {
            let inode = core.find(directory)?;
            core.sync(inode, SyncOutcome::Done);
            Ok(())
        })
    }

    fn try_lock(&self, path: &Path, _permissions: u32) -> io::Result<Box<dyn FsLock>> {
        let (token, epoch) = self.call(&sketch("try_lock", path), |core| {
            let inode = core.open(path, OpenMode::Create)?;
            if core.locks.iter().any(|(locked, _)| *locked == inode) {
                return Err(error(Errno::WOULDBLOCK));
            }
            let token = core.next_token;
            core.next_token += 1;
            core.locks.push((inode, token));
            Ok((token, core.epoch))
        })?;
        Ok(Box::new(SimLock::new(self.clone(), token, epoch)))
    }

    fn boot_id(&self) -> Option<BootId> {
        let mut id = *b"simulated-boot\0\0";
        let boot = self.lock().boot;
        for (byte, part) in id.iter_mut().rev().zip(boot.to_le_bytes()) {
            *byte ^= part;
        }
        Some(BootId(id))
    }
}
