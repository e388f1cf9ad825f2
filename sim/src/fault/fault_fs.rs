//! [`FaultFs`]: a filesystem whose calls fail by plan.

use super::fault_file::{FaultFile, Inner};
use super::plan::{CallName, FaultKind, FaultPlan, Space};
use super::state::{Ask, DamagedRange, Fired, State};
use crate::simfs::SimFs;
use crashline::fs::{BootId, Fs, FsFile, FsLock, OpenMode, Stat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A filesystem whose calls fail by plan. Clones are the same filesystem.
#[derive(Debug, Clone)]
pub struct FaultFs {
    shared: Arc<Shared>,
}

#[derive(Debug)]
pub(crate) struct Shared {
    fs: Arc<dyn Fs>,
    pub(crate) sim: Option<SimFs>,
    state: Mutex<State>,
    space: Mutex<Option<Space>>,
}

impl FaultFs {
    /// Over any filesystem. A failed sync leaves the bytes to the filesystem's own mercy, and
    /// bounded space counts what files grow by, less what is replaced or removed.
    #[must_use]
    pub fn over(fs: Arc<dyn Fs>, plan: FaultPlan) -> Self {
        Self::new(fs, None, plan)
    }

    /// Over a simulated disk, where a failed sync has its named after-effect.
    #[must_use]
    pub fn over_sim(sim: SimFs, plan: FaultPlan) -> Self {
        Self::new(Arc::new(sim.clone()), Some(sim), plan)
    }

    fn new(fs: Arc<dyn Fs>, sim: Option<SimFs>, plan: FaultPlan) -> Self {
        Self {
            shared: Arc::new(Shared {
                fs,
                sim,
                state: Mutex::new(State::new(plan)),
                space: Mutex::new(None),
            }),
        }
    }

    /// Follows this plan from now on, and counts calls anew; what an earlier plan did is forgotten.
    pub fn start(&self, plan: FaultPlan) {
        *self.shared.state() = State::new(plan);
    }

    /// Ends all faults: space is back, sticky ones are gone, and none will come.
    pub fn heal(&self) {
        self.shared.state().heal();
        self.shared.bound_space(None);
    }

    /// The faults that took place, in order.
    #[must_use]
    pub fn fired(&self) -> Vec<Fired> {
        self.shared.state().fired.clone()
    }

    /// How many faults took place.
    #[must_use]
    pub fn fired_count(&self) -> usize {
        self.shared.state().fired.len()
    }

    /// The bytes that sticky faults and misdirected writes touched, in order.
    #[must_use]
    pub fn damaged(&self) -> Vec<DamagedRange> {
        self.shared.state().damaged.clone()
    }

    /// How many calls there were.
    #[must_use]
    pub fn call_count(&self) -> u64 {
        self.shared.state().calls
    }
}

impl Shared {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call and gives its fault.
    pub(crate) fn decide(&self, ask: &Ask<'_>) -> Option<FaultKind> {
        let (decided, space) = {
            let mut state = self.state();
            state.calls += 1;
            (state.decide(ask), state.space())
        };
        self.bound_space(space);
        decided
    }

    fn bound_space(&self, space: Option<Space>) {
        let mut bound = self.space.lock().unwrap_or_else(PoisonError::into_inner);
        if *bound == space {
            return;
        }
        *bound = space;
        {
            let mut state = self.state();
            (state.grown, state.freed) = (0, 0);
        }
        if let Some(sim) = &self.sim {
            match space {
                Some(space) => {
                    sim.set_free_space(space.bytes);
                    sim.set_quota_errors(space.is_quota);
                }
                None => sim.set_capacity(None),
            }
        }
    }

    /// A call after which the file that is at `path` now is gone, and its space is back.
    fn freeing(
        &self,
        ask: &Ask<'_>,
        path: &Path,
        call: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        let held = match self.sim {
            Some(_) => 0,
            None => self.fs.stat(path).map_or(0, |stat| stat.size),
        };
        self.call(ask, call)?;
        self.state().freed += held;
        Ok(())
    }

    /// Notes an error that a full disk gave.
    pub(crate) fn note_full<T>(&self, path: &Path, result: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &result
            && let Some(errno) = error.raw_os_error()
        {
            let kind = if errno == Errno::NOSPC.raw_os_error() {
                "full-disk"
            } else if errno == Errno::DQUOT.raw_os_error() {
                "full-quota"
            } else {
                return result;
            };
            self.state().note(kind, path);
        }
        result
    }

    fn call<T>(&self, ask: &Ask<'_>, call: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        match self.decide(ask) {
            Some(FaultKind::Error { errno, .. } | FaultKind::SyncFailure { errno, .. }) => {
                Err(raw(errno))
            }
            _ => self.note_full(ask.path, call()),
        }
    }
}

