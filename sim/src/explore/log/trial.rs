//! The crashes of a log's run.

use super::program::LogCase;
use super::script::LogScript;
use super::session::LogSession;
use super::tail::{LogRests, LogTail};
use crate::crash::{Profile, worst};
use crate::explore::trial::Trial;
use crate::oracle::sometimes::Marks;
use crate::oracle::{LogHistory, LogObservation, LogWindows, Violation, judge_log};
use crate::scenario::CrashKind;
use crate::simfs::{Recording, SimFs};

/// Everything that recovering an image of a log depends on.
pub(super) struct LogTrial<'a> {
    pub(super) case: &'a LogCase<'a>,
    pub(super) profile: &'a Profile,
    pub(super) history: &'a LogHistory,
    /// Effects of the recorded run: bounds how many files and pages an image can have.
    pub(super) effects: u64,
    /// What is known to come of disks.
    pub(super) rests: LogRests,
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
        let mut tail =
            LogTail::new(&mut session, self.case, self.history, kind).with_rests(&self.rests);
        tail.recover(hash);
        let recording = wants_recording.then(|| sim.recording());
        let crash = |sim: &SimFs| sim.last_recording(|recording| worst(recording, self.profile));
        let (observation, _) = tail.go_on(LogScript::of(hash), &crash);
        (observation, recording)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::both_ways::both_ways;
    use crate::explore::engines::{System, engine};
    use crate::explore::log::record::record;
    use crate::explore::one::profile_of;
    use crate::explore::watch::NoSteps;
    use crate::explore::workload::{Reader, Workload};

    #[test]
    fn what_is_known_of_a_disk_is_what_comes_of_it() {
        let workload = Workload {
            messages: 24,
            message_bytes: 72,
            puts_per_sync: 4,
            reader: Reader::Quarter,
        };
        let Some(System::Log(system)) = engine("seglog").map(|engine| &engine.system) else {
            panic!("the engine is a log");
        };
        for quirk in [None, Some("segment-not-synced"), Some("tail-not-cut")] {
            let mut scenario = workload.log_scenario("seglog", "posix-min");
            scenario.quirks.extend(quirk.map(str::to_owned));
            if let Some(program) = &mut scenario.log {
                program.options.segment_bytes_max = 400;
            }
            let profile = profile_of(&scenario).unwrap();
            let case = LogCase::of(system, &scenario, true).unwrap();
            let recorded = record(&case, &mut NoSteps).unwrap();
            let alone = || LogTrial {
                case: &case,
                profile,
                history: &recorded.history,
                effects: 1_000,
                rests: LogRests::default(),
            };
            let is_broken = |seen: &LogObservation| seen.finding.is_some();
            let (images, broken) =
                both_ways(&recorded.recording, profile, &alone(), &alone, is_broken);
            assert!(images > 200, "{quirk:?}: {images}");
            assert_eq!(broken > 0, quirk.is_some(), "{quirk:?}");
        }
    }
}
