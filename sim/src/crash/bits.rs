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

/// The members, ascending.
pub(crate) fn members(set: &Set) -> impl Iterator<Item = u32> {
    (0_u32..).step_by(64).zip(set).flat_map(|(first, word)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            Some(first + bit)
        })
    })
}

/// Moves the members of `set` that are in `kept` together, dropping all others.
pub(crate) fn compact(set: &mut Set, kept: &Set) {
    let mut before = 0;
    for word in 0..set.len() {
        let mut left = set[word] & kept[word];
        // Members only move down: those of this word and later ones are not overwritten.
        set[word] = 0;
        while left != 0 {
            let bit = left.trailing_zeros();
            let below = (kept[word] & ((1 << bit) - 1)).count_ones();
            insert(set, before + below);
            left &= left - 1;
        }
        before += kept[word].count_ones();
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
        assert!(members(&kept).eq([1, 3, 63, 64, 70, 71]));
        compact(&mut set, &kept);
        assert_eq!(set, [0b01_1010, 0]);
    }
}
