//! The crashes of a FIFO queue's run.

use super::script::{Script, TailMessages};
use super::session::Session;
use super::tail::Tail;
use super::trial::Trial;
use crate::crash::{Profile, worst};
use crate::oracle::sometimes::{self, Marks};
use crate::oracle::{FifoHistory, Observation, Violation, judge};
use crate::scenario::{CrashKind, FifoOptions};
use crate::simfs::{Recording, SimFs};
use crate::subject::Subject;

/// Everything that recovering an image of a queue depends on.
#[derive(Clone, Copy)]
pub(crate) struct FifoTrial<'a> {
    pub(crate) subject: &'a dyn Subject,
    pub(crate) quirks: &'a [String],
    pub(crate) options: FifoOptions,
    pub(crate) profile: &'a Profile,
    pub(crate) history: &'a FifoHistory,
    pub(crate) tail: &'a TailMessages,
    /// Effects of the recorded run: bounds how many files and pages an image can have.
    pub(crate) effects: u64,
}

impl Trial for FifoTrial<'_> {
    type Observation = Observation;

    fn recover(
        &self,
        sim: SimFs,
        kind: CrashKind,
        hash: u128,
        wants_recording: bool,
    ) -> (Observation, Option<Recording>) {
        let mut session = Session::on(self.subject, self.quirks, self.options, sim.clone())
            .with_effects_before(self.effects);
        let mut tail = Tail::new(&mut session, self.history, self.tail, Some(kind));
        tail.recover();
        let recording = wants_recording.then(|| sim.recording());
        let crash = |sim: &SimFs| sim.last_recording(|recording| worst(recording, self.profile));
        tail.go_on(Script::of(hash), &crash);
        (tail.observation(), recording)
    }

    fn is_undecided(&self, observation: &Observation) -> bool {
        observation.undecided
    }

    fn version(&self, position: u32) -> Option<u32> {
        self.history.windows_at(position).map(|_| position)
    }

    fn judge(
        &self,
        position: u32,
        kind: CrashKind,
        observation: &Observation,
    ) -> Result<Marks, Violation> {
        let Some(windows) = self.history.windows_at(position) else {
            return Ok(Marks::default());
        };
        match judge(windows, kind, observation) {
            Some(violation) => Err(violation),
            None => Ok(sometimes::of_pair(windows, kind, observation)),
        }
    }
}
