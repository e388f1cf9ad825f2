//! The disk after the power cut that kept the least: what syncs made durable, and nothing else.
//!
//! This is one of the states of a walk, and what it holds needs no model of states: the durable
//! effects are applied one after the other. Every profile keeps the order of effects on one cell,
//! so the order in which the process saw them will do for all of them.

use super::bits;
use super::build::Pools;
use super::pending::{Pending, effect_at};
use super::profile::Profile;
use super::walk::unit_end;
use crate::simfs::layer::{Layer, NodeKind};
use crate::simfs::sector::{SECTOR_BYTES, Sectors};
use crate::simfs::{Data, EffectKind, Entry, Recording, SimFs, Start, SyncOutcome, Uneven};
use std::cell::RefCell;
use std::sync::Arc;

/// Buffers to use again.
#[derive(Debug, Default)]
struct Worst {
    pending: Pending,
    /// The durable effects: where each stands in the log, and its number.
    durable: Vec<(u32, u32)>,
    covered: Vec<u64>,
    pools: Pools,
}

thread_local! {
    /// Buffers that are not in use.
    static IDLE: RefCell<Vec<Worst>> = const { RefCell::new(Vec::new()) };
}

/// The disk after a power cut at the end of the recording that kept nothing but what was durable.
/// Bytes that are lost within a size read as zeros.
#[must_use]
pub fn worst(recording: &Recording, profile: &Profile) -> SimFs {
    let mut worst = IDLE.with_borrow_mut(Vec::pop).unwrap_or_default();
    worst.find_durable(recording, profile);
    let disk = worst.mount(recording);
    IDLE.with_borrow_mut(|idle| idle.push(worst));
    disk
}

/// Lets go of what buffers that are not in use still hold.
pub(super) fn release_idle() {
    IDLE.with_borrow_mut(|idle| {
        for worst in idle {
            worst.pools.release_idle();
        }
    });
}

impl Worst {
    /// Finds the effects that are durable at the end.
    fn find_durable(&mut self, recording: &Recording, profile: &Profile) {
        self.pending.clear();
        self.durable.clear();
        let count = |entries: usize| u32::try_from(entries).expect("positions have 32 bits");
        let (history, end) = (count(recording.history), count(recording.log.len()));
        let (mut at, mut effects) = (0, 0);
        while at < end {
            let mut next = at + 1;
            match recording.log.get(at as usize) {
                Some(Entry::Effect(effect)) if matches!(effect.kind, EffectKind::Sync(_)) => {
                    self.sync(recording, profile, at);
                    effects += 1;
                }
                Some(Entry::Effect(_)) => {
                    let border = if at < history { history } else { end };
                    next = unit_end(recording, profile, at, border);
                    self.pending.add(recording, profile, at, next, effects);
                    effects += next - at;
                }
                Some(Entry::Mark(_)) | None => {}
            }
            at = next;
        }
        self.durable.sort_unstable();
    }

    fn sync(&mut self, recording: &Recording, profile: &Profile, at: u32) {
        let sync = effect_at(recording, at);
        let is_done =
            matches!(&sync.kind, EffectKind::Sync(sync) if sync.outcome == SyncOutcome::Done);
        if !is_done {
            let gone = self.pending.abandon(recording, profile, sync);
            self.pending.remove(&gone);
            return;
        }
        let covered = &mut self.covered;
        if !self.pending.cover(recording, profile, sync, covered) {
            return;
        }
        let pending = self.pending.effects.iter();
        let durable = pending.filter(|effect| bits::has(covered, effect.unit));
        self.durable
            .extend(durable.map(|effect| (effect.at, effect.number)));
        self.pending.remove(covered);
    }

