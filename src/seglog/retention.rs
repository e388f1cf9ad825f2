//! Removing old data: whole segments from the log's start, as far as the caller, the limit and the
//! readers allow. The metas name the new start first; what is left then lies before it.

use super::chart::Chart;
use super::error::{Applied, Error};
use super::known_readers::lowest_confirmed;
use super::position::Position;
use super::quirks::Quirk;
use super::settle::SIDECARS_KEPT;
use super::survey::Survey;
use super::writer::{Access, LogWriter};

/// Up to where old data is to be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CleanTarget {
    /// A place.
    Position(Position),
    /// A virtual offset alone.
    Offset(u64),
}

impl CleanTarget {
    fn offset(&self) -> u64 {
        match self {
            Self::Position(place) => place.offset,
            Self::Offset(offset) => *offset,
        }
    }
}

impl LogWriter {
    /// Removes whole segments that end at or before the target, `offset_max`, and, unless it is
    /// forced, the lowest confirmed position of all readers that the log knows, open or not. The
    /// last two segments stay. `None`: there is nothing to remove. With `dry_run` only the start
    /// that there would be is told. Otherwise the present state is durable when it returns.
    ///
    /// # Errors
    /// An IO error, which tells whether the log's start was moved.
    pub fn clean_old_data(
        &mut self,
        target: CleanTarget,
        dry_run: bool,
        offset_max: Option<u64>,
        force: bool,
    ) -> Result<Option<Position>, Error> {
        match self.access {
            Access::Gone => return Err(Error::Closed),
            Access::ReadOnly if !dry_run => return Err(Error::ReadOnly),
            Access::Full | Access::ReadOnly => {}
        }
        let mut bound = target.offset().min(offset_max.unwrap_or(u64::MAX));
        let force = force || self.store.has(Quirk::CleanIgnoresReaders);
        if !force && bound > self.start.offset {
            let end = self.segment.durable();
            let lowest = lowest_confirmed(&self.store, &self.generations, self.start, end)?;
            bound = bound.min(lowest.unwrap_or(u64::MAX));
        }
        let Some(start) = self.start_below(bound)? else {
            return Ok(None);
        };
        if !dry_run {
            self.clean_to(start)?;
        }
        Ok(Some(start))
    }

    /// The start after removing all segments that end at or before `bound`, if there are any.
    fn start_below(&mut self, bound: u64) -> Result<Option<Position>, Error> {
        let (takes_last, cuts_within) = (
            self.store.has(Quirk::CleanTakesLastTwo),
            self.store.has(Quirk::CleanCutsWithin),
        );
        let last = self.read_end.segment.saturating_sub(u64::from(!takes_last));
        if self.start.segment >= last {
            return Ok(None);
        }
        let mut chart = Chart {
            store: &self.store,
            segments: &self.segments,
            start: self.start,
            end: self.segment.end(),
            starts: &mut self.starts,
        };
        let extents = chart.extents()?;
        let removed = extents
            .iter()
            .take_while(|extent| {
                let is_before = extent.to <= bound || cuts_within && extent.from < bound;
                extent.number < last && is_before
            })
            .count();
        let next = extents.get(removed).map(|extent| extent.number);
        let next = next.or(takes_last.then_some(last));
        match next.filter(|next| removed > 0 && *next <= last) {
            Some(next) => chart.first_of(next, &extents).map(Some),
            None => Ok(None),
        }
    }

    fn clean_to(&mut self, start: Position) -> Result<(), Error> {
        if self.moving_from.is_some() {
            self.clear_tail()?;
        }
        // Where the disk is full, removing comes first.
        let is_synced = match self.finish_roll().and_then(|()| self.sync_all()) {
            Err(error) if !error.is_full_disk() => return Err(error),
            synced => synced.is_ok(),
        };
        if self.store.has(Quirk::CleanRemovesFirst) {
            self.remove_segments_before(start.segment)?;
        }
        let mut content = self.content();
        content.start = start;
        let is_durable = !self.store.has(Quirk::StartNotDurable);
        match self.metas.write(&self.store, &content, is_durable) {
            Err(error) if error.applied() == Applied::Nothing => return Err(error),
            written => {
                self.start = start;
                written?;
            }
        }
        self.finish_cleaning(is_synced)
            .map_err(|error| error.with_applied(Applied::Everything))
    }

    fn finish_cleaning(&mut self, is_synced: bool) -> Result<(), Error> {
        match self.write_start() {
            Err(error) if !error.is_full_disk() => return Err(error),
            // It is derived, and the next open writes it.
            Ok(()) | Err(_) => {}
        }
        self.store.sync_directory()?;
        while let Some(number) = self.segments.front().copied() {
            if number >= self.start.segment {
                break;
            }
            self.store.remove(&self.store.paths.segment(number))?;
            self.store.remove(&self.store.paths.sums(number))?;
            self.segments.pop_front();
        }
        let kept = match self.store.has(Quirk::SidecarsNotKept) {
            true => 0,
            false => SIDECARS_KEPT,
        };
        let oldest = self.start.segment.saturating_sub(kept);
        if oldest > 0 {
            for number in Survey::take(&self.store)?.sidecars {
                if number < oldest {
                    self.store.remove(&self.store.paths.sidecar(number))?;
                }
            }
        }
        if !is_synced {
            self.sync_all()?;
            self.persist(true)?;
        }
        Ok(())
    }
}
