//! What a process saw at an earlier moment of a recording.

use super::api::SimFs;
use super::effect::{AfterSyncError, EffectKind, Entry, SyncOutcome};
use super::layer::NodeKind;
use super::recording::{Recording, Uneven};
use super::state::{Core, Start};
use std::sync::Arc;

impl Recording {
    /// A disk with everything that was visible after so many effects, all of it durable; `None` if
    /// there were not so many.
    #[must_use]
    pub fn visible_at(&self, effects: u32) -> Option<SimFs> {
        let fs = SimFs::start(Start {
            base: Arc::clone(&self.base),
            visible: Arc::clone(&self.base),
            lower: self.lower.clone(),
            history: Vec::new(),
            uneven: Uneven::default(),
            next_inode: self.next_inode,
            boot: self.boot,
        });
        {
            let mut core = fs.lock();
            let mut left = effects;
            for entry in &self.log {
                if left == 0 {
                    break;
                }
                if let Entry::Effect(effect) = entry {
                    left -= 1;
                    core.replay(&effect.kind);
                }
                core.log.push(entry.clone());
            }
            if left > 0 {
                return None;
            }
            core.settle();
        }
        Some(fs)
    }
}

impl Core {
    /// Lets an effect of before be seen.
    pub(crate) fn replay(&mut self, kind: &EffectKind) {
        self.known_names.clear();
        match kind {
            EffectKind::Data(data) => {
                self.top
                    .set_sectors(data.file, data.sector, data.count, data.bytes);
            }
            EffectKind::Size(size) => {
                if size.to < size.from {
                    self.top.cut(size.file, size.to, &mut self.sectors);
                }
                self.top.touch(size.file).size = size.to;
            }
            EffectKind::Link(link) => {
                if link.is_new && self.top.node(link.inode).is_none() {
                    let kind = if link.is_directory {
                        NodeKind::Directory
                    } else {
                        NodeKind::File
                    };
                    self.top.insert(link.inode, kind);
                }
                self.top
                    .set_entry(link.directory, &link.name, Some(link.inode));
            }
            EffectKind::Unlink(unlink) => {
                self.top.set_entry(unlink.directory, &unlink.name, None);
            }
            EffectKind::Sync(sync) => {
                if sync.outcome == SyncOutcome::Failed(AfterSyncError::Reverted) {
                    self.revert(sync.inode);
                }
            }
        }
    }
}
