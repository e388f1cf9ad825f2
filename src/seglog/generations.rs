//! The generations of the log: each begins where the log's end was cut, and is durable in the cuts
//! and in the lock file before a meta names it.
//!
//! The cuts file grows by whole pages of zeros, which are no blocks, so that most cuts need no new
//! space.

use super::cuts::{self, CUTS_BYTES_MAX, Cut};
use super::error::Error;
use super::position::Position;
use super::store::Store;
use crate::fs::{FsFile, OpenMode, SyncKind, write_all_at};
use crate::records::side::{generation_bytes, parse_generation};
use std::io;
use std::ops::RangeInclusive;

const PAGE_BYTES: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct Generations {
    current: u64,
    life: u64,
    /// The largest that any file knows of: no number is used twice.
    max: u64,
    cuts: Vec<Cut>,
    /// Bytes of the blocks of `cuts`.
    used: usize,
    file: Option<Box<dyn FsFile>>,
}

impl Generations {
    /// Reads the cuts. `noted` are generation and life of the believed note, `kept` is what the
    /// lock file keeps.
    pub(super) fn read(store: &Store, noted: Option<(u64, u64)>, kept: u64) -> Result<Self, Error> {
        let bytes = store.read(&store.paths.cuts(), CUTS_BYTES_MAX)?;
        let bytes = bytes.unwrap_or_default();
        let (all, _) = cuts::parse(&bytes, u64::MAX);
        let largest = all.last().map_or(0, |cut| cut.generation);
        let (current, life) = noted.unwrap_or((0, 0));
        let (cuts, used) = match noted {
            Some((current, _)) => cuts::parse(&bytes, current),
            None => cuts::parse(&bytes, u64::MAX),
        };
        Ok(Self {
            current,
            life,
            max: kept.max(largest).max(current),
            cuts,
            used,
            file: None,
        })
    }

    /// The present one.
    pub(super) fn current(&self) -> u64 {
        self.current
    }

    /// The first one of this life of the log.
    pub(super) fn life(&self) -> u64 {
        self.life
    }

    /// The one that records behind the durable end were put in: it began at a durable end.
    pub(super) fn newest(&self) -> RangeInclusive<u64> {
        self.current..=self.current
    }

    /// Those whose sums count.
    pub(super) fn counting(&self) -> RangeInclusive<u64> {
        self.life..=self.current
    }

    /// The one that begins next.
    pub(super) fn next(&self) -> u64 {
        self.max.saturating_add(1)
    }

    /// Where the present generation and those before it began, as far as is known.
    pub(super) fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    pub(super) fn let_go(&mut self) {
        self.file = None;
    }

    /// Makes the next generation durable, which begins at `end`. It is the present one once it was
    /// adopted.
    pub(super) fn begin(&mut self, store: &Store, end: Position) -> Result<Cut, Error> {
        let cut = Cut {
            generation: self.next(),
            end,
        };
        // Also if it cannot be written: a part of it may be there.
        self.max = cut.generation;
        self.append(store, &cut)?;
        let path = store.paths.lock();
        let file = store.open(&path, OpenMode::Create)?;
        write_all_at(file.as_ref(), 0, &generation_bytes(cut.generation))
            .and_then(|()| file.sync(SyncKind::Data))
            .map_err(|error| Error::io("write", &path, error))?;
        Ok(cut)
    }

    /// A meta names the generation that was begun last.
    pub(super) fn adopt(&mut self, cut: Cut, begins_life: bool) {
        self.current = cut.generation;
        if begins_life {
            self.life = cut.generation;
        }
        let mut block = Vec::new();
        cuts::write(&cut, &mut block);
        self.used += block.len();
        self.cuts.push(cut);
    }

    fn append(&mut self, store: &Store, cut: &Cut) -> Result<(), Error> {
        let path = store.paths.cuts();
        let mut block = Vec::new();
        cuts::write(cut, &mut block);
        let is_opened = self.file.is_some();
        let file = match self.file.take() {
            Some(file) => file,
            None => store.open(&path, OpenMode::Create)?,
        };
        let file = self.file.insert(file);
        let is_new = write_block(file.as_ref(), self.used, &block)
            .map_err(|error| Error::io("write", &path, error))?;
        if is_new || !is_opened {
            store.sync_directory()?;
        }
        Ok(())
    }
}

/// The last generation begun, as the lock file keeps it; 0 if it does not.
pub(super) fn kept_generation(store: &Store) -> Result<u64, Error> {
    let lock = store.read(&store.paths.lock(), 64)?;
    Ok(lock.and_then(|bytes| parse_generation(&bytes)).unwrap_or(0))
}

/// Writes a block, and zeros behind it where the file ends there; whether it was empty.
fn write_block(file: &dyn FsFile, used: usize, block: &[u8]) -> io::Result<bool> {
    let size = file.size()?;
    let end = used + block.len();
    let mut bytes = block.to_vec();
    if size < end as u64 {
        bytes.resize(end.next_multiple_of(PAGE_BYTES) - used, 0);
    }
    write_all_at(file, used as u64, &bytes)?;
    file.sync(SyncKind::Data)?;
    Ok(size == 0)
}
