//! [`Recording`]: what a run did to the disk, for the exploration of its crashes.

use super::calls::Call;
use super::effect::{Data, Effect, Entry};
use super::layer::{Layer, NodeKind, ROOT};
use super::name::Name;
use super::sector::{Arena, Sectors};
use super::tree::TreeEntry;
use std::sync::Arc;

/// The durable start of a run, and everything that happened since. Shares all bytes with the
/// filesystem it was taken from, and does not change with it.
#[derive(Debug, Clone)]
pub struct Recording {
    pub(crate) base: Arc<Layer>,
    pub(crate) lower: Vec<Arc<Arena>>,
    pub(crate) log: Vec<Entry>,
    pub(crate) history: usize,
    pub(crate) uneven: Uneven,
    pub(crate) calls: Vec<Call>,
    pub(crate) next_inode: u32,
    pub(crate) boot: u64,
}

/// What the durable part of a disk can hold besides a plain tree, while older effects are pending.
#[derive(Debug, Clone, Default)]
pub(crate) struct Uneven {
    /// (file, sector, where its meaningful bytes end), where that is not the file's size.
    pub(crate) ends: Vec<(u32, u32, u64)>,
    /// (file, number of an effect, size): cuts that are durable, and come before the effect with
    /// this number and after all earlier ones.
    pub(crate) cuts: Vec<(u32, u32, u64)>,
}

impl Recording {
    /// Whether the start is a plain tree: no durable bytes behind a size, no durable size before
    /// its bytes. Only the recording of a run after a kill may have another start.
    #[must_use]
    pub fn starts_plain(&self) -> bool {
        self.uneven.ends.is_empty() && self.uneven.cuts.is_empty()
    }

    /// The effects and marks, in order.
    #[must_use]
    pub fn log(&self) -> &[Entry] {
        &self.log
    }

    /// How many entries at the start of the log are older than this run: effects of a killed
    /// process that were not yet durable. No crash of this run falls before their end.
    #[must_use]
    pub fn history(&self) -> usize {
        self.history
    }

    /// The same, with no crash before this mark.
    #[must_use]
    pub fn from_mark(&self, number: u32) -> Self {
        let is_it = |entry: &Entry| matches!(entry, Entry::Mark(mark) if *mark == number);
        let before = self.log.iter().position(is_it);
        Self {
            history: before.unwrap_or(0).max(self.history),
            ..self.clone()
        }
    }

    /// The calls, if they were recorded.
    #[must_use]
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The bytes of an effect: whole sectors.
    #[must_use]
    pub fn bytes(&self, data: &Data) -> Vec<u8> {
        let sectors = Sectors {
            lower: self.lower.clone(),
            own: Arena::default(),
        };
        (0..data.count)
            .flat_map(|offset| *sectors.get(data.bytes.plus(offset)))
            .collect()
    }

    /// The names that were durable at the start, each with the directory that holds it (the root
    /// is inode 1) and its inode; also those in directories that have no durable name.
    #[must_use]
    pub fn base_names(&self) -> Vec<(u32, Name, u32)> {
        let mut all = Vec::new();
        for directory in ROOT..self.next_inode {
            for (name, inode) in self.base.entries(directory) {
                all.push((directory, Name::clone(name), inode));
            }
        }
        all
    }

    /// What an inode was at the start.
    #[must_use]
    pub fn base_entry(&self, inode: u32) -> Option<TreeEntry> {
        let node = self.base.node(inode)?;
        Some(match node.kind {
            NodeKind::Directory => TreeEntry::Directory,
            NodeKind::Special => TreeEntry::Special,
            NodeKind::File => {
                let sectors = Sectors {
                    lower: self.lower.clone(),
                    own: Arena::default(),
                };
                let mut bytes: Vec<u8> = (0..self.base.sectors_end(inode))
                    .flat_map(|number| *sectors.get(self.base.sector(inode, number)))
                    .collect();
                bytes.truncate(usize::try_from(node.size).unwrap_or(usize::MAX));
                TreeEntry::File(bytes)
            }
        })
    }

    /// The effects alone: the n-th has the number n.
    pub fn effects(&self) -> impl Iterator<Item = &Effect> {
        self.log.iter().filter_map(|entry| match entry {
            Entry::Effect(effect) => Some(effect),
            Entry::Mark(_) => None,
        })
    }
}
