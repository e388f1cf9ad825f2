//! Damage that a trace does to a file between a close and an open.

use crashline::fs::{Fs, OpenMode, write_all_at};
use std::io;
use std::path::Path;

/// Sizes and places beyond this are refused: no recorded file comes near it.
pub(super) const DAMAGE_BYTES_MAX: u64 = 1 << 20;

/// How a file is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The file is removed.
    Remove,
    /// The file is cut (or grown with zeros) to this size in bytes.
    Truncate(u64),
    /// The byte `at` this offset becomes `value`.
    Byte {
        /// Where.
        at: u64,
        /// What is written there.
        value: u8,
    },
    /// This many zero bytes are appended.
    AppendZeros(u64),
}

/// One damaged file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDamage {
    /// Its name, without a directory.
    pub file: String,
    /// What is done to it.
    pub how: How,
}

impl FileDamage {
    /// Does the damage to the file of that name in `directory`.
    ///
    /// # Errors
    /// `NotFound` where there is no such file; else the filesystem's.
    pub fn apply(&self, fs: &dyn Fs, directory: &Path) -> io::Result<()> {
        let path = directory.join(&self.file);
        if self.how == How::Remove {
            return fs.remove_file(&path);
        }
        let file = fs.open(&path, OpenMode::Write, 0)?;
        match self.how {
            How::Remove => Ok(()),
            How::Truncate(size) => file.set_size(size),
            How::Byte { at, value } => write_all_at(file.as_ref(), at, &[value]),
            How::AppendZeros(count) => file.set_size(file.size()? + count),
        }
    }
}
