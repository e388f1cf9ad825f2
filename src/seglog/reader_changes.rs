//! Word from the writer to readers in the same process that the log was cut or its start moved.
//!
//! Readers look at the writer meta at the start of each call, since the writer may be anywhere. One
//! that follows a writer saves that look as long as there is no word.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Tells of changes that a reader has to look at. All clones are one.
#[derive(Debug, Clone, Default)]
pub struct Changes(Arc<AtomicU64>);

impl Changes {
    /// Tells of a change: to be called when the meta that says it was written, before anything is
    /// cut or removed.
    pub fn tell(&self) {
        self.0.fetch_add(1, Ordering::Release);
    }

    /// How many were told.
    pub(super) fn told(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }
}
