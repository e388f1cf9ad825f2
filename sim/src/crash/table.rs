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
    /// A few bits of each key, so that a search for what is not there stays in the cache however
    /// large the table is; 0 means free.
    tags: Vec<u16>,
    entries: Vec<(u128, T)>,
    used: usize,
}

impl<T: Copy + Default> Table<T> {
    pub(crate) fn clear(&mut self) {
        if self.used == 0 {
            return;
        }
        // A table that once was large would cost its size at every use.
        if self.tags.len() > ENTRIES_MIN * 64 {
            self.tags = Vec::new();
            self.entries = Vec::new();
        } else {
            self.tags.fill(0);
        }
        self.used = 0;
    }

    pub(crate) fn len(&self) -> usize {
        self.used
    }

    /// Makes room for so many entries.
    pub(crate) fn reserve(&mut self, entries: usize) {
        while self.tags.len() < entries * 2 {
            self.grow_to((entries * 2).next_power_of_two());
        }
    }

    pub(crate) fn get(&self, hash: u128) -> Option<T> {
        if self.tags.is_empty() {
            return None;
        }
        let at = self.position(hash);
        (self.tags[at] != 0).then(|| self.entries[at].1)
    }

    pub(crate) fn insert(&mut self, hash: u128, value: T) {
        if self.used * 2 >= self.tags.len() {
            self.grow();
        }
        let at = self.position(hash);
        self.used += usize::from(self.tags[at] == 0);
        self.tags[at] = tag(hash);
        self.entries[at] = (hash, value);
    }

    /// Where the key is or would be.
    fn position(&self, key: u128) -> usize {
        let mask = self.tags.len() - 1;
        let tag = tag(key);
        let mut at = low_bits(key) & mask;
        while self.tags[at] != 0 && (self.tags[at] != tag || self.entries[at].0 != key) {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        self.grow_to((self.tags.len() * 2).max(ENTRIES_MIN));
    }

    fn grow_to(&mut self, size: usize) {
        let old_tags = std::mem::replace(&mut self.tags, vec![0; size]);
        let old = std::mem::replace(&mut self.entries, vec![(0, T::default()); size]);
        for ((key, value), tag) in old.into_iter().zip(old_tags) {
            if tag != 0 {
                let at = self.position(key);
                self.tags[at] = tag;
                self.entries[at] = (key, value);
            }
        }
    }
}

fn tag(key: u128) -> u16 {
    u16::try_from(key >> 112).unwrap_or(0) | 1
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
