//! A filesystem that says which boot is running, whatever the machine says: vectors name one.

use crashline::fs::{BootId, Fs, FsFile, FsLock, OpenMode, Stat};
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Another filesystem in a given boot.
#[derive(Debug)]
pub struct WithBoot {
    /// Does everything else.
    pub inner: Arc<dyn Fs>,
    /// The boot; `None` where it cannot be known.
    pub boot: Option<BootId>,
}

impl Fs for WithBoot {
    fn open(&self, path: &Path, mode: OpenMode, permissions: u32) -> io::Result<Box<dyn FsFile>> {
        self.inner.open(path, mode, permissions)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.inner.stat(path)
    }

    fn list_dir(&self, directory: &Path, show: &mut dyn FnMut(&OsStr)) -> io::Result<()> {
        self.inner.list_dir(directory, show)
    }

    fn create_dir(&self, directory: &Path) -> io::Result<()> {
        self.inner.create_dir(directory)
    }

    fn rename(&self, source: &Path, target: &Path) -> io::Result<()> {
        self.inner.rename(source, target)
    }

    fn rename_no_replace(&self, source: &Path, target: &Path) -> io::Result<()> {
        self.inner.rename_no_replace(source, target)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.inner.remove_file(path)
    }

    fn sync_dir(&self, directory: &Path) -> io::Result<()> {
        self.inner.sync_dir(directory)
    }

    fn try_lock(&self, path: &Path, permissions: u32) -> io::Result<Box<dyn FsLock>> {
        self.inner.try_lock(path, permissions)
    }

    fn boot_id(&self) -> Option<BootId> {
        self.boot
    }
}

/// The boot of 32 hex digits, or `None` for dashes.
pub(super) fn parse_boot(text: &str) -> Result<Option<BootId>, String> {
    if text == "-".repeat(32) {
        return Ok(None);
    }
    let wrong = || format!("`{text}` names no boot");
    let (digits, rest) = text.as_bytes().as_chunks::<2>();
    if digits.len() != 16 || !rest.is_empty() {
        return Err(wrong());
    }
    let mut id = [0; 16];
    for (byte, digits) in id.iter_mut().zip(digits) {
        let digits = std::str::from_utf8(digits).map_err(|_| wrong())?;
        *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong())?;
    }
    Ok(Some(BootId(id)))
}

/// The text of a boot.
pub(super) fn boot_text(boot: Option<BootId>) -> String {
    match boot {
        None => "-".repeat(32),
        Some(BootId(id)) => id.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}
