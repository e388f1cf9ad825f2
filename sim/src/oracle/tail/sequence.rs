//! What the queue held at the first open after the crash, and what was put after it, as one
//! sequence that is learnt by reading.
//!
//! Invariant: the first `items.len()` elements are known; `total`, where known, is never less.

use crate::oracle::Item;
use crate::scenario::{CrashKind, claimed_number};

/// A message put after recovery.
#[derive(Debug, Clone, Copy, Hash)]
pub(super) struct TailPut {
    number: u32,
    size: u32,
    durable: bool,
    /// A crash may have lost it.
    doubtful: bool,
    seen: bool,
}

/// Room is made for so many messages at most before they come: a depth may be wrong.
const EXPECTED_MAX: usize = 4096;

/// How a delivered message fits the sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It is what was to come, or the next one to learn.
    Fits,
    /// It came before, and was not to come again.
    Twice(u32),
    /// A later one came before it.
    Before(u32),
    /// Another one was to come here.
    Elsewhere,
}

/// The sequence.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    pub(super) items: Vec<Item>,
    /// The newest number learnt.
    pub(super) newest: Option<u32>,
    pub(super) tail: Vec<TailPut>,
    /// Where the reader stands; after a crash the highest place where it may.
    pub(super) position: usize,
    /// The lowest place where the reader may stand, after a crash.
    pub(super) low: Option<usize>,
    pub(super) durable_position: usize,
    /// The length of the sequence, once a depth or the end told it.
    pub(super) total: Option<i64>,
    /// The depth that told it was asked of the object that is open now, with the reader here.
    pub(super) asked: Option<usize>,
}

impl Sequence {
    pub(super) fn tail_count(&self) -> u32 {
        u32::try_from(self.tail.len()).unwrap_or(u32::MAX)
    }

    /// The number and size of the tail message whose number `bytes` carry.
    pub(super) fn tail_put(&self, bytes: &[u8]) -> Option<(u32, u32)> {
        let number = claimed_number(bytes)?;
        let put = self.tail.iter().find(|put| put.number == number)?;
        Some((put.number, put.size))
    }

    pub(super) fn put(&mut self, number: u32, size: u32) {
        self.tail.push(TailPut {
            number,
            size,
            durable: false,
            doubtful: false,
            seen: false,
        });
        self.total = self.total.map(|total| total + 1);
    }

    pub(super) fn promise_last(&mut self) {
        if let Some(put) = self.tail.last_mut() {
            put.durable = true;
        }
    }

    pub(super) fn doubt_last(&mut self) {
        if let Some(put) = self.tail.last_mut() {
            put.doubtful = true;
        }
    }

    /// Everything acknowledged so far is durable.
    pub(super) fn make_durable(&mut self) {
        self.durable_position = self.low.unwrap_or(self.position);
        for put in &mut self.tail {
            put.durable = true;
        }
    }

    /// A crash with nothing in flight.
    pub(super) fn crash(&mut self, kind: CrashKind) {
        self.asked = None;
        if self.durable_position < self.position {
            self.low = Some(self.durable_position);
        }
        if kind == CrashKind::PowerCut {
            for put in &mut self.tail {
                if !put.durable && !put.seen {
                    put.doubtful = true;
                    self.total = None;
                }
            }
        }
    }

    /// The object forgets what was read.
    pub(super) fn rewind(&mut self) {
        self.position = 0;
        self.low = None;
        self.durable_position = 0;
    }

    /// Damage was passed: how many are left is not known any more.
    pub(super) fn forget_total(&mut self) {
        self.total = None;
        self.asked = None;
        for put in &mut self.tail {
            put.doubtful = true;
        }
    }

    /// The item that is to come, where it is known.
    pub(super) fn known(&self) -> Option<Item> {
        match self.low {
            None => self.items.get(self.position).copied(),
            Some(_) => None,
        }
    }

    /// How many are still to come, where that is known.
    pub(super) fn left(&self) -> Option<i64> {
        match self.low {
            None => Some(self.total? - self.stands()),
            Some(_) => None,
        }
    }

    /// Where the reader stands, as a number of messages.
    pub(super) fn stands(&self) -> i64 {
        i64::try_from(self.position).unwrap_or(i64::MAX)
    }

