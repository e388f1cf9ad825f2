//! The visible tree as plain data, and its hash.

use super::hash;
use super::layer::{Layer, NodeKind, ROOT};
use super::sector::{SectorRef, Sectors};
use super::state::Core;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What a name stands for, with a file's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeEntry {
    /// A directory; what is in it has entries of its own.
    Directory,
    /// A regular file.
    File(Vec<u8>),
    /// Neither: stands for a link, FIFO, socket or device.
    Special,
}

impl Core {
    /// All names, sorted by path within each directory, the root left out.
    pub(crate) fn tree(&self) -> Vec<(PathBuf, TreeEntry)> {
        let mut all = Vec::new();
        self.add_tree(ROOT, Path::new("/"), &mut vec![ROOT], &mut all);
        all
    }

    /// `above` breaks the circles that reordered renames of directories can leave.
    fn add_tree(
        &self,
        directory: u32,
        path: &Path,
        above: &mut Vec<u32>,
        all: &mut Vec<(PathBuf, TreeEntry)>,
    ) {
        for (name, inode) in self.top.entries(directory) {
            let path = path.join(OsStr::from_bytes(name));
            let entry = self.entry(inode);
            let is_directory = entry == TreeEntry::Directory;
            all.push((path.clone(), entry));
            if is_directory && !above.contains(&inode) {
                above.push(inode);
                self.add_tree(inode, &path, above, all);
                above.pop();
            }
        }
    }

    /// What an inode is, with a file's bytes.
    pub(crate) fn entry(&self, inode: u32) -> TreeEntry {
        match self.kind(inode) {
            NodeKind::Directory => TreeEntry::Directory,
            NodeKind::Special => TreeEntry::Special,
            NodeKind::File => TreeEntry::File(self.bytes(inode)),
        }
    }

    fn bytes(&self, inode: u32) -> Vec<u8> {
        let size = usize::try_from(self.size(inode)).expect("the file fits into memory");
        let mut bytes = vec![0; size];
        let count = self.read(inode, 0, &mut bytes);
        assert!(count.is_ok_and(|count| count == size), "a file reads whole");
        bytes
    }
}

/// Writes the sums and the hash that a base carries into a layer.
pub(crate) fn seal(layer: &mut Layer, sectors: &Sectors) {
    let files = layer.own_nodes().iter();
    let own: Vec<u32> = files
        .filter(|node| node.kind == NodeKind::File)
        .map(|node| node.inode)
        .collect();
    for inode in own {
        let sum = sum_of(layer, sectors, inode);
        layer.touch(inode).sum = sum;
    }
    layer.tree_hash = hash_below(layer, ROOT, hash::ROOT_PATH);
    layer.has_sums = true;
}

/// The sum of a file's sector hashes, computed anew.
fn sum_of(layer: &Layer, sectors: &Sectors, inode: u32) -> u128 {
    (0..layer.sectors_end(inode))
        .map(|number| (number, layer.sector(inode, number)))
        .filter(|(_, sector)| *sector != SectorRef::ZEROS)
        .fold(0_u128, |sum, (number, sector)| {
            sum.wrapping_add(hash::sector(u64::from(number), sectors.get(sector)))
        })
}

/// The hash of everything in a directory, from the files' sums.
fn hash_below(layer: &Layer, directory: u32, path: u128) -> u128 {
    let mut total = 0_u128;
    for (name, inode) in layer.entries(directory) {
        let path = hash::path(path, name.hash());
        let Some(node) = layer.node(inode) else {
            continue;
        };
        let content = match node.kind {
            NodeKind::Directory => {
                total = total.wrapping_add(hash_below(layer, inode, path));
                hash::DIRECTORY
            }
            NodeKind::Special => hash::SPECIAL,
            NodeKind::File => hash::file(node.sum, node.size),
        };
        total = total.wrapping_add(hash::named(path, content));
    }
    total
}
