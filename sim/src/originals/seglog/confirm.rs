//! Confirming what was read.

use super::error::LogError;
use super::reader::Reader;
use crate::scenario::LogPosition;

impl Reader {
    /// Confirms everything that was read.
    ///
    /// # Errors
    /// Closed.
    pub fn confirm_all(&mut self) -> Result<(), LogError> {
        self.begin()?;
        let old = self.state.confirmed.offset;
        self.state.confirmed = self.state.read;
        self.update_depth();
        self.save_owed |= old != self.state.confirmed.offset;
        Ok(())
    }

    /// Confirms up to `offset`, `count` messages from the start of the log; 0 is no count, and good
    /// only at the read position. What is already confirmed is confirmed again without effect.
    ///
    /// # Errors
    /// Closed, an offset behind the read position or that is not found, a count that is not that
    /// of the read position there.
    pub fn confirm_read(&mut self, offset: i64, count: i64) -> Result<(), LogError> {
        self.begin()?;
        let (confirmed, read, end) = (self.state.confirmed, self.state.read, self.state.end);
        if offset <= confirmed.offset {
            return Ok(());
        }
        if offset > read.offset {
            return Err(LogError::ConfirmOffset);
        }
        let mut count = count;
        if offset == read.offset {
            if count == 0 {
                count = read.count;
            }
            if count != read.count {
                return Err(LogError::ConfirmCount);
            }
        }
        if count == 0 && offset != 0 {
            return Err(LogError::ConfirmCount);
        }
        let distance = offset.wrapping_sub(confirmed.offset);
        let place = match self.base.place_at(confirmed, distance, &read) {
            Err(error @ LogError::CutOff(_)) => return Err(error),
            other => other.map_err(|_| LogError::ConfirmOffset)?,
        };
        if place.is_behind(&end) || offset > end.offset {
            return Err(LogError::ConfirmOffset);
        }
        self.state.confirmed = LogPosition {
            offset,
            count,
            ..place
        };
        self.update_depth();
        self.save_owed = true;
        Ok(())
    }
}
