//! Directory syncs that an original never makes.
//!
//! Where names are durable only after a directory sync, this one omission hides everything else.
//! [`WithDirSync`] makes names durable as soon as they change, so that the rest can be seen.

use crate::subject::{
    LogObjects, LogRequest, LogSubject, OffsetObject, OffsetRequest, OffsetSubject, OpenRequest,
    Opened, Subject,
};
use crashline::fs::{BootId, Fs, FsFile, FsLock, OpenMode, Stat};
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A filesystem that syncs the directory after every call that created, renamed or removed a name.
/// A failed sync is the failure of that call.
#[derive(Debug, Clone)]
pub struct WithDirSync {
    inner: Arc<dyn Fs>,
}

impl WithDirSync {
    /// Passes all calls on to `inner`.
    #[must_use]
    pub fn over(inner: Arc<dyn Fs>) -> Self {
        Self { inner }
    }

    fn sync_parent(&self, path: &Path) -> io::Result<()> {
        path.parent()
            .map_or(Ok(()), |directory| self.inner.sync_dir(directory))
    }

    fn rename_with(&self, source: &Path, target: &Path, result: io::Result<()>) -> io::Result<()> {
        result?;
        self.sync_parent(target)?;
        if source.parent() == target.parent() {
            Ok(())
        } else {
            self.sync_parent(source)
        }
    }
}

impl Fs for WithDirSync {
    fn open(&self, path: &Path, mode: OpenMode, permissions: u32) -> io::Result<Box<dyn FsFile>> {
        let may_create = match mode {
            OpenMode::Read | OpenMode::Write => false,
            OpenMode::Create | OpenMode::CreateNew | OpenMode::Truncate => true,
        };
        let is_new = may_create && self.inner.stat(path).is_err();
        let file = self.inner.open(path, mode, permissions)?;
        if is_new {
            self.sync_parent(path)?;
        }
        Ok(file)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.inner.stat(path)
    }

    fn list_dir(&self, directory: &Path, show: &mut dyn FnMut(&OsStr)) -> io::Result<()> {
        self.inner.list_dir(directory, show)
    }

    fn create_dir(&self, directory: &Path) -> io::Result<()> {
        self.inner.create_dir(directory)?;
        self.sync_parent(directory)
    }

    fn rename(&self, source: &Path, target: &Path) -> io::Result<()> {
        self.rename_with(source, target, self.inner.rename(source, target))
    }

    fn rename_no_replace(&self, source: &Path, target: &Path) -> io::Result<()> {
        self.rename_with(source, target, self.inner.rename_no_replace(source, target))
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.inner.remove_file(path)?;
        self.sync_parent(path)
    }

    fn sync_dir(&self, directory: &Path) -> io::Result<()> {
        self.inner.sync_dir(directory)
    }

    fn try_lock(&self, path: &Path, permissions: u32) -> io::Result<Box<dyn FsLock>> {
        self.inner.try_lock(path, permissions)
    }

    fn boot_id(&self) -> Option<BootId> {
        self.inner.boot_id()
    }
}

/// A subject whose directory syncs are made for it.
#[derive(Debug, Clone, Copy)]
pub struct SuppliedWithDirSync(pub &'static dyn Subject);

impl Subject for SuppliedWithDirSync {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn open(&self, request: &OpenRequest<'_>) -> Opened {
        let fs: Arc<dyn Fs> = Arc::new(WithDirSync::over(Arc::clone(request.fs)));
        self.0.open(&OpenRequest {
            fs: &fs,
            ..*request
        })
    }
}

/// A log whose directory syncs are made for it.
#[derive(Debug, Clone, Copy)]
pub struct SuppliedLogWithDirSync(pub &'static dyn LogSubject);

impl LogSubject for SuppliedLogWithDirSync {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn start(&self, request: &LogRequest<'_>) -> Result<Box<dyn LogObjects>, String> {
        let fs: Arc<dyn Fs> = Arc::new(WithDirSync::over(Arc::clone(request.fs)));
        self.0.start(&LogRequest {
            fs: &fs,
            ..*request
        })
    }
}

/// An offset store whose directory syncs are made for it.
#[derive(Debug, Clone, Copy)]
pub struct SuppliedOffsetsWithDirSync(pub &'static dyn OffsetSubject);

impl OffsetSubject for SuppliedOffsetsWithDirSync {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn start(&self, request: &OffsetRequest<'_>) -> Result<Box<dyn OffsetObject>, String> {
        let fs: Arc<dyn Fs> = Arc::new(WithDirSync::over(Arc::clone(request.fs)));
        self.0.start(&OffsetRequest {
            fs: &fs,
            ..*request
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::{FaultFs, FaultPlan};
    use crate::simfs::SimFs;

    /// The syncs are seen by making the next one fail.
    fn syncs(call: impl Fn(&dyn Fs)) -> bool {
        let sim = SimFs::new();
        for name in ["/d", "/e"] {
            sim.create_dir(Path::new(name)).unwrap();
        }
        let open = |name| sim.open(Path::new(name), OpenMode::Create, 0o600).unwrap();
        drop((open("/d/old"), open("/d/other")));
        let plan = FaultPlan::parse(&["1- sync_dir on *: EIO".to_owned()]).unwrap();
        let faulty = FaultFs::over_sim(sim, plan);
        let fired = faulty.clone();
        call(&WithDirSync::over(Arc::new(faulty)));
        !fired.fired().is_empty()
    }

    #[test]
    fn every_change_of_a_name_is_made_durable() {
        let path = Path::new;
        assert!(syncs(|fs| drop(fs.open(
            path("/d/new"),
            OpenMode::Create,
            0o600
        ))));
        assert!(syncs(|fs| drop(fs.rename(path("/d/old"), path("/d/b")))));
        assert!(syncs(|fs| drop(fs.rename(path("/d/old"), path("/e/b")))));
        assert!(syncs(|fs| drop(fs.remove_file(path("/d/old")))));
        assert!(syncs(|fs| drop(fs.create_dir(path("/d/sub")))));
    }

    #[test]
    fn what_changes_no_name_costs_nothing() {
        let path = Path::new;
        assert!(!syncs(|fs| drop(fs.open(
            path("/d/old"),
            OpenMode::Create,
            0o600
        ))));
        assert!(!syncs(|fs| drop(fs.open(
            path("/d/old"),
            OpenMode::Read,
            0
        ))));
        assert!(!syncs(|fs| drop(fs.remove_file(path("/d/none")))));
    }
}
