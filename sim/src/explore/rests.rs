//! [`Rests`]: what came of disks that no process used any more.
//!
//! When an object was closed, or its process died, all that comes later depends on the disk and on
//! what the observer knows by then. Many images are one disk once they were recovered, so what
//! comes of it is found out once, as every image is recovered once.

use crate::crash::Table;
use crate::simfs::SimFs;
use crate::simfs::hash::mix;
use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use xxhash_rust::xxh3::xxh3_128;

/// What came of disks, of one run and one kind of subject.
#[derive(Debug)]
pub(crate) struct Rests<T>(RefCell<Known<T>>);

#[derive(Debug)]
struct Known<T> {
    numbers: Table<u32>,
    outcomes: Vec<T>,
}

/// A disk, and everything else of which what comes of it depends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RestKey(u128);

impl RestKey {
    /// The key of a disk that nobody uses and what is `left` to be done with it. Nothing where more
    /// than that can matter.
    ///
    /// What is kept aside counts by name and size until somebody reads it; `reads_aside` says that
    /// somebody will.
    pub(crate) fn of(sim: &SimFs, reads_aside: bool, left: impl Hash) -> Option<Self> {
        let disk = sim.standing(|name| !reads_aside && is_aside(name))?;
        let mut state = Fold(disk);
        left.hash(&mut state);
        Some(Self(state.0))
    }
}

/// Folds what is hashed into 128 bits: most of it is numbers, for which a hash of bytes is slow.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Fold(u128);

impl Hash for Fold {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(self.0);
    }
}

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = mix(self.0, xxh3_128(bytes));
    }

    fn write_u8(&mut self, number: u8) {
        self.0 = mix(self.0, number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = mix(self.0, number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = mix(self.0, number.into());
    }

    fn write_u128(&mut self, number: u128) {
        self.0 = mix(self.0, number);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        u64::try_from(self.0 >> 64).unwrap_or(0)
    }
}

/// Whether a file of this name is kept for a human to look at: engines never look into it, and if
/// one does it is noticed.
fn is_aside(name: &[u8]) -> bool {
    const ENDING: &[u8] = b".bad";
    name.windows(ENDING.len()).any(|part| part == ENDING)
}

impl<T> Default for Rests<T> {
    fn default() -> Self {
        Self(RefCell::new(Known {
            numbers: Table::default(),
            outcomes: Vec::new(),
        }))
    }
}

impl<T: Clone> Rests<T> {
    /// What came of it before.
    pub(crate) fn get(&self, key: RestKey) -> Option<T> {
        let known = self.0.borrow();
        let number = known.numbers.get(key.0)?;
        known.outcomes.get(number as usize).cloned()
    }

    /// How often it was found out what comes of a disk.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.0.borrow().outcomes.len()
    }

    /// Notes what came of disks on the way to one end, `sim`, unless it depended on what was kept
    /// aside.
    pub(crate) fn note(&self, keys: &[RestKey], sim: &SimFs, outcome: &T) {
        if keys.is_empty() || sim.was_aside_read() {
            return;
        }
        let mut known = self.0.borrow_mut();
        let number = u32::try_from(known.outcomes.len()).unwrap_or(u32::MAX);
        known.outcomes.push(outcome.clone());
        for key in keys {
            known.numbers.insert(key.0, number);
        }
    }
}