    /// Mounts the durable effects over the recording's start.
    fn mount(&mut self, recording: &Recording) -> SimFs {
        let pools = &mut self.pools;
        let mut store = pools.take_store();
        let sectors = &mut pools.scratch;
        sectors.reset();
        sectors.lower.extend_from_slice(&recording.lower);
        if let Some((layer, patches)) = store.parts_mut() {
            patches.reset();
            std::mem::swap(&mut sectors.own, patches);
            layer.reset(Some(Arc::clone(&recording.base)));
            insert_new(layer, recording);
            for effect in &self.durable {
                apply(layer, sectors, recording, *effect);
            }
            hide_behind_sizes(layer, sectors, recording);
            sectors.own.seal();
            std::mem::swap(&mut sectors.own, patches);
        }
        sectors.lower.clear();
        let mut lower = recording.lower.clone();
        let base = store.share(&mut lower);
        pools.stores.push(store);
        pools.start_disk(Start {
            visible: Arc::clone(&base),
            base,
            lower,
            history: Vec::new(),
            uneven: Uneven::default(),
            next_inode: recording.next_inode,
            boot: recording.boot + 1,
        })
    }
}

/// Inodes that the recording made: a name may come to stand for one whose first name is lost.
fn insert_new(layer: &mut Layer, recording: &Recording) {
    for effect in recording.effects() {
        if let EffectKind::Link(link) = &effect.kind
            && link.is_new
            && layer.node(link.inode).is_none()
        {
            let kind = match link.is_directory {
                true => NodeKind::Directory,
                false => NodeKind::File,
            };
            layer.insert(link.inode, kind);
        }
    }
}

fn apply(
    layer: &mut Layer,
    sectors: &mut Sectors,
    recording: &Recording,
    (at, number): (u32, u32),
) {
    match &effect_at(recording, at).kind {
        EffectKind::Data(data) => apply_data(layer, sectors, recording, number, data),
        EffectKind::Size(size) => {
            if size.to < size.from {
                layer.cut(size.file, size.to, sectors);
            }
            layer.touch(size.file).size = size.to;
        }
        EffectKind::Link(link) => layer.set_entry(link.directory, &link.name, Some(link.inode)),
        EffectKind::Unlink(unlink) => layer.set_entry(unlink.directory, &unlink.name, None),
        EffectKind::Sync(_) => {}
    }
}

/// Bytes of before a cut that is in the start already end where that ended.
fn apply_data(
    layer: &mut Layer,
    sectors: &mut Sectors,
    recording: &Recording,
    number: u32,
    data: &Data,
) {
    let cuts = recording.uneven.cuts.iter();
    let cut = cuts
        .filter(|(file, before, _)| *file == data.file && number < *before)
        .map(|(_, _, size)| *size)
        .min();
    let Some(cut) = cut.filter(|cut| *cut < data.visible) else {
        layer.set_sectors(data.file, data.sector, data.count, data.bytes);
        return;
    };
    for offset in 0..data.count {
        let sector = data.sector + offset;
        let start = u64::from(sector) * SECTOR_BYTES as u64;
        if start >= cut {
            break;
        }
        let keep = usize::try_from(cut - start).map_or(SECTOR_BYTES, |keep| keep.min(SECTOR_BYTES));
        let zeros = [0; SECTOR_BYTES];
        let tail = zeros.get(keep..).unwrap_or_default();
        let bytes = sectors.push_patched(data.bytes.plus(offset), keep, tail);
        layer.set_sectors(data.file, sector, 1, bytes);
    }
}

/// Drops durable bytes behind the durable sizes.
fn hide_behind_sizes(layer: &mut Layer, sectors: &mut Sectors, recording: &Recording) {
    let mut index = 0;
    while let Some(node) = layer.own_nodes().get(index) {
        let (inode, size) = (node.inode, node.size);
        if node.kind == NodeKind::File {
            layer.cut(inode, size, sectors);
        }
        index += 1;
    }
    for (inode, _, _) in &recording.uneven.ends {
        if let Some(size) = layer.node(*inode).map(|node| node.size) {
            layer.cut(*inode, size, sectors);
        }
    }
}
