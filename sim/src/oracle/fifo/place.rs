//! The directory of a recorded run, judged between two steps.

use super::run::FifoOracle;
use super::seen::Mode;
use crate::oracle::directory::{Moment, check, record_bytes};
use crate::oracle::{Cause, FileSeen, Planted, Violation};

impl FifoOracle {
    /// The queue's directory as it stands after step `step`, which has been judged. `queue` is the
    /// name that starts the names of its files, `planted` what lies there and is not its own.
    #[must_use]
    pub fn directory(
        &self,
        step: u32,
        queue: &str,
        files: &[FileSeen<'_>],
        planted: &[Planted],
    ) -> Option<Violation> {
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
        check(queue, files, planted, moment, &self.shelf.messages)
            .map(|finding| finding.violation(Some(step)))
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
