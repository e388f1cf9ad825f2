//! The directory of a recorded run, judged between two steps.

use super::history::has_last_numbers;
use super::run::FifoOracle;
use super::seen::Mode;
use crate::oracle::directory::{Moment, check, record_bytes};
use crate::oracle::{Cause, FileSeen, Role, Violation, role};
use crate::scenario::{Action, Failure, FailureKind, Planted};

/// The largest number of a segment.
const NUMBER_MAX: u64 = i64::MAX as u64;

impl FifoOracle {
    /// The queue's directory as it stands after step `step`, which has been judged. `queue` is the
    /// name that starts the names of its files.
    #[must_use]
    pub fn directory(
        &mut self,
        step: u32,
        queue: &str,
        files: &[FileSeen<'_>],
    ) -> Option<Violation> {
        let last = files
            .iter()
            .find(|file| role(queue, file.name) == Role::Segment(NUMBER_MAX));
        self.last_segment = last.map(|file| file.size);
        let files_are_judged = self.state.strengths.diskqueue_files;
        if !files_are_judged || self.state.mode == Mode::Killed || self.has_failed() {
            return None;
        }
        let promised_here = self.state.durable.step == step;
        let settled = promised_here
            && match self.state.durable.cause {
                Cause::Sync | Cause::Close | Cause::Empty => true,
                // What an open finds finished may be what it may not cut yet.
                Cause::Start | Cause::Owed | Cause::Open | Cause::Delete => false,
            };
        let moment = Moment {
            unread_bytes: settled.then(|| self.unread_bytes()).flatten(),
            deleted: promised_here && self.state.durable.cause == Cause::Delete,
            undamaged: !self.has_killed(),
            delivered_below: self.state.cursors.low(),
            limits: Some(self.state.limits()),
        };
        check(queue, files, &self.planted, moment, &self.shelf.messages)
            .map(|finding| finding.violation(Some(step)))
    }

    /// What lay in the directory before the queue.
    #[must_use]
    pub fn planted(&self) -> &[Planted] {
        &self.planted
    }

    /// C13: whether a put of one message would need a segment beyond the last that there can be.
    pub(super) fn passes_the_last_number(&self, action: &Action) -> bool {
        let (Some(last), Action::Put { size }) = (self.last_segment, action) else {
            return false;
        };
        last > 0 && last + record_bytes(*size) > self.state.options.segment_bytes_max
    }

    /// C13: whether an operation may be refused since the numbers of segments are used up.
    pub(super) fn may_be_refused(&self, failure: &Failure) -> bool {
        has_last_numbers(&self.planted) && failure.kind == FailureKind::Refused
    }

    /// The size of the records that are still to be delivered, where that is known.
    fn unread_bytes(&self) -> Option<u64> {
        let cursors = &self.state.cursors;
        if cursors.low() != cursors.high() {
            return None;
        }
        self.shelf.shown_bytes(cursors.low(), record_bytes)
    }
}
