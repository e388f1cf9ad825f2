//! The disk that a trace is played on.

use crate::simfs::SimFs;
use crashline::fs::Fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
}
