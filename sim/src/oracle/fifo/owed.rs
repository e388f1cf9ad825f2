//! When a sync is owed (Q11), from below: what must be durable at the latest.
//!
//! An engine may sync earlier than it owes and count anew from there, so what holds at any time
//! is: all but the last `sync_every - 1` counted puts and reads are durable, a sync owed by a
//! read being done by the time the next operation returns; and so is what was there at a tick that
//! lies `sync_timeout` or more before the present one.

use std::collections::VecDeque;

/// A state of the queue: read position and end.
pub(super) type Point = (u32, u32);

/// The counted operations that may not be durable, and the clock.
#[derive(Debug, Clone, Default)]
pub(super) struct Owed {
    counted: VecDeque<Point>,
    /// The times told, and the state at each.
    ticks: VecDeque<(u64, Point)>,
}

impl Owed {
    /// A put or read was acknowledged and left this state.
    pub(super) fn count(&mut self, point: Point, sync_every: u64) {
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

    /// A tick was acknowledged in this state. Gives the newest state that time has made durable:
    /// that of the last tick that lies a whole timeout back.
    pub(super) fn tick(&mut self, now_ms: u64, timeout_ms: u64, point: Point) -> Option<Point> {
        if self.ticks.back().is_some_and(|(last, _)| *last > now_ms) {
            // The clock went back: an engine may count anew from here.
            self.ticks.clear();
        }
        let mut due = None;
        while let Some((then, state)) = self.ticks.front().copied()
            && timeout_ms > 0
            && now_ms - then >= timeout_ms
        {
            due = Some(state);
            self.ticks.pop_front();
        }
        self.ticks.push_back((now_ms, point));
        due
    }

    /// Everything is durable.
    pub(super) fn clear(&mut self) {
        self.counted.clear();
        self.ticks.clear();
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
    fn a_tick_owes_what_an_earlier_one_saw() {
        let mut owed = Owed::default();
        assert_eq!(owed.tick(1000, 100, (0, 0)), None);
        assert_eq!(owed.tick(1050, 100, (0, 1)), None);
        assert_eq!(owed.tick(1149, 100, (1, 2)), Some((0, 0)));
        assert_eq!(
            owed.tick(1150, 100, (1, 2)),
            Some((0, 1)),
            "an engine may have synced at 1050"
        );
        owed.clear();
        assert_eq!(owed.tick(9000, 100, (1, 3)), None, "everything was durable");
    }

    #[test]
    fn a_clock_that_went_back_counts_anew() {
        let mut owed = Owed::default();
        assert_eq!(owed.tick(5000, 100, (0, 1)), None);
        assert_eq!(owed.tick(1000, 100, (0, 1)), None);
        assert_eq!(owed.tick(1099, 100, (0, 1)), None);
        assert_eq!(owed.tick(1100, 100, (0, 1)), Some((0, 1)));
    }
}
