//! The crashes of a log's run.

use super::program::LogCase;
use super::script::LogScript;
use super::session::LogSession;
use super::tail::LogTail;
use crate::crash::{Profile, worst};
use crate::explore::trial::Trial;
use crate::oracle::sometimes::Marks;
use crate::oracle::{LogHistory, LogObservation, LogWindows, Violation, judge_log};
use crate::scenario::CrashKind;
use crate::simfs::{Recording, SimFs};

/// Everything that recovering an image of a log depends on.
#[derive(Clone, Copy)]
pub(super) struct LogTrial<'a> {
    pub(super) case: &'a LogCase<'a>,
    pub(super) profile: &'a Profile,
    pub(super) history: &'a LogHistory,
    /// Effects of the recorded run: bounds how many files and pages an image can have.
    pub(super) effects: u64,
}

impl Trial for LogTrial<'_> {
    type Observation = LogObservation;

    fn recover(
        &self,
        sim: SimFs,
        kind: CrashKind,
        hash: u128,
        wants_recording: bool,
    ) -> (LogObservation, Option<Recording>) {
        let mut session = LogSession::on(self.case.setup, sim.clone(), self.effects);
        let mut tail = LogTail::new(&mut session, self.case, self.history, kind);
        tail.recover(hash);
        let recording = wants_recording.then(|| sim.recording());
        let crash = |sim: &SimFs| sim.last_recording(|recording| worst(recording, self.profile));
        tail.go_on(LogScript::of(hash), &crash);
        (tail.observation(), recording)
    }

    fn is_undecided(&self, _observation: &LogObservation) -> bool {
        // What a log cannot decide is known of the run, not of what comes back.
        false
    }

    fn version(&self, position: u32) -> Option<u32> {
        let windows = self.history.windows_at(position);
        windows.map(LogWindows::version)
    }

    fn judge(
        &self,
        position: u32,
        kind: CrashKind,
        observation: &LogObservation,
    ) -> Result<Marks, Violation> {
        let windows = self.history.windows_at(position);
        match windows.and_then(|windows| judge_log(windows, kind, observation)) {
            Some(violation) => Err(violation),
            None => Ok(Marks::default()),
        }
    }
}
