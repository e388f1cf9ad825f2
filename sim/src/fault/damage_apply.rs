//! Doing damage: to a simulated disk, as if it had always been so, or to plain bytes.

use super::damage::Damage;
use crate::simfs::{SimFs, TreeEntry};
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The bytes that damage touched; those of a removed or replaced file are all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// The file's name.
    pub name: Vec<u8>,
    /// The first byte that may differ.
    pub start: u64,
    /// Behind the last one, in what was there before or is there now.
    pub end: u64,
}

/// Why nothing was damaged.
#[derive(Debug, thiserror::Error)]
pub enum CannotDamage {
    /// There is no such file.
    #[error("there is no file of this name")]
    NoFile,
    /// The place is not in the file.
    #[error("the file has only {0} bytes")]
    OutOfRange(u64),
    /// Nothing would be other than before.
    #[error("the file would be as before")]
    NoChange,
    /// Plain bytes have no past.
    #[error("there is no earlier copy of it")]
    NoPast,
    /// The disk refused.
    #[error(transparent)]
    Disk(#[from] io::Error),
}

impl Damage {
    /// Damages a file in a directory of a simulated disk. Afterwards everything visible is durable
    /// and the disk's recording starts anew.
    ///
    /// # Errors
    /// If there is nothing to damage; then nothing has changed.
    pub fn apply(&self, fs: &SimFs, directory: &Path) -> Result<Touched, CannotDamage> {
        let path = directory.join(OsStr::from_bytes(self.name()));
        let mut bytes = visible(fs, &path).ok_or(CannotDamage::NoFile)?;
        let touched = if let Self::Older { effects, .. } = self {
            let older = fs.at_effect(*effects).ok_or(CannotDamage::NoPast)?;
            let older = visible(&older, &path).ok_or(CannotDamage::NoPast)?;
            replace(self.name(), &mut bytes, older)?
        } else {
            self.change(&mut bytes)?
        };
        if matches!(self, Self::Remove { .. }) {
            fs.erase(&path)?;
        } else {
            fs.place(&path, &TreeEntry::File(bytes))?;
        }
        Ok(touched)
    }

    /// Damages one of several files given as names and bytes.
    ///
    /// # Errors
    /// If there is nothing to damage; then nothing has changed.
    pub fn apply_to_files(
        &self,
        files: &mut Vec<(Vec<u8>, Vec<u8>)>,
    ) -> Result<Touched, CannotDamage> {
        let at = files
            .iter()
            .position(|(name, _)| name == self.name())
            .ok_or(CannotDamage::NoFile)?;
        let (_, bytes) = files.get_mut(at).ok_or(CannotDamage::NoFile)?;
        let touched = self.change(bytes)?;
        if matches!(self, Self::Remove { .. }) {
            files.remove(at);
        }
        Ok(touched)
    }

    fn change(&self, bytes: &mut Vec<u8>) -> Result<Touched, CannotDamage> {
        let size = bytes.len() as u64;
        let position = |offset: u64| {
            usize::try_from(offset)
                .ok()
                .filter(|_| offset <= size)
                .ok_or(CannotDamage::OutOfRange(size))
        };
        let (start, end) = match self {
            Self::Flip { offset, bit, .. } => {
                let at = position(*offset)?;
                let byte = bytes.get_mut(at).ok_or(CannotDamage::OutOfRange(size))?;
                *byte ^= 1 << bit;
                (*offset, offset + 1)
            }
            Self::Cut { size: left, .. } => {
                bytes.truncate(position(*left)?);
                (*left, size)
            }
            Self::Zeros { start, end, .. } => {
                let range = position(*start)?..position(*end)?;
                let part = bytes.get_mut(range).ok_or(CannotDamage::NoChange)?;
                if part.iter().all(|byte| *byte == 0) {
                    return Err(CannotDamage::NoChange);
                }
                part.fill(0);
                (*start, *end)
            }
            Self::Append { count, .. } => {
                let count = usize::try_from(*count).map_err(|_| CannotDamage::NoChange)?;
                bytes.resize(bytes.len() + count, 0);
                (size, bytes.len() as u64)
            }
            Self::Remove { .. } => return Ok(touched(self.name(), 0, size)),
            Self::Older { .. } => return Err(CannotDamage::NoPast),
        };
        if start == end {
            return Err(CannotDamage::NoChange);
        }
        Ok(touched(self.name(), start, end))
    }
}

fn touched(name: &[u8], start: u64, end: u64) -> Touched {
    Touched {
        name: name.to_vec(),
        start,
        end,
    }
}

fn replace(name: &[u8], bytes: &mut Vec<u8>, older: Vec<u8>) -> Result<Touched, CannotDamage> {
    if *bytes == older {
        return Err(CannotDamage::NoChange);
    }
    let end = bytes.len().max(older.len()) as u64;
    *bytes = older;
    Ok(touched(name, 0, end))
}

/// The bytes of a file as a process would see them.
fn visible(fs: &SimFs, path: &Path) -> Option<Vec<u8>> {
    match fs.entry(path) {
        Some(TreeEntry::File(bytes)) => Some(bytes),
        _ => None,
    }
}
