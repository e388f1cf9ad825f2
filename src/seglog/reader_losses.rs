//! Losses, each told once: by the call that meets it, or when the caller asks.

use super::error::Loss;
use std::collections::BTreeSet;
use std::ffi::OsString;

/// So many are remembered at most; one that is met again after that many others is told again.
const REMEMBERED_MAX: usize = 4096;

/// What was met.
#[derive(Debug, Default)]
pub(super) struct Losses {
    waiting: Vec<Loss>,
    told: BTreeSet<(OsString, u64)>,
}

impl Losses {
    /// Whether this one was not met before.
    pub(super) fn is_new(&mut self, loss: &Loss) -> bool {
        if self.told.len() >= REMEMBERED_MAX {
            self.told.clear();
        }
        self.told.insert((loss.file.clone(), loss.offset))
    }

    /// Keeps the new ones of these for the caller.
    pub(super) fn meet(&mut self, losses: impl IntoIterator<Item = Loss>) {
        for loss in losses {
            if self.is_new(&loss) {
                self.waiting.push(loss);
            }
        }
    }

    /// What was kept.
    pub(super) fn take(&mut self) -> Vec<Loss> {
        std::mem::take(&mut self.waiting)
    }
}
