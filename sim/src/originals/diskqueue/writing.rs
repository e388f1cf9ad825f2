//! Writing: records, the roll, the sync, and the jump behind all that was written.

use super::meta::PERMISSIONS;
use super::queue::{Queue, QueueError, QueueOptions};
use crate::originals::temporary::ignore;
use crashline::fs::{FsFile, OpenMode, SyncKind, write_all_at};
use std::io;

/// The segment being written.
#[derive(Debug)]
pub(super) struct Writer {
    file: Box<dyn FsFile>,
    offset: u64,
}

impl Queue {
    /// Writes a record, in a new segment where it would not fit; a sync that fails at the roll is
    /// passed over.
    pub(super) fn write_record(&mut self, message: &[u8]) -> Result<(), QueueError> {
        let QueueOptions {
            message_bytes_min: min,
            message_bytes_max: max,
            segment_bytes_max,
            ..
        } = self.options;
        let size = i32::try_from(message.len()).unwrap_or(i32::MAX);
        if size < min || size > max {
            return Err(QueueError::Size { size, min, max });
        }
        let total = i64::from(size.wrapping_add(4));
        let end = self.meta.write.position.wrapping_add(total);
        if self.meta.write.position > 0 && end > segment_bytes_max {
            if self.meta.read.segment == self.meta.write.segment {
                self.read_bytes_max = self.meta.write.position;
            }
            // The number moves first, so a failing sync leaves a meta of the old segment.
            self.meta.write.segment = self.meta.write.segment.wrapping_add(1);
            self.meta.write.position = 0;
            ignore(self.sync());
            self.writer = None;
        }
        self.append(size, message)?;
        self.meta.write.position = self.meta.write.position.wrapping_add(total);
        self.meta.depth = self.meta.depth.wrapping_add(1);
        Ok(())
    }

    /// Writes one record where the last one ended. After an error the segment is opened anew, at
    /// the write position, by the next put.
    fn append(&mut self, size: i32, message: &[u8]) -> io::Result<()> {
        let mut writer = match self.writer.take() {
            Some(writer) => writer,
            None => Writer {
                file: self.fs.open(
                    &self.files.segment(self.meta.write.segment),
                    OpenMode::Create,
                    PERMISSIONS,
                )?,
                offset: u64::try_from(self.meta.write.position).unwrap_or(0),
            },
        };
        let mut record = Vec::with_capacity(4 + message.len());
        record.extend_from_slice(&size.to_be_bytes());
        record.extend_from_slice(message);
        write_all_at(writer.file.as_ref(), writer.offset, &record)?;
        writer.offset += record.len() as u64;
        self.writer = Some(writer);
        Ok(())
    }

    /// Syncs the segment being written and replaces the meta. A segment whose sync failed is
    /// closed, so that the next try has nothing to sync.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        if let Some(writer) = &self.writer
            && let Err(error) = writer.file.sync(SyncKind::All)
        {
            self.writer = None;
            return Err(error);
        }
        self.meta
            .store(self.fs.as_ref(), &self.files, &mut self.temporary_number)?;
        self.sync_owed = false;
        Ok(())
    }

    /// Writing goes on at the start of the next segment.
    pub(super) fn begin_segment(&mut self) {
        self.writer = None;
        self.meta.write.segment = self.meta.write.segment.wrapping_add(1);
        self.meta.write.position = 0;
    }

    /// Removes the segments from the read one to the write one and starts behind them. The last
    /// failed removal is returned and stops nothing.
    pub(super) fn skip_to_next_segment(&mut self) -> io::Result<()> {
        self.reader = None;
        let mut result = Ok(());
        let mut number = self.meta.read.segment;
        while number <= self.meta.write.segment && self.step() {
            if let Err(error) = self.fs.remove_file(&self.files.segment(number))
                && error.kind() != io::ErrorKind::NotFound
            {
                result = Err(error);
            }
            number = number.wrapping_add(1);
        }
        self.begin_segment();
        self.meta.read = self.meta.write;
        self.next_read = self.meta.write;
        self.meta.depth = 0;
        result
    }
}
