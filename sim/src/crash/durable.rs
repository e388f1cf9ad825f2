//! [`Disk`]: the durable part of a recording at one position, and how syncs move it on.

use super::bits::{self, Set};
use super::content::{Ground, Removed};
use super::pending::{Pending, effect_at};
use super::total::Model;
use crate::scenario::Fill;
use crate::simfs::layer::{Layer, NodeKind};
use crate::simfs::sector::{Arena, SECTOR_BYTES, Sectors};
use crate::simfs::{Data, EffectKind, Recording, Size};
use std::sync::Arc;

/// Removed files whose bytes may turn up as stale ones.
pub(crate) const REMOVED_MAX: usize = 4;

/// The durable part. Its layer lies over the recording's base.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    pub(crate) base: Arc<Layer>,
    /// The arenas of the recording, and one for sectors that a durable cut made.
    pub(crate) sectors: Sectors,
    /// Files that lost their last name, oldest first.
    pub(crate) removed: Vec<Removed>,
    /// (file, sector, where its meaningful durable bytes end), where that is not the size.
    pub(crate) ends: Vec<(u32, u32, u64)>,
    /// Durable cuts that pending writes are older than, as in `Uneven`.
    pub(crate) cuts: Vec<(u32, u32, u64)>,
    /// The own arena of `sectors`, for images to read.
    shared: Arc<Arena>,
}

impl Disk {
    /// Starts at the beginning of a recording.
    pub(crate) fn start(&mut self, recording: &Recording) {
        self.sectors.reset();
        self.sectors.lower.extend_from_slice(&recording.lower);
        self.shared = Arc::default();
        self.ends.clone_from(&recording.uneven.ends);
        self.cuts.clone_from(&recording.uneven.cuts);
        let base = Self::unshared(&mut self.base);
        base.reset(Some(Arc::clone(&recording.base)));
        // Nothing differs yet, and whatever will is kept in step.
        base.has_sums = true;
        self.removed.clear();
        self.removed
            .extend(base.removed.iter().map(|inode| Removed {
                inode: *inode,
                unit: None,
            }));
        for effect in recording.effects() {
            if let EffectKind::Link(link) = &effect.kind
                && link.is_new
                && base.node(link.inode).is_none()
            {
                let kind = if link.is_directory {
                    NodeKind::Directory
                } else {
                    NodeKind::File
                };
                base.insert(link.inode, kind);
            }
        }
    }

    /// Drops what the recording lent.
    pub(crate) fn finish(&mut self) {
        self.sectors.reset();
        Self::unshared(&mut self.base).reset(None);
    }

    /// The base to be reset: a new one if somebody still reads the old one.
    fn unshared(base: &mut Arc<Layer>) -> &mut Layer {
        if Arc::get_mut(base).is_none() {
            *base = Arc::default();
        }
        Arc::get_mut(base).expect("nobody else has it, or it is new")
    }

    pub(crate) fn ground<'a>(&'a self, fills: &'a [Fill]) -> Ground<'a> {
        Ground {
            base: &self.base,
            sectors: &self.sectors,
            removed: &self.removed,
            fills,
        }
    }

    /// The arenas that an image refers to, lowest first.
    pub(crate) fn share_arenas(&self, into: &mut Vec<Arc<Arena>>) {
        into.extend_from_slice(&self.sectors.lower);
        into.push(Arc::clone(&self.shared));
    }

    pub(crate) fn ends_of(&self, inode: u32) -> impl Iterator<Item = &(u32, u32, u64)> {
        self.ends.iter().filter(move |(file, _, _)| *file == inode)
    }

    pub(crate) fn cuts_of(&self, inode: u32) -> impl Iterator<Item = &(u32, u32, u64)> {
        self.cuts.iter().filter(move |(file, _, _)| *file == inode)
    }

    /// Notes a file that an effect takes the last name from.
    pub(crate) fn note_removed(&mut self, kind: &EffectKind, unit: u32) {
        let inode = match kind {
            EffectKind::Link(link) => link.replaced,
            EffectKind::Unlink(unlink) => unlink.renamed_to.is_none().then_some(unlink.inode),
            EffectKind::Data(_) | EffectKind::Size(_) | EffectKind::Sync(_) => None,
        };
        if let Some(inode) = inode {
            self.removed.push(Removed {
                inode,
                unit: Some(unit),
            });
        }
    }

