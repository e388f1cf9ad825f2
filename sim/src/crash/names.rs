//! The pending changes of names, and what they and the files' changes make of the tree's hash.
#![expect(
    clippy::indexing_slicing,
    reason = "hot; indexes come from searches in the same lists"
)]

use super::bits::{self, Set};
use super::cells::FileChanges;
use super::content::{FileState, Ground};
use super::pool::{Clear, Reused};
use crate::simfs::layer::{Layer, NodeKind, ROOT};
use crate::simfs::{EffectKind, Name, hash};

/// A name with pending changes.
#[derive(Debug)]
pub(crate) struct NameCell {
    pub(crate) directory: u32,
    pub(crate) name: Name,
    /// The hash of its path; `None` where its directory has no durable path.
    path: Option<u128>,
    /// What it durably stands for.
    pub(crate) base: Option<u32>,
    /// (unit, what it stands for then), in order.
    versions: Vec<(u32, Option<u32>)>,
}

impl Default for NameCell {
    fn default() -> Self {
        Self {
            directory: 0,
            name: Name::new(&[]),
            path: None,
            base: None,
            versions: Vec::new(),
        }
    }
}

impl Clear for NameCell {
    fn clear(&mut self) {
        self.versions.clear();
    }
}

impl NameCell {
    /// The first and the last unit that change it.
    pub(crate) fn units(&self) -> (Option<u32>, Option<u32>) {
        (
            self.versions.first().map(|(unit, _)| *unit),
            self.versions.last().map(|(unit, _)| *unit),
        )
    }

    /// What the name stands for in a state.
    pub(crate) fn entry(&self, kept: &Set) -> Option<u32> {
        self.versions
            .iter()
            .rev()
            .find(|(unit, _)| bits::has(kept, *unit))
            .map_or(self.base, |(_, inode)| *inode)
    }
}

/// All pending changes of names.
#[derive(Debug, Default)]
pub(crate) struct NameChanges {
    pub(crate) cells: Reused<NameCell>,
    /// A pending change concerns a directory: then paths move, and the tree is walked.
    has_directories: bool,
    /// Path hashes of directories in the base.
    paths: Vec<(u32, Option<u128>)>,
}

impl NameChanges {
    pub(crate) fn clear(&mut self) {
        self.cells.clear();
        self.has_directories = false;
        self.paths.clear();
    }

    /// Adds a link or unlink; gives the cell's place if it is new.
    pub(crate) fn add(&mut self, unit: u32, kind: &EffectKind, base: &Layer) -> Option<usize> {
        let (directory, name, inode, now) = match kind {
            EffectKind::Link(link) => (link.directory, &link.name, link.inode, Some(link.inode)),
            EffectKind::Unlink(unlink) => (unlink.directory, &unlink.name, unlink.inode, None),
            EffectKind::Data(_) | EffectKind::Size(_) | EffectKind::Sync(_) => return None,
        };
        self.has_directories |= is_directory(base, inode);
        if let EffectKind::Link(link) = kind {
            self.has_directories |= link.is_directory;
        }
        let found = self
            .cells
            .as_slice()
            .iter()
            .position(|cell| cell.directory == directory && cell.name == *name);
        if let Some(found) = found {
            self.cells.as_mut_slice()[found].versions.push((unit, now));
            return None;
        }
        let path = self.path(directory, base);
        let cell = self.cells.add();
        cell.directory = directory;
        cell.name = name.clone();
        cell.path = path.map(|path| hash::path(path, name.hash()));
        cell.base = base.entry(directory, name.to_ref());
        cell.versions.push((unit, now));
        Some(self.cells.as_slice().len() - 1)
    }

    /// Whether a file has a name in a state.
    pub(crate) fn is_named(&self, file: &FileChanges, kept: &Set) -> bool {
        !file.names.is_empty()
            || self
                .cells
                .as_slice()
                .iter()
                .any(|cell| cell.entry(kept) == Some(file.inode))
    }

    /// The hash of a directory's durable path.
    pub(crate) fn path(&mut self, directory: u32, base: &Layer) -> Option<u128> {
        if let Some((_, path)) = self.paths.iter().find(|(known, _)| *known == directory) {
            return *path;
        }
        let path = path_hash(directory, base, 0);
        self.paths.push((directory, path));
        path
    }

