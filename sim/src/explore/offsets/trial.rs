//! The crashes of an offset store's run.

use super::program::OffsetCase;
use super::script::OffsetScript;
use super::session::OffsetSession;
use super::tail::{Log, go_on, recover};
use crate::crash::{Profile, worst};
use crate::explore::trial::Trial;
use crate::oracle::sometimes::Marks;
use crate::oracle::{OffsetHistory, OffsetObservation, Violation, judge_offsets};
use crate::scenario::CrashKind;
use crate::simfs::{Recording, SimFs};

/// Everything that recovering an image of an offset store depends on.
#[derive(Clone, Copy)]
pub(super) struct OffsetTrial<'a> {
    pub(super) case: &'a OffsetCase<'a>,
    pub(super) profile: &'a Profile,
    pub(super) history: &'a OffsetHistory,
    /// Effects of the recorded run: bounds how many files and pages an image can have.
    pub(super) effects: u64,
}

impl Trial for OffsetTrial<'_> {
    type Observation = OffsetObservation;

    fn recover(
        &self,
        sim: SimFs,
        _kind: CrashKind,
        hash: u128,
        wants_recording: bool,
    ) -> (OffsetObservation, Option<Recording>) {
        let mut session = OffsetSession::on(self.case.setup, sim.clone(), self.effects);
        let mut log = Log::none();
        let mut observation = recover(&mut session, self.history, &mut log);
        let recording = wants_recording.then(|| sim.recording());
        if !observation.is_broken() {
            let crash =
                |sim: &SimFs| sim.last_recording(|recording| worst(recording, self.profile));
            let script = OffsetScript::of(hash);
            let found = go_on(
                &mut session,
                self.case,
                self.history,
                script,
                &crash,
                &mut log,
            );
            found.into_iter().for_each(|one| observation.broken(one));
        }
        (observation, recording)
    }

    fn is_undecided(&self, _observation: &OffsetObservation) -> bool {
        false
    }

    fn version(&self, position: u32) -> Option<u32> {
        self.history.knows(position).then_some(position)
    }

    fn judge(
        &self,
        position: u32,
        kind: CrashKind,
        observation: &OffsetObservation,
    ) -> Result<Marks, Violation> {
        match judge_offsets(self.history, position, kind, observation) {
            Some(violation) => Err(violation),
            None => Ok(Marks::default()),
        }
    }
}
