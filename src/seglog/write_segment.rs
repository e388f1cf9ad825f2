//! The write segment: its file, its sums, and the bytes that are not durable yet.
//!
//! Invariants, in positions of the segment: `durable + unsynced.len() == end`; the file holds the
//! bytes before `written`, which lies between the two. A meta may name a position above 0 in this
//! segment only when `is_name_durable`.

use super::error::Error;
use super::position::Position;
use super::quirks::Quirk;
use super::store::{PERMISSIONS, Store};
use super::sums_writer::{SumsWriter, Unsynced};
use crate::fs::{FsFile, OpenMode, SyncKind, write_all_at};
use crate::records::frame::{self, Frame};

/// As many bytes as the original buffers.
pub(super) const BUFFER_BYTES: u64 = 128 * 1024;

/// A place in the segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    position: u64,
    count: u64,
}

#[derive(Debug)]
pub(super) struct WriteSegment {
    pub(super) number: u64,
    /// The virtual offset of its first byte.
    pub(super) offset: u64,
    /// Where this writer began in it: a border, the count of which is known.
    first: Place,
    durable: Place,
    written: u64,
    end: Place,
    unsynced: Vec<u8>,
    file: Option<Box<dyn FsFile>>,
    pub(super) exists: bool,
    is_name_durable: bool,
    /// A failed sync: what was written of `unsynced` must be written again before the next one.
    rewrite_owed: bool,
    pub(super) sums: SumsWriter,
    /// Bytes of the sums that belong to records before the durable place.
    pub(super) durable_sums: u64,
    /// Sums are written with every write, since nothing else will tell what a kill left.
    pub(super) sums_with_write: bool,
}

impl WriteSegment {
    /// Goes on at `end`, all before which is durable; `sums_bytes` of its sums belong to it.
    pub(super) fn new(end: Position, exists: bool, generation: u64, sums_bytes: u64) -> Self {
        let place = Place {
            position: end.position,
            count: end.count,
        };
        Self {
            number: end.segment,
            offset: end.offset - end.position,
            first: place,
            durable: place,
            written: end.position,
            end: place,
            unsynced: Vec::new(),
            file: None,
            exists,
            is_name_durable: end.position > 0,
            rewrite_owed: false,
            sums: SumsWriter::new(generation, end.segment, sums_bytes),
            durable_sums: sums_bytes,
            sums_with_write: false,
        }
    }

    fn at(&self, place: Place) -> Position {
        Position {
            segment: self.number,
            position: place.position,
            offset: self.offset + place.position,
            count: place.count,
        }
    }

    /// Where the next record goes.
    pub(super) fn end(&self) -> Position {
        self.at(self.end)
    }

    /// A border of it, the count of which is known.
    pub(super) fn first(&self) -> Position {
        self.at(self.first)
    }

    /// Everything before it is durable.
    pub(super) fn durable(&self) -> Position {
        self.at(self.durable)
    }

    /// How many bytes wait in memory until they are durable.
    pub(super) fn unsynced_bytes(&self) -> u64 {
        self.end.position - self.durable.position
    }

    /// How many bytes are not in the file yet.
    pub(super) fn buffered_bytes(&self) -> u64 {
        self.end.position - self.written
    }

    /// Whether a sync has anything to make durable.
    pub(super) fn is_dirty(&self) -> bool {
        !self.unsynced.is_empty() || self.sums.is_dirty()
    }

    /// Appends a record in memory.
    #[inline]
    pub(super) fn push(&mut self, message: &[u8], length: u32) {
        self.sums.push(self.end.position, length);
        self.unsynced.reserve(4 + message.len());
        self.unsynced.extend_from_slice(&frame::header(length));
        self.unsynced.extend_from_slice(message);
        self.end.position += frame::record_bytes(length);
        self.end.count += 1;
    }

