//! The reader's buffer: what was once read into it is delivered from it, whatever has happened to
//! the file since.

use super::sequential::SequentialFile;
use std::io;

/// A read asks for at least so many bytes.
pub(super) const BUFFER_BYTES: i64 = 4096;

/// Bytes that were read and not yet used.
#[derive(Debug, Default)]
pub(super) struct ReadAhead {
    bytes: Vec<u8>,
    used: usize,
}

impl ReadAhead {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.used = 0;
    }

    pub(super) fn len(&self) -> i64 {
        i64::try_from(self.bytes.len() - self.used).unwrap_or(i64::MAX)
    }

    /// Reads `bytes` more, fewer where the file ends. Zero or less reads nothing.
    pub(super) fn fill(&mut self, file: &mut SequentialFile, bytes: i64) -> io::Result<()> {
        self.bytes.drain(..self.used);
        self.used = 0;
        let bytes = usize::try_from(bytes).unwrap_or(0);
        file.append_to(&mut self.bytes, bytes)
    }

    /// Takes so many bytes, or `None` where there are fewer.
    pub(super) fn take(&mut self, bytes: usize) -> Option<&[u8]> {
        let start = self.used;
        let taken = self.bytes.get(start..start.checked_add(bytes)?)?;
        self.used += bytes;
        Some(taken)
    }
}
