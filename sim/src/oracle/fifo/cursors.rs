//! Where the reader may stand. Usually that is one place; after a kill inside a scenario, or an
//! error that does not tell what it did, there are several until an answer tells them apart.
//!
//! A cursor is the number below which everything is read. Messages that are not shown are passed
//! over, those that are perhaps shown may be.

use super::answers::Failed;
use crate::oracle::{Item, Messages};
use std::ops::RangeInclusive;

/// Whether the running object has a message, as far as the answers tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// It has.
    Yes,
    /// It has not.
    No,
    /// A failed operation did not say.
    Maybe,
}

/// One place where the reader may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cursor {
    /// Everything below is read.
    pub at: u32,
    /// Where it stood when the uncertainty came up.
    pub origin: u32,
}

/// All places where the reader may stand; never empty, sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cursors {
    places: Vec<Cursor>,
}

/// The messages, and which of them the object may have.
#[derive(Debug, Clone)]
pub(super) struct Shelf {
    pub messages: Messages,
    shown: Vec<Shown>,
}

impl Shelf {
    /// Nothing is shown yet.
    pub(super) fn new(messages: Messages) -> Self {
        Self {
            shown: vec![Shown::No; messages.puts().len()],
            messages,
        }
    }

    fn shown(&self, number: u32) -> Shown {
        self.shown
            .get(number as usize)
            .copied()
            .unwrap_or(Shown::No)
    }

    /// Says whether the object has a message.
    pub(super) fn show(&mut self, number: u32, shown: Shown) {
        if let Some(slot) = self.shown.get_mut(number as usize) {
            *slot = shown;
        }
    }

    /// From `from` on, those shown are perhaps not any more.
    pub(super) fn doubt(&mut self, from: u32) {
        for number in from..self.end() {
            if self.shown(number) == Shown::Yes {
                self.show(number, Shown::Maybe);
            }
        }
    }

    /// It was seen: it is shown.
    pub(super) fn confirm(&mut self, number: u32) {
        self.show(number, Shown::Yes);
    }

    /// From `from` to before `to`, those perhaps shown are not.
    pub(super) fn hide_perhaps(&mut self, from: u32, to: u32) {
        for number in from..to {
            if self.shown(number) == Shown::Maybe {
                self.show(number, Shown::No);
            }
        }
    }

    /// The sum of `size` over the sizes of all shown messages from `from` on; none while it is
    /// open whether one of them is shown.
    pub(super) fn shown_bytes(&self, from: u32, size: impl Fn(u32) -> u64) -> Option<u64> {
        if self.count(from).1 > 0 {
            return None;
        }
        let puts = self.messages.range(from, self.end());
        let shown = puts
            .iter()
            .filter(|put| self.shown(put.number) == Shown::Yes);
        Some(shown.map(|put| size(put.size)).sum())
    }

    /// Whether a shown message from `from` on has a size beyond these limits.
    pub(super) fn has_beyond(&self, from: u32, limits: &RangeInclusive<u32>) -> bool {
        let puts = self.messages.range(from, self.end());
        let mut shown = puts
            .iter()
            .filter(|put| self.shown(put.number) == Shown::Yes);
        shown.any(|put| !limits.contains(&put.size))
    }

    /// What failed puts said of their messages from `from` on.
    pub(super) fn failed(&self, from: u32) -> Failed {
        let mut failed = Failed::default();
        let puts = self.messages.range(from, self.end());
        for put in puts.iter().filter(|put| put.has_failed()) {
            match self.shown(put.number) {
                Shown::Yes => {
                    failed.present += 1;
                    failed.in_part |= self.messages.is_of_a_batch(put.number);
                }
                Shown::No => failed.absent += 1,
                Shown::Maybe => {}
            }
        }
        failed
    }

    fn end(&self) -> u32 {
        self.messages.count()
    }

