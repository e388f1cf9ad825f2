//! The writer's buffer. Once a write has failed it takes nothing more and writes nothing more
//! until it is given a new file; what it held then is lost.

use super::sequential::SequentialFile;
use crate::originals::temporary::ignore;
use std::io;

const BUFFER_BYTES: usize = 128 * 1024;

/// Bytes that are not yet in the segment.
#[derive(Debug, Default)]
pub(super) struct WriteBuffer {
    bytes: Vec<u8>,
    failed: bool,
}

impl WriteBuffer {
    /// Forgets everything: a new file begins.
    pub(super) fn reset(&mut self) {
        self.bytes.clear();
        self.failed = false;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Takes bytes, writing when the buffer is full; what would fill an empty one goes past it.
    pub(super) fn write(&mut self, file: &mut SequentialFile, mut bytes: &[u8]) -> io::Result<()> {
        while bytes.len() > BUFFER_BYTES - self.bytes.len() && !self.failed {
            if self.bytes.is_empty() {
                let (written, result) = file.write_all(bytes);
                self.failed = result.is_err();
                bytes = bytes.get(written..).unwrap_or_default();
            } else {
                let room = BUFFER_BYTES - self.bytes.len();
                let (fitting, rest) = bytes.split_at(room);
                self.bytes.extend_from_slice(fitting);
                bytes = rest;
                ignore(self.flush(Some(file)));
            }
        }
        self.check()?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Writes what is buffered; an error, also that there is no file, stays.
    pub(super) fn flush(&mut self, file: Option<&mut SequentialFile>) -> io::Result<()> {
        self.check()?;
        if self.bytes.is_empty() {
            return Ok(());
        }
        let result = match file {
            Some(file) => file.write_all(&self.bytes).1,
            None => Err(io::ErrorKind::NotConnected.into()),
        };
        self.failed = result.is_err();
        if !self.failed {
            self.bytes.clear();
        }
        result
    }

    fn check(&self) -> io::Result<()> {
        if self.failed {
            return Err(io::Error::other("an earlier write failed"));
        }
        Ok(())
    }
}
