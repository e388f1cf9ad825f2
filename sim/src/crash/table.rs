//! [`Table`]: a map from 128-bit hashes by open addressing. The keys are
//! hashes already, so none is computed and no seed makes runs differ.
//!
//! Entries stand in the order in which they came, and small slots say which stands where: what is
//! new is written behind what was written last, and a search for what is not there looks at slots
//! alone. However large the table is, either waits for memory once.
#![expect(
    clippy::indexing_slicing,
    reason = "hot; positions are masked by the number of slots, which hold numbers of entries"
)]

/// Slots before the first growth.
const SLOTS_MIN: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct Table<T> {
    slots: Vec<Slot>,
    entries: Vec<(u128, T)>,
}

/// Where an entry is, or nothing.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// The low bits of its key: they place the slot, in a larger table too.
    bits: u32,
    /// The number of the entry, counted from one; 0 means free.
    entry: u32,
}

impl Slot {
    fn is_free(self) -> bool {
        self.entry == 0
    }

    fn index(self) -> usize {
        self.entry as usize - 1
    }
}

impl<T: Copy + Default> Table<T> {
    pub(crate) fn clear(&mut self) {
        if self.entries.is_empty() {
            return;
        }
        // A table that once was large would cost its size at every use.
        if self.slots.len() > SLOTS_MIN * 64 {
            *self = Self::default();
        } else {
            self.slots.fill(Slot::default());
            self.entries.clear();
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Makes room for so many entries.
    pub(crate) fn reserve(&mut self, entries: usize) {
        if self.slots.len() < entries * 2 {
            self.grow_to((entries * 2).next_power_of_two());
        }
    }

    pub(crate) fn get(&self, hash: u128) -> Option<T> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = self.slots[self.position(hash)];
        (!slot.is_free()).then(|| self.entries[slot.index()].1)
    }

    /// # Panics
    /// Where 2 to the 32 entries are there already: they would take more memory than there is.
    pub(crate) fn insert(&mut self, hash: u128, value: T) {
        if self.entries.len() * 2 >= self.slots.len() {
            self.grow_to((self.slots.len() * 2).max(SLOTS_MIN));
        }
        let at = self.position(hash);
        let slot = self.slots[at];
        if !slot.is_free() {
            self.entries[slot.index()].1 = value;
            return;
        }
        self.entries.push((hash, value));
        let entry = u32::try_from(self.entries.len());
        let entry = entry.expect("fewer than 2 to the 32 entries");
        let bits = low_bits(hash);
        self.slots[at] = Slot { bits, entry };
    }

    /// The slot of the key, or the one where it would be.
    fn position(&self, key: u128) -> usize {
        let mask = self.slots.len() - 1;
        let bits = low_bits(key);
        let mut at = bits as usize & mask;
        loop {
            let slot = self.slots[at];
            let is_it = slot.is_free() || slot.bits == bits && self.entries[slot.index()].0 == key;
            if is_it {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// Slots that stand one after the other go to places that do so too.
    fn grow_to(&mut self, size: usize) {
        let mask = size - 1;
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); size]);
        for slot in old.into_iter().filter(|slot| !slot.is_free()) {
            let mut at = slot.bits as usize & mask;
            while !self.slots[at].is_free() {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }
}

/// Any bits of a hash will do.
fn low_bits(key: u128) -> u32 {
    u32::try_from(key & u128::from(u32::MAX)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_inserted_and_nothing_else() {
        let mut table = Table::default();
        for key in 0..1000_u128 {
            table.insert(key * 7, u32::try_from(key).unwrap());
        }
        table.insert(7, 99);
        table.reserve(5000);
        assert_eq!(table.len(), 1000);
        assert_eq!(table.get(7), Some(99));
        assert_eq!(table.get(14), Some(2));
        assert_eq!(table.get(15), None);
        table.clear();
        assert_eq!(table.get(14), None);
        table.insert(14, 3);
        assert_eq!(
            (table.len(), table.get(14), table.get(7)),
            (1, Some(3), None)
        );
    }

    #[test]
    fn keys_whose_low_bits_are_equal_are_told_apart() {
        let key = |number: u32| u128::from(number) << 64 | 5;
        let mut table = Table::default();
        for number in 0..300 {
            table.insert(key(number), number);
        }
        for number in 0..300 {
            assert_eq!(table.get(key(number)), Some(number));
        }
        assert_eq!(table.get(key(300)), None);
    }
}
