//! Everything that leaders wrote, as a tree: what the log that ends at a place must hold.

use super::entry::Entry;
use super::event::{Seen, Shown};
use crate::scenario::payload;
use std::collections::BTreeMap;

/// A message that a leader began to write.
#[derive(Debug, Clone, Copy)]
struct Written {
    number: u32,
    size: u32,
    after: Entry,
}

/// What leaders wrote, by the place behind each message.
#[derive(Debug, Default)]
pub(super) struct History {
    written: BTreeMap<Entry, Written>,
}

/// A log from its beginning to a place.
#[derive(Debug)]
pub(super) struct Way {
    /// By the offset that a message starts at: the place behind it, its number and its size.
    messages: BTreeMap<u64, (Entry, u32, u32)>,
}

impl History {
    /// A leader begins to write a message between two places. The same place is written twice
    /// only by a leader that lost the first before anybody else saw it.
    pub(super) fn writes(&mut self, number: u32, size: u32, after: Entry, place: Entry) {
        let written = Written {
            number,
            size,
            after,
        };
        self.written.insert(place, written);
    }

    /// The log that ends here; nothing where nobody wrote such a log.
    pub(super) fn way(&self, last: Entry) -> Option<Way> {
        let mut messages = BTreeMap::new();
        let mut place = last;
        while place != Entry::default() {
            let written = self.written.get(&place)?;
            messages.insert(written.after.offset, (place, written.number, written.size));
            place = written.after;
        }
        Some(Way { messages })
    }

    /// What is wrong with a log that shows itself: it must be one that leaders wrote.
    pub(super) fn wrong(&self, shown: &Shown) -> Option<String> {
        let (last, start, end) = (&shown.last, &shown.start, &shown.end);
        let Some(way) = self.way(*last) else {
            return Some(format!("its log ends at {last}, where nobody's log ends"));
        };
        if (end.offset, end.count) != (last.offset, last.count) {
            let (offset, count) = (end.offset, end.count);
            let words = "its data ends at offset";
            return Some(format!(
                "{words} {offset}, count {count}, and its commit log at {last}"
            ));
        }
        let (mut offset, mut count) = (start.offset, start.count);
        for seen in &shown.messages {
            if (seen.offset, seen.count) != (offset, count + 1) {
                let words = "a message at offset";
                let (at, behind) = (seen.offset, seen.count);
                return Some(format!(
                    "{words} {at} with count {behind} stands behind offset {offset}, count {count}"
                ));
            }
            if let Some(words) = way.wrong(seen) {
                return Some(words);
            }
            (offset, count) = (seen.next, seen.count);
        }
        let is_whole = (offset, count) == (end.offset, end.count);
        (!is_whole).then(|| {
            let words = "what can be read ends at offset";
            format!(
                "{words} {offset}, count {count}, and the log at {}",
                end.offset
            )
        })
    }
}

impl Way {
    /// Whether the log goes through a place.
    pub(super) fn has(&self, place: &Entry) -> bool {
        *place == Entry::default() || self.messages.values().any(|(known, _, _)| known == place)
    }

    /// What is wrong with a message that was read from this log.
    pub(super) fn wrong(&self, seen: &Seen) -> Option<String> {
        let offset = seen.offset;
        let Some((place, number, size)) = self.messages.get(&offset) else {
            return Some(format!("the log has no message at offset {offset}"));
        };
        if (seen.next, seen.count) != (place.offset, place.count) {
            let (next, count) = (seen.next, seen.count);
            let words = "ends at offset";
            return Some(format!(
                "the message at {offset} {words} {next}, count {count}, and not at {place}"
            ));
        }
        (seen.bytes != payload(*number, *size)).then(|| {
            let claimed = crate::scenario::claimed_number(&seen.bytes);
            let claimed = claimed.map_or("nobody's".to_owned(), |number| format!("#{number}"));
            format!("the message at {offset} is {claimed} and not #{number}")
        })
    }
}