    /// The numbers that may be next at `at`: perhaps shown ones, up to the first shown one.
    fn next(&self, at: u32) -> impl Iterator<Item = u32> + use<'_> {
        let stop = (at..self.end()).find(|number| self.shown(*number) == Shown::Yes);
        let after = stop.map_or(self.end(), |number| number + 1);
        (at..after).filter(|number| self.shown(*number) != Shown::No)
    }

    /// How many messages are shown, and how many perhaps, from `at` on.
    pub(super) fn count(&self, at: u32) -> (i64, i64) {
        let mut counts = (0, 0);
        for number in at..self.end() {
            match self.shown(number) {
                Shown::Yes => counts.0 += 1,
                Shown::Maybe => counts.1 += 1,
                Shown::No => {}
            }
        }
        counts
    }
}

impl Cursors {
    /// Exactly here.
    pub(super) fn at(place: u32) -> Self {
        Self {
            places: vec![Cursor {
                at: place,
                origin: place,
            }],
        }
    }

    /// Anywhere from `low` to `high`: in front of each message that may be there, and at `high`.
    pub(super) fn between(low: u32, high: u32, shelf: &Shelf) -> Self {
        let mut places: Vec<Cursor> = (low..high)
            .filter(|number| shelf.shown(*number) != Shown::No)
            .map(|number| Cursor {
                at: number,
                origin: number,
            })
            .collect();
        places.push(Cursor {
            at: high,
            origin: high,
        });
        Self { places }
    }

    /// The lowest place.
    pub(super) fn low(&self) -> u32 {
        self.places.first().map_or(0, |cursor| cursor.at)
    }

    /// The highest place.
    pub(super) fn high(&self) -> u32 {
        self.places.last().map_or(0, |cursor| cursor.at)
    }

    /// Where it stood when the uncertainty came up, once that is known.
    pub(super) fn origin(&self) -> Option<u32> {
        let first = self.places.first()?.origin;
        self.places
            .iter()
            .all(|cursor| cursor.origin == first)
            .then_some(first)
    }

    /// Also perhaps at `place`.
    pub(super) fn add(&mut self, place: u32) {
        self.places.push(Cursor {
            at: place,
            origin: place,
        });
        self.tidy();
    }

    /// A message was read: keeps the places from which it could have been, moved behind it.
    /// Returns the numbers that it may be; none means that no place allows it.
    pub(super) fn read(&mut self, item: Item, shelf: &Shelf) -> Vec<u32> {
        self.narrow(item, shelf, true, shelf.end())
    }

    /// As [`Cursors::read`], where only messages below `end` had been put.
    pub(super) fn read_below(&mut self, item: Item, shelf: &Shelf, end: u32) -> Vec<u32> {
        self.narrow(item, shelf, true, end)
    }

    /// A message was read that is hidden by now: the reader stands behind it.
    pub(super) fn pass(&mut self, item: Item) {
        if let Item::Number(number) = item {
            *self = Self::at(number + 1);
            return;
        }
        for cursor in &mut self.places {
            cursor.at += 1;
        }
    }

    /// A message was shown: keeps the places from which it could have been.
    pub(super) fn peek(&mut self, item: Item, shelf: &Shelf) -> Vec<u32> {
        self.narrow(item, shelf, false, shelf.end())
    }

    fn narrow(&mut self, item: Item, shelf: &Shelf, forward: bool, end: u32) -> Vec<u32> {
        let mut kept = Vec::new();
        let mut numbers = Vec::new();
        for cursor in &self.places {
            for number in shelf.next(cursor.at).take_while(|number| *number < end) {
                if shelf.messages.matches(item, number) {
                    let at = if forward { number + 1 } else { number };
                    kept.push(Cursor { at, ..*cursor });
                    numbers.push(number);
                }
            }
        }
        if !kept.is_empty() {
            self.places = kept;
            self.tidy();
        }
        numbers.dedup();
        numbers
    }

    /// Keeps the places that `allowed` accepts; `false` if there is none, and nothing changes.
    pub(super) fn retain(&mut self, allowed: impl Fn(u32) -> bool) -> bool {
        if !self.places.iter().any(|cursor| allowed(cursor.at)) {
            return false;
        }
        self.places.retain(|cursor| allowed(cursor.at));
        true
    }

    fn tidy(&mut self) {
        self.places.sort_by_key(|cursor| (cursor.at, cursor.origin));
        self.places.dedup();
    }
}
