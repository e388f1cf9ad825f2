//! Finds the boundary at a virtual offset, going forward over records and, far from it, over whole
//! segments whose sidecars tell where they end.

use super::error::{Error, Loss};
use super::position::Position;
use super::record_reader::{RecordReader, Step};

/// Nearer than this, reading records is as cheap as asking for a sidecar.
const NEAR_BYTES: u64 = 128 * 1024;

/// What lies on the way to a boundary.
#[derive(Debug)]
pub(super) struct Way {
    /// The boundary.
    pub(super) to: Position,
    /// What is lost before it.
    pub(super) losses: Vec<Loss>,
}

/// How the count of a boundary is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// Segments are passed by their sidecars.
    Segments,
    /// Every record is counted.
    Records,
}

impl RecordReader {
    /// The boundary at `offset`, which has to have this `count` where one is given; `None` where
    /// there is none. `from` is a boundary at or before it.
    ///
    /// # Errors
    /// That of the filesystem.
    pub(super) fn find(
        &mut self,
        from: Position,
        offset: u64,
        count: Option<u64>,
        end: &Position,
    ) -> Result<Option<Way>, Error> {
        let way = self.go(from, offset, end, Pace::Segments)?;
        let fits = |way: &Way| count.is_none_or(|count| count == way.to.count);
        if way.as_ref().is_none_or(fits) {
            return Ok(way);
        }
        // A sidecar may have told a wrong count.
        Ok(self.go(from, offset, end, Pace::Records)?.filter(fits))
    }

    fn go(
        &mut self,
        from: Position,
        offset: u64,
        end: &Position,
        pace: Pace,
    ) -> Result<Option<Way>, Error> {
        let mut at = from;
        let mut losses = Vec::new();
        // The segment that the offset lies in, as far as was looked.
        let mut last = None;
        while at.offset < offset {
            let is_far = pace == Pace::Segments && offset - at.offset > NEAR_BYTES;
            if is_far && last != Some(at.segment) {
                if let Some(next) = self.pass_segment(at, end)?.filter(|to| to.offset <= offset) {
                    at = next;
                    continue;
                }
                last = Some(at.segment);
            }
            at = match self.step(at, end)? {
                Step::Record(record) => record.next,
                Step::Lost(next, loss) => {
                    losses.push(loss);
                    next
                }
                Step::End => break,
            };
        }
        Ok((at.offset == offset).then_some(Way { to: at, losses }))
    }

    /// The start of the next segment, where a sidecar tells it that fits.
    fn pass_segment(&self, at: Position, end: &Position) -> Result<Option<Position>, Error> {
        if at.segment >= end.segment {
            return Ok(None);
        }
        let size = self.segments.size(at.segment)?;
        if size.is_none() {
            return Ok(None);
        }
        let start = at.segment_offset();
        let next = self.segments.next_start(at.segment, start, size, end)?;
        let known = next.and_then(|next| Some((next.offset, next.count?)));
        Ok(known
            .filter(|(offset, count)| *offset >= at.offset && *count >= at.count)
            .map(|(offset, count)| Position {
                segment: at.segment + 1,
                position: 0,
                offset,
                count,
            }))
    }

    /// The start of the segment behind that of `at`, a boundary, or the end.
    ///
    /// # Errors
    /// That of the filesystem.
    pub(super) fn next_segment(&mut self, at: Position, end: &Position) -> Result<Way, Error> {
        let nothing = Vec::new();
        if at.segment >= end.segment {
            return Ok(Way {
                to: *end,
                losses: nothing,
            });
        }
        let (segments, start) = (&self.segments, at.segment_offset());
        let size = segments.size(at.segment)?;
        if size.is_some()
            && let Some(next) = segments.next_start(at.segment, start, size, end)?
            && (at.offset..=end.offset).contains(&next.offset)
        {
            let segment = at.segment + 1;
            let count = segments.count_at_start(segment, end)?;
            if let Some(count) = count.filter(|count| (at.count..=end.count).contains(count)) {
                let to = Position {
                    segment,
                    position: 0,
                    offset: next.offset,
                    count,
                };
                return Ok(Way {
                    to,
                    losses: nothing,
                });
            }
        }
        let mut way = Way {
            to: at,
            losses: nothing,
        };
        while way.to.segment == at.segment {
            match self.step(way.to, end)? {
                Step::Record(record) => way.to = record.next,
                Step::Lost(next, loss) => {
                    way.losses.push(loss);
                    way.to = next;
                }
                Step::End => way.to = *end,
            }
            if way.to == *end {
                break;
            }
        }
        Ok(way)
    }
}