pub(crate) fn raw(errno: Errno) -> io::Error {
    io::Error::from_raw_os_error(errno.raw_os_error())
}

fn ask(call: CallName, path: &Path, is_change: bool) -> Ask<'_> {
    Ask {
        call,
        path,
        target: None,
        is_change,
    }
}

impl Fs for FaultFs {
    fn open(&self, path: &Path, mode: OpenMode, permissions: u32) -> io::Result<Box<dyn FsFile>> {
        let shared = &self.shared;
        shared.call(&ask(CallName::Open, path, mode != OpenMode::Read), || {
            let (inner, identity) = if let Some(sim) = &shared.sim {
                let file = sim.open_file(path, mode)?;
                let identity = file.identity();
                (Inner::Sim(file), identity)
            } else {
                let file = shared.fs.open(path, mode, permissions)?;
                (Inner::Any(file), shared.fs.stat(path)?.identity)
            };
            let file = FaultFile::new(Arc::clone(shared), inner, path, identity);
            Ok(Box::new(file) as Box<dyn FsFile>)
        })
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.shared.call(&ask(CallName::Stat, path, false), || {
            self.shared.fs.stat(path)
        })
    }

    fn list_dir(&self, directory: &Path, show: &mut dyn FnMut(&OsStr)) -> io::Result<()> {
        self.shared
            .call(&ask(CallName::ListDir, directory, false), || {
                self.shared.fs.list_dir(directory, show)
            })
    }

    fn create_dir(&self, directory: &Path) -> io::Result<()> {
        self.shared
            .call(&ask(CallName::CreateDir, directory, true), || {
                self.shared.fs.create_dir(directory)
            })
    }

    fn rename(&self, source: &Path, target: &Path) -> io::Result<()> {
        let mut ask = ask(CallName::Rename, source, true);
        ask.target = Some(target);
        self.shared
            .freeing(&ask, target, || self.shared.fs.rename(source, target))
    }

    fn rename_no_replace(&self, source: &Path, target: &Path) -> io::Result<()> {
        let mut ask = ask(CallName::RenameNoReplace, source, true);
        ask.target = Some(target);
        self.shared
            .call(&ask, || self.shared.fs.rename_no_replace(source, target))
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        let ask = ask(CallName::RemoveFile, path, true);
        self.shared
            .freeing(&ask, path, || self.shared.fs.remove_file(path))
    }

    fn sync_dir(&self, directory: &Path) -> io::Result<()> {
        self.shared
            .call(&ask(CallName::SyncDir, directory, false), || {
                self.shared.fs.sync_dir(directory)
            })
    }

    fn try_lock(&self, path: &Path, permissions: u32) -> io::Result<Box<dyn FsLock>> {
        self.shared.call(&ask(CallName::TryLock, path, true), || {
            self.shared.fs.try_lock(path, permissions)
        })
    }

    fn boot_id(&self) -> Option<BootId> {
        let is_unknown = {
            let mut state = self.shared.state();
            let is_unknown = state.plan.is_boot_unknown && !state.is_healed;
            if is_unknown {
                state.note("boot-unknown", Path::new(""));
            }
            is_unknown
        };
        if is_unknown {
            None
        } else {
            self.shared.fs.boot_id()
        }
    }
}
