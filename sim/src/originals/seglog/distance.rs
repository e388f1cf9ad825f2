//! Finding the place that lies so many bytes away, by the sizes of the segments between.
//!
//! Nothing here knows where messages begin.

use super::base::Base;
use super::error::LogError;
use crate::scenario::LogPosition;

impl Base {
    /// The place `distance` bytes behind `from` (before it where negative), its offset and count
    /// being those of `from`. The place may be the end of a segment as well as the start of the
    /// next one: whichever is met first.
    ///
    /// # Errors
    /// A place before offset 0 or the first segment there is, or behind `end`; a missing segment.
    pub(super) fn place_at(
        &mut self,
        from: LogPosition,
        distance: i64,
        end: &LogPosition,
    ) -> Result<LogPosition, LogError> {
        if from.segment > end.segment {
            return Err(LogError::Step);
        }
        if distance == 0 {
            return Ok(from);
        }
        let target = from.offset.wrapping_add(distance);
        if target < 0 || target > end.offset {
            return Err(LogError::Step);
        }
        if distance < 0 {
            self.place_before(from, distance.wrapping_neg())
        } else {
            self.place_behind(from, distance, end)
        }
    }

    fn place_before(&mut self, from: LogPosition, distance: i64) -> Result<LogPosition, LogError> {
        let mut at = from;
        let mut distance = distance;
        while distance > at.position {
            self.step()?;
            distance = distance.wrapping_sub(at.position);
            if at.segment < 1 {
                return Err(LogError::Cleaned);
            }
            at.segment -= 1;
            at.position = match self.segment_size(at.segment).map_err(LogError::from) {
                Err(error) if error.is_not_found() => return Err(LogError::Cleaned),
                other => other?,
            };
        }
        at.position = at.position.wrapping_sub(distance);
        Ok(at)
    }

    fn place_behind(
        &mut self,
        from: LogPosition,
        distance: i64,
        end: &LogPosition,
    ) -> Result<LogPosition, LogError> {
        let mut at = from;
        let mut distance = distance;
        loop {
            self.step()?;
            let size = if at.segment < end.segment {
                self.segment_size(at.segment)?
            } else {
                end.position
            };
            let rest = size.wrapping_sub(at.position);
            let is_there = distance <= rest;
            if is_there {
                at.position = at.position.wrapping_add(distance);
            } else {
                at.segment = at.segment.wrapping_add(1);
                at.position = 0;
            }
            if at.is_behind(end) {
                return Err(LogError::Step);
            }
            if !is_there {
                distance = distance.wrapping_sub(rest);
            }
            if is_there || distance == 0 {
                return Ok(at);
            }
        }
    }
}
