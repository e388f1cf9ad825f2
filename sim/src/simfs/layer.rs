//! A [`Layer`] is what a filesystem contains, as the difference to the layer below it.
//!
//! Layers stack: what the process sees lies over the image it was mounted from, over the durable
//! part of a recording, over that recording's own base. A lower layer that is shared never
//! changes. A layer's tables are reused: [`Layer::reset`] forgets everything by counting up a
//! generation and frees nothing, so that a crash state costs what differs.
//!
//! Invariants: a block of references is complete (never looked up sector by sector in two layers);
//! a name that a layer removes is there as `None`; inode numbers are never used twice.
#![expect(
    clippy::indexing_slicing,
    reason = "hot; indexes come from the tables of the same layer"
)]

use super::blocks::Block;
use super::name::{Entries, Name, NameRef};
use std::sync::Arc;

/// The inode number of the root directory.
pub(crate) const ROOT: u32 = 1;

/// Room for the names of a directory that is listed, before it grows.
const ENTRIES_FIRST: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    File,
    Directory,
    Special,
}

/// An inode as one layer knows it.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) inode: u32,
    pub(crate) kind: NodeKind,
    pub(crate) size: u64,
    /// The sum of the sector hashes. Kept by whoever makes a base; the layer of a live
    /// filesystem does not keep it.
    pub(crate) sum: u128,
    /// (number of the block in the file, index in the layer's blocks), sorted.
    pub(super) blocks: Vec<(u32, u32)>,
    /// Blocks of lower layers from this number on are hidden.
    pub(super) below_end: u32,
    /// What the layer changes in a directory.
    entries: Entries,
    /// All names of this inode: directory and name.
    pub(crate) names: Vec<(u32, Name)>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Layer {
    pub(super) below: Option<Arc<Self>>,
    generation: u32,
    /// By inode number: generation and index in `nodes`; an older generation means absent.
    slots: Vec<(u32, u32)>,
    pub(super) nodes: Vec<Node>,
    nodes_used: usize,
    pub(super) blocks: Vec<Block>,
    pub(super) blocks_free: Vec<u32>,
    /// The hash of the whole tree. Kept like `Node::sum`.
    pub(crate) tree_hash: u128,
    /// Files whose last name went, oldest first: where stale bytes come from.
    pub(crate) removed: Vec<u32>,
}

impl Layer {
    /// An empty root directory.
    pub(crate) fn with_root() -> Self {
        let mut layer = Self::default();
        layer.reset(None);
        layer.insert(ROOT, NodeKind::Directory);
        layer
    }

    /// Forgets everything, to be used over another layer.
    pub(crate) fn reset(&mut self, below: Option<Arc<Self>>) {
        self.tree_hash = below.as_ref().map_or(0, |below| below.tree_hash);
        self.removed.clear();
        if let Some(below) = &below {
            self.removed.extend_from_slice(&below.removed);
        }
        self.below = below;
        self.generation = self.generation.checked_add(1).unwrap_or_else(|| {
            self.slots.clear();
            1
        });
        self.nodes_used = 0;
        self.blocks.clear();
        self.blocks_free.clear();
    }

    pub(crate) fn below(&self) -> Option<&Arc<Self>> {
        self.below.as_ref()
    }

    pub(super) fn own_index(&self, inode: u32) -> Option<usize> {
        match self.slots.get(inode as usize) {
            Some((generation, index)) if *generation == self.generation => Some(*index as usize),
            _ => None,
        }
    }

    /// The inode, from the topmost layer that knows it.
    pub(crate) fn node(&self, inode: u32) -> Option<&Node> {
        let mut layer = self;
        loop {
            if let Some(index) = layer.own_index(inode) {
                return Some(&layer.nodes[index]);
            }
            layer = layer.below.as_deref()?;
        }
    }

    /// The inodes that this layer itself knows.
    pub(crate) fn own_nodes(&self) -> &[Node] {
        &self.nodes[..self.nodes_used]
    }

    /// Adds a new inode.
    pub(crate) fn insert(&mut self, inode: u32, kind: NodeKind) -> &mut Node {
        let index = self.nodes_used;
        self.nodes_used += 1;
        if self.slots.len() <= inode as usize {
            self.slots.resize(inode as usize + 1, (0, 0));
        }
        self.slots[inode as usize] = (
            self.generation,
            u32::try_from(index).expect("there are fewer nodes than inode numbers"),
        );
        if index == self.nodes.len() {
            self.nodes.push(Node {
                inode,
                kind,
                size: 0,
                sum: 0,
                blocks: Vec::new(),
                below_end: 0,
                entries: Entries::default(),
                names: Vec::new(),
            });
        }
        let node = &mut self.nodes[index];
        node.inode = inode;
        node.kind = kind;
        node.size = 0;
        node.sum = 0;
        node.blocks.clear();
        node.below_end = 0;
        node.entries.clear();
        node.names.clear();
        node
    }

