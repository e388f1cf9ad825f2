//! Reading the next message.

use super::error::{LogError, ReadFailure};
use super::read_ahead::BUFFER_BYTES;
use super::reader::Reader;
use crate::scenario::LogMessage;
use std::io;

/// A length above this is no length.
pub(super) const RECORD_BODY_BYTES_MAX: i32 = 1 << 28;

impl Reader {
    /// Reads the next message, or `None` at the end. A reader that passes damage goes on behind a
    /// segment that it cannot read, and for ever where it cannot even skip it.
    ///
    /// # Errors
    /// Whatever keeps the message from being read. Read again, it fails again.
    pub fn try_read_one(&mut self) -> Result<Option<LogMessage>, ReadFailure> {
        self.base.steps.begin();
        loop {
            let state = &self.state;
            if !state.end.is_behind(&state.read) || state.end.offset <= state.read.offset {
                return Ok(None);
            }
            let failure = match self.read_one() {
                Ok(message) => return Ok(Some(message)),
                Err(failure) => failure,
            };
            let stays = matches!(failure.error, LogError::CountMissing | LogError::CutOff(_));
            if stays || !self.auto_skip_damaged {
                return Err(failure);
            }
            if self.skip_segment().is_ok() {
                self.save_owed = true;
            }
            let offset = self.state.read.offset;
            let step = self.base.step();
            step.map_err(|error| ReadFailure { offset, error })?;
        }
    }

    fn read_one(&mut self) -> Result<LogMessage, ReadFailure> {
        let read = &self.state.read;
        if read.count <= 0 && read.offset > 0 {
            return Err(ReadFailure {
                offset: 0,
                error: LogError::CountMissing,
            });
        }
        let offset = read.offset;
        let bytes = self
            .read_body()
            .map_err(|error| ReadFailure { offset, error })?;
        let moved = i64::try_from(bytes.len())
            .unwrap_or(i64::MAX)
            .wrapping_add(4);
        let (read, end) = (&mut self.state.read, &self.state.end);
        read.position = read.position.wrapping_add(moved);
        read.offset = read.offset.wrapping_add(moved);
        read.count = read.count.wrapping_add(1);
        let count = read.count;
        if read.offset == end.offset {
            read.count = end.count;
        }
        Ok(LogMessage {
            offset,
            moved,
            count,
            bytes,
        })
    }

    /// Reads the record at the read position, or at the start of the next segment where this one
    /// ends there.
    fn read_body(&mut self) -> Result<Vec<u8>, LogError> {
        loop {
            self.base.step()?;
            let read = self.state.read;
            if self.file.is_none() {
                // Where this fails, what was read ahead stays.
                self.file = Some(self.base.open_segment(read.segment, read.position)?);
            }
            match self.read_record() {
                Ok(Some(bytes)) => return Ok(bytes),
                Ok(None) => self.go_to_next_segment(),
                Err(error) => {
                    self.drop_file();
                    return Err(error);
                }
            }
        }
    }

    /// Reads a record out of the open segment; `None` at its end where it is not the last one.
    fn read_record(&mut self) -> Result<Option<Vec<u8>>, LogError> {
        let (read, end) = (self.state.read, self.state.end);
        if read.segment > end.segment {
            return Err(LogError::ReadBehindEnd);
        }
        let ended = self.read_ahead(4, read.position)?;
        if ended && self.ahead.len() == 0 && read.segment < end.segment {
            return Ok(None);
        }
        let length = self.ahead.take(4).and_then(|bytes| bytes.try_into().ok());
        let size = i32::from_be_bytes(length.ok_or(LogError::EndOfFile)?);
        let Some(body_bytes) = body_bytes(size) else {
            return Err(LogError::MessageSize(size));
        };
        self.read_ahead(size.into(), read.position.wrapping_add(4))?;
        let body = self.ahead.take(body_bytes).ok_or(LogError::EndOfFile)?;
        Ok(Some(body.to_vec()))
    }

    /// Sees to it that `needed` bytes lie ahead, and reads more at once; never beyond the end,
    /// counted from `position`. Tells whether the file ended before what was asked for.
    fn read_ahead(&mut self, needed: i64, position: i64) -> io::Result<bool> {
        let (read, end) = (&self.state.read, &self.state.end);
        let Some(file) = self.file.as_mut().filter(|_| self.ahead.len() < needed) else {
            return Ok(false);
        };
        let mut wanted = needed.max(BUFFER_BYTES);
        if read.segment == end.segment {
            wanted = wanted.min(end.position.wrapping_sub(position));
        }
        let missing = wanted.wrapping_sub(self.ahead.len());
        self.ahead.fill(file, missing)?;
        Ok(self.ahead.len() < wanted)
    }

    /// Offset and count stay: the sidecar is looked at, and nothing follows from it.
    fn go_to_next_segment(&mut self) {
        self.drop_file();
        let read = &mut self.state.read;
        let finished = read.segment;
        read.segment = finished.wrapping_add(1);
        read.position = 0;
        drop(self.base.sidecar(finished));
    }
}

/// A length that can be one.
pub(super) fn body_bytes(size: i32) -> Option<usize> {
    let is_length = size > 0 && size <= RECORD_BODY_BYTES_MAX;
    usize::try_from(size).ok().filter(|_| is_length)
}
