//! [`FaultFile`]: a handle whose transfers and syncs fail by plan.
#![expect(
    clippy::disallowed_methods,
    reason = "a wrapper hands on the short transfers that it is given"
)]

use super::fault_fs::{Shared, raw};
use super::plan::{CallName, FaultKind, SyncFailure};
use super::state::Ask;
use crate::simfs::{AfterSyncError, SimFile};
use crashline::fs::{FileIdentity, FsFile, SyncKind};
use rustix::io::Errno;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file underneath.
#[derive(Debug)]
pub(crate) enum Inner {
    Sim(SimFile),
    Any(Box<dyn FsFile>),
}

impl Inner {
    fn get(&self) -> &dyn FsFile {
        match self {
            Self::Sim(file) => file,
            Self::Any(file) => file.as_ref(),
        }
    }
}

#[derive(Debug)]
pub(crate) struct FaultFile {
    pub(super) shared: Arc<Shared>,
    inner: Inner,
    pub(super) path: PathBuf,
    pub(super) identity: FileIdentity,
}

impl FaultFile {
    pub(crate) fn new(
        shared: Arc<Shared>,
        inner: Inner,
        path: &Path,
        identity: FileIdentity,
    ) -> Self {
        Self {
            shared,
            inner,
            path: path.to_path_buf(),
            identity,
        }
    }

    fn decide(&self, call: CallName, is_change: bool) -> Option<FaultKind> {
        self.shared.decide(&Ask {
            call,
            path: &self.path,
            target: None,
            is_change,
        })
    }

    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        let bytes = self.fitting(offset, bytes)?;
        self.rewrite(offset, bytes.len())?;
        let result = self.inner.get().write_at(offset, bytes);
        self.shared.note_full(&self.path, result)
    }

    /// The bytes that bounded space lets through where the filesystem does not bound it itself.
    fn fitting<'a>(&self, offset: u64, bytes: &'a [u8]) -> io::Result<&'a [u8]> {
        if self.shared.sim.is_some() {
            return Ok(bytes);
        }
        let Some(space) = self.shared.state().space() else {
            return Ok(bytes);
        };
        let size = self.inner.get().size()?;
        let end = offset + bytes.len() as u64;
        let mut state = self.shared.state();
        let left = space
            .bytes
            .saturating_add(state.freed)
            .saturating_sub(state.grown);
        let growth = end.saturating_sub(size);
        if growth <= left {
            state.grown += growth;
            return Ok(bytes);
        }
        let fits = (size + left).saturating_sub(offset);
        if fits == 0 {
            state.note(
                if space.is_quota {
                    "full-quota"
                } else {
                    "full-disk"
                },
                &self.path,
            );
            return Err(raw(if space.is_quota {
                Errno::DQUOT
            } else {
                Errno::NOSPC
            }));
        }
        state.grown += left;
        let fits = usize::try_from(fits).unwrap_or(bytes.len());
        Ok(bytes.get(..fits).unwrap_or(bytes))
    }

    fn fail_sync(&self, errno: Errno, after: AfterSyncError) -> io::Result<()> {
        match &self.inner {
            Inner::Sim(file) => file.fail_sync(after, errno.raw_os_error()),
            Inner::Any(_) => Err(raw(errno)),
        }
    }
}

impl FsFile for FaultFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut most = buffer.len();
        let mut wants_flip = false;
        match self.decide(CallName::ReadAt, false) {
            Some(FaultKind::Error { errno, .. }) => return Err(raw(errno)),
            Some(FaultKind::Short { bytes }) => {
                most = most.min(usize::try_from(bytes).unwrap_or(most));
            }
            Some(FaultKind::BadSectors { first, last }) => self.add_bad_sectors(first, last),
            Some(FaultKind::BitFlip) => wants_flip = true,
            _ => {}
        }
        let most = self.readable(offset, most)?;
        let part = buffer.get_mut(..most).unwrap_or_default();
        let count = self.inner.get().read_at(offset, part)?;
        if wants_flip {
            self.add_flip(offset, count);
        }
        self.flip(offset, part.get_mut(..count).unwrap_or_default());
        Ok(count)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        let part = |count: u64| {
            usize::try_from(count)
                .ok()
                .and_then(|count| bytes.get(..count))
                .unwrap_or(bytes)
        };
        match self.decide(CallName::WriteAt, true) {
            Some(FaultKind::Error { errno, after: 0 }) => Err(raw(errno)),
            Some(FaultKind::Error { after, .. }) => self.write(offset, part(after)),
            Some(FaultKind::Short { bytes }) => self.write(offset, part(bytes)),
            Some(FaultKind::Misdirected { bytes: by }) => {
                let end = bytes.len() as u64;
                let mut state = self.shared.state();
                state.note_damage(&self.path, offset, offset + end);
                state.note_damage(&self.path, offset + by, offset + by + end);
                drop(state);
                self.write(offset + by, bytes)
            }
            _ => self.write(offset, bytes),
        }
    }

    fn size(&self) -> io::Result<u64> {
        match self.decide(CallName::Size, false) {
            Some(FaultKind::Error { errno, .. }) => Err(raw(errno)),
            _ => self.inner.get().size(),
        }
    }

    fn set_size(&self, size: u64) -> io::Result<()> {
        match self.decide(CallName::SetSize, true) {
            Some(FaultKind::Error { errno, .. }) => Err(raw(errno)),
            _ => {
                let result = self.inner.get().set_size(size);
                self.shared.note_full(&self.path, result)
            }
        }
    }

    fn sync(&self, kind: SyncKind) -> io::Result<()> {
        let decided = self.decide(CallName::Sync, false);
        let late = {
            let mut state = self.shared.state();
            let late = state
                .late_errors
                .iter()
                .position(|(file, _)| *file == self.identity);
            if late.is_some() {
                // Only now the failure is seen: it is the cause of what follows.
                state.note("sync-clean", &self.path);
            }
            late.map(|at| state.late_errors.swap_remove(at).1)
        };
        if let Some(errno) = late {
            return self.fail_sync(errno, AfterSyncError::Clean);
        }
        match decided {
            Some(FaultKind::SyncFailure { errno, after }) => match after {
                SyncFailure::Clean => self.fail_sync(errno, AfterSyncError::Clean),
                SyncFailure::Reverted => self.fail_sync(errno, AfterSyncError::Reverted),
                SyncFailure::Next => {
                    self.inner.get().sync(kind)?;
                    self.shared.state().late_errors.push((self.identity, errno));
                    Ok(())
                }
            },
            Some(FaultKind::Error {
                errno: Errno::INTR, ..
            }) => Err(raw(Errno::INTR)),
            Some(FaultKind::Error { errno, .. }) => self.fail_sync(errno, AfterSyncError::Clean),
            _ => self.inner.get().sync(kind),
        }
    }
}