    /// All messages of the recorded run below this number came, or had come before.
    pub(super) fn delivered_below(&self, tail_first: u32) -> u32 {
        let newest = self.items.iter().rev().find_map(|item| match item {
            Item::Number(number) if *number < tail_first => Some(*number),
            Item::Number(_) | Item::Short { .. } | Item::Garbled(_) | Item::Invented => None,
        });
        newest.map_or(0, |newest| newest + 1)
    }

    /// How long the sequence is, as far as known.
    pub(super) fn held(&self) -> i64 {
        let known = i64::try_from(self.items.len()).unwrap_or(i64::MAX);
        self.total.unwrap_or(known)
    }

    /// Where the reader stood when the depth was asked.
    pub(super) fn asked_at(&self) -> i64 {
        i64::try_from(self.asked.unwrap_or(0)).unwrap_or(i64::MAX)
    }

    /// Whether the length comes from a depth of the object that is open now.
    pub(super) fn depth_is_of_this_object(&self) -> bool {
        self.asked.is_some()
    }

    /// A depth was told; `false` if it contradicts what is known.
    pub(super) fn depth(&mut self, said: i64) -> bool {
        if let Some(low) = self.low {
            let Some(total) = self.total else {
                return true;
            };
            let Ok(place) = usize::try_from(total - said) else {
                return false;
            };
            if !(low..=self.position).contains(&place) {
                return false;
            }
            self.position = place;
            self.low = None;
            return true;
        }
        let total = self.stands() + said;
        let fits = self.total.is_none_or(|known| known == total);
        if fits {
            self.total = Some(total);
            let expected = usize::try_from(total).unwrap_or(0).min(EXPECTED_MAX);
            self.items
                .reserve(expected.saturating_sub(self.items.len()));
            self.asked = Some(self.position);
        }
        fits
    }

    /// A message was delivered.
    pub(super) fn take(&mut self, item: Item) -> Place {
        if let Some(low) = self.low.take() {
            let again = (low..self.position).find(|place| self.items.get(*place) == Some(&item));
            if let Some(place) = again {
                self.position = place;
            }
        }
        if let Some(known) = self.items.get(self.position) {
            if *known != item {
                return Place::Elsewhere;
            }
            self.position += 1;
            return Place::Fits;
        }
        if let Item::Number(number) = item {
            if let Some(newest) = self.newest
                && number <= newest
            {
                return if self.items.contains(&item) {
                    Place::Twice(number)
                } else {
                    Place::Before(number)
                };
            }
            self.newest = Some(number);
            if let Some(put) = self.tail.iter_mut().find(|put| put.number == number) {
                put.seen = true;
            }
        }
        self.items.push(item);
        self.position += 1;
        Place::Fits
    }

    /// A tail message that must be there and did not come, now that nothing more comes.
    pub(super) fn lost(&self) -> Option<u32> {
        let short = self.tail.iter().any(|put| put.size < 4);
        self.tail
            .iter()
            .find(|put| !short && !put.seen && !put.doubtful)
            .map(|put| put.number)
    }

    /// Nothing more comes; `false` if more was to come.
    pub(super) fn nothing(&mut self) -> bool {
        if let Some(low) = self.low.take() {
            // Everything up to the highest place was read: that is where it stands.
            debug_assert!(low <= self.position);
        }
        let here = self.stands();
        let known = i64::try_from(self.items.len()).unwrap_or(i64::MAX);
        let fits = here >= known && self.total.is_none_or(|total| total == here);
        if fits {
            self.total = Some(here);
            for put in &mut self.tail {
                put.doubtful |= !put.seen;
            }
        }
        fits
    }

    /// The part of the sequence that is older than recovery, without the tail.
    pub(super) fn recovered(mut self, tail_first: u32) -> Vec<Item> {
        let is_tail = |item: &Item| matches!(item, Item::Number(number) if *number >= tail_first);
        // Those of the tail that are too short for a number are told by their place.
        let short = self.tail.iter().filter(|put| put.size < 4).count();
        let own = self.items.len().saturating_sub(short);
        self.items.truncate(own);
        self.items.retain(|item| !is_tail(item));
        self.items
    }
}
