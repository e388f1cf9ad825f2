//! Sets of units as rows of 64-bit words: bit n is unit n of the pending ones.
#![expect(
    clippy::indexing_slicing,
    reason = "hot; every row has as many words as there are units for"
)]

/// A set of pending units.
pub(crate) type Set = [u64];

pub(crate) fn has(set: &Set, unit: u32) -> bool {
    set[(unit / 64) as usize] >> (unit % 64) & 1 == 1
}

pub(crate) fn insert(set: &mut Set, unit: u32) {
    set[(unit / 64) as usize] |= 1 << (unit % 64);
}

pub(crate) fn remove(set: &mut Set, unit: u32) {
    set[(unit / 64) as usize] &= !(1 << (unit % 64));
}

/// How many members come before `unit`.
pub(crate) fn rank(set: &Set, unit: u32) -> u32 {
    let word = (unit / 64) as usize;
    let before: u32 = set[..word].iter().map(|word| word.count_ones()).sum();
    before + (set[word] & ((1 << (unit % 64)) - 1)).count_ones()
}

/// Whether `part` lies in `whole`.
pub(crate) fn contains(whole: &Set, part: &Set) -> bool {
    whole
        .iter()
        .zip(part)
        .all(|(whole, part)| part & !whole == 0)
}

/// Adds all of `part` to `whole`.
pub(crate) fn unite(whole: &mut Set, part: &Set) {
    for (whole, part) in whole.iter_mut().zip(part) {
        *whole |= part;
    }
}

/// How many words hold `units` bits; at least one.
pub(crate) fn words_for(units: usize) -> usize {
    units.div_ceil(64).max(1)
}

/// Moves the members of `set` that are in `kept` together, dropping all others.
pub(crate) fn compact(set: &Set, kept: &Set, into: &mut Set) {
    into.fill(0);
    let mut next = 0_u32;
    for (word, (bits, kept)) in set.iter().zip(kept).enumerate() {
        debug_assert!(word < into.len() || *kept == 0, "rows do not grow");
        let mut left = *kept;
        while left != 0 {
            let bit = left.trailing_zeros();
            if bits >> bit & 1 == 1 {
                insert(into, next);
            }
            next += 1;
            left &= left - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compacting_closes_the_gaps() {
        let mut set = [0_u64; 2];
        for unit in [0, 3, 64, 70] {
            insert(&mut set, unit);
        }
        let mut kept = [0_u64; 2];
        for unit in [1, 3, 63, 64, 70, 71] {
            insert(&mut kept, unit);
        }
        let mut into = [u64::MAX; 2];
        compact(&set, &kept, &mut into);
        assert_eq!(into, [0b01_1010, 0]);
    }
}