    /// Appends whole records in memory, as they are.
    pub(super) fn push_raw(&mut self, records: &[u8]) {
        let mut rest = records;
        while let Frame::Record { length } = frame::first(rest) {
            self.sums.push(self.end.position, length);
            let size = frame::record_bytes(length);
            self.end.position += size;
            self.end.count += 1;
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            rest = rest.get(size..).unwrap_or_default();
        }
        debug_assert!(rest.is_empty(), "a batch is whole records");
        self.unsynced.extend_from_slice(records);
    }

    /// Writes what is only in memory. After an error a part of it may be in the file: these are
    /// records that were put, and they are written again.
    pub(super) fn write(&mut self, store: &Store) -> Result<(), Error> {
        if self.written == self.end.position {
            return Ok(());
        }
        let file = match &self.file {
            Some(file) => file,
            None => {
                let mode = match self.exists {
                    true => OpenMode::Write,
                    false => OpenMode::CreateNew,
                };
                let path = &store.paths.segment(self.number);
                let opened = store.fs.open(path, mode, PERMISSIONS);
                let file = opened.map_err(|error| Error::io("open", path, error))?;
                self.exists = true;
                self.file.insert(file)
            }
        };
        let done = usize::try_from(self.written - self.durable.position).unwrap_or_default();
        let bytes = self.unsynced.get(done..).unwrap_or_default();
        write_all_at(file.as_ref(), self.written, bytes)
            .map_err(|error| Error::io("write", &store.paths.segment(self.number), error))?;
        self.written = self.end.position;
        if self.sums.is_due() || self.sums_with_write {
            let unsynced = Unsynced {
                bytes: &self.unsynced,
                from: self.durable.position,
            };
            let appended = self.sums.append(store, &unsynced);
            if self.sums_with_write {
                appended?;
            }
        }
        Ok(())
    }

    /// Makes everything durable: bytes, sums, and the names of both.
    pub(super) fn sync(&mut self, store: &Store) -> Result<(), Error> {
        if self.is_dirty() {
            self.write(store)?;
            self.sync_file(store)?;
            let unsynced = Unsynced {
                bytes: &self.unsynced,
                from: self.durable.position,
            };
            self.sums.sync(store, &unsynced)?;
        }
        if !self.is_name_durable && self.end.position > 0 {
            store.sync_directory()?;
            self.is_name_durable = true;
        }
        self.unsynced.clear();
        self.durable = self.end;
        self.durable_sums = self.sums.written();
        Ok(())
    }

    /// Notes in the sums that the segment ends here. It must be synced afterwards.
    pub(super) fn seal(&mut self, store: &Store) -> Result<(), Error> {
        self.write(store)?;
        let unsynced = Unsynced {
            bytes: &self.unsynced,
            from: self.durable.position,
        };
        self.sums.seal(store, &unsynced, self.end.position)
    }

    fn sync_file(&mut self, store: &Store) -> Result<(), Error> {
        let Some(file) = self.file.as_deref().filter(|_| !self.unsynced.is_empty()) else {
            return Ok(());
        };
        let path = &store.paths.segment(self.number);
        if self.rewrite_owed {
            write_all_at(file, self.durable.position, &self.unsynced)
                .map_err(|error| Error::io("write", path, error))?;
            self.rewrite_owed = false;
        }
        if store.has(Quirk::NoDataSync) {
            return Ok(());
        }
        if let Err(error) = file.sync(SyncKind::Data) {
            if store.has(Quirk::SyncErrorIgnored) {
                return Ok(());
            }
            if store.has(Quirk::NoRewriteAfterFailedSync) {
                return Err(Error::io("sync", path, error));
            }
            // The system may drop these bytes or think them clean: only writing them again makes
            // the next sync mean anything, and keeps them for a kill before it.
            self.rewrite_owed = write_all_at(file, self.durable.position, &self.unsynced).is_err();
            return Err(Error::io("sync", path, error));
        }
        Ok(())
    }

    /// The bytes between the durable place and the end.
    pub(super) fn unsynced(&self) -> &[u8] {
        &self.unsynced
    }

    /// Lets go of the files.
    pub(super) fn let_go(&mut self) {
        self.file = None;
    }
}
