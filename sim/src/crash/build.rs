//! From a state to a filesystem: a layer with what differs from the durable part.

use super::bits;
use super::bits::Set;
use super::content::{Choice, Ground};
use super::durable::Disk;
use super::pending::Pending;
use super::shape::sector_bytes;
use super::total::Model;
use crate::scenario::{CrashKind, Fill};
use crate::simfs::layer::Layer;
use crate::simfs::sector::{Arena, Sectors};
use crate::simfs::{
    AfterSyncError, EffectKind, Entry, Recording, SimFs, Start, SyncOutcome, Uneven,
};
use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

/// Layers and disks to use again. They are reused when nobody holds them any more.
#[derive(Debug, Default)]
pub(crate) struct Pools {
    pub(super) stores: Vec<Store>,
    disks: Vec<SimFs>,
    pub(super) scratch: Sectors,
}

/// What a built image consists of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Store {
    layer: Arc<Layer>,
    patches: Arc<Arena>,
}

impl Store {
    /// Layer and arena, where nobody else holds them.
    pub(super) fn parts_mut(&mut self) -> Option<(&mut Layer, &mut Arena)> {
        Arc::get_mut(&mut self.layer).zip(Arc::get_mut(&mut self.patches))
    }

    /// Adds the arena to those that the layer refers to, and gives the layer.
    pub(super) fn share(&self, lower: &mut Vec<Arc<Arena>>) -> Arc<Layer> {
        lower.push(Arc::clone(&self.patches));
        Arc::clone(&self.layer)
    }
}

impl Pools {
    /// Lets go of everything that idle disks and layers hold.
    pub(crate) fn release_idle(&mut self) {
        for disk in &mut self.disks {
            disk.release_if_idle();
        }
        for store in &mut self.stores {
            if let Some(layer) = Arc::get_mut(&mut store.layer) {
                layer.reset(None);
            }
        }
    }

    /// A store that nobody holds.
    pub(super) fn take_store(&mut self) -> Store {
        self.release_idle();
        let is_idle = |store: &mut Store| store.parts_mut().is_some();
        match self.stores.iter_mut().position(is_idle) {
            Some(at) => self.stores.swap_remove(at),
            None => Store::default(),
        }
    }

    pub(super) fn start_disk(&mut self, start: Start) -> SimFs {
        if let Some(disk) = self.disks.iter_mut().find_map(SimFs::idle) {
            disk.restart(start);
            return disk.clone();
        }
        let disk = SimFs::start(start);
        self.disks.push(disk.clone());
        disk
    }
}

/// Everything that mounting one state needs.
#[derive(Debug)]
pub(crate) struct Builder<'a> {
    pub(crate) recording: &'a Recording,
    pub(crate) disk: &'a Disk,
    pub(crate) pending: &'a Pending,
    pub(crate) model: &'a Model,
    pub(crate) fills: &'a [Fill],
    pub(crate) kept: &'a Set,
    pub(crate) fill: Fill,
    pub(crate) pools: &'a RefCell<Pools>,
    pub(crate) store: OnceCell<Store>,
}

