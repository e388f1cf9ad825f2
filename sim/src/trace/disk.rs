//! The disk that a trace is played on.

use super::damage::FileDamage;
use crate::simfs::SimFs;
use crashline::fs::{Fs, list_names, read_file};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// All files of a directory by name.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// A simulated disk with an empty directory in it.
#[derive(Debug, Clone)]
pub(super) struct Disk {
    pub(super) fs: Arc<dyn Fs>,
    pub(super) directory: PathBuf,
}

impl Disk {
    /// A new disk.
    ///
    /// # Errors
    /// None that a simulated disk without faults has.
    pub(super) fn new() -> io::Result<Self> {
        let directory = Path::new("/data");
        let fs = SimFs::new();
        fs.create_dir(directory)?;
        Ok(Self {
            fs: Arc::new(fs),
            directory: directory.to_owned(),
        })
    }

    /// What the directory holds.
    pub(super) fn files(&self) -> io::Result<Files> {
        self.files_in(&self.directory)
    }

    /// What another directory holds.
    pub(super) fn files_in(&self, directory: &Path) -> io::Result<Files> {
        let mut files = Files::new();
        for name in list_names(self.fs.as_ref(), directory)? {
            let bytes = read_file(self.fs.as_ref(), &directory.join(&name), usize::MAX)?;
            files.insert(name.to_string_lossy().into_owned(), bytes);
        }
        Ok(files)
    }

    pub(super) fn damage(&self, damage: &FileDamage) -> io::Result<()> {
        damage.apply(self.fs.as_ref(), &self.directory)
    }
}
