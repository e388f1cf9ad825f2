//! What a recovery shows of readers, and the model that goes on from it.

use super::recovery::LogRecovery;
use crate::model::{LogModel, LogRecovered, Place};
use crate::scenario::{Clause, LogOutcome, LogPosition, LogStates, ReaderState, WriterState};

impl LogRecovery<'_> {
    /// L14: the log was opened for reading only, before its recovery.
    pub fn looked(&mut self, outcome: &LogOutcome, states: &LogStates) {
        match &outcome.result {
            Ok(_) => self.looked = states.writer,
            Err(failure) => self.failed("opening for reading only", failure, Clause::L14),
        }
    }

    /// L14: it showed what the recovery shows.
    pub(super) fn compare_look(&mut self, writer: &WriterState) {
        let Some(looked) = self.looked else { return };
        let places = |state: &WriterState| {
            [state.queue_start, state.read_end, state.write_end].map(Place::from)
        };
        if places(&looked) != places(writer) {
            let evidence = format!(
                "opening for reading only showed the log from {} to {}, and its recovery from {} \
                 to {}",
                looked.queue_start, looked.write_end, writer.queue_start, writer.write_end
            );
            self.found(Clause::L14, evidence);
        }
    }

    /// A reader was opened.
    pub fn reader_opened(&mut self, name: &str, outcome: &LogOutcome, states: &LogStates) {
        if let Err(failure) = &outcome.result {
            return self.failed("a reader's open", failure, Clause::C1);
        }
        let (Some(writer), Some(reader)) = (self.writer, states.readers.get(name)) else {
            return self.found(
                Clause::C1,
                format!("reader {name} is closed after an open that succeeded"),
            );
        };
        let strengths = self.history.strengths();
        if !outcome.losses.iter().all(|loss| strengths.tear(loss)) {
            self.losses.push(name.to_owned());
        }
        self.look_at_reader(name, *reader, &writer);
        if self.is_read {
            self.look_at_boundary(name, reader.confirmed.into());
        }
        self.readers.push((name.to_owned(), *reader));
    }

    fn look_at_reader(&mut self, name: &str, reader: ReaderState, writer: &WriterState) {
        let [confirmed, read, end] = [reader.confirmed, reader.read, reader.end].map(Place::from);
        let (start, shown) = (
            Place::from(writer.queue_start),
            Place::from(writer.read_end),
        );
        if end != shown {
            let evidence = format!(
                "reader {name} ends at {}, and readers may read up to {}",
                reader.end, writer.read_end
            );
            self.found(Clause::L7, evidence);
        }
        if confirmed.offset > end.offset || confirmed.offset < start.offset || read != confirmed {
            let evidence = format!(
                "reader {name} stands at {} and reads from {}, and the log lies between {} and {}",
                reader.confirmed, reader.read, writer.queue_start, writer.read_end
            );
            self.found(Clause::L8, evidence);
        }
        let depth = (end.count - confirmed.count, end.offset - confirmed.offset);
        let told = (reader.depth, reader.depth_size);
        if told != depth || reader.waiting != (end == confirmed) {
            let evidence = format!(
                "reader {name} told a depth of {} ({} bytes) and waits: {}, and {} ({} bytes) lie \
                 before it",
                told.0, told.1, reader.waiting, depth.0, depth.1
            );
            self.found(Clause::L12, evidence);
        }
    }

    pub(super) fn look_at_boundary(&mut self, name: &str, at: Place) {
        let is_boundary = at == self.next || self.offsets.binary_search(&at).is_ok();
        if !is_boundary {
            let evidence = format!(
                "reader {name} stands at offset {} (count {}), where no message starts",
                at.offset, at.count
            );
            self.found(Clause::L8, evidence);
        }
    }

    /// The log as it is after recovery, for an oracle that goes on; the snapshot that was read is
    /// taken as closed. Nothing if a violation was found, or not all of it was read.
    #[must_use]
    pub fn model(&self) -> Option<LogModel> {
        let writer = self.writer.filter(|_| self.is_read && !self.is_broken())?;
        let (start, end) = (
            Place::from(writer.queue_start),
            Place::from(writer.write_end),
        );
        let readers = self.readers.iter();
        let readers = readers.map(|(name, state)| (name.clone(), state.confirmed.into(), true));
        let recovered = LogRecovered {
            start: writer.queue_start,
            messages: self.messages.clone(),
            borders: self.borders(start, end, writer.write_end),
            readers: readers.collect(),
        };
        Some(LogModel::resumed(self.options, &recovered))
    }

    /// The last segment starts where the writer says; those before it did in the run.
    fn borders(&self, start: Place, end: Place, told: LogPosition) -> Vec<Place> {
        let mut chains = self.history.chains().all().iter();
        let chain = chains.find(|chain| chain.has(start, end, self.sum));
        let mut borders = chain.map_or_else(Vec::new, |chain| chain.borders_within(start, end));
        let last = told.offset - told.position;
        borders.retain(|border| border.offset < last);
        if last > start.offset {
            let known = self.offsets.iter().find(|at| at.offset == last).copied();
            borders.extend(known.or((last == end.offset).then_some(end)));
        }
        borders
    }
}
