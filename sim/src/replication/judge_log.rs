//! What is wrong with one replica's log: the clauses of a segmented log.

use super::entry::Entry;
use super::event::{Event, Seen, Shown};
use super::judge::Judge;
use crate::scenario::Clause;
use crashline::seglog::Position;

impl Judge {
    /// What one replica's log did.
    pub(super) fn take_of_log(&mut self, event: &Event) {
        if let Event::Holds {
            host,
            place,
            after,
            offset,
        } = event
        {
            self.holds(*host, *place, *after, *offset);
        } else if let Event::Opened { host, shown } = event {
            self.opened(*host, shown);
        } else if let Event::Begun {
            host,
            base,
            start,
            end,
        } = event
        {
            self.begun(*host, *base, start, end);
        } else if let Event::Cleaned {
            host,
            before,
            start,
        } = event
        {
            self.cleaned(*host, *before, start);
        } else {
            self.read(event);
            self.promises(event);
        }
    }

    /// What a follower promises, and takes back.
    fn promises(&mut self, event: &Event) {
        if let Event::Appended {
            host,
            to,
            is_synced: true,
            ..
        } = event
        {
            self.promised(*host).durable = *to;
        }
        self.taken_whole(event);
        if let Event::Cuts { host, to } = event {
            let promised = self.promised(*host);
            if to.offset < promised.durable.offset {
                promised.durable = *to;
            }
            promised.is_same = false;
            promised.consumed = promised.consumed.map(|at| at.min(to.offset));
        }
        if let Event::Cut { host, to, end } = event
            && (end.offset, end.count) != (to.offset, to.count)
        {
            let words = format!("h{host} was cut at {to} and ends at {end:?}");
            self.broken(Clause::L3, words);
        }
        if let Event::Begins { host, .. } = event {
            *self.promised(*host) = super::judge::Promised::default();
        }
    }

    /// A batch is taken as it is: so many bytes, and where it fits, so many messages.
    fn taken_whole(&mut self, event: &Event) {
        let Event::Appended {
            host,
            after,
            to,
            offset,
            end,
            ..
        } = event
        else {
            return;
        };
        let is_grown = end.offset.checked_sub(*offset) == to.offset.checked_sub(after.offset);
        let fits = *offset == after.offset;
        if !is_grown || fits && (end.offset, end.count) != (to.offset, to.count) {
            let (last, count) = (end.offset, end.count);
            let words = format!(
                "h{host} took what lies between {after} and {to} at offset {offset} and ends at \
                 {last} with {count} messages"
            );
            self.broken(Clause::L11, words);
        }
    }

    fn holds(&mut self, host: u8, place: Entry, after: Entry, offset: u64) {
        if offset != after.offset {
            let words = format!("a put on h{host} at {after} answered offset {offset}");
            self.broken(Clause::L1, words);
        }
        self.promised(host).durable = place;
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
        let promised = self.promised(host);
        promised.durable = shown.last;
        promised.is_same = false;
        let standing = shown.start.offset..=shown.end.offset.max(shown.start.offset);
        promised.consumed = promised
            .consumed
            .map(|at| at.clamp(*standing.start(), *standing.end()));
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
        promised.consumed = Some(base.offset);
        promised.is_same = false;
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
        let promised = self.promised(host);
        promised.start = start.offset;
        promised.consumed = promised.consumed.map(|at| at.max(start.offset));
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
        if let Some(beyond) = messages.iter().find(|seen| seen.next > end.offset) {
            let words = format!(
                "the consumer of h{host} was told that the log ends at {} and read on to {}",
                end.offset, beyond.next
            );
            self.broken(Clause::L7, words);
        }
        self.goes_on(*host, messages, confirmed);
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

    /// A consumer skips nothing, and repeats only what it read before its process died.
    fn goes_on(&mut self, host: u8, messages: &[Seen], confirmed: &Position) {
        let promised = *self.promised(host);
        if let (Some(first), Some(consumed)) = (messages.first(), promised.consumed) {
            let at = first.offset;
            if at > consumed || (promised.is_same && at < consumed) {
                let words = format!(
                    "the consumer of h{host} confirmed all before offset {consumed} and read on at \
                     {at}"
                );
                self.broken(Clause::L8, words);
            }
        }
        let promised = self.promised(host);
        promised.consumed = Some(confirmed.offset);
        promised.is_same = true;
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
}
