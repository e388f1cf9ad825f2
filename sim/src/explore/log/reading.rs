//! The readers of a log that lives on, reading all there is.

use super::life::Life;
use super::tail::noted;
use crate::model::LogModel;
use crate::scenario::{LogOp, LogOutcome, LogPosition, LogReply, ReaderOp};

/// A reader reads at most so many messages more than there are: one that does not end is wrong.
const READS_MORE: usize = 100;

impl Life<'_, '_> {
    /// Every open reader is told the end, reads up to it, and confirms that.
    pub(super) fn read_and_confirm(&mut self) {
        for name in self.readers.clone() {
            if self.is_over() || !self.session.states().readers.contains_key(&name) {
                continue;
            }
            self.read_on(&name);
        }
    }

    fn read_on(&mut self, name: &str) {
        let reader = |op: ReaderOp| LogOp::Reader(name.to_owned(), op);
        let (end, force) = (LogPosition::SHOWN, false);
        self.call(&reader(ReaderOp::UpdateQueueEnd { end, force }));
        let messages = self.oracle.model().map_or(0, LogModel::message_count);
        for _ in 0..messages + READS_MORE {
            let outcome = self.read_up_to_the_odd(name, &reader(ReaderOp::TryReadOne));
            let is_message =
                |outcome: &LogOutcome| matches!(outcome.result, Ok(LogReply::Message(_)));
            if !outcome.as_ref().is_some_and(is_message) {
                break;
            }
        }
        let (offset, count) = (-1, 0);
        self.call(&reader(ReaderOp::ConfirmRead { offset, count }));
        self.call(&reader(ReaderOp::Flush { fsync: true }));
    }

    /// Reads what must come as long as it does, and then what comes instead.
    fn read_up_to_the_odd(&mut self, name: &str, read: &LogOp) -> Option<LogOutcome> {
        let mut reading = self.oracle.reading(name).filter(|_| !self.is_over());
        let Some(reading) = &mut reading else {
            return self.call(read);
        };
        loop {
            let outcome = noted(self.log, self.step, self.session, read, &[]);
            if !self.oracle.is_next(reading, &outcome) {
                self.oracle.was_read(name, *reading);
                self.known.tell_read(*reading);
                return self.judge(read, &[], outcome);
            }
        }
    }
}
