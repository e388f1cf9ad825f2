//! Reading from a snapshot: without a buffer, from the segment that is open, wherever the read
//! position was moved since.

use super::error::{LogError, ReadFailure};
use super::reading::body_bytes;
use super::sequential::SequentialFile;
use super::snapshot::Snapshot;
use crate::scenario::LogMessage;
use std::io;

impl Snapshot {
    /// Reads the next message.
    ///
    /// # Errors
    /// Whatever keeps it from being read; at the end (with the end's count, too) it tells the
    /// offset 0. Read again, it fails again.
    pub fn read_one(&mut self) -> Result<LogMessage, ReadFailure> {
        self.base.steps.begin();
        if self.read == self.end {
            return Err(ReadFailure {
                offset: 0,
                error: LogError::EndOfLog,
            });
        }
        let offset = self.read.offset;
        let bytes = self
            .read_body()
            .map_err(|error| ReadFailure { offset, error })?;
        let moved = i64::try_from(bytes.len())
            .unwrap_or(i64::MAX)
            .wrapping_add(4);
        self.advance(moved);
        self.read.count = self.read.count.wrapping_add(1);
        Ok(LogMessage {
            offset,
            moved,
            count: self.read.count,
            bytes,
        })
    }

    /// Reads so many bytes as they are on disk, across segments.
    ///
    /// # Errors
    /// There are fewer before the end; at the end any number is too many. What was read before a
    /// segment turned out to be short is passed.
    pub fn read_raw(&mut self, size: u32) -> Result<Vec<u8>, LogError> {
        self.base.steps.begin();
        if self.read.offset == self.end.offset && self.read.is_at(&self.end) {
            return Err(LogError::EndOfLog);
        }
        let mut bytes = Vec::new();
        let mut missing = usize::try_from(size).unwrap_or(usize::MAX);
        while missing > 0 {
            self.base.step()?;
            let (read, end) = (self.read, self.end);
            let file = self.open_file()?;
            let length = i64::try_from(missing).unwrap_or(i64::MAX);
            if read.segment > end.segment || read.offset.wrapping_add(length) > end.offset {
                return Err(LogError::MoveBehindEnd);
            }
            let before = bytes.len();
            let result = file.append_to(&mut bytes, missing);
            let count = bytes.len() - before;
            missing -= count;
            self.advance(i64::try_from(count).unwrap_or(i64::MAX));
            if result.is_ok() && missing > 0 && read.segment < end.segment {
                self.go_to_next_segment();
            } else if result.is_err() || missing > 0 {
                self.file = None;
                result?;
                return Err(LogError::EndOfFile);
            }
        }
        Ok(bytes)
    }

    /// Reads the record at the read position, or at the start of the next segment where this one
    /// ends there.
    fn read_body(&mut self) -> Result<Vec<u8>, LogError> {
        loop {
            self.base.step()?;
            let (read, end) = (self.read, self.end);
            let file = self.open_file()?;
            if read.segment > end.segment {
                // The segment stays open.
                return Err(LogError::ReadBehindEnd);
            }
            match read_record(file) {
                Ok(Some(bytes)) => return Ok(bytes),
                Ok(None) if read.segment < end.segment => self.go_to_next_segment(),
                Ok(None) => {
                    self.file = None;
                    return Err(LogError::EndOfFile);
                }
                Err(error) => {
                    self.file = None;
                    return Err(error);
                }
            }
        }
    }

    fn open_file(&mut self) -> io::Result<&mut SequentialFile> {
        let file = match self.file.take() {
            Some(file) => file,
            None => self
                .base
                .open_segment(self.read.segment, self.read.position)?,
        };
        Ok(self.file.insert(file))
    }

    fn advance(&mut self, bytes: i64) {
        self.read.position = self.read.position.wrapping_add(bytes);
        self.read.offset = self.read.offset.wrapping_add(bytes);
    }

    fn go_to_next_segment(&mut self) {
        self.file = None;
        self.read.segment = self.read.segment.wrapping_add(1);
        self.read.position = 0;
    }
}

/// Reads a record; `None` exactly at the end of the file.
fn read_record(file: &mut SequentialFile) -> Result<Option<Vec<u8>>, LogError> {
    let mut length = [0; 4];
    let (count, result) = file.read_up_to(&mut length);
    result?;
    if count == 0 {
        return Ok(None);
    }
    if count < length.len() {
        return Err(LogError::EndOfFile);
    }
    let size = i32::from_be_bytes(length);
    let Some(body_bytes) = body_bytes(size) else {
        return Err(LogError::MessageSize(size));
    };
    let mut body = Vec::new();
    file.append_to(&mut body, body_bytes)?;
    if body.len() < body_bytes {
        return Err(LogError::EndOfFile);
    }
    Ok(Some(body))
}
