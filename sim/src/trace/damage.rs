//! Damage that a trace does to a file between a close and an open.

use crashline::fs::{Fs, OpenMode, write_all_at};
use std::io;
use std::path::Path;

/// Sizes and places beyond this are refused: no recorded file comes near it.
const DAMAGE_BYTES_MAX: u64 = 1 << 20;

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

/// What a line says of damage.
#[derive(Debug, Clone, Copy)]
pub(super) struct DamageArguments<'a> {
    pub(super) file: Option<&'a str>,
    pub(super) how: Option<&'a str>,
    pub(super) size: Option<u64>,
    pub(super) at: Option<u64>,
    pub(super) value: Option<u8>,
}

impl FileDamage {
    /// The damage of a line, and the names of the arguments that it uses.
    pub(super) fn parse(
        given: DamageArguments<'_>,
    ) -> Result<(Self, &'static [&'static str]), String> {
        let file = given.file.ok_or("`file` is missing")?;
        if file.is_empty() || file.contains('/') || file == "." || file == ".." {
            return Err(format!("`{file}` is no name of a file"));
        }
        let size = || bounded(given.size, "size");
        let (how, arguments): (_, &'static [&'static str]) = match given.how {
            Some("remove") => (How::Remove, &["file", "how"]),
            Some("truncate") => (How::Truncate(size()?), &["file", "how", "size"]),
            Some("append_zeros") => (How::AppendZeros(size()?), &["file", "how", "size"]),
            Some("byte") => {
                let at = bounded(given.at, "at")?;
                let value = given.value.ok_or("`value` is missing")?;
                (How::Byte { at, value }, &["file", "how", "at", "value"])
            }
            Some(other) => return Err(format!("there is no damage `{other}`")),
            None => return Err("`how` is missing".to_owned()),
        };
        let file = file.to_owned();
        Ok((Self { file, how }, arguments))
    }

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

fn bounded(value: Option<u64>, key: &str) -> Result<u64, String> {
    let value = value.ok_or_else(|| format!("`{key}` is missing"))?;
    if value > DAMAGE_BYTES_MAX {
        return Err(format!("`{key}` is above {DAMAGE_BYTES_MAX}"));
    }
    Ok(value)
}
