//! Moving the log's end: taking messages back, cutting, and growing over bytes that are there.
//!
//! No place within a segment is checked for being a record's end, and no count for being the
//! number of messages before it. What was put is synced before the new end is looked at closely,
//! so that a refusal may have moved the read end.

use super::error::LogError;
use super::sequential::SequentialFile;
use super::writer::Writer;
use crate::originals::temporary::ignore;
use crate::scenario::LogPosition;
use crashline::fs::OpenMode;

impl Writer {
    /// Takes back the last `count` messages; the end goes back to `offset`, within its segment.
    ///
    /// # Errors
    /// An offset or count before the start, an offset behind the end or before its segment.
    pub fn rollback(&mut self, offset: i64, count: u64) -> Result<LogPosition, LogError> {
        self.base.steps.begin();
        let count = count.cast_signed();
        let new_count = self.state.write_end.count.wrapping_sub(count);
        self.check_behind_start(offset, new_count)?;
        self.sync_owed_all();
        let end = &mut self.state.write_end;
        if offset > end.offset || offset < end.offset.wrapping_sub(end.position) {
            return Err(LogError::InvalidOffset);
        }
        let taken = end.offset.wrapping_sub(offset);
        end.position = end.position.wrapping_sub(taken);
        end.offset = offset;
        end.count = new_count;
        // The segments are not compared: a read end in an earlier one moves forward here.
        let read_end = &mut self.state.read_end;
        if read_end.position > end.position || read_end.offset > end.offset {
            *read_end = *end;
        }
        self.truncate_to_end()?;
        Ok(self.state.write_end)
    }

    /// Cuts the log at `offset`, in whatever segment; its count becomes `count`. Offset 0 is the
    /// log's start, whatever that is.
    ///
    /// # Errors
    /// An offset or count before the start, an offset behind the end, a missing segment.
    pub fn reset_write_end(&mut self, offset: i64, count: i64) -> Result<LogPosition, LogError> {
        self.base.steps.begin();
        self.check_behind_start(offset, count)?;
        if offset > self.state.write_end.offset {
            return Err(LogError::InvalidOffset);
        }
        self.sync_owed_all();
        if offset == 0 {
            self.close_file();
            self.state.write_end = self.state.queue_start;
            self.state.read_end = self.state.write_end;
        } else {
            let mut end = self.state.write_end;
            while offset < end.offset.wrapping_sub(end.position) {
                self.base.step()?;
                end.offset = end.offset.wrapping_sub(end.position);
                end.segment = end.segment.wrapping_sub(1);
                if end.segment < 0 {
                    return Err(LogError::InvalidOffset);
                }
                end.position = self.base.segment_size(end.segment)?;
            }
            let over = end.offset.wrapping_sub(offset);
            end.position = end.position.wrapping_sub(over);
            self.end_at(end, offset, count);
        }
        self.truncate_to_end()?;
        Ok(self.state.write_end)
    }

    /// Moves the end forward to `offset`; its count becomes `count`.
    ///
    /// # Errors
    /// An offset or count before the start, an offset before the end, fewer bytes than that in the
    /// segments.
    pub fn try_fix_write_end(&mut self, offset: i64, count: i64) -> Result<LogPosition, LogError> {
        self.base.steps.begin();
        self.check_behind_start(offset, count)?;
        if offset < self.state.write_end.offset {
            return Err(LogError::InvalidOffset);
        }
        self.sync_owed_all();
        let mut end = self.state.queue_start;
        loop {
            self.base.step()?;
            let size = self.base.segment_size(end.segment)?;
            let missing = offset.wrapping_sub(end.offset);
            if end.position.wrapping_add(missing) <= size {
                end.position = end.position.wrapping_add(missing);
                break;
            }
            let rest = size.wrapping_sub(end.position);
            end.offset = end.offset.wrapping_add(rest);
            end.position = 0;
            end.segment = end.segment.wrapping_add(1);
        }
        self.end_at(end, offset, count);
        self.truncate_to_end()?;
        Ok(self.state.write_end)
    }

    fn check_behind_start(&self, offset: i64, count: i64) -> Result<(), LogError> {
        let start = &self.state.queue_start;
        if offset < start.offset || count < start.count {
            return Err(LogError::InvalidOffset);
        }
        Ok(())
    }

    fn sync_owed_all(&mut self) {
        if self.sync_owed {
            self.sync_all();
        }
    }

    fn end_at(&mut self, place: LogPosition, offset: i64, count: i64) {
        self.state.write_end = LogPosition {
            offset,
            count,
            ..place
        };
        self.close_file();
    }

    /// Cuts the segment at the end, stores the meta, and then puts aside the segments behind it,
    /// each over an earlier one of that name. Failures go unnoticed; a segment that could not be
    /// put aside is passed.
    fn truncate_to_end(&mut self) -> Result<(), LogError> {
        let end = self.state.write_end;
        let fs = self.base.fs.as_ref();
        let file = match self.file.take() {
            Some(file) => Ok(file),
            None => {
                SequentialFile::open(fs, &self.base.names.segment(end.segment), OpenMode::Create)
            }
        };
        ignore(file.and_then(|file| file.set_size(end.position)));
        ignore(self.store_meta(true));
        let mut segment = end.segment;
        loop {
            self.base.step()?;
            segment = segment.wrapping_add(1);
            let names = &self.base.names;
            let (source, target) = (names.segment(segment), names.rolled_back(segment));
            match self.base.fs.rename(&source, &target) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
                Ok(()) | Err(_) => {}
            }
        }
    }
}
