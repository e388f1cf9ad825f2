//! The generations of the log: each begins where the log's end was cut, and is durable in the cuts
//! and in the lock file before a meta names it.
//!
//! The cuts file grows by whole pages of zeros, which are no blocks, so that most cuts need no new
//! space.

use super::cuts::{self, Cut};
use super::error::Error;
use super::position::Position;
use super::quirks::Quirk;
use super::store::Store;
use crate::fs::{FsFile, OpenMode, SyncKind, write_all_at};
use crate::records::side::{generation_bytes, parse_generation};
use std::io;
use std::ops::RangeInclusive;

const PAGE_BYTES: usize = 4096;
/// More than a lock file has.
const LOCK_BYTES_MAX: usize = 64;
/// After so many cuts those go that no reader needs.
const CUTS_KEPT: usize = 1024;
/// So many numbers at most were begun and never named: crashes in a row.
const SKIPPED_MAX: u64 = 1000;

/// A generation that is durable, and that no meta names yet.
#[derive(Debug)]
pub(super) struct Begun {
    pub(super) generation: u64,
    cuts: Vec<Cut>,
    bytes: usize,
}

/// What the files tell of generations, before a note is believed.
#[derive(Debug)]
pub(super) struct Found {
    /// The last one begun, as the lock file keeps it; 0 if it does not.
    kept: u64,
    /// The cuts.
    bytes: Vec<u8>,
}

impl Found {
    pub(super) fn read(store: &Store) -> Result<Self, Error> {
        let lock = store.read(&store.paths.lock(), LOCK_BYTES_MAX)?;
        Ok(Self {
            kept: lock.and_then(|bytes| parse_generation(&bytes)).unwrap_or(0),
            bytes: cuts::read_blocks(store)?,
        })
    }

    /// The one that began last, whether a meta names it or not.
    pub(super) fn newest(&self) -> Option<Cut> {
        cuts::parse(&self.bytes, u64::MAX).0.pop()
    }
}

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
    /// Those of a log; `noted` are generation and life of the believed note.
    pub(super) fn new(found: &Found, noted: Option<(u64, u64)>) -> Self {
        let (current, life) = noted.unwrap_or((0, 0));
        let until = if noted.is_some() { current } else { u64::MAX };
        let (cuts, used) = cuts::parse(&found.bytes, until);
        let largest = found.newest().map_or(0, |cut| cut.generation);
        Self {
            current,
            life,
            max: found.kept.max(largest).max(current),
            cuts,
            used,
            file: None,
        }
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

    /// Whether the present one is known to have begun at this place.
    pub(super) fn began_at(&self, end: &Position) -> bool {
        let last = self.cuts.last();
        last.is_some_and(|cut| cut.generation == self.current && cut.end == *end)
    }

    pub(super) fn let_go(&mut self) {
        self.file = None;
    }

    /// Makes the next generation durable, which begins at `end`. It is the present one once it was
    /// adopted. Numbers that were begun and never named begin there too, so that none is missing;
    /// where one that was named is missing, nothing tells where it began.
    pub(super) fn begin(&mut self, store: &Store, end: Position) -> Result<Begun, Error> {
        let generation = self.next();
        let last = self.cuts.last().map_or(0, |cut| cut.generation);
        let last = last.max(self.current);
        let first = generation
            .saturating_sub(SKIPPED_MAX)
            .max(last.saturating_add(1));
        let cuts = (first..=generation).map(|generation| Cut { generation, end });
        let mut blocks = Vec::new();
        cuts.clone().for_each(|cut| cuts::write(&cut, &mut blocks));
        // Also if it cannot be written: a part of it may be there.
        self.max = generation;
        if store.has(Quirk::CutsNotKept) {
            blocks.clear();
        }
        self.append(store, &blocks)?;
        let path = store.paths.lock();
        let file = store.open(&path, OpenMode::Create)?;
        write_all_at(file.as_ref(), 0, &generation_bytes(generation))
            .and_then(|()| file.sync(SyncKind::Data))
            .map_err(|error| Error::io("write", &path, error))?;
        Ok(Begun {
            generation,
            cuts: cuts.collect(),
            bytes: blocks.len(),
        })
    }

    /// A meta names the generation that was begun last.
    pub(super) fn adopt(&mut self, begun: Begun, begins_life: bool) {
        self.current = begun.generation;
        if begins_life {
            self.life = begun.generation;
        }
        self.used += begun.bytes;
        self.cuts.extend(begun.cuts);
    }

    fn append(&mut self, store: &Store, blocks: &[u8]) -> Result<(), Error> {
        let path = store.paths.cuts();
        let is_opened = self.file.is_some();
        let file = match self.file.take() {
            Some(file) => file,
            None => store.open(&path, OpenMode::Create)?,
        };
        let file = self.file.insert(file);
        write_blocks(file.as_ref(), self.used, blocks)
            .map_err(|error| Error::io("write", &path, error))?;
        if !is_opened {
            store.sync_directory()?;
        }
        Ok(())
    }

    /// Whether there are so many cuts that those should go that no reader needs.
    pub(super) fn are_many(&self) -> bool {
        !self.cuts.is_empty() && self.cuts.len().is_multiple_of(CUTS_KEPT)
    }

    /// Drops the cuts up to `generation`: no reader was saved before it.
    pub(super) fn forget_to(&mut self, store: &Store, generation: u64) -> Result<(), Error> {
        let kept = self.cuts.iter().copied();
        let kept: Vec<Cut> = kept.filter(|cut| cut.generation > generation).collect();
        if kept.len() == self.cuts.len() {
            return Ok(());
        }
        let mut blocks = Vec::new();
        kept.iter().for_each(|cut| cuts::write(cut, &mut blocks));
        let (spare, path) = (store.paths.cuts_spare(), store.paths.cuts());
        let file = store.open(&spare, OpenMode::Truncate)?;
        write_blocks(file.as_ref(), 0, &blocks)
            .and_then(|()| store.fs.rename(&spare, &path))
            .map_err(|error| Error::io("replace", &path, error))?;
        self.file = Some(file);
        self.used = blocks.len();
        self.cuts = kept;
        store.sync_directory()
    }
}

/// Writes blocks, and zeros behind them where the file ends there.
fn write_blocks(file: &dyn FsFile, used: usize, blocks: &[u8]) -> io::Result<()> {
    let end = used + blocks.len();
    let mut bytes = blocks.to_vec();
    if file.size()? < end as u64 {
        bytes.resize(end.next_multiple_of(PAGE_BYTES) - used, 0);
    }
    write_all_at(file, used as u64, &bytes)?;
    file.sync(SyncKind::Data)
}
