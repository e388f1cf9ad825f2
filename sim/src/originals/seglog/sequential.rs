//! A file with a cursor, as the original's language has them.

use super::names::PERMISSIONS;
use crashline::fs::{Fs, FsFile, OpenMode, SyncKind};
use std::io;
use std::path::Path;

/// A false length must not cost its size in memory.
const CHUNK_BYTES: usize = 64 * 1024;

/// An open file and the offset of its next read or write.
#[derive(Debug)]
pub(super) struct SequentialFile {
    file: Box<dyn FsFile>,
    offset: u64,
}

impl SequentialFile {
    pub(super) fn open(fs: &dyn Fs, path: &Path, mode: OpenMode) -> io::Result<Self> {
        let file = fs.open(path, mode, PERMISSIONS)?;
        Ok(Self::new(file))
    }

    pub(super) fn new(file: Box<dyn FsFile>) -> Self {
        Self { file, offset: 0 }
    }

    /// Moves the cursor; a negative place leaves it.
    pub(super) fn seek(&mut self, offset: i64) {
        self.offset = u64::try_from(offset).unwrap_or(self.offset);
    }

    /// Moves the cursor to so many bytes before the end; a shorter file leaves it.
    pub(super) fn seek_before_end(&mut self, bytes: u64) -> io::Result<()> {
        let place = self.file.size()?.checked_sub(bytes);
        self.offset = place.unwrap_or(self.offset);
        Ok(())
    }

    /// Reads until `buffer` is full or the file ends; tells how far it came also beside an error.
    #[expect(
        clippy::disallowed_methods,
        reason = "what was read before an error moves the cursor and counts"
    )]
    pub(super) fn read_up_to(&mut self, buffer: &mut [u8]) -> (usize, io::Result<()>) {
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
            match self.file.read_at(self.offset, rest) {
                Ok(0) => break,
                Ok(count) => {
                    done += count;
                    self.offset += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return (done, Err(error)),
            }
        }
        (done, Ok(()))
    }

    /// Appends so many bytes to `target`, fewer where the file ends; what was read before an error
    /// is appended, too.
    pub(super) fn append_to(&mut self, target: &mut Vec<u8>, bytes: usize) -> io::Result<()> {
        let mut missing = bytes;
        while missing > 0 {
            let kept = target.len();
            let wanted = missing.min(CHUNK_BYTES);
            target.resize(kept + wanted, 0);
            let (count, result) = self.read_up_to(target.get_mut(kept..).unwrap_or_default());
            target.truncate(kept + count);
            result?;
            if count < wanted {
                break;
            }
            missing -= count;
        }
        Ok(())
    }

    /// Writes all of `bytes`; tells how far it came also beside an error.
    #[expect(
        clippy::disallowed_methods,
        reason = "what was written before an error moves the cursor and counts"
    )]
    pub(super) fn write_all(&mut self, bytes: &[u8]) -> (usize, io::Result<()>) {
        let mut done = 0;
        while let Some(rest) = bytes.get(done..).filter(|rest| !rest.is_empty()) {
            match self.file.write_at(self.offset, rest) {
                Ok(0) => return (done, Err(io::ErrorKind::WriteZero.into())),
                Ok(count) => {
                    done += count;
                    self.offset += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return (done, Err(error)),
            }
        }
        (done, Ok(()))
    }

    /// Cuts or grows the file; a negative size is an error.
    pub(super) fn set_size(&self, size: i64) -> io::Result<()> {
        let size = u64::try_from(size).map_err(|_| io::ErrorKind::InvalidInput)?;
        self.file.set_size(size)
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync(SyncKind::All)
    }
}
