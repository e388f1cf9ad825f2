//! When a sync is owed (Q11), from below: what must be durable at the latest.
//!
//! An engine may sync earlier than it owes and count anew from there, so what holds at any time
//! is: all but the last `sync_every - 1` counted puts and reads are durable, a sync owed by a
//! read being done by the time the next operation returns.

use std::collections::VecDeque;

/// A state of the queue: read position and end.
pub(super) type Point = (u32, u32);

/// The counted operations that may not be durable, and the clock.
#[derive(Debug, Clone, Default)]
pub(super) struct Owed {
    counted: VecDeque<Point>,
    unsynced: bool,
    tick_last: Option<u64>,
    pending_since: Option<u64>,
}

impl Owed {
    /// A put or read was acknowledged and left this state.
    pub(super) fn count(&mut self, point: Point, sync_every: u64) {
        self.unsynced = true;
        if sync_every > 0 {
            self.counted.push_back(point);
        }
    }

    /// The newest state that the count has made durable by now.
    pub(super) fn due(&mut self, sync_every: u64) -> Option<Point> {
        let mut due = None;
        while sync_every > 0 && self.counted.len() as u64 >= sync_every {
            due = self.counted.pop_front();
        }
        due
    }

    /// A tick was acknowledged; whether it owed a sync of everything.
    pub(super) fn tick(&mut self, now_ms: u64, timeout_ms: u64) -> bool {
        if let Some(last) = self.tick_last
            && last > now_ms
        {
            // The clock went back: an engine may go on from the old time.
            self.pending_since = self.pending_since.map(|since| since.max(last));
        }
        self.tick_last = Some(now_ms);
        if !self.unsynced {
            return false;
        }
        let since = *self.pending_since.get_or_insert(now_ms);
        now_ms >= since && now_ms - since >= timeout_ms && timeout_ms > 0
    }

    /// Everything is durable.
    pub(super) fn clear(&mut self) {
        self.counted.clear();
        self.unsynced = false;
        self.pending_since = None;
    }

    /// A new object counts anew and has seen no time.
    pub(super) fn restart(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_but_the_last_few_are_durable() {
        let mut owed = Owed::default();
        for end in 1..=2 {
            owed.count((0, end), 3);
            assert_eq!(owed.due(3), None);
        }
        owed.count((0, 3), 3);
        assert_eq!(owed.due(3), Some((0, 1)));
        owed.count((0, 4), 3);
        assert_eq!(owed.due(3), Some((0, 2)));
    }

    #[test]
    fn never_when_it_is_off() {
        let mut owed = Owed::default();
        owed.count((0, 1), 0);
        assert_eq!(owed.due(0), None);
    }

    #[test]
    fn a_tick_owes_after_the_timeout() {
        let mut owed = Owed::default();
        assert!(!owed.tick(1000, 100));
        owed.count((0, 1), 0);
        assert!(!owed.tick(1500, 100), "only now the engine knows the time");
        assert!(!owed.tick(1599, 100));
        assert!(owed.tick(1600, 100));
        owed.clear();
        assert!(!owed.tick(9000, 100), "nothing is unsynced");
    }

    #[test]
    fn a_clock_that_went_back_owes_late() {
        let mut owed = Owed::default();
        owed.count((0, 1), 0);
        assert!(!owed.tick(5000, 100));
        assert!(!owed.tick(1000, 100));
        assert!(!owed.tick(1200, 100));
        assert!(owed.tick(5100, 100));
    }
}
