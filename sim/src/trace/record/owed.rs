//! How far the reads are durable at the least: what a kill may not give again.

use std::collections::VecDeque;

/// Counts puts and reads between syncs.
#[derive(Debug, Default)]
pub(super) struct Owed {
    /// For each counted call, how many reads there had been with it.
    counted: VecDeque<u64>,
    reads: u64,
    durable: u64,
    by_count: bool,
}

impl Owed {
    /// A put was acknowledged.
    pub(super) fn put(&mut self, sync_every: u64) {
        self.count(sync_every);
    }

    /// A read was acknowledged.
    pub(super) fn read(&mut self, sync_every: u64) {
        self.reads += 1;
        self.count(sync_every);
    }

    /// Everything is durable.
    pub(super) fn all_durable(&mut self) {
        self.counted.clear();
        self.durable = self.reads;
        self.by_count = false;
    }

    /// What is durable is so by the count, not by an open or an empty.
    pub(super) fn durable_by_count(&self) -> bool {
        self.by_count
    }

    /// So many of the newest reads may come again after a kill.
    pub(super) fn may_come_again(&self) -> u64 {
        self.reads - self.durable
    }

    /// The sync that a read owes is done by the depth that is asked for after it, so that it need
    /// not be told apart from the one that a put owes.
    fn count(&mut self, sync_every: u64) {
        if sync_every == 0 {
            return;
        }
        self.counted.push_back(self.reads);
        while self.counted.len() as u64 >= sync_every {
            self.durable = self.counted.pop_front().unwrap_or(self.durable);
            self.by_count = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_but_the_last_few_reads_are_durable() {
        let mut owed = Owed::default();
        owed.put(3);
        owed.read(3);
        assert_eq!(owed.may_come_again(), 1);
        owed.read(3);
        assert_eq!(owed.may_come_again(), 2, "only the put is surely durable");
        owed.read(3);
        assert_eq!(owed.may_come_again(), 2);
        owed.all_durable();
        assert_eq!(owed.may_come_again(), 0);
    }
}
