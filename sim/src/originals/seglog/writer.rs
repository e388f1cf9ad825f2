//! The writer: its state, and putting messages.

use super::base::Base;
use super::error::LogError;
use super::sequential::SequentialFile;
use super::sidecar::Sidecar;
use super::write_buffer::WriteBuffer;
use super::{start_meta, writer_meta};
use crate::originals::temporary::ignore;
use crate::scenario::{LogOptions, LogPosition, WriterState};
use crashline::fs::OpenMode;
use std::io;

/// The open log. Dropping it writes nothing.
#[derive(Debug)]
pub struct Writer {
    pub(super) base: Base,
    pub(super) segment_bytes_max: i64,
    message_bytes_min: i64,
    message_bytes_max: i64,
    /// Where the log starts, ends, and ends for readers.
    pub(super) state: WriterState,
    pub(super) exiting: bool,
    /// Something was put, or tried, since the last sync.
    pub(super) sync_owed: bool,
    pub(super) file: Option<SequentialFile>,
    pub(super) buffer: WriteBuffer,
    pub(super) temporary_number: u64,
    pub(super) corrupt_number: u64,
}

/// What a put did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PutDone {
    /// The virtual offset of its first byte.
    pub offset: i64,
    /// The bytes that it takes.
    pub size: i64,
    /// The write end behind it.
    pub end: LogPosition,
}

impl Writer {
    pub(super) fn new(base: Base, options: &LogOptions) -> Self {
        let start = LogPosition::default();
        Self {
            base,
            segment_bytes_max: i64::try_from(options.segment_bytes_max).unwrap_or(i64::MAX),
            message_bytes_min: options.message_bytes_min.into(),
            message_bytes_max: options.message_bytes_max.into(),
            state: WriterState {
                queue_start: start,
                write_end: start,
                read_end: start,
            },
            exiting: false,
            sync_owed: false,
            file: None,
            buffer: WriteBuffer::default(),
            temporary_number: 0,
            corrupt_number: 0,
        }
    }

    /// Where the log starts, ends, and ends for readers.
    #[must_use]
    pub fn state(&self) -> WriterState {
        self.state
    }

    /// Puts one message. A refused one still creates the segment and owes a sync.
    ///
    /// # Errors
    /// Closed, a size out of bounds, and the filesystem's; a failed write also of an earlier put.
    pub fn put(&mut self, message: &[u8]) -> Result<PutDone, LogError> {
        self.begin()?;
        self.open_file()?;
        self.sync_owed = true;
        let size = i64::try_from(message.len()).unwrap_or(i64::MAX);
        let (min, max) = (self.message_bytes_min, self.message_bytes_max);
        if size < min || size > max {
            return Err(LogError::Size { size, min, max });
        }
        let length = u32::try_from(size).unwrap_or(u32::MAX);
        self.write(&length.to_be_bytes())?;
        self.write(message)?;
        Ok(self.advance(size.wrapping_add(4), 1))
    }

    /// Puts the bytes of records as they are, which count as so many messages. Neither their form
    /// nor any size is looked at.
    ///
    /// # Errors
    /// Closed, and the filesystem's.
    pub fn put_raw(&mut self, records: &[u8], count: i32) -> Result<PutDone, LogError> {
        self.begin()?;
        self.open_file()?;
        self.sync_owed = true;
        self.write(records)?;
        let size = i64::try_from(records.len()).unwrap_or(i64::MAX);
        Ok(self.advance(size, count.into()))
    }

    /// Writes what is buffered and the meta, and with `fsync` makes the segment durable before and
    /// the meta after that. Does nothing where nothing was put.
    ///
    /// # Errors
    /// Closed, or the sync's; a failed write, or one of the meta, goes unnoticed.
    pub fn flush(&mut self, fsync: bool) -> Result<(), LogError> {
        self.begin()?;
        if self.sync_owed {
            self.sync(fsync)?;
            ignore(self.store_meta(fsync));
        }
        Ok(())
    }

