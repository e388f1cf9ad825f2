//! The content of a log as a chain of message boundaries with the sum of everything before each,
//! so that any range of it is compared with what came back by one difference.
//!
//! A chain only grows. Where the log's end was cut and other bytes follow, a new chain begins
//! with the same boundaries up to there.

use crate::model::Place;
use std::sync::Arc;

/// What a record adds to its message.
pub(super) const HEADER_BYTES: i64 = 4;

/// What a message at an offset adds to a sum.
pub(super) fn mix(offset: i64, bytes: &[u8]) -> u128 {
    xxhash_rust::xxh3::xxh3_128_with_seed(bytes, offset.cast_unsigned())
}

/// The place behind a message.
pub(super) fn behind(at: Place, bytes: &[u8]) -> Place {
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX - HEADER_BYTES);
    Place {
        offset: at.offset.saturating_add(HEADER_BYTES + size),
        count: at.count.saturating_add(1),
    }
}

/// A boundary, and the sum of all messages of the chain before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Link {
    place: Place,
    sum: u128,
}

/// A chain; it has at least one boundary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chain {
    links: Vec<Link>,
    /// The message behind each boundary but the last.
    messages: Vec<Arc<[u8]>>,
    /// Where segments started, as far as is known.
    borders: Vec<Place>,
}

impl Chain {
    pub(super) fn new(at: Place) -> Self {
        let first = Link { place: at, sum: 0 };
        Self {
            links: vec![first],
            messages: Vec::new(),
            borders: Vec::new(),
        }
    }

    /// The number of the boundary that is this place, count included.
    pub(super) fn find(&self, place: Place) -> Option<usize> {
        let found = self
            .links
            .binary_search_by_key(&place.offset, |link| link.place.offset)
            .ok()?;
        (self.links.get(found)?.place == place).then_some(found)
    }

    /// Whether the messages between two places are those of this sum.
    pub(super) fn has(&self, from: Place, to: Place, sum: u128) -> bool {
        self.between(from, to) == Some(sum)
    }

    /// The sum of the messages between two places, if both are boundaries.
    fn between(&self, from: Place, to: Place) -> Option<u128> {
        let first = self.links.get(self.find(from)?)?;
        let last = self.links.get(self.find(to)?)?;
        (first.place <= last.place).then(|| last.sum.wrapping_sub(first.sum))
    }

    /// The message behind a boundary.
    pub(super) fn message(&self, number: usize) -> Option<&Arc<[u8]>> {
        self.messages.get(number)
    }

    /// The messages between two places.
    pub(super) fn messages(&self, from: Place, to: Place) -> &[Arc<[u8]>] {
        let range = self.find(from).zip(self.find(to));
        let messages = range.and_then(|(from, to)| self.messages.get(from..to));
        messages.unwrap_or_default()
    }

    /// Appends a message.
    pub(super) fn push(&mut self, bytes: &Arc<[u8]>) {
        let Some(last) = self.links.last().copied() else {
            return;
        };
        self.links.push(Link {
            place: behind(last.place, bytes),
            sum: last.sum.wrapping_add(mix(last.place.offset, bytes)),
        });
        self.messages.push(Arc::clone(bytes));
    }

    /// The same up to a boundary.
    pub(super) fn fork(&self, number: usize) -> Self {
        let mut fork = self.clone();
        fork.links.truncate(number + 1);
        fork.messages.truncate(number);
        if let Some(last) = fork.links.last().copied() {
            fork.borders.retain(|border| *border <= last.place);
        }
        fork
    }

    /// Notes where segments start.
    pub(super) fn note_borders(&mut self, starts: &[Place]) {
        for start in starts {
            if let Err(at) = self.borders.binary_search(start) {
                self.borders.insert(at, *start);
            }
        }
    }

    /// Where segments start behind one place and before another.
    pub(super) fn borders_within(&self, from: Place, to: Place) -> Vec<Place> {
        let borders = self.borders.iter().copied();
        borders.filter(|at| from < *at && *at < to).collect()
    }
}

/// All chains of a run, by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Chains(Vec<Chain>);

impl Chains {
    pub(super) fn get(&self, number: usize) -> Option<&Chain> {
        self.0.get(number)
    }

    pub(super) fn all(&self) -> &[Chain] {
        &self.0
    }

    fn add(&mut self, chain: Chain) -> usize {
        self.0.push(chain);
        self.0.len() - 1
    }

    /// The message of this run that stands at a place with these bytes, if there is one, and
    /// what it adds to a sum.
    pub(super) fn known(&self, at: Place, bytes: &[u8]) -> Option<(&Arc<[u8]>, u128)> {
        let mut found = self.0.iter().rev().filter_map(|chain| {
            let number = chain.find(at)?;
            let message = chain.message(number)?;
            let (first, last) = (chain.links.get(number)?, chain.links.get(number + 1)?);
            let is_same = message.as_ref() == bytes;
            is_same.then(|| (message, last.sum.wrapping_sub(first.sum)))
        });
        found.next()
    }

    /// A chain that has a place: the given one if it does, else a new one.
    pub(super) fn at(&mut self, number: Option<usize>, place: Place) -> usize {
        let known = number.filter(|number| {
            let chain = self.0.get(*number);
            chain.is_some_and(|chain| chain.find(place).is_some())
        });
        known.unwrap_or_else(|| self.add(Chain::new(place)))
    }

    /// The chain that goes on from a place with these messages; often it is the same one.
    pub(super) fn extended<'m>(
        &mut self,
        number: usize,
        from: Place,
        messages: impl Iterator<Item = &'m Arc<[u8]>>,
    ) -> usize {
        let mut number = self.at(Some(number), from);
        let mut at = from;
        for bytes in messages {
            let Some(chain) = self.0.get_mut(number) else {
                return number;
            };
            let Some(link) = chain.find(at) else {
                return number;
            };
            match chain.message(link) {
                Some(known) if known == bytes => {}
                Some(_) => {
                    let mut fork = chain.fork(link);
                    fork.push(bytes);
                    number = self.add(fork);
                }
                None => chain.push(bytes),
            }
            at = behind(at, bytes);
        }
        number
    }

    pub(super) fn note_borders(&mut self, number: usize, starts: &[Place]) {
        if let Some(chain) = self.0.get_mut(number) {
            chain.note_borders(starts);
        }
    }
}
