//! The write end: one segment, its sums, and the bytes that are not durable yet.
//!
//! Invariants: `durable + unsynced.len() == position.offset` between operations; the segment's
//! bytes before `durable` are durable, `unsynced` are those from there on; a meta may name a
//! position above 0 in this segment only when `name_durable`.

use super::error::Error;
use super::frame::{self, HEADER_BYTES, record_bytes};
use super::position::Position;
use super::quirks::Quirk;
use super::store::{PERMISSIONS, Store, is_no_file};
use super::sums::Entry;
use super::sums_writer::SumsWriter;
use crate::fs::{FsFile, OpenMode, SyncKind, write_all_at};

#[derive(Debug)]
pub(super) struct Writer {
    position: Position,
    durable: u64,
    unsynced: Vec<u8>,
    file: Option<Box<dyn FsFile>>,
    /// The segment's file was seen or created.
    exists: bool,
    name_durable: bool,
    /// A failed sync: `unsynced` must be written again before the next one.
    rewrite_owed: bool,
    /// Bytes of a failed put may stand behind `position`.
    cut_owed: bool,
    /// The sums file was seen to end where it should.
    is_prepared: bool,
    generation: u64,
    sums: SumsWriter,
    /// Sums are written with every put, since nothing else will tell what a kill left.
    sums_with_put: bool,
}

/// Where the records of one write begin, to take them back if it fails.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    bytes: usize,
    waiting: usize,
    has_empty: bool,
}

impl Writer {
    /// Goes on at `position`, all before which is durable; `sums_bytes` of the segment's sums
    /// belong to it.
    pub(super) fn new(position: Position, exists: bool, generation: u64, sums_bytes: u64) -> Self {
        Self {
            position,
            durable: position.offset,
            unsynced: Vec::new(),
            file: None,
            exists,
            name_durable: position.offset > 0,
            rewrite_owed: false,
            cut_owed: false,
            is_prepared: false,
            generation,
            sums: SumsWriter::new(generation, position, sums_bytes),
            sums_with_put: false,
        }
    }

    pub(super) fn write_sums_with_put(&mut self, always: bool) {
        self.sums_with_put = always;
    }

    /// Goes on in a new segment. Everything in the old one is durable.
    pub(super) fn begin(&mut self, segment: u64) {
        debug_assert!(
            self.unsynced.is_empty(),
            "a segment is synced before it is left"
        );
        let position = Position::start_of(segment);
        // A new number has no sums yet; an old one keeps what is known of them.
        self.is_prepared |= segment != self.position.segment;
        self.position = position;
        self.durable = 0;
        self.file = None;
        self.exists = false;
        self.name_durable = false;
        self.rewrite_owed = false;
        self.cut_owed = false;
        self.sums = SumsWriter::new(self.generation, position, 0);
    }

    /// Goes on in a new segment, whatever becomes of the old one.
    pub(super) fn abandon(&mut self, segment: u64) {
        self.unsynced.clear();
        self.begin(segment);
    }

    /// The log began a new life. Nothing was put yet.
    pub(super) fn set_generation(&mut self, generation: u64) {
        self.generation = generation;
        self.sums = SumsWriter::new(generation, self.position, 0);
    }

    /// Takes over sums that recovery found to be missing, of records from `first` on.
    pub(super) fn owe_sums(&mut self, first: u64, entries: Vec<Entry>) {
        self.sums.owe(first, entries);
    }

    /// Cuts sums of records that are not there. Must come before the first put after an open, and
    /// before a segment is left that recovery found.
    pub(super) fn prepare(&mut self, store: &mut Store) -> Result<(), Error> {
        if self.is_prepared {
            return Ok(());
        }
        self.sums.prepare(store)?;
        if self.exists {
            // Its size may be what a killed recovery cut and did not sync: were it sealed so, a
            // power cut would bring back the bytes that were rejected.
            let segment = self.position.segment;
            let path = store.paths.segment(segment);
            let synced = match store.fs.open(path, OpenMode::Write, PERMISSIONS) {
                // Recovery may just have quarantined it.
                Err(error) if is_no_file(&error) => Ok(()),
                opened => opened.and_then(|file| file.sync(SyncKind::Data)),
            };
            synced.map_err(|error| store.segment_error("sync", segment, error))?;
        }
        self.is_prepared = true;
        Ok(())
    }

    /// Notes in the sums that the segment ends here. It must be flushed afterwards.
    pub(super) fn seal(&mut self, store: &mut Store) -> Result<(), Error> {
        self.sums.seal(store, self.position.offset)
    }

    /// Whether the segment's file is there.
    pub(super) fn exists(&self) -> bool {
        self.exists
    }

    /// Whether puts may follow what recovery found.
    pub(super) fn is_prepared(&self) -> bool {
        self.is_prepared
    }

    /// Where the next record goes.
    pub(super) fn position(&self) -> Position {
        self.position
    }

    /// Up to where the segment is durable, and may be read from its file.
    pub(super) fn durable(&self) -> u64 {
        self.durable
    }

    /// The bytes behind [`Writer::durable`].
    pub(super) fn unsynced(&self) -> &[u8] {
        &self.unsynced
    }

    /// An unsynced record.
    pub(super) fn record(&self, offset: u64, length: u32) -> &[u8] {
        let record = || {
            let start = usize::try_from(offset.checked_sub(self.durable)?).ok()?;
            let size = usize::try_from(record_bytes(length)).ok()?;
            self.unsynced.get(start..)?.get(..size)
        };
        record().unwrap_or_default()
    }

