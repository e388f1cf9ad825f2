//! What a reader or snapshot sees of its log: from the log's start to the end that it was told, and
//! nothing of what was cut off since, told or not. A cut lowers the end when it is seen.

use super::cuts::{self, Cut, lowest_since};
use super::error::Error;
use super::names::check_name;
use super::position::{End, Position};
use super::quirks::{Quirk, Quirks};
use super::reader_changes::Changes;
use super::reader_watch::Watch;
use super::record_reader::RecordReader;
use super::record_reader_sums::{Generations, NO_GENERATIONS};
use super::store::Store;
use super::writer_meta::WriterNote;
use crate::fs::Fs;
use crate::records::text::NUMBER_MAX;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

/// A log between two places.
#[derive(Debug)]
pub(super) struct View {
    pub(super) store: Store,
    watch: Watch,
    /// What is read next.
    pub(super) records: RecordReader,
    /// What is searched for.
    pub(super) search: RecordReader,
    /// Where the log starts.
    pub(super) start: Position,
    /// The end that was told, or the lowest that was left by the cuts since.
    pub(super) end: End,
    /// The log was cut since, and nothing tells where: nothing is shown up to the next end.
    is_hidden: bool,
    /// The writer that is followed, and how many changes of its were looked at.
    followed: Option<(Changes, u64)>,
}

impl View {
    /// The view of a log up to `end`; its start is still to be set.
    ///
    /// # Errors
    /// A name or an end that cannot be; that of the filesystem.
    pub(super) fn open(
        fs: Arc<dyn Fs>,
        directory: &Path,
        log: &OsStr,
        end: End,
        quirks: Quirks,
    ) -> Result<Self, Error> {
        check_name(log)?;
        check_position(&end.position)?;
        let store = Store::new(fs, directory, log).with_quirks(quirks);
        let watch = Watch::open(&store)?;
        let generations = generations(watch.note());
        let mut view = Self {
            records: RecordReader::new(store.clone(), generations.clone()),
            search: RecordReader::new(store.clone(), generations),
            store,
            watch,
            start: Position::default(),
            end,
            is_hidden: false,
            followed: None,
        };
        if let Some(now) = view.note().map(|note| note.generation) {
            (view.end, view.is_hidden) = view.left_of(end, now)?;
        }
        Ok(view)
    }

    /// What the writer says of itself; `None` where an original wrote last, or nobody.
    pub(super) fn note(&self) -> Option<&WriterNote> {
        self.watch.note()
    }

    /// The place up to which there is something to be read.
    pub(super) fn visible(&self) -> Position {
        if self.is_hidden && self.start.offset < self.end.position.offset {
            self.start
        } else {
            self.end.position
        }
    }

    /// Looks whether the log was cut or its start moved; whether anything changed.
    ///
    /// # Errors
    /// That of the filesystem; then nothing changed.
    #[inline]
    pub(super) fn look(&mut self) -> Result<bool, Error> {
        match &self.followed {
            Some((changes, seen)) if changes.told() == Some(*seen) => Ok(false),
            _ => self.look_at_meta(),
        }
    }

    /// Looks at the meta from now on only when there is word of a change.
    pub(super) fn follow(&mut self, changes: &Changes) {
        // What was told before this may not have been looked at.
        let seen = changes.told().unwrap_or(0).wrapping_sub(1);
        self.followed = Some((changes.clone(), seen));
    }

    fn look_at_meta(&mut self) -> Result<bool, Error> {
        if self.store.has(Quirk::ReaderNeverLooks) {
            return Ok(false);
        }
        let followed = self.followed.as_ref();
        let told = followed.and_then(|(changes, _)| changes.told());
        let changed = self.compare_meta()?;
        if let (Some((_, seen)), Some(told)) = (&mut self.followed, told) {
            *seen = told;
        }
        Ok(changed)
    }

    fn compare_meta(&mut self) -> Result<bool, Error> {
        let Some(news) = self.watch.look(&self.store)? else {
            return Ok(false);
        };
        let old = self.note().copied();
        let is_cut = old.is_none_or(|old| old.generation != news.note.generation);
        let start = news.note.start;
        let (end, is_hidden) = if is_cut {
            self.left_of(self.end, news.note.generation)?
        } else {
            (self.end, self.is_hidden)
        };
        self.watch.accept(&news);
        // A start that an original moved is later than that of the note.
        let is_start = is_cut || self.start.offset < start.offset;
        let changed = is_cut || is_start && self.start != start;
        if is_start {
            self.start = start;
        }
        (self.end, self.is_hidden) = (end, is_hidden);
        if self.end.position.offset <= self.start.offset {
            // Nothing is left of what was told.
            self.end.position = self.start;
        }
        if is_cut {
            let generations = generations(self.watch.note());
            self.records.set_generations(generations.clone());
            self.search.set_generations(generations);
        }
        Ok(changed)
    }

    /// Takes a new end.
    ///
    /// # Errors
    /// That of the filesystem; then nothing changed.
    pub(super) fn set_end(&mut self, end: End) -> Result<(), Error> {
        let mut end = end;
        if end.generation != self.end.generation {
            // The log may be another one, under the same names.
            let watch = Watch::open(&self.store)?;
            let generations = generations(watch.note());
            let mut is_hidden = false;
            if let Some(note) = watch.note() {
                (end, is_hidden) = self.left_of(end, note.generation)?;
                self.start = note.start;
            }
            self.watch = watch;
            self.is_hidden = is_hidden;
            self.records.set_generations(generations.clone());
            self.search.set_generations(generations);
        } else if end.position.offset < self.end.position.offset {
            self.records.forget();
            self.search.forget();
        } else {
            self.records.end_moved();
            self.search.end_moved();
        }
        self.end = end;
        Ok(())
    }

    /// The cuts that count.
    ///
    /// # Errors
    /// That of the filesystem.
    pub(super) fn cuts(&self, now: u64) -> Result<Vec<Cut>, Error> {
        cuts::read(&self.store, now)
    }

    /// What the cuts up to generation `now` left of an end, and whether that cannot be known: then
    /// it is as it was.
    fn left_of(&self, end: End, now: u64) -> Result<(End, bool), Error> {
        let mut left = end;
        if now <= end.generation {
            return Ok((left, false));
        }
        let Some(cut) = lowest_since(&self.cuts(now)?, end.generation, now) else {
            return Ok((left, true));
        };
        left.generation = now;
        if cut.offset <= end.position.offset {
            left.position = cut;
        }
        Ok((left, false))
    }
}

/// Refuses what no place in a log can be.
pub(super) fn check_position(at: &Position) -> Result<(), Error> {
    let numbers = [at.segment, at.position, at.offset, at.count];
    if numbers.iter().any(|number| *number > NUMBER_MAX) {
        return Err(Error::Refused {
            reason: "a number does not fit a signed 64-bit number",
        });
    }
    if at.position > at.offset {
        return Err(Error::Refused {
            reason: "no place in a log has fewer bytes before it than its segment",
        });
    }
    Ok(())
}

/// The generations whose sums count.
fn generations(note: Option<&WriterNote>) -> Generations {
    match note {
        Some(note) => note.life..=note.generation,
        None => NO_GENERATIONS,
    }
}
