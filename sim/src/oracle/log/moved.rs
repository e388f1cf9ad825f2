//! L13: a move that a crash cut off is finished by opening the log and moving it again.

use super::directory::Directory;
use super::recovery::LogRecovery;
use crate::oracle::FileSeen;
use crate::scenario::{Clause, LogOp, LogOutcome, LogReply, LogStates, Planted, WriterOp};

impl LogRecovery<'_> {
    /// A part of moving the log again, the open before it included, ended so.
    pub fn moved_on(&mut self, what: &str, outcome: &LogOutcome) {
        self.is_moved_again = true;
        if let Err(failure) = &outcome.result {
            self.failed(what, failure, Clause::L13);
        }
    }

    /// What lies in the directory out of which the log was moved to `directory`.
    pub fn left_behind(
        &mut self,
        log: &str,
        directory: &str,
        files: &[FileSeen<'_>],
        planted: &[Planted],
    ) {
        let mut rules = Directory::new(u64::MAX);
        let op = LogOp::Writer(WriterOp::RemoveTo {
            directory: directory.to_owned(),
        });
        let moved = LogOutcome::ok(LogReply::Done);
        rules.note(&op, &moved, &LogStates::default());
        let finding = rules.check(log, files, planted, self.history.strengths());
        if let Some(violation) = finding.map(|finding| finding.violation(None)) {
            let evidence = format!("after the second call {}", violation.evidence);
            self.found(violation.clause, evidence);
        }
    }
}
