//! [`Name`]: a name in a directory, with its hash, so that a search compares numbers; and
//! [`Entries`]: what a layer says of a directory's names. Two names with the same 128-bit hash are
//! taken to be the same.

use super::hash;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A name in a directory: raw bytes, without `/`. Clones share the bytes.
#[derive(Clone)]
pub struct Name {
    hash: u128,
    bytes: Arc<[u8]>,
}

/// A name that somebody else holds.
#[derive(Clone, Copy)]
pub(crate) struct NameRef<'a> {
    hash: u128,
    pub(crate) bytes: &'a [u8],
}

impl Name {
    /// A name of these bytes.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        NameRef::new(bytes).to_name()
    }

    pub(crate) fn hash(&self) -> u128 {
        self.hash
    }

    pub(crate) fn to_ref(&self) -> NameRef<'_> {
        NameRef {
            hash: self.hash,
            bytes: &self.bytes,
        }
    }
}

impl<'a> NameRef<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            hash: hash::name(bytes),
            bytes,
        }
    }

    pub(crate) fn to_name(self) -> Name {
        Name {
            hash: self.hash,
            bytes: Arc::from(self.bytes),
        }
    }

    fn short_hash(&self) -> u64 {
        u64::try_from(self.hash >> 64).unwrap_or(0)
    }
}

impl Deref for Name {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
    }
}

impl Eq for Name {}

impl fmt::Debug for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\"{}\"", self.bytes.escape_ascii())
    }
}

impl fmt::Debug for NameRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\"{}\"", self.bytes.escape_ascii())
    }
}

/// What one layer says of names: what each stands for, or that it is gone. Names that are not
/// there are as in the layer below.
#[derive(Debug, Clone, Default)]
pub(crate) struct Entries {
    /// The short hashes of the names in `sorted`.
    hashes: Vec<u64>,
    sorted: Vec<(Name, Option<u32>)>,
}

/// Up to so many names looking at each is faster than halving.
const SCANNED_MAX: usize = 24;

impl Entries {
    pub(crate) fn clear(&mut self) {
        self.hashes.clear();
        self.sorted.clear();
    }

    fn search(&self, name: NameRef<'_>) -> Result<usize, usize> {
        let hash = name.short_hash();
        let mut at = if self.hashes.len() <= SCANNED_MAX {
            self.hashes
                .iter()
                .map(|known| usize::from(*known < hash))
                .sum()
        } else {
            self.hashes.partition_point(|known| *known < hash)
        };
        while self.hashes.get(at) == Some(&hash) {
            match self.sorted.get(at) {
                Some((found, _)) if found.hash == name.hash => return Ok(at),
                _ => at += 1,
            }
        }
        Err(at)
    }

    pub(crate) fn get(&self, name: NameRef<'_>) -> Option<Option<u32>> {
        let at = self.search(name).ok()?;
        self.sorted.get(at).map(|(_, inode)| *inode)
    }

    /// The name as it is held here.
    pub(crate) fn held(&self, name: NameRef<'_>) -> Option<&Name> {
        let at = self.search(name).ok()?;
        self.sorted.get(at).map(|(held, _)| held)
    }

    pub(crate) fn set(&mut self, name: &Name, inode: Option<u32>) {
        match self.search(name.to_ref()) {
            Ok(at) => {
                if let Some((_, entry)) = self.sorted.get_mut(at) {
                    *entry = inode;
                }
            }
            Err(at) => {
                self.hashes.insert(at, name.to_ref().short_hash());
                self.sorted.insert(at, (name.clone(), inode));
            }
        }
    }

    /// Adds what is here to what the layers above say.
    pub(crate) fn lie_below<'a>(&'a self, above: &mut Vec<(&'a Name, Option<u32>)>) {
        if above.is_empty() {
            above.extend(self.sorted.iter().map(|(name, inode)| (name, *inode)));
            return;
        }
        let mut hidden: Vec<u128> = above.iter().map(|(name, _)| name.hash).collect();
        hidden.sort_unstable();
        for (name, inode) in &self.sorted {
            if hidden.binary_search(&name.hash).is_err() {
                above.push((name, *inode));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upper_layer_hides_what_it_knows() {
        let names: Vec<Name> = (0..20_u8).map(|name| Name::new(&[name])).collect();
        let (mut upper, mut lower) = (Entries::default(), Entries::default());
        for (number, name) in (0..).zip(&names) {
            if number % 2 == 0 {
                lower.set(name, Some(number));
            }
            if number % 3 == 0 {
                upper.set(name, (number % 4 > 0).then_some(100 + number));
            }
        }
        let mut all = Vec::new();
        upper.lie_below(&mut all);
        lower.lie_below(&mut all);
        assert_eq!(all.len(), 13);
        for (number, name) in (0..).zip(&names) {
            let expected = match (number % 3 == 0, number % 2 == 0) {
                (true, _) => Some((number % 4 > 0).then_some(100 + number)),
                (false, true) => Some(Some(number)),
                (false, false) => None,
            };
            let found = all.iter().find(|(found, _)| *found == name);
            assert_eq!(found.map(|(_, inode)| *inode), expected);
        }
    }
}
