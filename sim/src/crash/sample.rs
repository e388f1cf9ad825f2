//! The states looked at where there are too many: the extremes, and seeded samples.
//!
//! In this order, up to the limit: nothing kept, everything kept, every prefix in time, each chain
//! (the pending changes of one cell) alone held back, each alone ahead, pairs of chains held back
//! where there are at most 64 chains, and random closed sets.

use super::bits::{self, Set};
use super::family::row_hash;
use super::fill::scramble;
use super::limits::Limits;
use super::pending::Pending;
use super::table::Table;
use super::total::Model;

/// Chains up to which pairs of them are held back.
const PAIR_CHAINS_MAX: usize = 64;

/// Collects rows, each once.
struct Rows {
    rows: Vec<u64>,
    seen: Table<u32>,
    left: usize,
}

impl Rows {
    fn add(&mut self, row: &Set) {
        let hash = row_hash(row);
        if self.left > 0 && self.seen.get(hash).is_none() {
            self.seen.insert(hash, 1);
            self.rows.extend_from_slice(row);
            self.left -= 1;
        }
    }
}

/// The rows of the states to look at; `seed` belongs to this position.
pub(crate) fn rows(pending: &Pending, model: &Model, limits: &Limits, seed: u64) -> Vec<u64> {
    let mut rows = Rows {
        rows: Vec::new(),
        seen: Table::default(),
        left: limits.states_max.max(2),
    };
    let all = pending.all();
    rows.add(&vec![0; pending.words]);
    rows.add(&all);
    let mut prefix = vec![0; pending.words];
    for unit in 0..pending.units {
        bits::insert(&mut prefix, unit);
        rows.add(&prefix);
    }
    let chains = chains(model);
    let mut held_back = Vec::new();
    for (first, _) in &chains {
        if rows.left == 0 {
            break;
        }
        let row = without(pending, &all, *first);
        rows.add(&row);
        held_back.push(row);
    }
    for (_, last) in &chains {
        let mut row = pending.needs(*last).to_vec();
        bits::insert(&mut row, *last);
        rows.add(&row);
    }
    if chains.len() <= PAIR_CHAINS_MAX {
        for (at, left) in held_back.iter().enumerate() {
            for right in held_back.iter().skip(at + 1) {
                let both: Vec<u64> = left.iter().zip(right).map(|(l, r)| l & r).collect();
                rows.add(&both);
            }
        }
    }
    for sample in 0..limits.samples as u64 {
        rows.add(&random(pending, scramble(seed ^ scramble(sample))));
    }
    rows.rows
}

/// First and last pending unit of every chain.
fn chains(model: &Model) -> Vec<(u32, u32)> {
    let mut chains = Vec::new();
    let mut add = |first: Option<u32>, last: Option<u32>| chains.extend(first.zip(last));
    for file in model.files.as_slice() {
        let resizes = &file.resizes;
        add(
            resizes.first().map(|resize| resize.unit),
            resizes.last().map(|resize| resize.unit),
        );
        for cell in file.cells.as_slice() {
            let unit = |version: &super::cells::Version| {
                file.writes.get(version.write).map(|write| write.unit)
            };
            add(
                cell.versions.first().and_then(unit),
                cell.versions.last().and_then(unit),
            );
        }
    }
    for cell in model.names.cells.as_slice() {
        let (first, last) = cell.units();
        add(first, last);
    }
    chains
}

/// `all` without a unit and everything that needs it.
fn without(pending: &Pending, all: &Set, gone: u32) -> Vec<u64> {
    let mut row = all.to_vec();
    bits::remove(&mut row, gone);
    for unit in gone + 1..pending.units {
        if bits::has(pending.needs(unit), gone) {
            bits::remove(&mut row, unit);
        }
    }
    row
}

/// A random closed set; how much is kept is drawn first.
fn random(pending: &Pending, seed: u64) -> Vec<u64> {
    let mut row = vec![0; pending.words];
    let mut word = seed;
    let mut draw = || {
        word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scramble(word)
    };
    let threshold = draw() % 256;
    for unit in 0..pending.units {
        if draw() % 256 < threshold && bits::contains(&row, pending.needs(unit)) {
            bits::insert(&mut row, unit);
        }
    }
    row
}
