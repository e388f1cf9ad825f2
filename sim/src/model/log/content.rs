//! What is in the log.

use super::place::Place;
use super::recovered::LogRecovered;
use crate::model::Shared;
use crate::scenario::LogPosition;
use std::sync::Arc;

/// What a record adds to its message.
const HEADER_BYTES: i64 = 4;

/// A message and where its record starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) start: Place,
    pub(super) bytes: Arc<[u8]>,
}

impl Message {
    /// The size of its record.
    pub(super) fn size(&self) -> i64 {
        HEADER_BYTES + i64::try_from(self.bytes.len()).unwrap_or(i64::MAX - HEADER_BYTES)
    }

    pub(super) fn end(&self) -> Place {
        Place {
            offset: self.start.offset + self.size(),
            count: self.start.count + 1,
        }
    }
}

/// Where a segment starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) number: i64,
    pub(super) start: Place,
}

/// The log, as the writer sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Content {
    segment_bytes_max: i64,
    /// Those from the first one that is still there, in order and without holes.
    messages: Shared<Vec<Message>>,
    /// Never empty; the last one is being written.
    pub(super) segments: Shared<Vec<Segment>>,
    pub(super) end: Place,
    /// Readers may read up to here.
    pub(super) read_end: Place,
    /// Every place at which the log's end was cut; a generation is how many there were.
    cuts: Shared<Vec<Place>>,
    /// The end was grown to itself at a border: what is put next may go into the full segment
    /// before it, which is finished anew then.
    pub(super) may_go_on: bool,
    /// It was once: that may have been a cut.
    was_grown_to_itself: bool,
}

impl Content {
    pub(super) fn new(segment_bytes_max: i64) -> Self {
        let start = Place::default();
        Self {
            segment_bytes_max,
            messages: Shared::default(),
            segments: Shared::new(vec![Segment { number: 0, start }]),
            end: start,
            read_end: start,
            cuts: Shared::default(),
            may_go_on: false,
            was_grown_to_itself: false,
        }
    }

    /// The first byte that is still there, or the end.
    pub(super) fn start(&self) -> Place {
        self.segments.first().map_or(self.end, |first| first.start)
    }

    /// What is there after a recovery; `borders` are the places at which further segments start.
    pub(super) fn recovered(segment_bytes_max: i64, recovered: &LogRecovered) -> Self {
        let mut content = Self::new(segment_bytes_max);
        let start = Place::from(recovered.start);
        content.restart(start, recovered.start.segment);
        for bytes in &recovered.messages {
            let message = Message {
                start: content.end,
                bytes: Arc::clone(bytes),
            };
            content.end = message.end();
            content.messages.push(message);
        }
        for border in &recovered.borders {
            let number = content.last_segment().number + 1;
            let start = *border;
            content.segments.push(Segment { number, start });
        }
        let last = content.last_segment();
        if content.end.offset - last.start.offset >= segment_bytes_max {
            content.begin_segment(last.number + 1);
        }
        content.read_end = content.end;
        content.may_go_on =
            content.segments.len() > 1 && content.last_segment().start == content.end;
        content
    }

    /// All messages that are there, and where their records start.
    pub(super) fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// C13: whether offsets and counts do not pass 63 bits with these messages.
    pub(super) fn has_numbers_for(&self, messages: &[&[u8]]) -> bool {
        let mut end = Some(self.end.offset);
        for message in messages {
            let size = i64::try_from(message.len()).ok();
            let added = size.and_then(|size| size.checked_add(HEADER_BYTES));
            end = end
                .zip(added)
                .and_then(|(end, added)| end.checked_add(added));
        }
        let count = i64::try_from(messages.len()).ok();
        let count = count.and_then(|count| self.end.count.checked_add(count));
        end.is_some() && count.is_some()
    }

    /// Appends messages to the segment being written, and finishes it if it is full then, which
    /// shows everything to readers.
    pub(super) fn put(&mut self, messages: impl IntoIterator<Item = Arc<[u8]>>) {
        self.may_go_on = false;
        for bytes in messages {
            let message = Message {
                start: self.end,
                bytes,
            };
            self.end = message.end();
            self.messages.push(message);
        }
        let last = self.last_segment();
        if self.end.offset - last.start.offset >= self.segment_bytes_max {
            self.begin_segment(last.number + 1);
            self.read_end = self.end;
        }
    }

    /// Notes that the end was grown to where it is.
    pub(super) fn grow_to_end(&mut self) {
        self.read_end = self.end;
        let is_border = self.segments.len() > 1 && self.last_segment().start == self.end;
        self.may_go_on |= is_border;
        self.was_grown_to_itself |= is_border;
    }

