//! A model that goes on from what a recovery showed, and what a judge of crashes asks a model.

use super::content::Content;
use super::core::LogModel;
use super::place::Place;
use super::reader::Reader;
use super::writer::Access;
use crate::scenario::{LogOptions, LogPosition};
use std::sync::Arc;

/// What is known of a log after a recovery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogRecovered {
    /// Its first byte that is there.
    pub start: LogPosition,
    /// All its messages, in order.
    pub messages: Vec<Arc<[u8]>>,
    /// Where its segments start, without the first one; each lies behind the start and at or
    /// before the end, in order.
    pub borders: Vec<Place>,
    /// The readers that it knows: name, confirmed position, and whether it is open.
    pub readers: Vec<(String, Place, bool)>,
}

impl LogModel {
    /// The log as a recovery left it, open for writing. Nothing is buffered, and no snapshot is
    /// open.
    #[must_use]
    pub fn resumed(options: LogOptions, recovered: &LogRecovered) -> Self {
        let segment_bytes_max = i64::try_from(options.segment_bytes_max).unwrap_or(i64::MAX);
        let content = Content::recovered(segment_bytes_max, recovered);
        let mut model = Self::new(options);
        for (name, confirmed, is_open) in &recovered.readers {
            let reader = Reader {
                confirmed: *confirmed,
                read: *confirmed,
                end: content.read_end,
                generation: content.generation(),
                is_open: *is_open,
            };
            model.readers.insert(name.as_str().into(), reader);
        }
        model.content = content;
        model.access = Access::Full;
        model
    }

    /// How it was opened.
    #[must_use]
    pub fn options(&self) -> LogOptions {
        self.options
    }

    /// Where the log starts, whether the writer is open or not.
    #[must_use]
    pub fn start(&self) -> Place {
        self.content.start()
    }

    /// Up to where readers may read, whether the writer is open or not.
    #[must_use]
    pub fn read_end(&self) -> Place {
        self.content.read_end
    }

    /// Readers see this far, where a roll that would show more is owed.
    pub fn show_up_to(&mut self, end: Place) {
        self.content.read_end = end;
    }

    /// Where the log ends, whether the writer is open or not.
    #[must_use]
    pub fn end(&self) -> Place {
        self.content.end
    }

    /// Whether the writer is open for writing.
    #[must_use]
    pub fn is_writing(&self) -> bool {
        self.access == Access::Full
    }

    /// Where its segments start, in order.
    #[must_use]
    pub fn segment_starts(&self) -> Vec<Place> {
        let segments = self.content.segments.iter();
        segments.map(|segment| segment.start).collect()
    }

    /// The messages whose records start at or behind an offset.
    pub fn messages_from(&self, offset: i64) -> impl Iterator<Item = &Arc<[u8]>> {
        let messages = self.content.messages().iter();
        let later = messages.skip_while(move |message| message.start.offset < offset);
        later.map(|message| &message.bytes)
    }

    /// The names of the readers that the log knows.
    pub fn reader_names(&self) -> impl Iterator<Item = &str> {
        self.readers.keys().map(AsRef::as_ref)
    }

    /// Whether the log knows this reader.
    #[must_use]
    pub fn knows_reader(&self, name: &str) -> bool {
        self.readers.contains_key(name)
    }

    /// The confirmed position of a reader that the log knows, not above the lowest place at which
    /// the log's end was cut since; it may lie below the log's start.
    #[must_use]
    pub fn confirmed(&self, name: &str) -> Option<Place> {
        let reader = self.readers.get(name)?;
        let cut = self.content.cut_since(reader.generation);
        let confirmed = reader.confirmed;
        Some(cut.map_or(confirmed, |cut| confirmed.min(cut)))
    }

    /// The process died: nothing is open.
    pub fn kill(&mut self) {
        self.access = Access::None;
        self.snapshot = None;
        for reader in self.readers.values_mut() {
            reader.is_open = false;
            reader.read = reader.confirmed;
        }
    }

    /// Puts a reader that is not open at a place.
    pub fn place_reader(&mut self, name: &str, at: Place) {
        if let Some(reader) = self.readers.get_mut(name) {
            reader.confirmed = at;
            reader.read = at;
            reader.generation = self.content.generation();
        }
    }

    /// Cuts the end as a recovery does that did not find more; readers see all that is left.
    pub fn recover_to(&mut self, end: Place) {
        if end != self.content.end {
            self.content.cut(end);
        }
        self.content.read_end = end;
    }
}