    /// The hash of the tree in a state, from the files' states in it.
    pub(crate) fn total(
        &self,
        ground: &Ground<'_>,
        kept: &Set,
        files: &[FileChanges],
        states: &[FileState],
    ) -> u128 {
        let contents = Contents {
            base: ground.base,
            files,
            states,
        };
        if self.has_directories {
            return self.walk(
                ground.base,
                kept,
                &contents,
                ROOT,
                hash::ROOT_PATH,
                &mut vec![],
            );
        }
        let mut total = ground.base.tree_hash;
        for cell in self.cells.as_slice() {
            let Some(path) = cell.path else { continue };
            if let Some(old) = cell.base {
                total = total.wrapping_sub(hash::named(path, contents.durable(old)));
            }
            if let Some(new) = cell.entry(kept) {
                total = total.wrapping_add(hash::named(path, contents.now(new)));
            }
        }
        for (file, state) in files.iter().zip(states) {
            if file.names.is_empty() || (state.size == file.base_size && state.sum == file.base_sum)
            {
                continue;
            }
            let old = hash::file(file.base_sum, file.base_size);
            let new = hash::file(state.sum, state.size);
            for path in file.names.iter().filter_map(|(_, _, path)| path.as_ref()) {
                total = total
                    .wrapping_sub(hash::named(*path, old))
                    .wrapping_add(hash::named(*path, new));
            }
        }
        total
    }

    /// The hash of what is below a directory, name by name.
    fn walk(
        &self,
        base: &Layer,
        kept: &Set,
        contents: &Contents<'_>,
        directory: u32,
        path: u128,
        above: &mut Vec<u32>,
    ) -> u128 {
        if above.contains(&directory) {
            return 0;
        }
        above.push(directory);
        let mut total = 0_u128;
        let mut add = |name: &Name, inode: u32| {
            let path = hash::path(path, name.hash());
            total = total.wrapping_add(hash::named(path, contents.now(inode)));
            if is_directory(base, inode) {
                total = total.wrapping_add(self.walk(base, kept, contents, inode, path, above));
            }
        };
        let here = || {
            self.cells
                .as_slice()
                .iter()
                .filter(|cell| cell.directory == directory)
        };
        for (name, inode) in base.entries(directory) {
            if !here().any(|cell| cell.name == *name) {
                add(name, inode);
            }
        }
        for cell in here() {
            if let Some(inode) = cell.entry(kept) {
                add(&cell.name, inode);
            }
        }
        above.pop();
        total
    }
}

/// What inodes contain, as hashes.
struct Contents<'a> {
    base: &'a Layer,
    files: &'a [FileChanges],
    states: &'a [FileState],
}

impl Contents<'_> {
    fn durable(&self, inode: u32) -> u128 {
        let Some(node) = self.base.node(inode) else {
            return 0;
        };
        match node.kind {
            NodeKind::File => hash::file(node.sum, node.size),
            NodeKind::Directory => hash::DIRECTORY,
            NodeKind::Special => hash::SPECIAL,
        }
    }

    fn now(&self, inode: u32) -> u128 {
        match self.files.binary_search_by_key(&inode, |file| file.inode) {
            Ok(at) => hash::file(self.states[at].sum, self.states[at].size),
            Err(_) => self.durable(inode),
        }
    }
}

fn is_directory(base: &Layer, inode: u32) -> bool {
    base.node(inode)
        .is_some_and(|node| node.kind == NodeKind::Directory)
}

/// The hash of a directory's path in the base; `None` if it has none.
fn path_hash(directory: u32, base: &Layer, depth: u32) -> Option<u128> {
    const DEPTH_MAX: u32 = 256;
    if directory == ROOT {
        return Some(hash::ROOT_PATH);
    }
    let (parent, name) = base.node(directory)?.names.first()?;
    if depth == DEPTH_MAX {
        return None;
    }
    Some(hash::path(
        path_hash(*parent, base, depth + 1)?,
        name.hash(),
    ))
}
