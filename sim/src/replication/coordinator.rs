//! Who leads: a coordinator that never errs, as the originals use one.
//!
//! It names a leader only among a majority, and tells that majority before any of them can
//! acknowledge anything to an earlier leader; the replica whose last place is the greatest holds
//! every message that a majority acknowledged.

use super::entry::Entry;
use super::quirks::{Quirks, ReplicationQuirk};

/// The coordinator.
#[derive(Debug, Default)]
pub(super) struct Coordinator {
    /// The present epoch; 0 before the first leader.
    pub(super) epoch: u64,
    /// Who leads in it.
    pub(super) leader: u8,
}

impl Coordinator {
    /// Names a leader among these replicas, by the last places of their logs, if they are a
    /// majority of so many hosts.
    pub(super) fn elect(
        &mut self,
        replicas: &[(u8, Entry)],
        hosts: u8,
        quirks: Quirks,
    ) -> Option<(u8, Entry)> {
        if replicas.len() <= usize::from(hosts) / 2 {
            return None;
        }
        let is_by_length = quirks.has(ReplicationQuirk::LongestLeads);
        let weight = |(host, last): &(u8, Entry)| {
            let epoch = if is_by_length { 0 } else { last.epoch };
            // Of equals another one than before: leaders are to change.
            (epoch, last.offset, *host != self.leader, *host)
        };
        let (leader, last) = *replicas.iter().max_by_key(|one| weight(one))?;
        self.epoch += 1;
        self.leader = leader;
        Some((leader, last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(epoch: u64, offset: u64) -> Entry {
        Entry {
            epoch,
            offset,
            count: offset / 8,
        }
    }

    #[test]
    fn the_latest_epoch_counts_before_the_length_and_only_a_majority_counts() {
        let mut coordinator = Coordinator::default();
        let quirks = Quirks::default();
        assert_eq!(coordinator.elect(&[(0, place(1, 8))], 3, quirks), None);
        let replicas = [(0, place(1, 80)), (2, place(2, 16))];
        let named = coordinator.elect(&replicas, 3, quirks);
        assert_eq!(named, Some((2, place(2, 16))));
        assert_eq!((coordinator.epoch, coordinator.leader), (1, 2));
        let quirks = Quirks::parse(["replication-longest-leads"]).unwrap();
        let named = coordinator.elect(&replicas, 3, quirks);
        assert_eq!(named, Some((0, place(1, 80))));
    }
}
