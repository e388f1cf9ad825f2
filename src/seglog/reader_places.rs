//! What became of a place that a reader or snapshot had: the log may have been cut below it, or its
//! start moved over it, or it may be no place of this log.

use super::cuts::lowest_since;
use super::error::{Error, Loss, LossKind};
use super::position::{End, Position};
use super::quirks::Quirk;
use super::reader_view::View;

impl View {
    /// What is left under `end` of a place that was one in generation `since`. `None` where nothing
    /// tells what was cut since, and it is no place of this log.
    ///
    /// # Errors
    /// That of the filesystem.
    pub(super) fn kept(
        &mut self,
        at: Position,
        since: u64,
        end: &End,
    ) -> Result<Option<Position>, Error> {
        if self.store.has(Quirk::ReaderAheadKept) {
            return Ok(Some(at));
        }
        let mut at = at;
        if since != end.generation {
            let cuts = self.cuts(end.generation)?;
            let Some(cut) = lowest_since(&cuts, since, end.generation) else {
                return self.verified(&at, &end.position);
            };
            // The cut's own place may have another form now.
            if cut.offset <= at.offset {
                at = cut;
            }
        }
        if end.position.offset <= at.offset {
            at = end.position;
        }
        Ok(Some(at))
    }

    /// The form in which a place of the log is told: the start and the end as they are told
    /// themselves, the end of a finished segment as the start of the next.
    ///
    /// # Errors
    /// That of the filesystem.
    pub(super) fn in_one_form(&self, at: Position, end: &Position) -> Result<Position, Error> {
        if at.offset == self.start.offset {
            return Ok(self.start);
        }
        self.records.canonical(at, end)
    }

    /// The place in this log that a position names which nothing vouches for, its count as the log
    /// has it; the end, for one that lies behind it in every respect. `None` where there is no such
    /// place.
    ///
    /// # Errors
    /// That of the filesystem.
    pub(super) fn verified(
        &mut self,
        at: &Position,
        end: &Position,
    ) -> Result<Option<Position>, Error> {
        if at.offset == self.start.offset && at.segment < self.start.segment {
            // The start, as the segment told it that ended there and is gone.
            return Ok(Some(self.start));
        }
        if end.offset <= at.offset {
            let is_behind = (end.segment, end.position) <= (at.segment, at.position);
            let is_end = end.offset == at.offset && self.is_place(at, end)?;
            return Ok((is_behind || is_end).then_some(*end));
        }
        if at.offset < self.start.offset {
            return Ok(Some(*at).filter(|at| at.segment <= self.start.segment));
        }
        self.search.forget();
        let Some(way) = self.search.find(self.start, at.offset, None, end)? else {
            return Ok(None);
        };
        Ok(self.is_place(at, &way.to)?.then_some(way.to))
    }

    /// Whether both are one place by segment and position.
    fn is_place(&self, at: &Position, place: &Position) -> Result<bool, Error> {
        if (at.segment, at.position) == (place.segment, place.position) {
            return Ok(true);
        }
        let is_before = place.position == 0 && at.segment.checked_add(1) == Some(place.segment);
        Ok(is_before && self.records.segments.size(at.segment)? == Some(at.position))
    }

    /// What is lost to a place reached in generation `since` that lies before the log's start: the
    /// start moved over it. Nothing, where the log was emptied or begun anew there.
    ///
    /// # Errors
    /// That of the filesystem.
    pub(super) fn lost_before_start(
        &self,
        at: &Position,
        since: u64,
    ) -> Result<Option<Loss>, Error> {
        let start = &self.start;
        let now = self.note().map_or(since, |note| note.generation);
        if since < now {
            let cuts = self.cuts(now)?;
            let is_reset = cuts.iter().any(|cut| {
                since < cut.generation
                    && cut.end.offset == start.offset
                    && cut.end.segment == start.segment
            });
            if is_reset {
                return Ok(None);
            }
        }
        let path = self.store.paths.segment(at.segment);
        let bytes = start.offset - at.offset;
        let mut loss = Loss::new(LossKind::Damaged, &path, at.position, bytes);
        loss.messages = start.count.checked_sub(at.count);
        Ok(Some(loss))
    }
}
