//! Telling a reader where its log ends.

use super::error::Error;
use super::position::{End, Position};
use super::reader::LogReader;
use super::reader_view::check_position;

impl LogReader {
    /// Tells the reader where the log ends; the answer is whether that changed anything. An end of
    /// a later generation means that the log was cut: everything read ahead is dropped, and the
    /// positions are lowered to the lowest end that was left since. An end before the read position
    /// in the same generation is taken only with `force`; one of an earlier generation never.
    ///
    /// # Errors
    /// It is closed; a place that cannot be; that of the filesystem, and then nothing changed.
    pub fn update_queue_end(&mut self, end: End, force: bool) -> Result<bool, Error> {
        check_position(&end.position)?;
        self.begin()?;
        let old = self.view.end;
        let is_same = end.position.is_same_place(&old.position);
        // The same place in another form says that a segment was finished.
        let is_refused = end == old
            || end.generation < old.generation
            || end.generation == old.generation && !force && end.position.offset < self.read.offset
            || end.position.offset < self.view.start.offset;
        if is_refused {
            return Ok(false);
        }
        let kept = self.kept(&end)?;
        self.save_before_going_back(kept.confirmed)?;
        self.view.set_end(end)?;
        let is_moved = self.stand_at(kept);
        self.owe_save();
        self.stand_at_start()?;
        self.since = end.generation;
        Ok(is_moved || !is_same)
    }

    /// Lowers both positions to what is left of them under an end of a later generation.
    pub(super) fn stand_under(&mut self, end: &End) -> Result<(), Error> {
        let kept = self.kept(end)?;
        if self.stand_at(kept) {
            self.owe_save();
        }
        Ok(())
    }

    fn kept(&mut self, end: &End) -> Result<Kept, Error> {
        let (start, mut is_lost) = (self.view.start, false);
        let mut places = [self.read, self.confirmed];
        for place in &mut places {
            let kept = self.view.kept(*place, self.since, end)?;
            is_lost |= kept.is_none();
            *place = kept.unwrap_or(start);
            *place = self.view.in_one_form(*place, &end.position)?;
        }
        let [read, confirmed] = places;
        Ok(Kept {
            read,
            confirmed,
            is_lost,
        })
    }

    /// Whether a position moved.
    fn stand_at(&mut self, kept: Kept) -> bool {
        let Kept {
            read,
            confirmed,
            is_lost,
        } = kept;
        let is_moved = !read.is_same_place(&self.read) || !confirmed.is_same_place(&self.confirmed);
        if is_moved {
            self.go_to(read);
        }
        self.read = read;
        self.confirmed = confirmed;
        if is_lost {
            self.losses.meet([self.files.lost()]);
        }
        is_moved
    }
}

/// What is left of a reader's positions.
struct Kept {
    read: Position,
    confirmed: Position,
    is_lost: bool,
}
