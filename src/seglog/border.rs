//! Finding the borders of messages within a writer's log: what a cut goes by, and where segments
//! start that retention keeps.
//!
//! What is durable is walked in the files by the headers of records, from the nearest border the
//! count of which is known; what is not, in memory.

use super::chart::Chart;
use super::error::Error;
use super::position::Position;
use super::record_reader::RecordReader;
use super::walk::{Walk, Walked, walk_bytes};
use super::writer::LogWriter;

impl LogWriter {
    /// The border at a virtual offset between start and end; `None` where there is none.
    pub(super) fn border_at(&self, offset: u64) -> Result<Option<Position>, Error> {
        let end = self.segment.end();
        let durable = self.segment.durable();
        if offset == end.offset {
            return Ok(Some(end));
        }
        if offset >= durable.offset {
            let walked = walk_bytes(self.segment.unsynced(), offset - durable.offset);
            let found = durable.moved(walked.position, walked.records);
            return Ok(Some(found).filter(|found| found.offset == offset));
        }
        let first = match offset >= end.segment_offset() {
            true => self.first_of_last(offset)?,
            false => match self.first_of_segment_with(offset)? {
                Some(first) => first,
                None => return Ok(None),
            },
        };
        let Some(far) = offset.checked_sub(first.offset) else {
            return Ok(None);
        };
        let walked = self.walk(&first, first.position + far)?;
        let found = first.moved(walked.position - first.position, walked.records);
        match found.offset == offset {
            true => Ok(Some(found)),
            false => self.border_behind_damage(offset),
        }
    }

    /// As a reader finds it, which passes damage: messages behind some can still be taken back.
    fn border_behind_damage(&self, offset: u64) -> Result<Option<Position>, Error> {
        let mut reader = RecordReader::new(self.store.clone(), self.generations.counting());
        let way = reader.find(self.start, offset, None, &self.segment.durable())?;
        Ok(way.map(|way| way.to))
    }

    /// A border of the write segment at or before `offset`: where the writer began in it, or else
    /// its start, counted back from there.
    fn first_of_last(&self, offset: u64) -> Result<Position, Error> {
        let known = self.segment.first();
        if known.offset <= offset {
            return Ok(known);
        }
        let start = match self.start.segment == known.segment {
            true => self.start.position,
            false => 0,
        };
        let mut first = Position {
            position: start,
            offset: known.segment_offset() + start,
            ..known
        };
        let records = self.walk(&first, known.position)?.records;
        first.count = known.count.saturating_sub(records);
        Ok(first)
    }

    /// The first border of the finished segment that holds `offset`.
    pub(super) fn first_of_segment_with(&self, offset: u64) -> Result<Option<Position>, Error> {
        let mut starts = self.starts.clone();
        let mut chart = Chart {
            store: &self.store,
            segments: &self.segments,
            start: self.start,
            end: self.segment.end(),
            starts: &mut starts,
        };
        let extents = chart.extents()?;
        let holds = extents
            .iter()
            .rfind(|extent| (extent.from..extent.to).contains(&offset));
        match holds {
            Some(extent) => chart.first_of(extent.number, &extents).map(Some),
            None => Ok(None),
        }
    }

    /// Walks a segment from a border.
    fn walk(&self, first: &Position, to: u64) -> Result<Walked, Error> {
        let path = self.store.paths.segment(first.segment);
        let nothing = Walked {
            position: first.position,
            records: 0,
        };
        let Some(file) = self.store.find(&path)? else {
            return Ok(nothing);
        };
        let walked = Walk::new(file.as_ref(), first.position, to).to(to);
        walked.map_err(|error| Error::io("read", &path, error))
    }
}