    /// Makes the units in `durable` durable. The model still has them; `hash` is the tree's hash
    /// with them, and the model's file states are those with them.
    pub(crate) fn advance(
        &mut self,
        recording: &Recording,
        pending: &Pending,
        model: &Model,
        durable: &Set,
        hash: u128,
    ) {
        self.ends.clear();
        for file in model.files.as_slice() {
            let ends = &mut self.ends;
            file.ends_after(durable, &mut |sector, end| {
                ends.push((file.inode, sector, end));
            });
        }
        for effect in &pending.effects {
            if bits::has(durable, effect.unit) {
                self.apply(&effect_at(recording, effect.at).kind, effect.number);
            }
        }
        let base = Arc::make_mut(&mut self.base);
        for (file, state) in model.files.as_slice().iter().zip(&model.states) {
            let node = base.touch(file.inode);
            debug_assert!(node.size == state.size, "both ways to the size agree");
            node.sum = state.sum;
        }
        base.tree_hash = hash;
        if !self.sectors.own.is_empty() {
            self.sectors.own.seal();
            self.shared = Arc::new(self.sectors.own.shared());
        }
        self.forget_old(recording, pending, durable);
    }

    fn apply(&mut self, kind: &EffectKind, number: u32) {
        match kind {
            EffectKind::Data(data) => self.apply_data(data, number),
            EffectKind::Size(size) => self.apply_size(size, number),
            EffectKind::Link(link) => Arc::make_mut(&mut self.base).set_entry(
                link.directory,
                &link.name,
                Some(link.inode),
            ),
            EffectKind::Unlink(unlink) => {
                Arc::make_mut(&mut self.base).set_entry(unlink.directory, &unlink.name, None);
            }
            EffectKind::Sync(_) => {}
        }
    }

    fn apply_data(&mut self, data: &Data, number: u32) {
        let cut = self
            .cuts_of(data.file)
            .filter(|(_, before, _)| number < *before)
            .map(|(_, _, size)| *size)
            .min()
            .unwrap_or(u64::MAX);
        let base = Arc::make_mut(&mut self.base);
        if cut >= data.visible {
            base.set_sectors(data.file, data.sector, data.count, data.bytes);
            return;
        }
        // A cut that is durable already comes after these bytes.
        for offset in 0..data.count {
            let start = u64::from(data.sector + offset) * SECTOR_BYTES as u64;
            if start >= cut {
                break;
            }
            let keep =
                usize::try_from(cut - start).map_or(SECTOR_BYTES, |keep| keep.min(SECTOR_BYTES));
            let zeros = [0; SECTOR_BYTES];
            let tail = zeros.get(keep..).unwrap_or_default();
            let bytes = self
                .sectors
                .push_patched(data.bytes.plus(offset), keep, tail);
            base.set_sectors(data.file, data.sector + offset, 1, bytes);
        }
    }

    fn apply_size(&mut self, size: &Size, number: u32) {
        let base = Arc::make_mut(&mut self.base);
        if size.to < size.from {
            base.cut(size.file, size.to, &mut self.sectors);
            self.cuts.push((size.file, number + 1, size.to));
        }
        base.touch(size.file).size = size.to;
    }

    /// Numbers what is left anew, and drops what no pending effect needs.
    fn forget_old(&mut self, recording: &Recording, pending: &Pending, durable: &Set) {
        self.cuts.retain(|(file, number, _)| {
            pending.effects.iter().any(|effect| {
                effect.number < *number
                    && !bits::has(durable, effect.unit)
                    && effect_at(recording, effect.at).kind.file() == Some(*file)
            })
        });
        self.renumber(durable);
        let durable_count = self
            .removed
            .iter()
            .take_while(|removed| removed.unit.is_none())
            .count();
        self.removed
            .drain(..durable_count.saturating_sub(REMOVED_MAX));
        let base = Arc::make_mut(&mut self.base);
        base.removed.clear();
        base.removed.extend(
            self.removed
                .iter()
                .filter(|removed| removed.unit.is_none())
                .map(|removed| removed.inode),
        );
    }

    /// Whether bytes of a removed file are among what became durable: then stale bytes change.
    pub(crate) fn removed_changed(
        &self,
        recording: &Recording,
        pending: &Pending,
        durable: &Set,
    ) -> bool {
        pending.effects.iter().any(|effect| {
            bits::has(durable, effect.unit)
                && matches!(
                    &effect_at(recording, effect.at).kind,
                    EffectKind::Data(data)
                        if self.removed.iter().any(|removed| removed.inode == data.file)
                )
        })
    }

    /// Follows the units' numbers when those in `gone` are dropped, having become durable.
    fn renumber(&mut self, gone: &Set) {
        for removed in &mut self.removed {
            removed.unit = match removed.unit {
                Some(unit) if !bits::has(gone, unit) => Some(unit - bits::rank(gone, unit)),
                _ => None,
            };
        }
    }

    /// As the numbers change when reverted units are dropped; these are never removals.
    pub(crate) fn drop_reverted(&mut self, gone: &Set) {
        self.renumber(gone);
    }
}
