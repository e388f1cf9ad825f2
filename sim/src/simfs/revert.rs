//! What a failed sync does to the cache where the filesystem reverts it (btrfs).

use super::effect::{AfterSyncError, EffectKind, Entry, SyncOutcome};
use super::sector::SectorRef;
use super::state::Core;

impl Core {
    /// A sync of a file fails; the cache is then as `after` says.
    pub(crate) fn fail_sync(&mut self, inode: u32, after: AfterSyncError) {
        if after == AfterSyncError::Reverted {
            self.revert(inode);
        }
        self.sync(inode, SyncOutcome::Failed(after));
    }

    /// Sets the bytes and the size of a file back to those of its last successful sync.
    pub(crate) fn revert(&mut self, inode: u32) {
        let kept = self.synced_effects(inode);
        self.top.cut(inode, 0, &mut self.sectors);
        self.top.touch(inode).size = 0;
        let size = self.base.node(inode).map_or(0, |node| node.size);
        for sector in 0..self.base.sectors_end(inode) {
            let bytes = self.base.sector(inode, sector);
            if bytes != SectorRef::ZEROS {
                self.top.set_sectors(inode, sector, 1, bytes);
            }
        }
        self.top.touch(inode).size = size;
        for effect in kept {
            self.replay(&effect);
        }
        let size = self.size(inode);
        self.top.cut(inode, size, &mut self.sectors);
    }

    /// The effects on a file that its successful syncs covered, in order.
    fn synced_effects(&self, inode: u32) -> Vec<EffectKind> {
        let (mut synced, mut pending) = (Vec::new(), Vec::new());
        for entry in &self.log {
            let Entry::Effect(effect) = entry else {
                continue;
            };
            match &effect.kind {
                EffectKind::Sync(sync) if sync.inode == inode => match sync.outcome {
                    SyncOutcome::Done => synced.append(&mut pending),
                    SyncOutcome::Failed(AfterSyncError::Reverted) => pending.clear(),
                    SyncOutcome::Failed(AfterSyncError::Clean) => {}
                },
                kind @ (EffectKind::Data(_) | EffectKind::Size(_)) => {
                    if kind.file() == Some(inode) {
                        pending.push(kind.clone());
                    }
                }
                EffectKind::Link(_) | EffectKind::Unlink(_) | EffectKind::Sync(_) => {}
            }
        }
        synced
    }
}
