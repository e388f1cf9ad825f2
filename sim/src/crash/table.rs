//! [`Table`]: a map from 128-bit hashes by open addressing. The keys are
//! hashes already, so none is computed and no seed makes runs differ.
#![expect(
    clippy::indexing_slicing,
    reason = "hot; positions are masked by the table's length"
)]

/// Entries before the first growth.
const ENTRIES_MIN: usize = 64;

#[derive(Debug, Default)]
pub(crate) struct Table<T> {
    /// The key 0 means free; the hash 0 is stored as 1.
    entries: Vec<(u128, T)>,
    used: usize,
}

impl<T: Copy + Default> Table<T> {
    pub(crate) fn clear(&mut self) {
        if self.used == 0 {
            return;
        }
        // A table that once was large would cost its size at every use.
        if self.entries.len() > ENTRIES_MIN * 16 {
            self.entries = Vec::new();
        } else {
            self.entries.fill((0, T::default()));
        }
        self.used = 0;
    }

    pub(crate) fn len(&self) -> usize {
        self.used
    }

    pub(crate) fn get(&self, hash: u128) -> Option<T> {
        if self.entries.is_empty() {
            return None;
        }
        let (key, value) = &self.entries[self.position(hash.max(1))];
        (*key != 0).then_some(*value)
    }

    pub(crate) fn insert(&mut self, hash: u128, value: T) {
        if self.used * 2 >= self.entries.len() {
            self.grow();
        }
        let at = self.position(hash.max(1));
        self.used += usize::from(self.entries[at].0 == 0);
        self.entries[at] = (hash.max(1), value);
    }

    /// Where the key is or would be.
    fn position(&self, key: u128) -> usize {
        let mask = self.entries.len() - 1;
        let mut at = low_bits(key) & mask;
        while self.entries[at].0 != 0 && self.entries[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let size = (self.entries.len() * 2).max(ENTRIES_MIN);
        let old = std::mem::replace(&mut self.entries, vec![(0, T::default()); size]);
        for (key, value) in old {
            if key != 0 {
                let at = self.position(key);
                self.entries[at] = (key, value);
            }
        }
    }
}

/// Any bits of a hash will do.
fn low_bits(key: u128) -> usize {
    usize::try_from(key & 0x7fff_ffff).unwrap_or(0)
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
        assert_eq!(table.len(), 1000);
        assert_eq!(table.get(7), Some(99));
        assert_eq!(table.get(14), Some(2));
        assert_eq!(table.get(15), None);
        table.clear();
        assert_eq!(table.get(14), None);
    }
}