    /// The inode in this layer, copied up if it is not there yet.
    ///
    /// # Panics
    /// If there is no such inode.
    pub(crate) fn touch(&mut self, inode: u32) -> &mut Node {
        if let Some(index) = self.own_index(inode) {
            return &mut self.nodes[index];
        }
        // Taken out and put back, since a clone would count references.
        let below = self.below.take().expect("an inode that is used exists");
        let old = below.node(inode).expect("an inode that is used exists");
        let node = self.insert(inode, old.kind);
        node.size = old.size;
        node.sum = old.sum;
        node.below_end = u32::MAX;
        node.names.extend_from_slice(&old.names);
        self.below = Some(below);
        let index = self.own_index(inode).expect("it was just inserted");
        &mut self.nodes[index]
    }

    /// What a name stands for.
    pub(crate) fn entry(&self, directory: u32, name: NameRef<'_>) -> Option<u32> {
        let mut layer = self;
        loop {
            if let Some(index) = layer.own_index(directory)
                && let Some(entry) = layer.nodes[index].entries.get(name)
            {
                return entry;
            }
            layer = layer.below.as_deref()?;
        }
    }

    /// The name as some layer holds it, so that its bytes are not copied; else a new one.
    pub(crate) fn held_name(&self, directory: u32, name: NameRef<'_>) -> Name {
        let mut layer = Some(self);
        while let Some(this) = layer {
            if let Some(index) = this.own_index(directory)
                && let Some(held) = this.nodes[index].entries.held(name)
            {
                return held.clone();
            }
            layer = this.below.as_deref();
        }
        name.to_name()
    }

    /// All names in a directory, sorted.
    pub(crate) fn entries(&self, directory: u32) -> Vec<(&Name, u32)> {
        let mut all: Vec<(&Name, u32)> = Vec::with_capacity(ENTRIES_FIRST);
        let mut layer = Some(self);
        while let Some(this) = layer {
            if let Some(index) = this.own_index(directory) {
                let present = this.nodes[index].entries.present();
                all.extend(present.filter(|(name, _)| !self.is_hidden(this, directory, name)));
            }
            layer = this.below.as_deref();
        }
        all.sort_unstable_by(|(left, _), (right, _)| left[..].cmp(&right[..]));
        all
    }

    /// Whether some layer from this one down to above `below` says something of a name.
    fn is_hidden(&self, below: &Self, directory: u32, name: &Name) -> bool {
        let mut layer = self;
        while !std::ptr::eq(layer, below) {
            if let Some(index) = layer.own_index(directory)
                && layer.nodes[index].entries.get(name.to_ref()).is_some()
            {
                return true;
            }
            let Some(next) = layer.below.as_deref() else {
                return false;
            };
            layer = next;
        }
        false
    }

    /// Lets a name stand for `inode`, or for nothing; keeps the inodes' lists of names.
    pub(crate) fn set_entry(&mut self, directory: u32, name: &Name, inode: Option<u32>) {
        let old = self.entry(directory, name.to_ref());
        self.replace_entry(directory, name, old, inode);
    }

    /// As [`Layer::set_entry`], where it is known what the name stands for.
    pub(super) fn replace_entry(
        &mut self,
        directory: u32,
        name: &Name,
        old: Option<u32>,
        new: Option<u32>,
    ) {
        if old == new {
            return;
        }
        if let Some(old) = old {
            self.touch(old)
                .names
                .retain(|(held_by, found)| *held_by != directory || found != name);
        }
        if let Some(new) = new {
            self.touch(new).names.push((directory, name.clone()));
        }
        self.touch(directory).entries.set(name, new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upper_layer_hides_what_it_knows() {
        let names: Vec<Name> = (0..20_u8).map(|name| Name::new(&[name])).collect();
        let (mut lower, mut upper) = (Layer::with_root(), Layer::default());
        for inode in 2..200 {
            lower.insert(inode, NodeKind::File);
        }
        for (number, name) in (2..).zip(&names).step_by(2) {
            lower.set_entry(ROOT, name, Some(number));
        }
        upper.reset(Some(Arc::new(lower)));
        for (number, name) in (2..).zip(&names).step_by(3) {
            upper.set_entry(ROOT, name, (number % 4 > 0).then_some(100 + number));
        }
        let listed = upper.entries(ROOT);
        assert!(listed.is_sorted_by_key(|(name, _)| name[..].to_vec()));
        assert_eq!(listed.len(), 11);
        for (number, name) in (2..).zip(&names) {
            let expected = match ((number - 2) % 3 == 0, number % 2 == 0) {
                (true, _) => (number % 4 > 0).then_some(100 + number),
                (false, true) => Some(number),
                (false, false) => None,
            };
            assert_eq!(upper.entry(ROOT, name.to_ref()), expected);
            let found = listed.iter().find(|(found, _)| *found == name);
            assert_eq!(found.map(|(_, inode)| *inode), expected);
        }
    }
}
