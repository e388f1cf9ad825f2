//! What is wrong with what happened: R1 to R3, and the clauses of each log on each host.
//!
//! The judge knows what leaders wrote and what clients were told; of a replica it believes only
//! what its log shows, and holds it to what it promised to have on disk.

use super::entry::Entry;
use super::event::{Event, Seen, Shown};
use super::history::History;
use crate::oracle::Violation;
use crate::scenario::{Clause, CrashKind};
use crashline::seglog::Position;
use std::collections::BTreeMap;

/// What a replica promised.
#[derive(Debug, Clone, Copy, Default)]
struct Promised {
    /// Its log holds everything up to here, whatever happens to its process or its power.
    durable: Entry,
    /// Its log starts here or later.
    start: u64,
}

/// Judges a run. `syncs_keep`: what was synced outlives a power cut on these disks.
pub(crate) fn judge(events: &[Event], syncs_keep: bool) -> Vec<Violation> {
    let mut judge = Judge {
        syncs_keep,
        history: History::default(),
        acknowledged: Vec::new(),
        hosts: BTreeMap::new(),
        ended: BTreeMap::new(),
        leader: None,
        step: None,
        found: Vec::new(),
    };
    for event in events {
        judge.take(event);
    }
    judge.end();
    judge.found
}

struct Judge {
    syncs_keep: bool,
    history: History,
    acknowledged: Vec<(u32, Entry)>,
    hosts: BTreeMap<u8, Promised>,
    ended: BTreeMap<u8, Shown>,
    leader: Option<u8>,
    step: Option<u32>,
    found: Vec<Violation>,
}

impl Judge {
    fn broken(&mut self, clause: Clause, evidence: String) {
        self.found.push(Violation {
            clause,
            evidence,
            step: self.step,
        });
    }

    fn promised(&mut self, host: u8) -> &mut Promised {
        self.hosts.entry(host).or_default()
    }

    fn take(&mut self, event: &Event) {
        match event {
            Event::Step { index } => self.step = Some(*index),
            Event::Puts {
                number,
                size,
                after,
                place,
                ..
            } => self.history.writes(*number, *size, *after, *place),
            Event::Holds {
                host,
                place,
                after,
                offset,
            } => self.holds(*host, *place, *after, *offset),
            Event::Appended {
                host,
                to,
                is_synced: true,
                ..
            } => self.promised(*host).durable = *to,
            Event::Acknowledged { number, place, .. } => self.acknowledged.push((*number, *place)),
            Event::Elected { leader, last, .. } => {
                self.leader = Some(*leader);
                self.elected(*leader, *last);
            }
            Event::Opened { host, shown } => self.opened(*host, shown),
            Event::Leads { host, shown, .. } => {
                self.alike(*host, shown);
                self.holds_committed(*host, shown);
            }
            Event::Cuts { host, to } => {
                let promised = self.promised(*host);
                if to.offset < promised.durable.offset {
                    promised.durable = *to;
                }
            }
            Event::Cut { host, to, end } => {
                if (end.offset, end.count) != (to.offset, to.count) {
                    let words = format!("h{host} was cut at {to} and ends at {end:?}");
                    self.broken(Clause::L3, words);
                }
            }
            Event::Begins { host, .. } => *self.promised(*host) = Promised::default(),
            Event::Begun {
                host,
                base,
                start,
                end,
            } => self.begun(*host, *base, start, end),
            Event::Cleaned {
                host,
                before,
                start,
            } => self.cleaned(*host, *before, start),
            Event::Read { .. } => self.read(event),
            Event::Crashed {
                kind: CrashKind::PowerCut,
                ..
            } if !self.syncs_keep => self.believe_nothing(),
            Event::Ended { host, shown } => drop(self.ended.insert(*host, shown.clone())),
            Event::NotAlike { host, words } => {
                let words = format!("long after all faults ended, h{host} is not alike: {words}");
                self.broken(Clause::R1, words);
            }
            Event::NotOpened { .. } | Event::Trouble { .. } | Event::Panicked { .. } => {
                self.failed(event);
            }
            Event::Appended {
                is_synced: false, ..
            }
            | Event::NotElected
            | Event::Told { .. }
            | Event::PutFailed { .. }
            | Event::Crashed { .. }
            | Event::Healed => {}
        }
    }

    /// What fails although nothing makes it fail.
    fn failed(&mut self, event: &Event) {
        if let Event::NotOpened {
            host,
            words,
            is_excused: false,
        } = event
        {
            self.broken(Clause::C1, format!("h{host} cannot be opened: {words}"));
        }
        if let Event::Trouble {
            host,
            words,
            is_excused: false,
        } = event
        {
            let words = format!("on h{host} something failed on a disk that works: {words}");
            self.broken(Clause::C12, words);
        }
        if let Event::Panicked { host, words } = event {
            self.broken(Clause::C3, format!("h{host} {words}"));
        }
    }

    /// On a disk that forgets what was synced nothing is promised.
    fn believe_nothing(&mut self) {
        self.acknowledged.clear();
        for promised in self.hosts.values_mut() {
            *promised = Promised::default();
        }
    }

    fn holds(&mut self, host: u8, place: Entry, after: Entry, offset: u64) {
        if offset != after.offset {
            let words = format!("a put on h{host} at {after} answered offset {offset}");
            self.broken(Clause::L1, words);
        }
        self.promised(host).durable = place;
    }

    fn elected(&mut self, leader: u8, last: Entry) {
        let Some(way) = self.history.way(last) else {
            let words =
                format!("h{leader} is to lead with a log that ends at {last}, and nobody's");
            return self.broken(Clause::R3, words);
        };
        let lost = self.acknowledged.iter().find(|(_, place)| !way.has(place));
        if let Some((number, place)) = lost {
            let words = format!(
                "#{number}, acknowledged at {place}, is not in the log of the new leader h{leader}, \
                 which ends at {last}"
            );
            self.broken(Clause::R2, words);
        }
    }

