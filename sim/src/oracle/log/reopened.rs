//! A log that was opened once more after its recovery, with nothing in between but a kill (C2) or a
//! close (C11); and what an observer of a recovery knows, as one number.

use super::recovery::LogRecovery;
use crate::model::Place;
use crate::scenario::{Clause, LogOutcome, WriterState};
use std::hash::{Hash, Hasher};

impl LogRecovery<'_> {
    /// An object that the recovery opened was closed before anything was read.
    pub fn closed(&mut self, outcome: &LogOutcome) {
        if let Err(failure) = &outcome.result {
            self.failed("a close", failure, Clause::C11);
        }
    }

    /// The process died before anything was read, or all was closed, and this was seen when the log
    /// was opened again: it is all as it was. What is read from now on is read from the objects
    /// opened last.
    pub fn opened_again(&mut self, again: Self) {
        if self.is_broken() {
            return;
        }
        let clause = match again.crash {
            None => Clause::C11,
            Some(_) => Clause::C2,
        };
        self.finding = again.finding;
        if let (Some(before), Some(after)) = (self.writer, again.writer) {
            self.compare_writers(clause, &before, &after);
        }
        for ((name, before), (_, after)) in self.readers.clone().iter().zip(&again.readers) {
            let (before, after) = (before.confirmed, after.confirmed);
            if Place::from(before) != Place::from(after) {
                let evidence =
                    format!("reader {name} stood at {before} and, opened again, at {after}");
                self.found(clause, evidence);
            }
        }
        self.writer = again.writer;
        self.readers = again.readers;
        self.losses.extend(again.losses);
        self.next = again.next;
    }

    fn compare_writers(&mut self, clause: Clause, before: &WriterState, after: &WriterState) {
        let places = |state: &WriterState| {
            [state.queue_start, state.read_end, state.write_end].map(Place::from)
        };
        if places(before) != places(after) {
            let evidence = format!(
                "the log went from {} to {} and, opened again, from {} to {}",
                before.queue_start, before.write_end, after.queue_start, after.write_end
            );
            self.found(clause, evidence);
        }
    }
}

impl Hash for LogRecovery<'_> {
    /// Adds everything on which depends what comes of it later; the run itself is left out.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            history: _,
            options: _,
            crash,
            writer,
            readers,
            losses,
            next,
            // They are those of the sum.
            messages: _,
            offsets,
            sum,
            is_read,
            finding,
            looked,
            is_moved_again,
        } = self;
        (crash, writer, readers, losses, next, offsets, sum).hash(state);
        (is_read, finding, looked, is_moved_again).hash(state);
    }
}
