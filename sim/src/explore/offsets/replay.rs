//! One crash of one scenario of an offset store, followed step by step for a person.

use super::damage;
use super::program::OffsetCase;
use super::record::{OffsetRecorded, record};
use super::script::OffsetScript;
use super::session::OffsetSession;
use super::tail::{Log, effects_of, go_on, recover};
use super::words;
use crate::crash::{Profile, materialize, worst};
use crate::explore::engines::OffsetSystem;
use crate::explore::error::CheckError;
use crate::explore::replay::crash_entry;
use crate::explore::replayed::{Judged, Replayed, replayed};
use crate::explore::timeline::Timeline;
use crate::explore::watch::StepsInWords;
use crate::explore::words::{cut_at, heading_of};
use crate::oracle::{Violation, judge_offsets};
use crate::scenario::{Clause, CrashKind, RunKind, Scenario};
use crate::simfs::{Recording, SimFs};

/// Follows the one crash that a scenario names.
pub(crate) fn follow(
    system: &OffsetSystem,
    scenario: &Scenario,
    profile: &Profile,
    wanted: Option<Clause>,
) -> Result<Replayed, CheckError> {
    let closed;
    let scenario = if scenario.run == RunKind::Damage {
        closed = damage::with_clean_end(scenario);
        &closed
    } else {
        scenario
    };
    let case = OffsetCase::of(system, scenario, profile.syncs_keep)?;
    let mut watch = StepsInWords::new(words::of_op, words::of_outcome);
    let recorded = record(&case, &mut watch)?;
    let mut timeline = Timeline {
        heading: heading_of(scenario, words::of_options(&case.program.options)),
        entries: watch.entries,
    };
    let violation = if scenario.run == RunKind::Damage && recorded.violations.is_empty() {
        damage::follow(&case, &recorded, &mut timeline)?
    } else if scenario.crashes.is_empty() {
        let mut running = recorded.violations.iter();
        running
            .find(|violation| wanted.is_none_or(|clause| violation.clause == clause))
            .cloned()
    } else {
        crashes(&case, profile, &recorded, &mut timeline)?
    };
    Ok(replayed(scenario, Judged::of(violation, false), timeline))
}

/// The named crashes, one inside the recovery from the other, and what came back.
fn crashes(
    case: &OffsetCase<'_>,
    profile: &Profile,
    recorded: &OffsetRecorded,
    timeline: &mut Timeline,
) -> Result<Option<Violation>, CheckError> {
    let crashes = &case.scenario.crashes;
    let Some(first) = crashes.first() else {
        return Ok(None);
    };
    cut_at(first, &mut timeline.entries);
    let history = &recorded.history;
    let mut log = Log {
        entries: Some(Vec::new()),
        step: u32::try_from(case.program.steps.len()).unwrap_or(u32::MAX),
    };
    let take = |log: &mut Log, timeline: &mut Timeline| {
        let entries = log.entries.as_mut().map(std::mem::take);
        timeline.entries.extend(entries.unwrap_or_default());
    };
    let session = |sim: SimFs| {
        let mut session = OffsetSession::on(case.setup, sim, effects_of(recorded));
        session.machine.log_calls();
        session
    };
    let mut recording: Recording = recorded.recording.clone();
    let mut kind = CrashKind::Kill;
    let mut left = None;
    for choice in crashes {
        if let Some(sim) = left {
            let mut session = session(sim);
            recover(&mut session, history, &mut log);
            take(&mut log, timeline);
            recording = session.machine.sim().recording();
        }
        let sim = materialize(&recording, profile, choice)
            .map_err(|error| CheckError::Usage(format!("the crash cannot be made: {error}")))?;
        timeline.entries.push(crash_entry(&recording, choice, &sim));
        kind = kind.max(choice.kind);
        left = Some(sim);
    }
    let Some(sim) = left else { return Ok(None) };
    let script = OffsetScript::of(sim.tree_hash());
    let mut session = session(sim);
    let mut observation = recover(&mut session, history, &mut log);
    if !observation.is_broken() {
        let crash = |sim: &SimFs| worst(&sim.recording(), profile);
        let found = go_on(&mut session, case, history, script, &crash, &mut log);
        found.into_iter().for_each(|one| observation.broken(one));
    }
    take(&mut log, timeline);
    Ok(judge_offsets(history, first.marks, kind, &observation))
}
