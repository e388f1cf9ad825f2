//! [`Model`]: all pending changes, indexed by file and by name, and the hash of every state.

use super::cells::FileChanges;
use super::content::{Choice, FileState, Ground};
use super::durable::Disk;
use super::names::NameChanges;
use super::pending::{Pending, effect_at};
use super::pool::Reused;
use super::table::Table;
use crate::simfs::{EffectKind, Recording, hash};

/// Remembered sector hashes before all are forgotten: few, so that they stay in the cache. Those
/// of sectors that are long durable are not asked for again.
const MEMO_MAX: usize = 512;

#[derive(Debug, Default)]
pub(crate) struct Model {
    /// Sorted by inode.
    pub(crate) files: Reused<FileChanges>,
    /// The files in the state that was asked for last.
    pub(crate) states: Vec<FileState>,
    pub(crate) names: NameChanges,
    memo: Table<u128>,
}

/// A state's image, before it is built.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Total {
    pub(crate) hash: u128,
    pub(crate) is_lossy: bool,
    pub(crate) has_stale: bool,
}

impl Model {
    pub(crate) fn clear(&mut self) {
        self.files.clear();
        self.states.clear();
        self.names.clear();
        self.memo.clear();
    }

    /// Indexes all pending effects anew.
    pub(crate) fn rebuild(&mut self, recording: &Recording, pending: &Pending, disk: &Disk) {
        self.files.clear();
        self.names.clear();
        for (inode, _, _) in &disk.ends {
            self.file(*inode, disk);
        }
        self.add(recording, pending, 0, disk);
    }

    /// Indexes the pending effects from the `first` on. Says whether states without them read
    /// otherwise than before.
    pub(crate) fn add(
        &mut self,
        recording: &Recording,
        pending: &Pending,
        first: usize,
        disk: &Disk,
    ) -> bool {
        let mut changes_others = false;
        for effect in pending.effects.iter().skip(first) {
            match &effect_at(recording, effect.at).kind {
                EffectKind::Data(data) => {
                    let file = self.file(data.file, disk);
                    changes_others |= file.changes_others(data);
                    file.add_write(effect.unit, effect.number, data, &disk.base, &disk.sectors);
                }
                EffectKind::Size(size) => {
                    self.file(size.file, disk)
                        .add_resize(effect.unit, effect.number, size);
                }
                kind @ (EffectKind::Link(_) | EffectKind::Unlink(_)) => {
                    self.add_name(effect.unit, kind, disk);
                }
                EffectKind::Sync(_) => {}
            }
        }
        changes_others
    }

    fn add_name(&mut self, unit: u32, kind: &EffectKind, disk: &Disk) {
        let Some(at) = self.names.add(unit, kind, &disk.base) else {
            return;
        };
        let Some(cell) = self.names.cells.as_slice().get(at) else {
            return;
        };
        for file in self.files.as_mut_slice() {
            file.names
                .retain(|(directory, name, _)| *directory != cell.directory || *name != cell.name);
        }
    }

    /// The changes of a file, started if there were none.
    fn file(&mut self, inode: u32, disk: &Disk) -> &mut FileChanges {
        let files = self.files.as_slice();
        let at = match files.binary_search_by_key(&inode, |file| file.inode) {
            Ok(at) => at,
            Err(at) => {
                self.start_file(at, inode, disk);
                at
            }
        };
        self.files
            .as_mut_slice()
            .get_mut(at)
            .expect("found or inserted there")
    }

    fn start_file(&mut self, at: usize, inode: u32, disk: &Disk) {
        let file = self.files.insert(at);
        file.start(inode, &disk.base);
        file.ends
            .extend(disk.ends_of(inode).map(|(_, sector, end)| (*sector, *end)));
        file.cuts.extend(
            disk.cuts_of(inode)
                .map(|(_, number, size)| (*number, *size)),
        );
        file.has_cut = !file.cuts.is_empty();
        let Some(node) = disk.base.node(inode) else {
            return;
        };
        for (directory, name) in &node.names {
            let has_changes = self
                .names
                .cells
                .as_slice()
                .iter()
                .any(|cell| cell.directory == *directory && cell.name == *name);
            if !has_changes {
                let path = self.names.path(*directory, &disk.base);
                let path = path.map(|path| hash::path(path, name.hash()));
                file.names.push((*directory, name.clone(), path));
            }
        }
    }

    /// The hash of a state's image.
    pub(crate) fn total(&mut self, ground: &Ground<'_>, choice: Choice<'_>) -> Total {
        if self.memo.len() > MEMO_MAX {
            self.memo.clear();
        }
        self.states.clear();
        let mut total = Total {
            hash: 0,
            is_lossy: false,
            has_stale: false,
        };
        for file in self.files.as_mut_slice() {
            let state = file.state(ground, choice, &mut self.memo);
            if state.is_lossy && self.names.is_named(file, choice.kept) {
                total.is_lossy = true;
                total.has_stale |= state.has_stale;
            }
            self.states.push(state);
        }
        total.hash = self
            .names
            .total(ground, choice.kept, self.files.as_slice(), &self.states);
        total
    }
}
