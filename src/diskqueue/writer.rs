//! The write end: one segment, its sums, and the bytes that are not durable yet. What it does to
//! files stands in `writer_files.rs`.
//!
//! Invariants: `durable + unsynced.len() == position.offset` between operations; the segment's
//! bytes before `durable` are durable, `unsynced` are those from there on; a meta may name a
//! position above 0 in this segment only when `name_durable`.

use super::error::Error;
use super::position::Position;
use super::recovery::Tail;
use super::store::Store;
use super::sums_writer::{SumsWriter, Unsynced};
use crate::fs::FsFile;
use crate::records::frame::{self, HEADER_BYTES};
use crate::records::sums::Entry;

#[derive(Debug)]
pub(super) struct Writer {
    pub(super) position: Position,
    pub(super) durable: u64,
    pub(super) unsynced: Vec<u8>,
    pub(super) file: Option<Box<dyn FsFile>>,
    /// The segment's file was seen or created.
    pub(super) exists: bool,
    pub(super) name_durable: bool,
    /// A failed sync: `unsynced` must be written again before the next one.
    pub(super) rewrite_owed: bool,
    /// Bytes of a failed put may stand behind `position`.
    pub(super) cut_owed: bool,
    /// The sums file was seen to end where it should.
    pub(super) is_prepared: bool,
    pub(super) generation: u64,
    pub(super) sums: SumsWriter,
    /// Sums are written with every put, since nothing else will tell what a kill left.
    pub(super) sums_with_put: bool,
}

/// Where the records of one write begin, to take them back if it fails.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) bytes: usize,
    pub(super) waiting: usize,
    pub(super) has_empty: bool,
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

    /// There is no sums file of the segment.
    pub(super) fn has_no_sums(&mut self) {
        self.sums.is_known_absent();
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

    /// Takes over the files that recovery opened.
    pub(super) fn adopt(&mut self, tail: Tail) {
        if tail.segment == self.position.segment {
            self.file = tail.reader.into_file();
            if let Some((file, size)) = tail.sums {
                self.sums.adopt(file, size);
            }
        }
    }

    /// The names of a segment's files are about to go: they are not those of the write end.
    pub(super) fn let_go_of(&mut self, segment: u64) {
        if segment == self.position.segment {
            self.file = None;
            self.sums.let_go();
        }
    }

    /// The file of the segment, if it is the write segment's and open.
    pub(super) fn file_of(&self, segment: u64) -> Option<&dyn FsFile> {
        self.file
            .as_deref()
            .filter(|_| segment == self.position.segment)
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
            self.sync_size(store)?;
        }
        self.is_prepared = true;
        Ok(())
    }

    /// Notes in the sums that the segment ends here. It must be flushed afterwards.
    pub(super) fn seal(&mut self, store: &mut Store) -> Result<(), Error> {
        let unsynced = Unsynced {
            bytes: &self.unsynced,
            from: self.durable,
        };
        self.sums.seal(store, &unsynced, self.position.offset)
    }

    /// Whether the segment's file is there.
    #[inline]
    pub(super) fn exists(&self) -> bool {
        self.exists
    }

    /// Whether puts may follow what recovery found.
    #[inline]
    pub(super) fn is_prepared(&self) -> bool {
        self.is_prepared
    }

    /// Where the next record goes.
    #[inline]
    pub(super) fn position(&self) -> Position {
        self.position
    }

    /// Up to where the segment is durable, and may be read from its file.
    #[inline]
    pub(super) fn durable(&self) -> u64 {
        self.durable
    }

    /// The bytes behind [`Writer::durable`].
    pub(super) fn unsynced(&self) -> &[u8] {
        &self.unsynced
    }

    /// An unsynced record.
    pub(super) fn record(&self, offset: u64, length: u32) -> &[u8] {
        let unsynced = Unsynced {
            bytes: &self.unsynced,
            from: self.durable,
        };
        unsynced.record(offset, length)
    }

    /// How many bytes of the sums file hold right blocks.
    pub(super) fn sums_bytes(&self) -> u64 {
        self.sums.written()
    }

    /// Whether a sync has anything to make durable.
    pub(super) fn is_dirty(&self) -> bool {
        !self.unsynced.is_empty() || self.sums.is_dirty()
    }

    #[inline]
    pub(super) fn mark(&self) -> Mark {
        Mark {
            bytes: self.unsynced.len(),
            waiting: self.sums.waiting(),
            has_empty: false,
        }
    }

    /// Appends a record in memory; `write` writes it.
    #[inline]
    pub(super) fn push(&mut self, mark: &mut Mark, message: &[u8], length: u32) {
        let start = self.unsynced.len();
        self.unsynced.reserve(4 + message.len());
        self.unsynced.extend_from_slice(&frame::header(length));
        self.unsynced.extend_from_slice(message);
        self.sums.push(self.durable + start as u64, length);
        mark.has_empty |= length == 0;
    }

    /// Where the next record would go after those pushed.
    #[inline]
    pub(super) fn pushed_end(&self) -> u64 {
        self.durable + self.unsynced.len() as u64
    }
}

/// The length of a message as the format keeps it; its size was checked against the options.
#[inline]
pub(super) fn length_of(message: &[u8]) -> u32 {
    u32::try_from(message.len()).expect("the options allow no more than 31 bits")
}

/// The size of the record of a message.
#[inline]
pub(super) fn record_size(message: &[u8]) -> u64 {
    HEADER_BYTES + message.len() as u64
}