    /// What is put next goes into the full segment before the end.
    pub(super) fn go_on_in_full_segment(&mut self) {
        self.segments.pop();
    }

    fn begin_segment(&mut self, number: i64) {
        let start = self.end;
        self.segments.push(Segment { number, start });
    }

    pub(super) fn last_segment(&self) -> Segment {
        *self.segments.last().expect("there is a segment")
    }

    /// The message boundary at an offset from start to end.
    pub(super) fn boundary(&self, offset: i64) -> Option<Place> {
        if offset == self.end.offset {
            return Some(self.end);
        }
        self.message_at(offset).map(|message| message.start)
    }

    /// Whether this is a boundary, with its right count.
    pub(super) fn holds(&self, place: Place) -> bool {
        self.boundary(place.offset) == Some(place)
    }

    /// How many messages there are.
    pub(super) fn message_count(&self) -> usize {
        self.messages.len()
    }

    /// The message whose record starts at an offset.
    pub(super) fn message_at(&self, offset: i64) -> Option<&Message> {
        let found = self
            .messages
            .binary_search_by_key(&offset, |message| message.start.offset);
        self.messages.get(found.ok()?)
    }

    /// The bytes of the records from one offset to another, which lie in the log.
    pub(super) fn raw(&self, from: i64, to: i64) -> Vec<u8> {
        let mut bytes = Vec::new();
        for message in self.messages.iter() {
            let length = u32::try_from(message.bytes.len()).expect("a put has 32 bits of size");
            let record = length
                .to_be_bytes()
                .into_iter()
                .chain(message.bytes.iter().copied());
            let offsets = message.start.offset..;
            let wanted = offsets
                .zip(record)
                .filter(|(at, _)| (from..to).contains(at));
            bytes.extend(wanted.map(|(_, byte)| byte));
        }
        bytes
    }

    /// The segment that an offset lies in; a border belongs to the later one.
    fn segment_of(&self, offset: i64) -> usize {
        let behind = self
            .segments
            .partition_point(|one| one.start.offset <= offset);
        behind.saturating_sub(1)
    }

    /// A place told in full.
    pub(super) fn position(&self, place: Place) -> LogPosition {
        let segment = self.segments.get(self.segment_of(place.offset));
        let segment = segment.copied().unwrap_or_else(|| self.last_segment());
        LogPosition {
            segment: segment.number,
            position: place.offset - segment.start.offset,
            offset: place.offset,
            count: place.count,
        }
    }

    /// Where the next segment starts, seen from an offset.
    pub(super) fn next_start(&self, offset: i64) -> Option<Place> {
        let next = self.segments.get(self.segment_of(offset) + 1);
        next.map(|next| next.start)
    }

    /// Whether a segment starts at an offset, not being the first one.
    pub(super) fn is_border(&self, offset: i64) -> bool {
        let mut later = self.segments.iter().skip(1);
        later.any(|one| one.start.offset == offset)
    }

    /// Cuts the log's end.
    pub(super) fn cut(&mut self, to: Place) {
        self.messages.retain(|message| message.start < to);
        let kept = self.segment_of(to.offset) + 1;
        self.segments.truncate(kept);
        self.may_go_on &= to == self.end;
        self.end = to;
        self.read_end = to;
        self.cuts.push(to);
    }

    /// Drops everything; the log goes on at `at`, in a new segment.
    pub(super) fn restart(&mut self, at: Place, number: i64) {
        self.messages.clear();
        self.segments.clear();
        self.may_go_on = false;
        self.end = at;
        self.read_end = at;
        self.begin_segment(number);
    }

    /// Drops everything; the log goes on at a place of the caller's, which is no place of before.
    pub(super) fn restart_anew(&mut self, at: Place, number: i64) {
        self.cuts.push(at);
        self.restart(at, number);
    }

    /// Removes the first segments, so many.
    pub(super) fn remove(&mut self, segments: usize) {
        self.segments.drain(..segments);
        let start = self.start();
        self.messages.retain(|message| message.start >= start);
    }

    pub(super) fn generation(&self) -> usize {
        self.cuts.len()
    }

    /// Whether an end that the log holds may have been shown before a cut only: then it says
    /// nothing of the log that there is.
    pub(super) fn may_be_of_the_past(&self, end: Place) -> bool {
        end != self.read_end && (self.generation() > 0 || self.was_grown_to_itself)
    }

    /// The lowest cut since a generation.
    pub(super) fn cut_since(&self, generation: usize) -> Option<Place> {
        let later = self.cuts.iter().skip(generation);
        later.copied().min()
    }
}
