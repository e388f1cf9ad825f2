//! Which sequences of messages the damage rule allows, as a small automaton.

use super::layout::{Layout, Segment, Touch};
use crate::oracle::{Item, Messages};

/// What may stand at a place of the delivery.
#[derive(Debug)]
enum Element {
    /// This message, unchanged.
    Must(u32),
    /// This message or nothing: it was read before, or may be taken for a hole.
    May(u32),
    /// The message with these changed bytes, or else nothing and a reported loss.
    Changed(Vec<u8>),
    /// Any number of messages whose bytes stand in this segment.
    Anything(usize),
}

/// A message that was delivered.
#[derive(Debug)]
pub(super) struct Delivered {
    pub item: Item,
    pub bytes: Vec<u8>,
}

/// What is wrong with a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wrong {
    /// This message did not come, though nothing touched it.
    Missing(u32),
    /// A message came that is none of those that may come: which, where it is one that was put.
    Unexpected(Option<u32>),
}

/// What may be delivered, in order.
#[derive(Debug)]
pub(super) struct Delivery {
    elements: Vec<Element>,
    anything: Vec<Vec<u8>>,
}

impl Delivery {
    /// What the damage leaves.
    pub(super) fn of(layout: &Layout) -> Self {
        let mut delivery = Self {
            elements: Vec::new(),
            anything: Vec::new(),
        };
        for segment in &layout.segments {
            delivery.add(segment, layout.meta_damaged);
        }
        delivery
    }

    fn add(&mut self, segment: &Segment, meta_damaged: bool) {
        let mut is_behind_hole = false;
        for record in &segment.records {
            let is_told = segment
                .holes_from
                .is_none_or(|from| record.bytes.start < from);
            is_behind_hole |= !is_told && record.is_empty();
            if !record.unread && !meta_damaged {
                continue;
            }
            match record.touch {
                Touch::No if record.unread && !is_behind_hole => {
                    self.elements.push(Element::Must(record.number))
                }
                Touch::No => self.elements.push(Element::May(record.number)),
                Touch::Body | Touch::Length if segment.vouched => {}
                Touch::Body => {
                    let now = segment.now.get(record.bytes.clone()).unwrap_or_default();
                    let body = now.get(4..).unwrap_or_default().to_vec();
                    self.elements.push(Element::Changed(body));
                }
                Touch::Length => {
                    // From here on nothing tells where records start.
                    self.add_anything(segment, record.bytes.start);
                    return;
                }
            }
        }
        // Behind the last record of the segment being written nothing vouches for anything.
        if segment.grown && (segment.last || !segment.vouched) {
            let end = segment.records.last().map_or(0, |record| record.bytes.end);
            self.add_anything(segment, end);
        }
    }

    fn add_anything(&mut self, segment: &Segment, from: usize) {
        self.elements.push(Element::Anything(self.anything.len()));
        let bytes = segment.now.get(from..).unwrap_or_default();
        self.anything.push(bytes.to_vec());
    }

    /// Holds a delivery against it.
    pub(super) fn check(&self, messages: &Messages, delivered: &[Delivered]) -> Result<(), Wrong> {
        let mut places = vec![0];
        self.skip(&mut places);
        for message in delivered {
            let mut next = Vec::new();
            for place in &places {
                if let Some(stays) = self.accepts(*place, messages, message) {
                    next.push(if stays { *place } else { place + 1 });
                }
            }
            if next.is_empty() {
                return Err(self.why(messages, &places, message));
            }
            self.skip(&mut next);
            places = next;
        }
        if places.contains(&self.elements.len()) {
            return Ok(());
        }
        let missing = places.iter().rev().find_map(|place| self.must_at(*place));
        Err(missing.map_or(Wrong::Unexpected(None), Wrong::Missing))
    }

    /// Whether a message may stand at a place, and if so whether another one may as well.
    fn accepts(&self, place: usize, messages: &Messages, message: &Delivered) -> Option<bool> {
        match self.elements.get(place)? {
            Element::Must(number) | Element::May(number) => {
                messages.matches(message.item, *number).then_some(false)
            }
            Element::Changed(bytes) => (message.bytes == *bytes).then_some(false),
            Element::Anything(index) => {
                let bytes = self.anything.get(*index)?;
                contains(bytes, &message.bytes).then_some(true)
            }
        }
    }

    /// Adds all places that are reached by leaving out what need not come.
    fn skip(&self, places: &mut Vec<usize>) {
        let mut index = 0;
        while let Some(place) = places.get(index).copied() {
            let optional = matches!(
                self.elements.get(place),
                Some(Element::May(_) | Element::Changed(_) | Element::Anything(_))
            );
            if optional && !places.contains(&(place + 1)) {
                places.push(place + 1);
            }
            index += 1;
        }
        places.sort_unstable();
    }

    fn must_at(&self, place: usize) -> Option<u32> {
        match self.elements.get(place) {
            Some(Element::Must(number)) => Some(*number),
            Some(Element::May(_) | Element::Changed(_) | Element::Anything(_)) | None => None,
        }
    }

    /// Why no place accepts a message.
    fn why(&self, messages: &Messages, places: &[usize], message: &Delivered) -> Wrong {
        let last = places.last().copied().unwrap_or(0);
        let comes_later = self.elements.get(last..).unwrap_or_default().iter().any(|element| {
            matches!(element, Element::Must(number) if messages.matches(message.item, *number))
        });
        match (self.must_at(last), message.item) {
            (Some(number), _) if comes_later => Wrong::Missing(number),
            (_, Item::Number(number) | Item::Garbled(number)) => Wrong::Unexpected(Some(number)),
            (_, Item::Short { .. } | Item::Invented) => Wrong::Unexpected(None),
        }
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
}
