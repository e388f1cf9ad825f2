//! Word from the writer to readers in the same process that the log was cut or its start moved.
//!
//! Readers look at the writer meta at the start of each call, since the writer may be anywhere. One
//! that follows a writer saves that look as long as there is no word and the writer is there. When
//! it is gone the log may have another writer, which tells others.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Set when the writer is gone.
const GONE: u64 = 1 << 63;

/// Tells of changes that a reader has to look at. All clones are one.
#[derive(Debug, Clone, Default)]
pub struct Changes(Arc<AtomicU64>);

impl Changes {
    /// Tells of a change: to be called when the meta that says it was written, before anything is
    /// cut or removed.
    pub fn tell(&self) {
        self.0.fetch_add(1, Ordering::Release);
    }

    /// Tells that nothing more will be told: who followed looks at every call from now on.
    pub(super) fn end(&self) {
        self.0.fetch_or(GONE, Ordering::Release);
    }

    /// How many were told; `None` where no word is no sign that nothing changed.
    pub(super) fn told(&self) -> Option<u64> {
        let told = self.0.load(Ordering::Acquire);
        (told & GONE == 0).then_some(told)
    }
}
