//! A buffered reader over one segment, with the original's read-ahead: what was once read into
//! the buffer is delivered from it, whatever has happened to the file since.

use crashline::fs::FsFile;
use std::io;

const BUFFER_BYTES: usize = 4096;

/// A handle, the offset of its next read, and bytes read ahead.
#[derive(Debug)]
pub(super) struct RecordReader {
    file: Box<dyn FsFile>,
    offset: u64,
    buffer: Vec<u8>,
    taken: usize,
}

impl RecordReader {
    pub(super) fn new(file: Box<dyn FsFile>, offset: u64) -> Self {
        Self {
            file,
            offset,
            buffer: Vec::new(),
            taken: 0,
        }
    }

    /// The segment's size now.
    pub(super) fn size(&self) -> io::Result<u64> {
        self.file.size()
    }

    /// Fills `target`; the end of the file inside it is an error.
    pub(super) fn read_exact(&mut self, mut target: &mut [u8]) -> io::Result<()> {
        while !target.is_empty() {
            let count = self.read(target)?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            target = target.get_mut(count..).unwrap_or_default();
        }
        Ok(())
    }

    /// Gives what is buffered; with nothing buffered, what one call gives: into the buffer, or
    /// past it when at least a buffer's worth is wanted.
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.buffer.len() {
            if target.len() >= BUFFER_BYTES {
                let count = read_once(self.file.as_ref(), self.offset, target)?;
                self.offset += count as u64;
                return Ok(count);
            }
            self.taken = 0;
            self.buffer.resize(BUFFER_BYTES, 0);
            let result = read_once(self.file.as_ref(), self.offset, &mut self.buffer);
            let count = *result.as_ref().unwrap_or(&0);
            self.buffer.truncate(count);
            self.offset += count as u64;
            result?;
        }
        let ahead = self.buffer.get(self.taken..).unwrap_or_default();
        let count = ahead.len().min(target.len());
        if let (Some(target), Some(ahead)) = (target.get_mut(..count), ahead.get(..count)) {
            target.copy_from_slice(ahead);
        }
        self.taken += count;
        Ok(count)
    }
}

/// One call; only an interrupted one is repeated.
#[expect(
    clippy::disallowed_methods,
    reason = "the original takes what a single call gives, short or not"
)]
fn read_once(file: &dyn FsFile, offset: u64, target: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read_at(offset, target) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}