    /// Writes what is buffered, if there is anything, and lets readers read it. The meta stays.
    pub fn flush_buffer(&mut self) -> bool {
        if self.buffer.is_empty() {
            return false;
        }
        ignore(self.buffer.flush(self.file.as_mut()));
        self.state.read_end = self.state.write_end;
        true
    }

    /// Begins a call that a closed writer refuses.
    pub(super) fn begin(&mut self) -> Result<(), LogError> {
        self.base.steps.begin();
        if self.exiting {
            return Err(LogError::Exiting);
        }
        Ok(())
    }

    /// Opens the segment being written, at the write end, as it is: it may be longer.
    fn open_file(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            let end = self.state.write_end;
            let path = self.base.names.segment(end.segment);
            let mut file = SequentialFile::open(self.base.fs.as_ref(), &path, OpenMode::Create)?;
            file.seek(end.position);
            self.file = Some(file);
            self.buffer.reset();
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return Err(io::ErrorKind::NotConnected.into());
        };
        let result = self.buffer.write(file, bytes);
        if result.is_err() {
            ignore(self.sync(true));
            self.file = None;
        }
        result
    }

    /// Moves the end behind what was written; a segment that has its size is finished.
    fn advance(&mut self, size: i64, count: i64) -> PutDone {
        let end = &mut self.state.write_end;
        let offset = end.offset;
        end.position = end.position.wrapping_add(size);
        end.offset = end.offset.wrapping_add(size);
        end.count = end.count.wrapping_add(count);
        if end.position >= self.segment_bytes_max {
            // The bytes of a finished segment are never synced.
            ignore(self.sync(false));
            self.file = None;
            self.store_sidecar();
            self.next_segment();
            self.sync_owed = true;
        }
        PutDone {
            offset,
            size,
            end: self.state.write_end,
        }
    }

    /// The end moves to the start of the next segment, for readers too.
    pub(super) fn next_segment(&mut self) {
        let end = &mut self.state.write_end;
        end.segment = end.segment.wrapping_add(1);
        end.position = 0;
        self.state.read_end = *end;
    }

    /// Writes what is buffered, with `fsync` makes the segment durable, and lets readers read it.
    /// A write that fails goes unnoticed; a segment whose sync failed is closed.
    pub(super) fn sync(&mut self, fsync: bool) -> io::Result<()> {
        self.sync_owed = false;
        ignore(self.buffer.flush(self.file.as_mut()));
        if let Some(file) = self.file.as_ref().filter(|_| fsync)
            && let Err(error) = file.sync()
        {
            self.file = None;
            return Err(error);
        }
        self.state.read_end = self.state.write_end;
        Ok(())
    }

    /// Syncs segment and meta; failures go unnoticed.
    pub(super) fn sync_all(&mut self) {
        if self.sync(true).is_ok() {
            ignore(self.store_meta(true));
        }
    }

    /// Writes what is buffered and closes the segment.
    pub(super) fn close_file(&mut self) {
        ignore(self.buffer.flush(self.file.as_mut()));
        self.state.read_end = self.state.write_end;
        self.file = None;
    }

    pub(super) fn store_meta(&self, fsync: bool) -> io::Result<()> {
        let Base { fs, names, .. } = &self.base;
        writer_meta::store(fs.as_ref(), names, self.state.write_end, fsync)
    }

    /// Replaces the start meta; failures go unnoticed.
    pub(super) fn store_start(&mut self) {
        let Base { fs, names, .. } = &self.base;
        let start = &self.state.queue_start;
        let number = &mut self.temporary_number;
        ignore(start_meta::store(fs.as_ref(), names, start, number));
    }

    pub(super) fn store_sidecar(&self) {
        let Base { fs, names, .. } = &self.base;
        Sidecar::store(fs.as_ref(), names, &self.state.write_end);
    }
}
