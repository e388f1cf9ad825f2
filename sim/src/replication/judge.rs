//! What is wrong with what happened: R1 to R3, and the clauses of each log on each host.
//!
//! The judge knows what leaders wrote and what clients were told; of a replica it believes only
//! what its log shows, and holds it to what it promised to have on disk.

use super::entry::Entry;
use super::event::{Event, Seen, Shown};
use super::history::History;
use crate::oracle::{Asked, Violation};
use crate::scenario::{Clause, CrashKind};
use std::collections::BTreeMap;

/// What a replica promised.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Promised {
    /// Its log holds everything up to here, whatever happens to its process or its power.
    pub(super) durable: Entry,
    /// Its log starts here or later.
    pub(super) start: u64,
    /// Its consumer confirmed everything before here; nothing where that cannot be known.
    pub(super) consumed: Option<u64>,
    /// It is as it was since its consumer read: another read goes on there.
    pub(super) is_same: bool,
}

/// Judges a run. `syncs_keep`: what was synced outlives a power cut on these disks.
pub(crate) fn judge(events: &[Event], syncs_keep: bool) -> Vec<Violation> {
    let mut judge = Judge {
        syncs_keep,
        has_forgotten: false,
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

/// What is known so far.
pub(super) struct Judge {
    syncs_keep: bool,
    /// A power cut may have taken from a host what it had synced: from then on only what
    /// [`Asked`] leaves is asked for, and a host that finds damage need not open.
    has_forgotten: bool,
    pub(super) history: History,
    acknowledged: Vec<(u32, Entry)>,
    hosts: BTreeMap<u8, Promised>,
    ended: BTreeMap<u8, Shown>,
    leader: Option<u8>,
    step: Option<u32>,
    found: Vec<Violation>,
}

impl Judge {
    pub(super) fn broken(&mut self, clause: Clause, evidence: String) {
        let asked = Asked::of(clause, CrashKind::PowerCut, self.syncs_keep);
        if self.has_forgotten && asked != Asked::Always {
            return;
        }
        self.found.push(Violation {
            clause,
            evidence,
            step: self.step,
        });
    }

    pub(super) fn promised(&mut self, host: u8) -> &mut Promised {
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
            Event::Acknowledged { number, place, .. } => self.acknowledged.push((*number, *place)),
            Event::Elected { leader, last, .. } => {
                self.leader = Some(*leader);
                self.elected(*leader, *last);
            }
            Event::Leads { host, shown, .. } => {
                self.alike(*host, shown);
                self.holds_committed(*host, shown);
            }
            Event::Crashed {
                kind: CrashKind::PowerCut,
                ..
            } if !self.syncs_keep => self.has_forgotten = true,
            Event::Ended { host, shown } => drop(self.ended.insert(*host, shown.clone())),
            Event::NotAlike { host, words } => {
                let words = format!("long after all faults ended, h{host} is not alike: {words}");
                self.broken(Clause::R1, words);
            }
            Event::NotOpened { .. } | Event::Trouble { .. } | Event::Panicked { .. } => {
                self.failed(event);
            }
            Event::Holds { .. }
            | Event::Appended { .. }
            | Event::Opened { .. }
            | Event::Cuts { .. }
            | Event::Cut { .. }
            | Event::Begins { .. }
            | Event::Begun { .. }
            | Event::Cleaned { .. }
            | Event::Read { .. } => self.take_of_log(event),
            Event::NotElected
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
            && !self.has_forgotten
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

    fn elected(&mut self, leader: u8, last: Entry) {
        let Some(way) = self.history.way(last) else {
            let words =
                format!("h{leader} is to lead with a log that ends at {last}, and nobody's");
            return self.broken(Clause::R3, words);
        };
        let lost = self.acknowledged.iter().find(|(_, place)| !way.has(place));
        if let Some((number, place)) = lost {
            let words = format!(
                "#{number}, acknowledged at {place}, is not in the log of the new leader \
                 h{leader}, which ends at {last}"
            );
            self.broken(Clause::R2, words);
        }
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