    fn opened(&mut self, host: u8, shown: &Shown) {
        let promised = *self.promised(host);
        if let Some(words) = self.history.wrong(shown) {
            let words = format!("h{host} came back, and {words}");
            return self.broken(Clause::L2, words);
        }
        let way = self.history.way(shown.last);
        if !way.is_some_and(|way| way.has(&promised.durable)) {
            let (kept, last) = (promised.durable, shown.last);
            let words = format!("h{host} had {kept} on disk and came back with {last}");
            self.broken(Clause::L2, words);
        }
        if shown.start.offset < promised.start {
            let (before, now) = (promised.start, shown.start.offset);
            let words = format!("the start of h{host} went back from {before} to {now}");
            self.broken(Clause::L5, words);
        }
        self.promised(host).durable = shown.last;
    }

    /// A log that shows itself is one log.
    fn alike(&mut self, host: u8, shown: &Shown) {
        if let Some(words) = self.history.wrong(shown) {
            self.broken(
                Clause::R3,
                format!("the log of h{host} is no one's: {words}"),
            );
        }
    }

    /// What clients were told is there, from the log's start on.
    fn holds_committed(&mut self, host: u8, shown: &Shown) {
        let start = shown.start.offset;
        let mut committed = self.acknowledged.iter();
        let is_there = |place: &Entry| {
            let mut messages = shown.messages.iter();
            messages.any(|seen| seen.next == place.offset)
        };
        let lost = committed.find(|(_, place)| place.offset > start && !is_there(place));
        if let Some((number, place)) = lost {
            let words = format!(
                "#{number}, acknowledged at {place}, cannot be read from the leader h{host}"
            );
            self.broken(Clause::R2, words);
        }
    }

    fn begun(&mut self, host: u8, base: Entry, start: &Position, end: &Position) {
        let is_there = |at: &Position| (at.offset, at.count) == (base.offset, base.count);
        if !is_there(start) || !is_there(end) {
            let (start, end) = (start.offset, end.offset);
            let words = format!(
                "h{host} fell behind the leader's start at {base} and goes on from {start} to {end}"
            );
            return self.broken(Clause::R3, words);
        }
        let promised = self.promised(host);
        promised.durable = base;
        promised.start = base.offset;
    }

    fn cleaned(&mut self, host: u8, before: u64, start: &Position) {
        let known = self.promised(host).start;
        if start.offset > before {
            let words = format!("h{host} cleaned to {} of {before}", start.offset);
            self.broken(Clause::L6, words);
        }
        if start.offset < known {
            let words = format!("the start of h{host} went back to {}", start.offset);
            self.broken(Clause::L5, words);
        }
        self.promised(host).start = start.offset;
    }

    fn read(&mut self, event: &Event) {
        let Event::Read {
            host,
            last,
            messages,
            confirmed,
            depth,
            end,
        } = event
        else {
            return;
        };
        if let Some(words) = self.wrong_read(*last, messages) {
            let words = format!("the consumer of h{host}, whose log ends at {last}, read: {words}");
            self.broken(Clause::R3, words);
        }
        let read = messages.last().map(|seen| (seen.next, seen.count));
        let stands = (confirmed.offset, confirmed.count);
        if read.is_some_and(|read| read != stands) || confirmed.offset > end.offset {
            let words =
                format!("the consumer of h{host} confirmed {read:?} and stands at {stands:?}");
            self.broken(Clause::L8, words);
        }
        if Some(*depth) != end.count.checked_sub(confirmed.count) {
            let left = end.count.saturating_sub(confirmed.count);
            let words =
                format!("the consumer of h{host} is told {depth} messages, {left} are left");
            self.broken(Clause::L12, words);
        }
    }

    fn wrong_read(&self, last: Entry, messages: &[Seen]) -> Option<String> {
        let Some(way) = self.history.way(last) else {
            return Some("a log that nobody wrote".to_owned());
        };
        let pairs = messages.iter().zip(messages.iter().skip(1));
        let gap = pairs
            .into_iter()
            .find(|(one, next)| one.next != next.offset);
        if let Some((one, next)) = gap {
            let (from, to) = (one.next, next.offset);
            return Some(format!("offset {to} behind offset {from}"));
        }
        messages.iter().find_map(|seen| way.wrong(seen))
    }

    /// All logs at the end: alike, and whole.
    fn end(&mut self) {
        self.step = None;
        let ended = std::mem::take(&mut self.ended);
        for (host, shown) in &ended {
            self.alike(*host, shown);
        }
        let leader = self
            .leader
            .and_then(|leader| Some((leader, ended.get(&leader)?)));
        let Some((leader, log)) = leader else {
            return;
        };
        self.holds_committed(leader, log);
        let from = ended.values().map(|shown| shown.start.offset).max();
        let from = from.unwrap_or(0);
        let of = |shown: &Shown| -> Vec<Seen> {
            let messages = shown.messages.iter().filter(|seen| seen.next > from);
            messages.cloned().collect()
        };
        let expected = of(log);
        for (host, shown) in &ended {
            let got = of(shown);
            if got == expected {
                continue;
            }
            let pairs = expected.iter().zip(&got);
            let alike = pairs.take_while(|(one, other)| one == other).count();
            let at = expected
                .get(alike)
                .or(got.get(alike))
                .map_or(0, |one| one.offset);
            let words = format!(
                "long after all faults ended the log of h{host} differs from that of the leader \
                 h{leader} at offset {at}"
            );
            self.broken(Clause::R1, words);
        }
    }
}
