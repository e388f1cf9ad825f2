//! Damage runs: a closed store's files are changed behind its back, then it is opened and used on.
//!
//! A scenario that names no damage is put through many, one after the other, each derived from its
//! seed and the files that there are.

use super::program::OffsetCase;
use super::record::OffsetRecorded;
use super::session::OffsetSession;
use super::tail::{Log, effects_of};
use crate::explore::damages::{damaged_copy, plans};
use crate::explore::error::CheckError;
use crate::explore::one::Explored;
use crate::explore::session::DIRECTORY;
use crate::explore::timeline::{Entry, Timeline};
use crate::fault::Damage;
use crate::oracle::{OffsetDamage, OffsetFiles, Violation};
use crate::scenario::{Clause, OffsetOp, OffsetProgram, OffsetTable, Scenario};
use crate::simfs::{SimFs, TreeEntry};
use std::path::{Path, PathBuf};

/// The scenario, ending with a persist of everything and no open store.
pub(super) fn with_clean_end(scenario: &Scenario) -> Scenario {
    let mut scenario = scenario.clone();
    let end = [
        OffsetOp::Kill,
        OffsetOp::Open,
        OffsetOp::PersistAll,
        OffsetOp::Kill,
    ];
    if let Some(OffsetProgram { steps, .. }) = &mut scenario.offsets
        && !steps.ends_with(&end)
    {
        steps.push(OffsetOp::PersistAll);
        steps.extend(end);
    }
    scenario
}

/// Puts a recorded run through damage.
pub(super) fn explore(
    case: &OffsetCase<'_>,
    recorded: &OffsetRecorded,
    explored: &mut Explored,
) -> Result<(), CheckError> {
    let before = files_of(case, &recorded.sim);
    for damage in plans(case.scenario, &before, &recorded.sim, &directory_of(case)) {
        let mut shown = case.scenario.clone();
        shown.damage = damage;
        let found = judge(case, recorded, &before, &shown.damage, &mut Log::none())?;
        explored.points += 1;
        explored.states_judged += 1;
        explored.states_built += 1;
        explored.states_recovered += 1;
        explored.note_damage(&shown.damage)?;
        explored.take_violations(&shown, found.as_slice());
    }
    Ok(())
}

/// Follows the one damage that a scenario names.
pub(super) fn follow(
    case: &OffsetCase<'_>,
    recorded: &OffsetRecorded,
    timeline: &mut Timeline,
) -> Result<Option<Violation>, CheckError> {
    let before = files_of(case, &recorded.sim);
    let mut log = Log {
        entries: Some(Vec::new()),
        step: u32::try_from(case.program.steps.len()).unwrap_or(u32::MAX),
    };
    let damage = &case.scenario.damage;
    let found = judge(case, recorded, &before, damage, &mut log)?;
    let lines = damage.iter().map(|line| Entry::Damage(line.clone()));
    timeline.entries.extend(lines);
    timeline.entries.extend(log.entries.unwrap_or_default());
    Ok(found)
}

fn judge(
    case: &OffsetCase<'_>,
    recorded: &OffsetRecorded,
    before: &OffsetFiles,
    damage: &[String],
    log: &mut Log,
) -> Result<Option<Violation>, CheckError> {
    let Some(last) = recorded.last.as_ref() else {
        return Ok(None);
    };
    let directory = directory_of(case);
    let sim = damaged_copy(&recorded.sim, &directory, damage, &case.scenario.damage)?;
    let is_older = |line: &String| matches!(line.parse(), Ok(Damage::Older { .. }));
    let is_older = damage.iter().any(is_older);
    let after = files_of(case, &sim);
    let damaged = OffsetDamage {
        history: &recorded.history,
        last,
        before,
        after: &after,
        is_older,
    };
    let mut session = OffsetSession::on(case.setup, sim, effects_of(recorded));
    if log.entries.is_some() {
        session.machine.log_calls();
    }
    Ok(use_on(case, &mut session, &damaged, log))
}

/// Opens, persists something, and opens again.
fn use_on(
    case: &OffsetCase<'_>,
    session: &mut OffsetSession<'_>,
    damaged: &OffsetDamage<'_>,
    log: &mut Log,
) -> Option<Violation> {
    let opened = log.call(session, &OffsetOp::Open);
    if let Some(violation) = damaged.opened(&opened, session.table().as_ref()) {
        return Some(violation);
    }
    let queue = damaged.history.queues().first()?.clone();
    let update = OffsetOp::Update {
        queue,
        offset: 1_000_001,
        increase_only: false,
    };
    let mut expected = OffsetTable::new();
    for op in [update, OffsetOp::PersistAll] {
        let outcome = log.call(session, &op);
        if let Err(failure) = &outcome.result {
            let words = format!("the store is not usable after damage: {}", failure.message);
            return Some(broken(Clause::O5, words));
        }
        expected = session.table().unwrap_or_default();
    }
    if let Some(violation) = damaged.kept(&files_of(case, session.machine.sim())) {
        return Some(violation);
    }
    session.kill();
    let opened = log.call(session, &OffsetOp::Open);
    let is_same = opened.result.is_ok() && session.table().as_ref() == Some(&expected);
    (!is_same).then(|| {
        let words = "what was persisted after damage did not come back".to_owned();
        broken(Clause::O1, words)
    })
}

/// The store's own directory.
fn directory_of(case: &OffsetCase<'_>) -> PathBuf {
    let options = &case.program.options;
    Path::new(DIRECTORY)
        .join(&options.client)
        .join(&options.group)
}

/// The files of the store's own directory with their bytes.
fn files_of(case: &OffsetCase<'_>, sim: &SimFs) -> OffsetFiles {
    let directory = directory_of(case);
    let mut files = Vec::new();
    for (path, entry) in sim.tree() {
        if let TreeEntry::File(bytes) = entry
            && let Ok(name) = path.strip_prefix(&directory)
        {
            files.push((name.to_string_lossy().into_owned(), bytes));
        }
    }
    files
}

fn broken(clause: Clause, evidence: String) -> Violation {
    let step = None;
    Violation {
        clause,
        evidence,
        step,
    }
}
