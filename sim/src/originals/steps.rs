//! Counts the steps of one operation of a twin, so that one that loops can be cut off.

use super::bound::{BOUND_BASE, operation_bound};
use crashline::fs::Fs;
use std::path::Path;

/// The steps of an operation. Once cut off it stays so: the object must be dropped.
#[derive(Debug)]
pub(super) struct Steps {
    taken: u64,
    max: u64,
    cut_off: bool,
}

impl Steps {
    pub(super) fn new() -> Self {
        Self {
            taken: 0,
            max: BOUND_BASE,
            cut_off: false,
        }
    }

    /// Begins to count an operation's steps.
    pub(super) fn begin(&mut self) {
        self.taken = 0;
        self.max = BOUND_BASE;
    }

    /// Counts a step; `false` once there were more than an operation may take. The directory is
    /// looked at only when what it has in any case is used up.
    pub(super) fn take(&mut self, fs: &dyn Fs, directory: &Path) -> bool {
        self.taken += 1;
        if self.taken > self.max {
            self.max = operation_bound(fs, directory);
            self.cut_off |= self.taken > self.max;
        }
        !self.cut_off
    }

    /// The steps taken when it was cut off.
    pub(super) fn cut_off(&self) -> Option<u64> {
        self.cut_off.then_some(self.taken)
    }
}
