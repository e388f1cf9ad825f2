//! Dropping all messages: empty, a new queue start, delete. The metas say so first, in one step;
//! from then on the old segments lie before the log's start, and an open removes what is left.

use super::error::{Applied, Error};
use super::generations::Begun;
use super::paths::quarantine_path;
use super::position::Position;
use super::quarantine::rename_aside;
use super::quirks::Quirk;
use super::survey::Survey;
use super::writer::{LogWriter, Tail};
use super::writer_meta::WriterState;
use crate::records::text::NUMBER_MAX;

impl LogWriter {
    /// Drops all messages: the log goes on in a new segment, offset and count as they are. When it
    /// returns, that is durable.
    ///
    /// # Errors
    /// An IO error, which tells whether the messages are dropped.
    pub fn empty(&mut self) -> Result<(), Error> {
        self.begin()?;
        let end = self.segment.end();
        if self.store.has(Quirk::EmptyRemovesFirst) {
            self.remove_segments_before(u64::MAX)?;
        }
        self.start_anew(end.offset, end.count)?;
        self.finish_start()
    }

    /// Drops all messages: the log goes on in a new segment, with this offset and count. When it
    /// returns, that is durable.
    ///
    /// # Errors
    /// [`Error::Refused`] for numbers beyond 63 bits, or an IO error, which tells whether the log
    /// was started anew.
    pub fn reset_write_with_queue_start(&mut self, offset: u64, count: u64) -> Result<(), Error> {
        self.begin()?;
        if offset > NUMBER_MAX || count > NUMBER_MAX {
            return Err(Error::Refused {
                reason: "an offset or count is beyond 63 bits",
            });
        }
        if self.store.has(Quirk::NewStartInTwoSteps) {
            self.empty()?;
        }
        self.start_anew(offset, count)?;
        self.finish_start()
    }

    /// Drops all messages and removes all files but locks and what is quarantined. After an error
    /// the log is still open as long as its meta is there ([`LogWriter::is_open`]), and deleting
    /// may be tried again; else it is deleted, and a power cut may bring files of it back.
    ///
    /// # Errors
    /// An IO error, which tells whether the messages are dropped.
    pub fn delete(&mut self) -> Result<(), Error> {
        self.begin()?;
        let end = self.segment.end();
        if self.store.has(Quirk::DeleteRemovesMetasFirst) {
            self.remove_metas()?;
            self.remove_cuts()?;
        } else {
            self.start_anew(end.offset, end.count)?;
            self.finish_start()?;
        }
        let everything = |error: Error| error.with_applied(Applied::Everything);
        self.remove_all().map_err(everything)?;
        // Who reads looks at a meta that is gone, and would not see what is done from here on.
        let removed = self.remove_cuts().map_err(everything);
        self.let_go();
        removed
    }

    /// The metas say that the log starts and ends in a segment that no file is of.
    fn start_anew(&mut self, offset: u64, count: u64) -> Result<(), Error> {
        let segment = self.number_max.max(self.segment.number) + 1;
        if segment >= NUMBER_MAX {
            return Err(Error::Exhausted {
                reason: "a segment number would pass 63 bits",
            });
        }
        let start = Position {
            segment,
            position: 0,
            offset,
            count,
        };
        let begun = self.generations.begin(&self.store, start)?;
        let mut content = self.content();
        content.generation = begun.generation;
        content.state = WriterState::Opened;
        content.flushed = start;
        content.durable = start;
        content.sums_bytes = 0;
        content.start = start;
        match self.metas.write(&self.store, &content, true) {
            Err(error) if error.applied() == Applied::Nothing => Err(error),
            written => {
                self.adopt_start(start, begun);
                written
            }
        }
    }

    fn adopt_start(&mut self, start: Position, begun: Begun) {
        self.generations.adopt(begun, false);
        self.go_on_at(start, false, 0);
        self.start = start;
        self.read_end = start;
        self.starts.clear();
        self.moving_from = None;
        if let Tail::Rejected(rejects) = std::mem::replace(&mut self.tail, Tail::Clear) {
            let kept = rejects.iter().filter(|reject| reject.from < reject.to);
            self.kept.extend(kept.map(|reject| reject.segment));
        }
    }

    /// The start meta says the same; then the files go.
    fn finish_start(&mut self) -> Result<(), Error> {
        let everything = |error: Error| error.with_applied(Applied::Everything);
        self.write_start().map_err(everything)?;
        self.store.sync_directory().map_err(everything)?;
        self.remove_old().map_err(everything)?;
        self.forget_cuts().map_err(everything)
    }

    /// Removes the segments before the log's start, their sums and sidecars; one that holds what
    /// recovery rejected is kept aside.
    fn remove_old(&mut self) -> Result<(), Error> {
        while let Some(number) = self.segments.front().copied() {
            if number >= self.start.segment {
                break;
            }
            let path = self.store.paths.segment(number);
            if self.kept.contains(&number) {
                rename_aside(self.store.fs.as_ref(), &path, |index| {
                    quarantine_path(&path, index)
                })?;
            } else {
                self.store.remove(&path)?;
            }
            self.store.remove(&self.store.paths.sums(number))?;
            self.segments.pop_front();
        }
        self.kept.clear();
        for number in Survey::take(&self.store)?.sidecars {
            if number < self.start.segment {
                self.store.remove(&self.store.paths.sidecar(number))?;
            }
        }
        self.store.sync_directory()
    }

    /// Removes every file of the log but cuts, locks and what is quarantined, the metas last.
    fn remove_all(&mut self) -> Result<(), Error> {
        let survey = Survey::take(&self.store)?;
        let paths = self.store.paths.clone();
        let mut files = Vec::new();
        files.extend(survey.segments.keys().map(|number| paths.segment(*number)));
        files.extend(survey.sums.iter().map(|number| paths.sums(*number)));
        files.extend(survey.sidecars.iter().map(|number| paths.sidecar(*number)));
        let names = [&survey.rolled_back, &survey.temporaries, &survey.corrupt];
        let is_kept = self.store.has(Quirk::DeleteLeavesFiles);
        let names = names.into_iter().skip(usize::from(is_kept)).flatten();
        files.extend(names.map(|name| paths.directory.join(name)));
        for path in &files {
            self.store.remove(path)?;
        }
        self.store.sync_directory()?;
        self.remove_metas()
    }

    fn remove_metas(&mut self) -> Result<(), Error> {
        let paths = self.store.paths.clone();
        self.metas.let_go();
        self.generations.let_go();
        for path in [paths.start_meta(), paths.writer_copy(), paths.writer_meta()] {
            self.store.remove(&path)?;
        }
        Ok(())
    }

    /// Without its cuts a log that is still there could not tell its readers what was dropped.
    fn remove_cuts(&mut self) -> Result<(), Error> {
        let paths = self.store.paths.clone();
        self.store.sync_directory()?;
        self.store.remove(&paths.cuts())?;
        self.store.sync_directory()
    }
}
