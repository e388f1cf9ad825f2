//! The crashes of a FIFO queue's run.

use super::engines::QueueSystem;
use super::record::Recorded;
use super::rests::Rests;
use super::script::{Script, TailMessages};
use super::session::Session;
use super::tail::Tail;
use super::trial::Trial;
use crate::crash::{Profile, worst};
use crate::oracle::sometimes::{self, Marks};
use crate::oracle::{FifoHistory, Observation, Violation, judge};
use crate::scenario::{CrashKind, FifoOptions, Scenario};
use crate::simfs::{Recording, SimFs};
use crate::subject::Subject;

/// Everything that recovering an image of a queue depends on.
pub(crate) struct FifoTrial<'a> {
    pub(crate) subject: &'a dyn Subject,
    pub(crate) quirks: &'a [String],
    pub(crate) options: FifoOptions,
    pub(crate) profile: &'a Profile,
    pub(crate) history: &'a FifoHistory,
    pub(crate) tail: &'a TailMessages,
    /// Effects of the recorded run: bounds how many files and pages an image can have.
    pub(crate) effects: u64,
    /// What is known to come of disks.
    pub(crate) rests: Rests<Observation>,
}

impl<'a> FifoTrial<'a> {
    /// The images of a recorded run; nothing is known of a disk yet.
    pub(crate) fn of(
        queue: &'a QueueSystem,
        scenario: &'a Scenario,
        profile: &'a Profile,
        recorded: &'a Recorded,
        tail: &'a TailMessages,
    ) -> Self {
        Self {
            subject: queue.subject_of(scenario),
            quirks: &scenario.quirks,
            options: scenario.options,
            profile,
            history: &recorded.history,
            tail,
            effects: recorded.recording.effects().count() as u64,
            rests: Rests::default(),
        }
    }
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
        let mut tail =
            Tail::new(&mut session, self.history, self.tail, Some(kind)).with_rests(&self.rests);
        tail.recover();
        let recording = wants_recording.then(|| sim.recording());
        let crash = |sim: &SimFs| sim.last_recording(|recording| worst(recording, self.profile));
        let (observation, _) = tail.go_on(Script::of(hash), &crash);
        (observation, recording)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::both_ways::both_ways;
    use crate::explore::one::{profile_of, queue_of};
    use crate::explore::record::{NoWatch, record};
    use crate::explore::workload::{Reader, Workload};

    #[test]
    fn what_is_known_of_a_disk_is_what_comes_of_it() {
        let workload = Workload {
            messages: 24,
            message_bytes: 72,
            puts_per_sync: 4,
            reader: Reader::Quarter,
        };
        for quirk in [None, Some("trust-the-tail"), Some("exact-fill-is-bad")] {
            let mut scenario = workload.scenario("diskqueue", "posix-min");
            scenario.options.segment_bytes_max = 380;
            scenario.quirks.extend(quirk.map(str::to_owned));
            let (queue, profile) = (queue_of(&scenario).unwrap(), profile_of(&scenario).unwrap());
            let recorded = record(queue, &scenario, &mut NoWatch).unwrap();
            let tail = TailMessages::after(&recorded.history, &scenario.options);
            let alone = || FifoTrial::of(queue, &scenario, profile, &recorded, &tail);
            let shared = alone();
            let is_broken = |seen: &Observation| seen.finding.is_some();
            let (images, broken) =
                both_ways(&recorded.recording, profile, &shared, &alone, is_broken);
            let ends = shared.rests.len();
            assert!(images > 500, "{quirk:?}: {images}");
            assert!(ends < images * 3 / 4, "{quirk:?}: {ends} of {images}");
            assert_eq!(broken > 0, quirk.is_some(), "{quirk:?}");
        }
    }
}
