//! Moving a reader's positions without reading.

use super::error::LogError;
use super::reader::Reader;
use crate::scenario::LogPosition;

impl Reader {
    /// Reads again from the confirmed position.
    ///
    /// # Errors
    /// Closed, and where the position is not found.
    pub fn reset_read_to_confirmed(&mut self) -> Result<LogPosition, LogError> {
        self.begin()?;
        let to = self.state.confirmed;
        self.move_to(to.offset, to.count, false)
    }

    /// Moves confirmed and read position to `offset`, also backward. What was read ahead is
    /// dropped even where this fails.
    ///
    /// # Errors
    /// Closed; a place behind the end or not found, a count that does not fit.
    pub fn reset_read_to_offset(
        &mut self,
        offset: i64,
        count: i64,
    ) -> Result<LogPosition, LogError> {
        self.begin()?;
        self.drop_file();
        let backward = offset < self.state.confirmed.offset;
        self.move_to(offset, count, backward)
    }

    /// Moves them forward.
    ///
    /// # Errors
    /// As [`Reader::reset_read_to_offset`], and an offset before the confirmed one.
    pub fn skip_read_to_offset(
        &mut self,
        offset: i64,
        count: i64,
    ) -> Result<LogPosition, LogError> {
        self.begin()?;
        self.move_to(offset, count, false)
    }

    /// Moves them to the end.
    ///
    /// # Errors
    /// Closed.
    pub fn skip_read_to_end(&mut self) -> Result<LogPosition, LogError> {
        self.begin()?;
        let old = self.state.confirmed.offset;
        let end = self.state.end;
        self.skip_to(end.offset, end.count, false)?;
        self.state.confirmed = end;
        self.state.read = end;
        self.moved_from(old);
        Ok(end)
    }

    /// Moves them to the start of the segment behind the confirmed position's, or to the end.
    /// Nothing is owed for it.
    ///
    /// # Errors
    /// Closed; a sidecar that cannot be read, after the position may have moved in part.
    pub fn skip_to_next(&mut self) -> Result<LogPosition, LogError> {
        self.begin()?;
        self.skip_segment()?;
        Ok(self.state.confirmed)
    }

    /// Takes the last read back: its message began at `offset`, behind `count` messages, and moved
    /// the position by so many bytes. Nothing but the open segment goes where it moved more than
    /// there is in the segment.
    pub fn reset_last_read_one(&mut self, offset: i64, count: i64, moved: i32) {
        self.base.steps.begin();
        self.file = None;
        let read = &mut self.state.read;
        if read.position < i64::from(moved) {
            return;
        }
        self.ahead.clear();
        read.position = read.position.wrapping_sub(moved.into());
        read.offset = offset;
        if count > 0 || (offset == 0 && count == 0) {
            read.count = count;
        }
    }

    fn move_to(&mut self, offset: i64, count: i64, back: bool) -> Result<LogPosition, LogError> {
        let old = self.state.confirmed.offset;
        self.skip_to(offset, count, back)?;
        self.moved_from(old);
        Ok(self.state.confirmed)
    }

    fn skip_to(&mut self, offset: i64, count: i64, back: bool) -> Result<(), LogError> {
        let state = &mut self.state;
        if offset == state.read.offset {
            // What was read ahead stays.
            if count != 0 {
                state.read.count = count;
            }
            state.confirmed = state.read;
            self.update_depth();
            return Ok(());
        }
        self.file = None;
        self.ahead.clear();
        if offset == state.confirmed.offset {
            if count != 0 {
                state.confirmed.count = count;
            }
            state.read = state.confirmed;
            self.update_depth();
            return Ok(());
        }
        let to = self.find_target(offset, count, back)?;
        let state = &mut self.state;
        state.read = if to.is_behind(&state.end) {
            state.end
        } else {
            to
        };
        state.confirmed = state.read;
        self.update_depth();
        Ok(())
    }

    /// Where to move, with the count that is known then.
    fn find_target(
        &mut self,
        offset: i64,
        count: i64,
        back: bool,
    ) -> Result<LogPosition, LogError> {
        let (read, end) = (self.state.read, self.state.end);
        if offset < self.state.confirmed.offset && !back {
            return Err(LogError::Move);
        }
        if offset > end.offset || count > end.count {
            return Err(LogError::MoveBehindEnd);
        }
        if offset == end.offset {
            if count != 0 && count != end.count {
                return Err(LogError::Move);
            }
            return Ok(end);
        }
        if count == 0 && offset != 0 {
            return Err(LogError::Move);
        }
        let distance = offset.wrapping_sub(read.offset);
        let place = match self.base.place_at(read, distance, &end) {
            Err(error) if error.is_not_found() => self.place_by_sidecars(offset, error)?,
            other => other?,
        };
        Ok(LogPosition {
            offset,
            count,
            ..place
        })
    }

    /// Finds the place of an offset behind a missing segment; `error` is what came before.
    fn place_by_sidecars(&mut self, offset: i64, error: LogError) -> Result<LogPosition, LogError> {
        let (mut at, end) = (self.state.read, self.state.end);
        while at.segment != end.segment {
            self.base.step()?;
            match self.base.sidecar(at.segment) {
                Ok(sidecar) if offset < sidecar.end => {
                    at.position = offset.wrapping_sub(sidecar.start);
                    return Ok(at);
                }
                Err(other) if !other.is_not_found() => return Err(error),
                Ok(_) | Err(_) => {
                    at.segment = at.segment.wrapping_add(1);
                    at.position = 0;
                }
            }
        }
        let segment_start = end.offset.wrapping_sub(end.position);
        at.position = offset.wrapping_sub(segment_start);
        if at.position < 0 {
            return Err(error);
        }
        Ok(at)
    }

    /// Moves to the start of the segment behind the confirmed position's.
    pub(super) fn skip_segment(&mut self) -> Result<(), LogError> {
        let end = self.state.end;
        if self.state.confirmed.segment >= end.segment {
            self.skip_to_end();
            return Ok(());
        }
        self.drop_file();
        loop {
            self.base.step()?;
            let confirmed = &mut self.state.confirmed;
            let segment = confirmed.segment;
            match self.base.sidecar(segment) {
                Ok(sidecar) => {
                    *confirmed = sidecar.next_start(segment.wrapping_add(1));
                    break;
                }
                // The fields move one by one: offset and count stay behind here.
                Err(error) if error.is_not_found() && segment < end.segment.wrapping_sub(1) => {
                    confirmed.segment = segment.wrapping_add(1);
                    confirmed.position = 0;
                }
                Err(error) => return Err(error),
            }
        }
        self.state.read = self.state.confirmed;
        self.update_depth();
        Ok(())
    }

    /// Moves to the end.
    pub(super) fn skip_to_end(&mut self) {
        self.drop_file();
        self.state.read = self.state.end;
        self.state.confirmed = self.state.end;
        self.update_depth();
    }
}
