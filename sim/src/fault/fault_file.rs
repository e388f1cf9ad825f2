//! [`FaultFile`]: a handle whose transfers and syncs fail by plan.
#![expect(
    clippy::disallowed_methods,
    reason = "a wrapper hands on the short transfers that it is given"
)]

use super::fault_fs::{Shared, raw};
use super::plan::{CallName, FaultKind, SyncFailure};
use super::state::{Ask, Flip};
use crate::simfs::{AfterSyncError, SECTOR_BYTES, SimFile};
use crashline::fs::{FileIdentity, FsFile, SyncKind};
use rustix::io::Errno;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const SECTOR: u64 = SECTOR_BYTES as u64;

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
    shared: Arc<Shared>,
    inner: Inner,
    path: PathBuf,
    identity: FileIdentity,
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

    /// How many bytes before the first bad sector can be read.
    fn readable(&self, offset: u64, size: usize) -> io::Result<usize> {
        let end = offset + size as u64;
        let first_bad = {
            let mut state = self.shared.state();
            let bad = state
                .bad_sectors
                .iter()
                .filter(|(file, sector)| {
                    *file == self.identity
                        && sector * SECTOR < end
                        && (sector + 1) * SECTOR > offset
                })
                .map(|(_, sector)| sector * SECTOR)
                .min();
            if bad.is_some() {
                state.note("bad-sectors", &self.path);
            }
            bad
        };
        match first_bad {
            None => Ok(size),
            Some(bad) if bad <= offset => Err(raw(Errno::IO)),
            Some(bad) => Ok(usize::try_from(bad - offset).unwrap_or(size)),
        }
    }

    /// Puts the wrong bits into what was read at `offset`.
    fn flip(&self, offset: u64, bytes: &mut [u8]) {
        let state = self.shared.state();
        for flip in &state.flips {
            if flip.file == self.identity
                && let Some(at) = flip.offset.checked_sub(offset)
                && let Some(byte) = usize::try_from(at).ok().and_then(|at| bytes.get_mut(at))
            {
                *byte ^= flip.mask;
            }
        }
    }

    /// Chooses a bit of what is read to be wrong from now on.
    fn add_flip(&self, offset: u64, count: usize) {
        if count == 0 {
            return;
        }
        let mut state = self.shared.state();
        let sector = offset / SECTOR;
        let draw = scramble(state.plan.seed ^ scramble(self.identity.inode) ^ sector);
        let at = offset + draw % count as u64;
        state.flips.push(Flip {
            file: self.identity,
            offset: at,
            mask: 1 << (draw >> 61),
        });
        state.note_damage(&self.path, at, at + 1);
    }

    /// A write makes the sectors good that it covers; one that covers a bad sector in part would
    /// have to read it.
    fn rewrite(&self, offset: u64, count: usize) -> io::Result<()> {
        let end = offset + count as u64;
        let identity = self.identity;
        let mut state = self.shared.state();
        if state.bad_sectors.is_empty() && state.flips.is_empty() {
            return Ok(());
        }
        let overlaps = |sector: u64| sector * SECTOR < end && (sector + 1) * SECTOR > offset;
        let covers = |sector: u64| sector * SECTOR >= offset && (sector + 1) * SECTOR <= end;
        if state
            .bad_sectors
            .iter()
            .any(|(file, sector)| *file == identity && overlaps(*sector) && !covers(*sector))
        {
            state.note("bad-sectors", &self.path);
            return Err(raw(Errno::IO));
        }
        state
            .bad_sectors
            .retain(|(file, sector)| *file != identity || !covers(*sector));
        state
            .flips
            .retain(|flip| flip.file != identity || !overlaps(flip.offset / SECTOR));
        Ok(())
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
        let left = space.bytes.saturating_sub(state.grown);
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
            Some(FaultKind::BadSectors { first, last }) => {
                let mut state = self.shared.state();
                for sector in first..=last {
                    state.bad_sectors.push((self.identity, sector));
                }
                state.note_damage(&self.path, first * SECTOR, (last + 1) * SECTOR);
            }
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

/// Spreads every bit over all.
fn scramble(word: u64) -> u64 {
    let mut mixed = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
