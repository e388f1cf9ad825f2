//! When a sync is owed, and the error of one that failed.

use super::error::Error;

#[derive(Debug, Default)]
pub(super) struct Owed {
    /// Puts and reads since the last sync.
    operations: u64,
    /// The first error of an owed sync that no sync or close returned yet.
    error: Option<Error>,
    /// The last time told while nothing was unsynced, or before it became so.
    clean_at: Option<u64>,
}

impl Owed {
    #[inline]
    pub(super) fn count(&mut self, operations: u64) {
        self.operations += operations;
    }

    /// Whether so many puts and reads have come.
    #[inline]
    pub(super) fn is_due(&self, sync_every: u64) -> bool {
        self.operations > 0 && self.operations >= sync_every
    }

    /// Whether they will have come after so many more.
    pub(super) fn is_due_after(&self, operations: u64, sync_every: u64) -> bool {
        self.operations.saturating_add(operations) >= sync_every.max(1)
    }

    /// Everything is durable.
    pub(super) fn clear(&mut self) {
        self.operations = 0;
    }

    pub(super) fn keep_error(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }

    pub(super) fn take_error(&mut self) -> Option<Error> {
        self.error.take()
    }

    /// Whether something has been unsynced for `timeout_ms`. The time of a put is not known, only
    /// the last one told before it: a sync may come early, never late. A jump back counts as due.
    pub(super) fn is_timed_out(&mut self, now_ms: u64, timeout_ms: u64, is_clean: bool) -> bool {
        let elapsed = self.clean_at.and_then(|then| now_ms.checked_sub(then));
        let is_due = !is_clean && elapsed.is_none_or(|elapsed| elapsed >= timeout_ms);
        if is_clean || is_due {
            self.clean_at = Some(now_ms);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sync_is_due_by_count_or_by_time() {
        let mut owed = Owed::default();
        assert!(!owed.is_due(0), "nothing came yet");
        owed.count(2);
        assert!(owed.is_due(2) && owed.is_due(0) && !owed.is_due(3));
        owed.clear();
        assert!(!owed.is_due(1));

        assert!(!owed.is_timed_out(100, 50, true));
        assert!(!owed.is_timed_out(149, 50, false));
        assert!(owed.is_timed_out(150, 50, false));
        assert!(!owed.is_timed_out(199, 50, false));
        assert!(owed.is_timed_out(10, 50, false), "a jump back");
        assert!(Owed::default().is_timed_out(0, 50, false), "no time known");
    }
}