    /// How many bytes of the sums file hold right blocks.
    pub(super) fn sums_bytes(&self) -> u64 {
        self.sums.written()
    }

    /// Whether a sync has anything to make durable.
    pub(super) fn is_dirty(&self) -> bool {
        !self.unsynced.is_empty() || self.sums.waiting() > 0
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            bytes: self.unsynced.len(),
            waiting: self.sums.waiting(),
            has_empty: false,
        }
    }

    /// Appends a record in memory; [`Writer::write`] writes it.
    pub(super) fn push(&mut self, mark: &mut Mark, message: &[u8], length: u32) {
        let start = self.unsynced.len();
        self.unsynced.extend_from_slice(&frame::header(length));
        self.unsynced.extend_from_slice(message);
        let record = self.unsynced.get(start..).unwrap_or_default();
        self.sums.push(self.durable + start as u64, length, record);
        mark.has_empty |= length == 0;
    }

    /// Where the next record would go after those pushed.
    pub(super) fn pushed_end(&self) -> u64 {
        self.durable + self.unsynced.len() as u64
    }

    /// Writes all records since `mark`, all or none of them.
    pub(super) fn write(&mut self, store: &mut Store, mark: Mark) -> Result<(), Error> {
        let mut result = self.write_records(store, mark.bytes);
        if result.is_ok() {
            // A sum must vouch for a record that is empty, or that no boot will vouch for.
            let needs_sums = mark.has_empty || self.sums_with_put;
            if needs_sums || self.sums.is_due() {
                let sums = self.sums.append(store);
                if needs_sums {
                    result = sums;
                }
            }
        }
        if result.is_err() {
            self.take_back(store, mark);
            return result;
        }
        self.position.offset = self.pushed_end();
        Ok(())
    }

    fn write_records(&mut self, store: &mut Store, from: usize) -> Result<(), Error> {
        self.cut_if_owed(store)?;
        let offset = self.position.offset;
        let segment = self.position.segment;
        let file = match self.file.take() {
            Some(file) => file,
            None if self.exists => store.open_segment(segment, OpenMode::Write)?,
            None => store.open_segment(segment, OpenMode::CreateNew)?,
        };
        self.exists = true;
        let file = self.file.insert(file);
        let bytes = self.unsynced.get(from..).unwrap_or_default();
        write_all_at(file.as_ref(), offset, bytes)
            .map_err(|error| store.segment_error("write", segment, error))
    }

    /// Forgets the records since `mark` and cuts what a failed write left of them.
    fn take_back(&mut self, store: &mut Store, mark: Mark) {
        self.unsynced.truncate(mark.bytes);
        self.sums.truncate(mark.waiting);
        if self.file.is_some() && !store.quirks.has(Quirk::FailedPutNotCut) {
            self.cut_owed = true;
            // An error stays owed: nothing is written before it is done.
            if self.cut_if_owed(store).is_err() {
                debug_assert!(self.cut_owed, "a failed cut is tried again");
            }
        }
    }

    fn cut_if_owed(&mut self, store: &mut Store) -> Result<(), Error> {
        if !self.cut_owed {
            return Ok(());
        }
        if let Some(file) = &self.file {
            file.set_size(self.position.offset)
                .map_err(|error| store.segment_error("cut", self.position.segment, error))?;
        }
        self.cut_owed = false;
        Ok(())
    }

    /// Makes everything before [`Writer::position`] durable: bytes, sums, and the names of both.
    pub(super) fn flush(&mut self, store: &mut Store) -> Result<(), Error> {
        self.cut_if_owed(store)?;
        if self.is_dirty() {
            self.prepare(store)?;
            self.sync_segment(store)?;
            self.sums.sync(store)?;
        }
        if !self.name_durable && self.position.offset > 0 {
            store.sync_directory()?;
            self.name_durable = true;
        }
        self.unsynced.clear();
        self.durable = self.position.offset;
        Ok(())
    }

    fn sync_segment(&mut self, store: &mut Store) -> Result<(), Error> {
        let Some(file) = self.file.as_deref().filter(|_| !self.unsynced.is_empty()) else {
            return Ok(());
        };
        let segment = self.position.segment;
        if self.rewrite_owed {
            write_all_at(file, self.durable, &self.unsynced)
                .map_err(|error| store.segment_error("write", segment, error))?;
            self.rewrite_owed = false;
        }
        if store.quirks.has(Quirk::NoDataSync) {
            return Ok(());
        }
        match file.sync(SyncKind::Data) {
            Err(error) if !store.quirks.has(Quirk::SyncErrorIgnored) => {
                // The system may drop these bytes or think them clean: only writing them again
                // makes the next sync mean anything, and keeps them for a kill before it.
                if !store.quirks.has(Quirk::NoRewriteAfterFailedSync) {
                    self.rewrite_owed = write_all_at(file, self.durable, &self.unsynced).is_err();
                }
                Err(store.segment_error("sync", segment, error))
            }
            _ => Ok(()),
        }
    }
}

/// The length of a message as the format keeps it; its size was checked against the options.
pub(super) fn length_of(message: &[u8]) -> u32 {
    u32::try_from(message.len()).expect("the options allow no more than 31 bits")
}

/// The size of the record of a message.
pub(super) fn record_size(message: &[u8]) -> u64 {
    HEADER_BYTES + message.len() as u64
}
