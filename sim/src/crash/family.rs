//! [`Family`]: the states looked at at one position, each with the outcomes of its images.
//!
//! As long as all allowed states are in it, it is kept and not enumerated anew: a new unit adds
//! itself to every state that has what it needs; a sync keeps the states that have what became
//! durable. So a state is built once in its life.
#![expect(
    clippy::indexing_slicing,
    reason = "hot; rows are addressed within the list of rows"
)]

use super::bits::{self, Set};
use super::pending::Pending;
use super::table::Table;
use crate::scenario::Fill;
use xxhash_rust::xxh3::xxh3_128;

/// The most images of one state: three fills and their mixture.
pub(crate) const IMAGES_MAX: usize = 4;

/// The images of one state.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Shown {
    count: usize,
    images: [(Option<Fill>, u32); IMAGES_MAX],
}

impl Shown {
    pub(crate) fn push(&mut self, fill: Option<Fill>, outcome: u32) {
        self.images[self.count] = (fill, outcome);
        self.count += 1;
    }

    /// What lost bytes read as (`None`: none were lost), and the outcome.
    pub(crate) fn images(&self) -> &[(Option<Fill>, u32)] {
        &self.images[..self.count]
    }
}

#[derive(Debug, Default)]
pub(crate) struct Family {
    words: usize,
    rows: Vec<u64>,
    shown: Vec<Shown>,
    /// All allowed states are there.
    pub(crate) is_whole: bool,
}

impl Family {
    /// The one state of a disk without pending effects; it is not shown yet.
    pub(crate) fn start(&mut self) {
        self.words = 1;
        self.rows.clear();
        self.rows.push(0);
        self.shown.clear();
        self.is_whole = true;
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len() / self.words
    }

    pub(crate) fn row(&self, state: usize) -> &Set {
        &self.rows[state * self.words..(state + 1) * self.words]
    }

    pub(crate) fn shown(&self, state: usize) -> &Shown {
        &self.shown[state]
    }

    /// How many states have images: the first ones.
    pub(crate) fn shown_count(&self) -> usize {
        self.shown.len()
    }

    pub(crate) fn show(&mut self, shown: Shown) {
        self.shown.push(shown);
    }

    fn widen(&mut self, words: usize) {
        if words == self.words {
            return;
        }
        let mut wide = Vec::with_capacity(self.len() * words);
        for row in self.rows.chunks_exact(self.words) {
            wide.extend_from_slice(row);
            wide.resize(wide.len() + words - self.words, 0);
        }
        self.rows = wide;
        self.words = words;
    }

    /// Adds the states that a new unit makes possible. More than `states_max` make the family
    /// incomplete.
    pub(crate) fn add(&mut self, pending: &Pending, unit: u32, states_max: usize) {
        self.widen(pending.words);
        if !self.is_whole {
            return;
        }
        let needs = pending.needs(unit);
        for state in 0..self.len() {
            let start = state * self.words;
            let row = start..start + self.words;
            if !bits::contains(&self.rows[row.clone()], needs) {
                continue;
            }
            if self.len() >= states_max {
                self.is_whole = false;
                return;
            }
            let new = self.rows.len();
            self.rows.extend_from_within(row);
            bits::insert(&mut self.rows[new..], unit);
        }
    }

    /// Keeps the states that have all of `durable`, and drops its units from them.
    pub(crate) fn settle(&mut self, durable: &Set, kept_units: &Set) {
        let words = self.words;
        let mut next = 0;
        for state in 0..self.shown.len() {
            let (from, to) = (state * words, next * words);
            if bits::contains(&self.rows[from..from + words], durable) {
                self.rows.copy_within(from..from + words, to);
                bits::compact(&mut self.rows[to..to + words], kept_units);
                self.shown[next] = self.shown[state];
                next += 1;
            }
        }
        self.rows.truncate(next * words);
        self.shown.truncate(next);
    }

    /// Enumerates anew all states of the pending units, if there are at most `states_max`. Images
    /// of states that were there are kept.
    pub(crate) fn enumerate(&mut self, pending: &Pending, states_max: usize) -> bool {
        let mut whole = Self::default();
        whole.start();
        whole.widen(pending.words);
        for unit in 0..pending.units {
            whole.add(pending, unit, states_max);
        }
        self.is_whole = whole.is_whole;
        if self.is_whole {
            self.replace(whole.rows, pending.words);
        }
        self.is_whole
    }

    /// Takes these states instead, with the images of those that were there before. The ones that
    /// are new come last.
    pub(crate) fn replace(&mut self, rows: Vec<u64>, words: usize) {
        self.widen(words);
        let mut known = Table::default();
        for (state, row) in (1_u32..).zip(self.rows.chunks_exact(words)) {
            if (state as usize) <= self.shown.len() {
                known.insert(row_hash(row), state);
            }
        }
        let (mut old_rows, mut new_rows) = (Vec::with_capacity(rows.len()), Vec::new());
        let mut shown = Vec::new();
        for row in rows.chunks_exact(words) {
            match known.get(row_hash(row)) {
                Some(state) => {
                    old_rows.extend_from_slice(row);
                    shown.push(self.shown[state as usize - 1]);
                }
                None => new_rows.extend_from_slice(row),
            }
        }
        old_rows.append(&mut new_rows);
        self.rows = old_rows;
        self.shown = shown;
    }

    /// Forgets the images of the states, since they read otherwise now.
    pub(crate) fn hide(&mut self) {
        self.shown.clear();
    }

    /// Forgets all images, since the durable part changed in another way than by a sync.
    pub(crate) fn forget_images(&mut self) {
        self.shown.clear();
        self.rows.clear();
        self.is_whole = false;
    }
}

pub(crate) fn row_hash(row: &Set) -> u128 {
    let mut bytes = [0; 64];
    let mut hash = 0;
    for part in row.chunks(8) {
        for (slot, word) in bytes.chunks_exact_mut(8).zip(part) {
            slot.copy_from_slice(&word.to_le_bytes());
        }
        hash = crate::simfs::hash::mix(hash, xxh3_128(&bytes[..part.len() * 8]));
    }
    hash
}
