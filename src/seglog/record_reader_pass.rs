//! Passing what is lost up to the next place that is known.

use super::error::{Error, Loss, LossKind};
use super::position::Position;
use super::record_reader::RecordReader;

impl RecordReader {
    /// Goes on at the next segment that is there and whose start is known, or at the end.
    pub(super) fn pass_rest(
        &self,
        at: Position,
        end: &Position,
    ) -> Result<(Position, Loss), Error> {
        let path = self.segments.store.paths.segment(at.segment);
        let mut loss = Loss::new(LossKind::Damaged, &path, at.position, 0);
        let (mut next, mut messages) = (*end, end.count.checked_sub(at.count));
        for segment in self.segments.behind(at.segment, end.segment)? {
            if let Some((start, known)) = self.start_of(segment, &at, end)? {
                (next, messages) = (start, known);
                break;
            }
        }
        loss.size = next.offset - at.offset;
        loss.messages = messages;
        Ok((next, loss))
    }

    /// The start of `segment`, if its offset is known and lies between `at` and `end`, and how many
    /// messages are lost before it. Where nothing tells that, its count is too low: it is right
    /// again from the next sidecar on that is needed, or the end.
    fn start_of(
        &self,
        segment: u64,
        at: &Position,
        end: &Position,
    ) -> Result<Option<(Position, Option<u64>)>, Error> {
        let offset = match self.segments.start_from_behind(segment, end)? {
            Some(offset) => Some(offset),
            None => self.segments.sidecar(segment - 1)?.map(|before| before.end),
        };
        let Some(offset) = offset.filter(|offset| (at.offset..=end.offset).contains(offset)) else {
            return Ok(None);
        };
        let count = if offset == at.offset {
            Some(at.count)
        } else {
            self.segments.count_at_start(segment, end)?
        };
        let count = count.filter(|count| (at.count..=end.count).contains(count));
        let start = Position {
            segment,
            position: 0,
            offset,
            count: count.unwrap_or(at.count),
        };
        Ok(Some((start, count.map(|count| count - at.count))))
    }
}
