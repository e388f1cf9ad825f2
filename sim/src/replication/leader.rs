//! A replica that leads: what its followers have, and what clients wait for.

use super::entry::Entry;
use super::event::Event;
use super::node::{Node, Setup};
use super::quirks::ReplicationQuirk;
use super::store::StoreError;
use super::wire::Message;
use std::collections::{BTreeMap, VecDeque};

/// A follower that does not answer is asked again after so many ticks.
const RESEND_TICKS: u64 = 12;

/// What the leader knows of a follower.
#[derive(Debug, Clone, Copy)]
struct Progress {
    /// Its log is the leader's up to here, and durable.
    matched: Option<Entry>,
    /// The place to ask for next.
    next: Entry,
    /// Nothing before the leader's start is there: it has to begin anew.
    begins: bool,
    /// When it was last sent something, in ticks.
    sent_at: u64,
}

/// The work of a leader.
#[derive(Debug)]
pub(super) struct Leader {
    followers: BTreeMap<u8, Progress>,
    /// Puts whose clients wait, with the place behind each.
    pub(super) waiting: VecDeque<(u32, Entry)>,
    now: u64,
}

impl Leader {
    pub(super) fn new(setup: Setup, last: Entry) -> Self {
        let fresh = Progress {
            matched: None,
            next: last,
            begins: false,
            sent_at: 0,
        };
        let others = (0..setup.hosts).filter(|other| *other != setup.host);
        Self {
            followers: others.map(|other| (other, fresh)).collect(),
            waiting: VecDeque::new(),
            now: 0,
        }
    }
}

impl Node {
    /// A follower has everything up to a place.
    pub(super) fn acknowledged(&mut self, from: u8, to: Entry) {
        let Some(follower) = self.follower(from) else {
            return;
        };
        if follower
            .matched
            .is_none_or(|matched| matched.offset < to.offset)
        {
            follower.matched = Some(to);
        }
        if follower.next.offset <= to.offset || follower.begins {
            follower.next = to;
            follower.begins = false;
        }
    }

    /// A follower does not know the place that it was asked for, only one before that.
    pub(super) fn unknown(&mut self, from: u8, nearest: Option<Entry>) {
        let known = nearest.and_then(|nearest| match self.store.has(&nearest) {
            true => Some(nearest),
            // What stands at the same offset here was written by another leader.
            false => self.store.before(nearest.offset),
        });
        let Some(follower) = self.follower(from) else {
            return;
        };
        match known {
            // It is further back with every answer; a late one must not lead forward again.
            Some(known) if known.offset <= follower.next.offset => follower.next = known,
            Some(_) => {}
            None => follower.begins = true,
        }
    }

    fn follower(&mut self, from: u8) -> Option<&mut Progress> {
        self.leads.as_mut()?.followers.get_mut(&from)
    }

    /// Tells clients what a majority holds.
    pub(super) fn acknowledge(&mut self) {
        let (host, majority) = (self.setup.host, usize::from(self.setup.hosts) / 2 + 1);
        let is_alone = self.has(ReplicationQuirk::AckAlone);
        let takes_any = self.has(ReplicationQuirk::AckOfAnything);
        let last = self.store.last();
        let epoch = self.epoch;
        let Some(leads) = &mut self.leads else {
            return;
        };
        let others = leads.followers.values().filter_map(|one| one.matched);
        let of = |one: Entry| if takes_any { last.offset } else { one.offset };
        let mut ends: Vec<u64> = others.map(of).chain([last.offset]).collect();
        ends.sort_unstable_by(|one, other| other.cmp(one));
        let held = match is_alone {
            true => Some(last.offset),
            false => ends.get(majority - 1).copied(),
        };
        let held = held.unwrap_or(0);
        let mut done = Vec::new();
        while let Some((number, place)) = leads.waiting.front().copied() {
            if place.offset > held {
                break;
            }
            leads.waiting.pop_front();
            done.push((number, place));
        }
        // What an earlier leader wrote is committed only together with something of this epoch.
        let of_epoch = self.store.nearest(held, Entry::default());
        if let Some(place) = of_epoch.filter(|place| place.epoch == epoch) {
            self.committed = self.committed.max(place.offset);
        }
        for (number, place) in done {
            self.tell(Event::Acknowledged {
                host,
                number,
                place,
            });
        }
    }

    /// Sends every follower what it lacks, unless it is still to answer.
    pub(super) fn send_to_all(&mut self) {
        let Some(leads) = &self.leads else {
            return;
        };
        let idle = leads.followers.iter().filter(|(_, one)| one.sent_at == 0);
        let idle: Vec<u8> = idle.map(|(other, _)| *other).collect();
        for other in idle {
            // It is tried again with the next tick that sends anew.
            if let Err(error) = self.send(other) {
                self.trouble(&error);
            }
        }
    }

    /// Sends a follower what it lacks: after its answer, or when that does not come.
    pub(super) fn send(&mut self, to: u8) -> Result<(), StoreError> {
        let (epoch, last, base) = (self.epoch, self.store.last(), self.store.base());
        let batch = usize::try_from(self.setup.batch_messages_max).unwrap_or(usize::MAX);
        let Some(leads) = &mut self.leads else {
            return Ok(());
        };
        let now = leads.now;
        let Some(follower) = leads.followers.get_mut(&to) else {
            return Ok(());
        };
        if follower.next.offset < base.offset {
            follower.begins = true;
        }
        if !follower.begins && follower.matched == Some(last) && follower.next == last {
            follower.sent_at = 0;
            return Ok(());
        }
        follower.sent_at = now.max(1);
        let follower = *follower;
        if follower.begins {
            self.out.push((to, Message::Begin { epoch, base }));
            return Ok(());
        }
        // Before it is known where the logs part, nothing is worth sending along.
        let wanted = match follower.matched {
            Some(_) => batch,
            None => 0,
        };
        let entries = self.store.after(&follower.next, wanted);
        let end = entries.last().copied().unwrap_or(follower.next);
        let records = self.store.records(&follower.next, &end)?;
        self.out.push((
            to,
            Message::Append {
                epoch,
                after: follower.next,
                end: last,
                entries,
                records,
            },
        ));
        Ok(())
    }

    /// Asks again who did not answer.
    pub(super) fn resend(&mut self, now: u64) {
        let Some(leads) = &mut self.leads else {
            return;
        };
        leads.now = now;
        let silent = leads.followers.iter().filter(|(_, one)| {
            let is_behind = one.sent_at > 0 || one.matched.is_none();
            is_behind && now >= one.sent_at + RESEND_TICKS
        });
        let silent: Vec<u8> = silent.map(|(other, _)| *other).collect();
        for other in silent {
            if let Err(error) = self.send(other) {
                self.trouble(&error);
            }
        }
    }
}
