//! Written bytes, kept once: sectors of 512 bytes in arenas that only grow.
//!
//! A [`SectorRef`] names a sector of one of several stacked arenas: a filesystem mounted from an
//! image reads the sectors of the recording it came from (lower arenas) and writes into its own.
//! A chunk that somebody else may see is sealed and never changes again.
#![expect(
    clippy::indexing_slicing,
    reason = "hot; a reference is only made by the arena that it indexes"
)]

use std::sync::Arc;

/// The unit that a disk writes atomically, in bytes.
pub const SECTOR_BYTES: usize = 512;

const CHUNK_SECTORS: usize = 128;
const CHUNK_BYTES: usize = CHUNK_SECTORS * SECTOR_BYTES;
/// Buffers that an arena keeps when it is emptied.
const SPARE_MAX: usize = 4;
const ARENA_SHIFT: u32 = 28;
const ARENAS_MAX: usize = 16;

pub(crate) type Sector = [u8; SECTOR_BYTES];

static ZERO_SECTOR: Sector = [0; SECTOR_BYTES];

/// Names the bytes of one sector; consecutive sectors of one effect have consecutive references.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SectorRef(pub(crate) u32);

impl SectorRef {
    /// Zero bytes: a hole, or what was never written.
    pub const ZEROS: Self = Self(0);

    /// The number in its arena; zeros have none.
    fn number(self) -> usize {
        (self.0 & ((1 << ARENA_SHIFT) - 1)) as usize - 1
    }

    /// The reference `count` sectors after this one. Zeros stay zeros.
    #[must_use]
    pub fn plus(self, count: u32) -> Self {
        if self == Self::ZEROS {
            self
        } else {
            Self(self.0 + count)
        }
    }
}

/// A growing store of sectors.
#[derive(Debug, Clone, Default)]
pub(crate) struct Arena {
    /// Chunks that may be shared; a chunk sealed early has unused numbers at its end.
    sealed: Vec<Arc<Vec<u8>>>,
    open: Vec<u8>,
    /// Empty buffers to use again.
    spare: Vec<Vec<u8>>,
}

impl Arena {
    fn sector(&self, number: usize) -> &Sector {
        let (chunk, start) = (
            number / CHUNK_SECTORS,
            number % CHUNK_SECTORS * SECTOR_BYTES,
        );
        let bytes = self.sealed.get(chunk).map_or(&self.open, |sealed| sealed);
        bytes[start..]
            .first_chunk()
            .expect("references name whole sectors")
    }

    /// The number that the next pushed sector gets.
    fn next_number(&self) -> usize {
        self.sealed.len() * CHUNK_SECTORS + self.open.len() / SECTOR_BYTES
    }

    /// Appends whole sectors; they get consecutive numbers.
    fn push(&mut self, mut bytes: &[u8]) {
        debug_assert!(
            bytes.len().is_multiple_of(SECTOR_BYTES),
            "sectors are pushed whole"
        );
        while !bytes.is_empty() {
            if self.open.capacity() < CHUNK_BYTES {
                self.open = self.spare.pop().unwrap_or_default();
                self.open.reserve_exact(CHUNK_BYTES);
            }
            let (now, later) = bytes.split_at(bytes.len().min(CHUNK_BYTES - self.open.len()));
            self.open.extend_from_slice(now);
            if self.open.len() == CHUNK_BYTES {
                self.seal();
            }
            bytes = later;
        }
    }

    /// Appends a copy of a sector with `bytes` put at `start`.
    fn push_with(&mut self, sector: &Sector, start: usize, bytes: &[u8]) {
        if self.open.capacity() < CHUNK_BYTES {
            self.open = self.spare.pop().unwrap_or_default();
            self.open.reserve_exact(CHUNK_BYTES);
        }
        let at = self.open.len();
        self.open.extend_from_slice(sector);
        self.open[at + start..at + start + bytes.len()].copy_from_slice(bytes);
        if self.open.len() == CHUNK_BYTES {
            self.seal();
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.sealed.is_empty() && self.open.is_empty()
    }

    /// The same sectors, once all are sealed.
    pub(crate) fn shared(&self) -> Self {
        debug_assert!(self.open.is_empty(), "only sealed chunks are shared");
        Self {
            sealed: self.sealed.clone(),
            open: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Makes everything shareable.
    pub(crate) fn seal(&mut self) {
        if !self.open.is_empty() {
            self.sealed.push(Arc::new(std::mem::take(&mut self.open)));
        }
    }

    /// Forgets everything and keeps some buffers for the next use.
    pub(crate) fn reset(&mut self) {
        while let Some(chunk) = self.sealed.pop() {
            if self.spare.len() < SPARE_MAX
                && let Some(mut bytes) = Arc::into_inner(chunk)
            {
                bytes.clear();
                self.spare.push(bytes);
            }
        }
        self.open.clear();
    }
}

/// All arenas that a filesystem's references may name: those of what it was mounted from, lowest
/// first, and its own.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sectors {
    pub(crate) lower: Vec<Arc<Arena>>,
    pub(crate) own: Arena,
}

impl Sectors {
    pub(crate) fn get(&self, sector: SectorRef) -> &Sector {
        if sector == SectorRef::ZEROS {
            return &ZERO_SECTOR;
        }
        let arena = (sector.0 >> ARENA_SHIFT) as usize;
        self.lower
            .get(arena)
            .map_or(&self.own, |lower| lower)
            .sector(sector.number())
    }

    /// Appends whole sectors to the own arena and gives the first one's reference.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> SectorRef {
        let number = self.own.next_number();
        self.own.push(bytes);
        self.reference(number)
    }

    /// Appends a copy of `old` with `bytes` put at `start`.
    pub(crate) fn push_patched(&mut self, old: SectorRef, start: usize, bytes: &[u8]) -> SectorRef {
        let number = self.own.next_number();
        if old == SectorRef::ZEROS {
            self.own.push_with(&ZERO_SECTOR, start, bytes);
        } else if let Some(lower) = self.lower.get((old.0 >> ARENA_SHIFT) as usize) {
            self.own.push_with(lower.sector(old.number()), start, bytes);
        } else {
            let sector = *self.own.sector(old.number());
            self.own.push_with(&sector, start, bytes);
        }
        self.reference(number)
    }

    fn reference(&self, number: usize) -> SectorRef {
        let arena = self.lower.len();
        assert!(
            arena < ARENAS_MAX && number + 1 < 1 << ARENA_SHIFT,
            "a reference has room for 16 arenas of 128 GiB"
        );
        let packed = arena << ARENA_SHIFT | (number + 1);
        SectorRef(u32::try_from(packed).expect("both parts were bounded above"))
    }

    /// The arenas for a filesystem that is mounted over this one: everything so far, sealed.
    pub(crate) fn share(&mut self) -> Vec<Arc<Arena>> {
        self.own.seal();
        let mut all = self.lower.clone();
        all.push(Arc::new(self.own.shared()));
        all
    }

    pub(crate) fn reset(&mut self) {
        self.lower.clear();
        self.own.reset();
    }
}
