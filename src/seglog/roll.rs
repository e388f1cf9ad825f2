//! The step to the next segment: the finished one is durable, its sidecar is written, and the meta
//! names the next one before that is created.

use super::error::{Applied, Error};
use super::persist::write_sidecar;
use super::position::Position;
use super::sidecar::Sidecar;
use super::write_segment::WriteSegment;
use super::writer::{LogWriter, Tail};

impl LogWriter {
    /// Does the step to the next segment if the put before this owes it. Nothing is in doubt after
    /// an error: it is owed as before, and so it is while something stands behind the end. Of the
    /// operation that it comes before nothing was done then, whatever the metas say.
    pub(super) fn finish_roll(&mut self) -> Result<(), Error> {
        if !self.roll_owed || !matches!(self.tail, Tail::Clear) {
            return Ok(());
        }
        self.roll()
            .map_err(|error| error.with_applied(Applied::Nothing))
    }

    fn roll(&mut self) -> Result<(), Error> {
        if self.segment.is_dirty() {
            self.segment.seal(&self.store)?;
        }
        self.sync_all()?;
        let end = self.segment.end();
        // It can be derived, so that a failure costs nothing but time.
        let told = Sidecar {
            count: end.count,
            start: end.segment_offset(),
            end: end.offset,
        };
        let written = write_sidecar(&self.store, end.segment, &told);
        debug_assert!(
            written.is_ok() || end.position > 0,
            "only full segments end"
        );
        let next = end.in_next_segment();
        let mut content = self.content();
        content.flushed = next;
        content.durable = next;
        content.sums_bytes = 0;
        self.metas.write(&self.store, &content, true)?;
        self.begin_segment(next);
        self.roll_owed = false;
        Ok(())
    }

    /// The log goes on in a segment that is not there yet.
    fn begin_segment(&mut self, next: Position) {
        let generation = self.generations.current();
        let sums_with_write = self.segment.sums_with_write;
        self.segment = WriteSegment::new(next, false, generation, 0);
        self.segment.sums_with_write = sums_with_write;
        self.read_end = next;
        self.starts.insert(next.segment, (next.offset, next.count));
        self.number_max = self.number_max.max(next.segment);
    }
}
