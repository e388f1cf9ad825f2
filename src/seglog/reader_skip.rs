//! Moving a reader's positions without reading.

use super::error::Error;
use super::position::Position;
use super::reader::LogReader;
use super::record_reader::Step;

fn refused<T>(reason: &'static str) -> Result<T, Error> {
    Err(Error::Refused { reason })
}

impl LogReader {
    /// Reads again from the confirmed position, which is the answer.
    ///
    /// # Errors
    /// It is closed; that of the filesystem.
    pub fn reset_read_to_confirmed(&mut self) -> Result<Position, Error> {
        self.begin()?;
        self.go_to(self.confirmed);
        Ok(self.confirmed)
    }

    /// Moves confirmed and read position to `offset`, also backward; the answer is the confirmed
    /// position. `count` is the count there. It may be left open at the offset 0, at the confirmed
    /// and the read position, and at the end.
    ///
    /// # Errors
    /// It is closed; a place before the log's start, behind the end, inside a message, or with
    /// another count; that of the filesystem; then nothing changed.
    pub fn reset_read_to_offset(
        &mut self,
        offset: u64,
        count: Option<u64>,
    ) -> Result<Position, Error> {
        self.begin()?;
        if offset < self.view.start.offset {
            return refused("the offset lies before the log's start");
        }
        self.move_to(offset, count)
    }

    /// Moves confirmed and read position forward to `offset`, as
    /// [`LogReader::reset_read_to_offset`].
    ///
    /// # Errors
    /// As [`LogReader::reset_read_to_offset`], and a place before the confirmed position.
    pub fn skip_read_to_offset(
        &mut self,
        offset: u64,
        count: Option<u64>,
    ) -> Result<Position, Error> {
        self.begin()?;
        if offset < self.confirmed.offset {
            return refused("the offset lies before the confirmed position");
        }
        self.move_to(offset, count)
    }

    /// Moves confirmed and read position to the log's start.
    ///
    /// # Errors
    /// It is closed; that of the filesystem; then nothing changed.
    pub fn reset_read_to_queue_start(&mut self) -> Result<Position, Error> {
        self.begin()?;
        self.stand(self.view.start)?;
        Ok(self.confirmed)
    }

    /// Moves confirmed and read position to the end.
    ///
    /// # Errors
    /// It is closed; that of the filesystem; then nothing changed.
    pub fn skip_read_to_end(&mut self) -> Result<Position, Error> {
        self.begin()?;
        self.stand(self.end_or_start())?;
        Ok(self.confirmed)
    }

    /// Moves confirmed and read position to the start of the segment behind the confirmed
    /// position's, or to the end where there is none.
    ///
    /// # Errors
    /// It is closed; that of the filesystem; then nothing changed.
    pub fn skip_to_next(&mut self) -> Result<Position, Error> {
        self.begin()?;
        let end = self.end_or_start();
        if end.offset < self.confirmed.offset {
            return refused("the confirmed position was cut off");
        }
        let way = self.view.search.next_segment(self.confirmed, &end)?;
        self.losses.meet(way.losses);
        self.stand(way.to)?;
        Ok(self.confirmed)
    }

    /// Takes the last read back: its message began at `offset`, behind `count` messages, and its
    /// record has `moved` bytes. May be called for several messages, the last one first.
    ///
    /// # Errors
    /// It is closed; no such message ends at the read position, or it is confirmed; that of the
    /// filesystem; then nothing changed.
    pub fn reset_last_read_one(
        &mut self,
        offset: u64,
        count: Option<u64>,
        moved: u64,
    ) -> Result<(), Error> {
        self.begin()?;
        let is_last = offset.checked_add(moved) == Some(self.read.offset) && moved > 0;
        if !is_last || offset < self.confirmed.offset {
            return refused("no unconfirmed message of this size ends at the read position");
        }
        let to = match self.last {
            Some(last) if last.at.offset == offset && last.next == self.read => Some(last.at),
            _ => self.find_last(offset)?,
        };
        match to.filter(|to| count.is_none_or(|count| count == to.count)) {
            Some(to) => {
                self.go_to(to);
                Ok(())
            }
            None => refused("no message with this offset and count ends at the read position"),
        }
    }

    /// The place of the message at `offset` that ends at the read position.
    fn find_last(&mut self, offset: u64) -> Result<Option<Position>, Error> {
        let search = &mut self.view.search;
        let Some(way) = search.find(self.confirmed, offset, None, &self.read)? else {
            return Ok(None);
        };
        let step = search.step(way.to, &self.read)?;
        let is_last =
            matches!(step, Step::Record(record) if record.next.offset == self.read.offset);
        Ok(is_last.then_some(way.to))
    }

    fn move_to(&mut self, offset: u64, count: Option<u64>) -> Result<Position, Error> {
        let end = self.view.visible();
        let places = [self.read, self.confirmed, end];
        let to = match places.iter().find(|place| place.offset == offset) {
            Some(place) if count.is_none_or(|count| count == place.count) => *place,
            Some(_) => return refused("the count is another one there"),
            None if end.offset < offset => return refused("the offset lies behind the end"),
            None if count.is_none() && offset > 0 => return refused("the count is needed there"),
            None => {
                let known = [self.read, self.confirmed, self.view.start];
                let before = known.iter().filter(|place| place.offset < offset);
                let from = before.max_by_key(|place| place.offset);
                let from = *from.unwrap_or(&self.view.start);
                match self.view.search.find(from, offset, count, &end)? {
                    Some(way) => {
                        self.losses.meet(way.losses);
                        way.to
                    }
                    None => match self.place_off_border(offset, count, &end) {
                        Some(place) => place,
                        None => {
                            return refused("there is no message border of this offset and count");
                        }
                    },
                }
            }
        };
        self.stand(to)?;
        Ok(self.confirmed)
    }

    /// The end, or the log's start where that has moved behind the end that the reader knows: it
    /// was told of nothing since, and stands nowhere below the start.
    fn end_or_start(&self) -> Position {
        let (end, start) = (self.view.visible(), self.view.start);
        if end.offset < start.offset {
            start
        } else {
            end
        }
    }

    /// Moves both positions, and saves them where every move is to be saved, or where they go back.
    fn stand(&mut self, to: Position) -> Result<(), Error> {
        let is_moved = to.offset != self.confirmed.offset;
        self.save_before_going_back(to)?;
        self.confirm(to);
        self.go_to(to);
        if is_moved && self.options.sync_every == 1 {
            // What fails here is still owed: the next flush or close says so.
            drop(self.flush(false));
        }
        Ok(())
    }
}