impl Builder<'_> {
    pub(crate) fn mount(&self, kind: CrashKind, hash: u128) -> SimFs {
        let store = self.store.get_or_init(|| self.build(hash));
        let mut lower = Vec::with_capacity(8);
        self.disk.share_arenas(&mut lower);
        let layer = store.share(&mut lower);
        let is_kill = kind == CrashKind::Kill;
        let (base, history, uneven) = if is_kill {
            let (history, uneven) = self.history();
            (&self.disk.base, history, uneven)
        } else {
            (&layer, Vec::new(), Uneven::default())
        };
        self.pools.borrow_mut().start_disk(Start {
            base: Arc::clone(base),
            visible: Arc::clone(&layer),
            lower,
            history,
            uneven,
            next_inode: self.recording.next_inode,
            boot: self.recording.boot + u64::from(!is_kill),
        })
    }

    /// The log entries that a killed process leaves to the disk, and what the new recording must
    /// know of the durable part. Effects are numbered anew in it.
    fn history(&self) -> (Vec<Entry>, Uneven) {
        let (mut history, mut places) = (Vec::new(), Vec::new());
        let pending = &self.pending.effects;
        let first = pending.first().map_or(self.pending.at, |effect| effect.at);
        let mut left = pending.iter().map(|effect| effect.at).peekable();
        for at in first..self.pending.at {
            let is_pending = left.next_if_eq(&at).is_some();
            if let Some(entry) = self.recording.log.get(at as usize)
                && (is_pending || gives_up(entry))
            {
                history.push(entry.clone());
                places.push(at);
            }
        }
        let renumbered = |before: u32| {
            let older = pending.iter().filter(|effect| effect.number < before);
            let count = older
                .map(|effect| effect.at)
                .max()
                .map_or(0, |last| places.partition_point(|at| *at <= last));
            u32::try_from(count).expect("a part of the log")
        };
        let cuts = self.disk.cuts.iter();
        let uneven = Uneven {
            ends: self.disk.ends.clone(),
            cuts: cuts
                .map(|(file, before, size)| (*file, renumbered(*before), *size))
                .collect(),
        };
        (history, uneven)
    }

    fn build(&self, hash: u128) -> Store {
        let mut pools = self.pools.borrow_mut();
        let mut store = pools.take_store();
        let ground = self.disk.ground(self.fills);
        let choice = Choice {
            kept: self.kept,
            fill: self.fill,
        };
        let scratch = &mut pools.scratch;
        scratch.reset();
        self.disk.share_arenas(&mut scratch.lower);
        // The store is idle, so that both are there to be changed.
        if let Some((layer, patches)) = store.parts_mut() {
            patches.reset();
            std::mem::swap(&mut scratch.own, patches);
            layer.reset(Some(Arc::clone(&self.disk.base)));
            self.fill_layer(layer, scratch, &ground, choice);
            layer.tree_hash = hash;
            layer.has_sums = true;
            scratch.own.seal();
            std::mem::swap(&mut scratch.own, patches);
        }
        scratch.lower.clear();
        pools.stores.push(store.clone());
        store
    }

    fn fill_layer(
        &self,
        layer: &mut Layer,
        sectors: &mut Sectors,
        ground: &Ground<'_>,
        choice: Choice<'_>,
    ) {
        for (file, state) in self.model.files.as_slice().iter().zip(&self.model.states) {
            let is_as_durable = state.size == file.base_size && state.sum == file.base_sum;
            if is_as_durable && file.ends.is_empty() {
                continue;
            }
            let clip = file.clip_in(choice.kept);
            if clip < file.base_size || !file.ends.is_empty() {
                layer.cut(file.inode, clip, sectors);
            }
            file.each_change(ground, choice, |sector, now, filler| {
                let bytes = if now.is_plain {
                    now.source
                } else {
                    sectors.push(&sector_bytes(now, filler, sectors))
                };
                layer.set_sectors(file.inode, sector, 1, bytes);
            });
            let node = layer.touch(file.inode);
            node.size = state.size;
            node.sum = state.sum;
        }
        for cell in self.model.names.cells.as_slice() {
            let entry = cell.entry(choice.kept);
            if entry != cell.base {
                layer.set_entry(cell.directory, &cell.name, entry);
            }
        }
        for removed in ground.removed {
            if let Some(unit) = removed.unit
                && bits::has(choice.kept, unit)
            {
                layer.removed.push(removed.inode);
            }
        }
    }
}

/// A failed sync that leaves pending effects behind which no later one covers.
fn gives_up(entry: &Entry) -> bool {
    matches!(
        entry,
        Entry::Effect(effect) if matches!(
            &effect.kind,
            EffectKind::Sync(sync) if sync.outcome == SyncOutcome::Failed(AfterSyncError::Clean)
        )
    )
}
