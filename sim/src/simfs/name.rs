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

/// What was found when names were looked up, in one directory at a time: asking all layers again
/// costs more. It must be told of every change.
#[derive(Debug, Default)]
pub(crate) struct KnownNames {
    directory: u32,
    known: Vec<(u128, Option<u32>)>,
}

/// A directory with many names in use is asked anew.
const KNOWN_MAX: usize = 12;

impl KnownNames {
    pub(crate) fn clear(&mut self) {
        self.known.clear();
    }

    pub(crate) fn get(&self, directory: u32, name: NameRef<'_>) -> Option<Option<u32>> {
        if directory != self.directory {
            return None;
        }
        let found = self.known.iter().find(|(hash, _)| *hash == name.hash)?;
        Some(found.1)
    }

    pub(crate) fn set(&mut self, directory: u32, name: NameRef<'_>, inode: Option<u32>) {
        if directory != self.directory || self.known.len() > KNOWN_MAX {
            self.known.clear();
            self.directory = directory;
        }
        match self.known.iter_mut().find(|(hash, _)| *hash == name.hash) {
            Some((_, known)) => *known = inode,
            None => self.known.push((name.hash, inode)),
        }
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
const SCANNED_MAX: usize = 16;

impl Entries {
    pub(crate) fn clear(&mut self) {
        self.hashes.clear();
        self.sorted.clear();
    }

    /// Where a name is held, or where it belongs.
    fn search(&self, name: NameRef<'_>) -> Result<usize, usize> {
        let hash = name.short_hash();
        let mut at = self.hashes.partition_point(|known| *known < hash);
        while self.hashes.get(at) == Some(&hash) {
            match self.sorted.get(at) {
                Some((found, _)) if found.hash == name.hash => return Ok(at),
                _ => at += 1,
            }
        }
        Err(at)
    }

    fn find(&self, name: NameRef<'_>) -> Option<&(Name, Option<u32>)> {
        if self.hashes.len() > SCANNED_MAX {
            return self.search(name).ok().and_then(|at| self.sorted.get(at));
        }
        let hash = name.short_hash();
        let first = self.hashes.iter().position(|known| *known == hash)?;
        let same = self.sorted.get(first..)?.iter();
        same.take_while(|(found, _)| found.to_ref().short_hash() == hash)
            .find(|(found, _)| found.hash == name.hash)
    }

    pub(crate) fn get(&self, name: NameRef<'_>) -> Option<Option<u32>> {
        self.find(name).map(|(_, inode)| *inode)
    }

    /// The name as it is held here.
    pub(crate) fn held(&self, name: NameRef<'_>) -> Option<&Name> {
        self.find(name).map(|(held, _)| held)
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

    /// The names that stand for something.
    pub(crate) fn present(&self) -> impl Iterator<Item = (&Name, u32)> {
        self.sorted
            .iter()
            .filter_map(|(name, inode)| inode.map(|inode| (name, inode)))
    }
}
