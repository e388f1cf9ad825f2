//! One crash of one scenario of a log, followed step by step for a person.

use super::damage;
use super::ending::with_known_end;
use super::program::LogCase;
use super::record::{LogRecorded, record};
use super::script::LogScript;
use super::session::LogSession;
use super::tail::LogTail;
use super::words;
use crate::crash::{Profile, materialize, worst};
use crate::explore::engines::LogSystem;
use crate::explore::error::CheckError;
use crate::explore::replay::crash_entry;
use crate::explore::replayed::{Judged, Replayed, replayed};
use crate::explore::timeline::Timeline;
use crate::explore::watch::StepsInWords;
use crate::explore::words::{cut_at, heading_of};
use crate::oracle::{Violation, judge_log};
use crate::scenario::{Clause, CrashKind, RunKind, Scenario};
use crate::simfs::{Recording, SimFs};

/// Follows the one crash that a scenario names.
pub(crate) fn follow(
    system: &LogSystem,
    scenario: &Scenario,
    profile: &Profile,
    wanted: Option<Clause>,
) -> Result<Replayed, CheckError> {
    let ended;
    let scenario = if scenario.run == RunKind::Damage {
        ended = with_known_end(scenario);
        &ended
    } else {
        scenario
    };
    let case = LogCase::of(system, scenario, profile.syncs_keep)?;
    let mut watch = StepsInWords::new(words::of_op, words::of_outcome);
    let recorded = record(&case, &mut watch)?;
    let mut timeline = Timeline {
        heading: heading_of(scenario, words::of_options(&case.program.options)),
        entries: watch.entries,
    };
    let mut running = recorded.violations.iter();
    let first = running
        .find(|violation| wanted.is_none_or(|clause| violation.clause == clause))
        .cloned();
    let violation = if scenario.run == RunKind::Damage {
        match first {
            Some(violation) => Some(violation),
            None => damage::follow(&case, &recorded, &mut timeline)?,
        }
    } else if scenario.crashes.is_empty() {
        first
    } else {
        let following = Following {
            case: &case,
            profile,
            recorded: &recorded,
        };
        following.crashes(&mut timeline)?
    };
    let judged = Judged::of(violation, recorded.history.is_undecided());
    Ok(replayed(scenario, judged, timeline))
}

struct Following<'f, 'a> {
    case: &'f LogCase<'a>,
    profile: &'f Profile,
    recorded: &'f LogRecorded,
}

impl<'a> Following<'_, 'a> {
    /// The named crashes, one inside the recovery from the other, and what came back.
    fn crashes(&self, timeline: &mut Timeline) -> Result<Option<Violation>, CheckError> {
        let crashes = &self.case.scenario.crashes;
        let Some(first) = crashes.first() else {
            return Ok(None);
        };
        cut_at(first, &mut timeline.entries);
        let mut recording = self.recorded.recording.clone();
        let mut kind = CrashKind::Kill;
        let mut left = None;
        for choice in crashes {
            if let Some(sim) = left {
                recording = self.recover_only(sim, kind, timeline);
            }
            let sim = materialize(&recording, self.profile, choice)
                .map_err(|error| CheckError::Usage(format!("the crash cannot be made: {error}")))?;
            timeline.entries.push(crash_entry(&recording, choice, &sim));
            kind = kind.max(choice.kind);
            left = Some(sim);
        }
        let Some(sim) = left else { return Ok(None) };
        let hash = sim.tree_hash();
        let mut session = self.session(sim);
        let mut tail = self.tail(&mut session, kind);
        tail.recover(hash);
        let crash = |sim: &SimFs| worst(&sim.recording(), self.profile);
        let (observation, entries) = tail.go_on(LogScript::of(hash), &crash);
        timeline.entries.extend(entries);
        let windows = self.recorded.history.windows_at(first.marks);
        Ok(windows.and_then(|windows| judge_log(windows, kind, &observation)))
    }

    fn session(&self, sim: SimFs) -> LogSession<'a> {
        let effects = self.recorded.recording.effects().count() as u64;
        let mut session = LogSession::on(self.case.setup, sim, effects);
        session.machine.log_calls();
        session
    }

    fn tail<'s>(&'s self, session: &'s mut LogSession<'a>, kind: CrashKind) -> LogTail<'s, 'a> {
        let step = u32::try_from(self.case.program.steps.len()).unwrap_or(u32::MAX);
        LogTail::new(session, self.case, &self.recorded.history, kind).with_log(step)
    }

    /// Recovers without going on, and gives what the recovery did to the disk.
    fn recover_only(&self, sim: SimFs, kind: CrashKind, timeline: &mut Timeline) -> Recording {
        let hash = sim.tree_hash();
        let mut session = self.session(sim);
        let mut tail = self.tail(&mut session, kind);
        tail.recover(hash);
        timeline.entries.extend(tail.take_log());
        drop(tail);
        session.machine.sim().recording()
    }
}
