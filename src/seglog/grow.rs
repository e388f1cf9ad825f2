//! Growing the log's end over records that recovery found behind it but did not keep.

use super::cut::{NO_BORDER, NOT_IN_LOG};
use super::error::{Applied, Error};
use super::persist::write_sidecar;
use super::position::Position;
use super::quirks::Quirk;
use super::recovery::{Reject, Span};
use super::settle::secure;
use super::sidecar::Sidecar;
use super::sums_writer::{SumsLeft, SumsWriter};
use super::tail::entries_between;
use super::walk::Walk;
use super::writer::{LogWriter, Tail};
use crate::records::sums::{Salt, write_blocks, write_seal};

impl LogWriter {
    /// Moves the log's end forward to `offset`, before which there must be exactly `count`
    /// messages in the files: those behind the end stay there after an open until the first put,
    /// cut or close. Durable when it returns the new end.
    ///
    /// # Errors
    /// [`Error::Refused`] for an end that the files do not hold, or an IO error, which tells
    /// whether the end was moved.
    pub fn try_fix_write_end(&mut self, offset: u64, count: u64) -> Result<Position, Error> {
        self.begin()?;
        let end = self.segment.end();
        if offset < end.offset || count < end.count {
            return Err(NOT_IN_LOG);
        }
        if offset == end.offset {
            if count != end.count && !self.store.has(Quirk::GrowTakesAnyCount) {
                return Err(NO_BORDER);
            }
            self.finish_roll()?;
            self.sync_all()?;
            return self.grow_by_nothing();
        }
        let Tail::Rejected(rejects) = &self.tail else {
            return Err(NOT_IN_LOG);
        };
        let rejects = rejects.clone();
        let spans = self.spans_to(&rejects, offset)?;
        let target = spans.last().map_or(end, |(_, end)| *end);
        let is_counted = target.count == count || self.store.has(Quirk::GrowTakesAnyCount);
        if target.offset != offset || !is_counted {
            return Err(NO_BORDER);
        }
        let sums_bytes = self.secure_grown(&spans)?;
        self.adopt_grown(target, sums_bytes, &rejects);
        self.persist(true)
            .map_err(|error| error.with_applied(Applied::Everything))?;
        Ok(target)
    }

    /// The end stays where it is. As in the original it is that of the segment before then, if
    /// nothing was put behind that yet: the next put goes there.
    fn grow_by_nothing(&mut self) -> Result<Position, Error> {
        let end = self.segment.end();
        let is_rolled = end.position == 0 && self.start.offset < end.offset;
        if is_rolled
            && matches!(self.tail, Tail::Clear)
            && let Some(first) = self.first_of_segment_with(end.offset - 1)?
        {
            let target = Position {
                segment: first.segment,
                position: first.position + (end.offset - first.offset),
                ..end
            };
            self.cut_at(target)?;
            return Ok(target);
        }
        self.show_all()
    }

    /// What lies between the end and the last border at or before `offset`, with where it ends.
    fn spans_to(&self, rejects: &[Reject], offset: u64) -> Result<Vec<(Span, Position)>, Error> {
        let mut at = self.segment.end();
        let mut spans = Vec::new();
        for reject in rejects {
            if reject.segment == at.segment + 1 && at.position > 0 {
                at = at.in_next_segment();
            }
            if reject.segment != at.segment || reject.from != at.position {
                break;
            }
            let path = self.store.paths.segment(reject.segment);
            let Some(file) = self.store.find(&path)? else {
                break;
            };
            let to = reject
                .to
                .min(at.position.saturating_add(offset - at.offset));
            let walked = Walk::new(file.as_ref(), at.position, reject.to).to(to);
            let walked = walked.map_err(|error| Error::io("read", &path, error))?;
            at = at.moved(walked.position - at.position, walked.records);
            let span = Span {
                segment: reject.segment,
                from: reject.from,
                to: walked.position,
                rewrite: true,
            };
            spans.push((span, at));
            if walked.position < reject.to || at.offset == offset {
                break;
            }
        }
        Ok(spans)
    }

    /// Makes the spans durable, with their sums; how many bytes the last one's sums take.
    fn secure_grown(&mut self, spans: &[(Span, Position)]) -> Result<u64, Error> {
        let generation = self.generations.current();
        let mut sums_bytes = 0;
        for (index, (span, end)) in spans.iter().enumerate() {
            secure(&self.store, span)?;
            let salt = Salt::new(generation, span.segment);
            let entries = entries_between(&self.store, &salt, span.from, span.to)?;
            let mut left = SumsLeft::default();
            if span.segment == self.segment.number {
                left.bytes = self.segment.durable_sums;
            }
            write_blocks(&salt, span.from, &entries, &mut left.blocks);
            if index + 1 < spans.len() {
                write_seal(&salt, end.position, &mut left.blocks);
                let told = Sidecar {
                    count: end.count,
                    start: end.segment_offset(),
                    end: end.offset,
                };
                write_sidecar(&self.store, span.segment, &told)?;
            }
            let mut sums = SumsWriter::new(generation, span.segment, left.bytes);
            sums.settle(&self.store, &left)?;
            sums_bytes = sums.written();
        }
        self.store.sync_directory()?;
        Ok(sums_bytes)
    }

    fn adopt_grown(&mut self, target: Position, sums_bytes: u64, rejects: &[Reject]) {
        self.go_on_at(target, true, sums_bytes);
        self.read_end = target;
        let offset = target.segment_offset();
        let count = self.starts.get(&target.segment).map(|start| start.1);
        if count.is_none() && target.position == 0 {
            self.starts.insert(target.segment, (offset, target.count));
        }
        let behind = rejects.iter().filter_map(|reject| {
            let from = match reject.segment == target.segment {
                true => target.position,
                false => reject.from,
            };
            let is_behind = reject.segment > target.segment
                || reject.segment == target.segment && from < reject.to;
            is_behind.then_some(Reject { from, ..*reject })
        });
        let behind: Vec<Reject> = behind.collect();
        self.tail = match behind.is_empty() {
            true => Tail::Clear,
            false => Tail::Rejected(behind),
        };
        self.roll_owed = target.position >= self.options.segment_bytes_max;
    }
}
