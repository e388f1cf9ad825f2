//! Dropping all messages, closing, deleting, moving away, and starting anew at a given place.

use super::error::LogError;
use super::writer::Writer;
use crate::originals::temporary::ignore;
use std::io;
use std::path::Path;

impl Writer {
    /// Drops all messages: the log goes on at the start of the next segment, with offset and count
    /// as they are. A file of that number that is already there is not removed.
    ///
    /// # Errors
    /// Closed.
    pub fn empty(&mut self) -> Result<(), LogError> {
        self.begin()?;
        self.drop_all()
    }

    /// Drops all messages; the log goes on with the given offset and count, in the next segment or,
    /// where both the old and the new start have offset 0, in segment 0.
    ///
    /// # Errors
    /// Only [`LogError::CutOff`].
    pub fn reset_write_with_queue_start(
        &mut self,
        offset: i64,
        count: i64,
    ) -> Result<(), LogError> {
        self.base.steps.begin();
        self.clean()?;
        let state = &mut self.state;
        let mut start = state.write_end;
        if offset == 0 && state.queue_start.offset == 0 {
            start.segment = 0;
            start.position = 0;
        }
        start.offset = offset;
        start.count = count;
        state.queue_start = start;
        state.write_end = start;
        state.read_end = start;
        self.store_start();
        ignore(self.store_meta(true));
        Ok(())
    }

    /// Closes the log: syncs segment and meta; failures go unnoticed.
    pub fn close(&mut self) {
        self.exiting = true;
        self.sync_all();
    }

    /// Closes the log and removes its segments up to the write end, its metas, but not the copy.
    ///
    /// # Errors
    /// That of removing the writer's meta; the start meta is left then.
    pub fn delete(&mut self) -> Result<(), LogError> {
        self.base.steps.begin();
        self.close();
        self.drop_all()?;
        let (fs, names) = (&self.base.fs, &self.base.names);
        unless_missing(fs.remove_file(&names.writer_meta()))?;
        ignore(fs.remove_file(&names.start_meta()));
        Ok(())
    }

    /// Closes the log and moves its segments up to the write end, their sidecars and the metas to
    /// another directory. The copy stays. Failures of all but the writer's meta go unnoticed.
    ///
    /// # Errors
    /// That of moving the writer's meta; the start meta is left then.
    pub fn remove_to(&mut self, directory: &Path) -> Result<(), LogError> {
        self.base.steps.begin();
        self.close();
        self.close_file();
        self.store_sidecar();
        let target = self.base.names.moved_to(directory);
        let mut segment = 0;
        while segment <= self.state.write_end.segment {
            self.base.step()?;
            let (fs, names) = (&self.base.fs, &self.base.names);
            ignore(fs.rename(&names.segment(segment), &target.segment(segment)));
            ignore(fs.rename(&names.sidecar(segment), &target.sidecar(segment)));
            segment += 1;
        }
        self.next_segment();
        let (fs, names) = (&self.base.fs, &self.base.names);
        unless_missing(fs.rename(&names.writer_meta(), &target.writer_meta()))?;
        ignore(fs.rename(&names.start_meta(), &target.start_meta()));
        Ok(())
    }

    fn drop_all(&mut self) -> Result<(), LogError> {
        self.clean()?;
        ignore(self.store_meta(true));
        self.store_start();
        Ok(())
    }

    /// Removes the segments and sidecars up to the write end; start and end are the start of the
    /// next segment. The last segment gets a sidecar first, as if it were finished.
    fn clean(&mut self) -> Result<(), LogError> {
        self.close_file();
        self.store_sidecar();
        let mut segment = self.first_to_remove();
        while segment <= self.state.write_end.segment {
            self.base.step()?;
            self.remove_segment(segment, true);
            segment = segment.wrapping_add(1);
        }
        self.next_segment();
        self.state.queue_start = self.state.write_end;
        Ok(())
    }
}

fn unless_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
