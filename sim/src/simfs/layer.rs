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
use super::name::{Entries, Name};
use std::sync::Arc;

/// The inode number of the root directory.
pub(crate) const ROOT: u32 = 1;

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
    pub(super) entries: Entries,
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
    /// Whether the hash and the sums of all files are kept.
    pub(crate) has_sums: bool,
    /// Files whose last name went, oldest first: where stale bytes come from.
    pub(crate) removed: Vec<u32>,
}

impl Layer {
    /// An empty root directory.
    pub(crate) fn with_root() -> Self {
        let mut layer = Self::default();
        layer.reset(None);
        layer.insert(ROOT, NodeKind::Directory);
        layer.has_sums = true;
        layer
    }

    /// Forgets everything, to be used over another layer.
    pub(crate) fn reset(&mut self, below: Option<Arc<Self>>) {
        self.tree_hash = below.as_ref().map_or(0, |below| below.tree_hash);
        self.has_sums = false;
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
}
