//! What a reader or snapshot sees of its log: from the log's start to the end that it was told, and
//! nothing of what was cut off since, told or not.

use super::cuts::{CUTS_BYTES_MAX, Cut, lowest_since, parse};
use super::error::Error;
use super::names::check_name;
use super::position::{End, Position};
use super::reader_changes::Changes;
use super::reader_watch::Watch;
use super::record_reader::RecordReader;
use super::record_reader_sums::Generations;
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
    /// The end that was told.
    pub(super) end: End,
    /// The lowest end that the log was cut to since.
    cut: Option<Position>,
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
    ) -> Result<Self, Error> {
        check_name(log)?;
        check_position(&end.position)?;
        let store = Store::new(fs, directory, log);
        let watch = Watch::open(&store)?;
        let generations = generations(watch.note());
        let mut view = Self {
            records: RecordReader::new(store.clone(), generations.clone()),
            search: RecordReader::new(store.clone(), generations),
            store,
            watch,
            start: Position::default(),
            end,
            cut: None,
            followed: None,
        };
        view.cut = view.cut_for(&end)?;
        Ok(view)
    }

    /// What the writer says of itself; `None` where an original wrote last, or nobody.
    pub(super) fn note(&self) -> Option<&WriterNote> {
        self.watch.note()
    }

    /// The place up to which there is something to be read.
    pub(super) fn visible(&self) -> Position {
        match self.cut {
            Some(cut) if cut.offset < self.end.position.offset => cut,
            _ => self.end.position,
        }
    }

    /// Looks whether the log was cut or its start moved; whether anything changed.
    ///
    /// # Errors
    /// That of the filesystem; then nothing changed.
    #[inline]
    pub(super) fn look(&mut self) -> Result<bool, Error> {
        match &self.followed {
            Some((changes, seen)) if changes.told() == *seen => Ok(false),
            _ => self.look_at_meta(),
        }
    }

    /// Looks at the meta from now on only when there is word of a change.
    pub(super) fn follow(&mut self, changes: &Changes) {
        // What was told before this may not have been looked at.
        self.followed = Some((changes.clone(), changes.told().wrapping_sub(1)));
    }

    fn look_at_meta(&mut self) -> Result<bool, Error> {
        let told = self.followed.as_ref().map(|(changes, _)| changes.told());
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
        let (start, end) = (news.note.start, self.end);
        let cut = if is_cut {
            self.cut_in(end.generation, news.note.generation, start)?
        } else {
            self.cut
        };
        self.watch.accept(&news);
        // A start that an original moved is later than that of the note.
        let is_start = is_cut || self.start.offset < start.offset;
        let changed = is_cut || is_start && self.start != start;
        if is_start {
            self.start = start;
        }
        if self.end.position.offset <= self.start.offset {
            // Nothing is left of what was told.
            self.end.position = self.start;
        }
        if is_cut {
            self.cut = cut;
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
        if end.generation != self.end.generation {
            // The log may be another one, under the same names.
            let watch = Watch::open(&self.store)?;
            let generations = generations(watch.note());
            let cut = match watch.note() {
                Some(note) => self.cut_in(end.generation, note.generation, note.start)?,
                None => None,
            };
            if let Some(note) = watch.note() {
                self.start = note.start;
            }
            self.watch = watch;
            self.cut = cut;
            self.records.set_generations(generations.clone());
            self.search.set_generations(generations);
        } else if end.position.offset < self.end.position.offset {
            self.cut = self.cut_for(&end)?;
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
        let bytes = self.store.read(&self.store.paths.cuts(), CUTS_BYTES_MAX)?;
        Ok(parse(&bytes.unwrap_or_default(), now).0)
    }

    fn cut_for(&self, end: &End) -> Result<Option<Position>, Error> {
        match self.watch.note() {
            Some(note) => self.cut_in(end.generation, note.generation, note.start),
            None => Ok(None),
        }
    }

    /// Up to where nothing was cut off between two generations: the log's start, where that cannot
    /// be known.
    fn cut_in(&self, since: u64, now: u64, start: Position) -> Result<Option<Position>, Error> {
        if now <= since {
            return Ok(None);
        }
        let lowest = lowest_since(&self.cuts(now)?, since, now);
        Ok(Some(lowest.unwrap_or(start)))
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
        #[expect(clippy::reversed_empty_ranges, reason = "there are none")]
        None => 1..=0,
    }
}
