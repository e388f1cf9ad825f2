//! Results as JSON, one event a line, key `event`: `progress`, `violation`, last `summary`.
//!
//! Keys are a public interface: new ones may come, none changes its meaning.

use super::tables::run_word;
use super::{Paint, replay_command, timeline, verdict_word};
use crate::explore::{CheckReport, ClauseRow, Found, Progress, Row, Shard, Verdict};
use serde_json::{Value, json};

/// How far a check has come.
#[must_use]
pub fn progress_event(progress: Progress) -> Value {
    json!({
        "event": "progress",
        "states_recovered": progress.recovered,
        "budget": progress.budget,
        "scenarios": progress.scenarios,
        "states_judged": progress.judged,
        "violations": progress.violations,
    })
}

/// A broken clause; `replay` is the file that shows it again. Where none could be written it is
/// null, and `scenario` is what it would hold.
#[must_use]
pub fn violation_event(found: &Found, replay_file: Option<&str>) -> Value {
    let story = timeline(&found.timeline, Paint::new(false));
    let mut event = json!({
        "event": "violation",
        "clause": found.clause.info().id,
        "engine": found.engine,
        "profile": found.profile,
        "run": run_word(found.scenario.run),
        "evidence": found.evidence,
        "replay": replay_file,
        "command": replay_file.map(|file| replay_command(found, file)),
        "timeline": story.lines().collect::<Vec<&str>>(),
    });
    if let (None, Some(keys)) = (replay_file, event.as_object_mut()) {
        keys.insert("scenario".to_owned(), found.scenario.to_text().into());
    }
    event
}

/// The end of a check. `digest` is null where time or a signal cut the run short, `shard` where it
/// is no share of a run.
#[must_use]
pub fn summary_event(report: &CheckReport, shard: Option<Shard>, interrupted: bool) -> Value {
    let total = |count: fn(&Row) -> u64| report.rows.iter().map(count).sum::<u64>();
    let reason = match &report.verdict {
        Verdict::Unknown(reason) => Some(reason.as_str()),
        Verdict::Nothing => Some("there was nothing to check"),
        Verdict::Pass | Verdict::Fail => None,
    };
    json!({
        "event": "summary",
        "verdict": verdict_word(&report.verdict),
        "reason": reason,
        "interrupted": interrupted,
        "shard": shard.map(|shard| format!("{}/{}", shard.number, shard.count)),
        "digest": report.digest.map(|digest| format!("{digest:032x}")),
        "states_judged": total(|row| row.states_judged),
        "states_built": total(|row| row.states_built),
        "states_recovered": total(|row| row.states_recovered),
        "violations": total(|row| row.violations),
        "rows": report.rows.iter().map(row_value).collect::<Vec<Value>>(),
        "clauses": report.clauses.iter().map(clause_value).collect::<Vec<Value>>(),
        "marks": counters(&report.marks),
        "faults": counters(&report.faults),
    })
}

fn row_value(row: &Row) -> Value {
    json!({
        "engine": row.engine,
        "profile": row.profile,
        "run": run_word(row.run),
        "scenarios": row.scenarios,
        "points": row.points,
        "points_enumerated": row.points_enumerated,
        "states_judged": row.states_judged,
        "states_built": row.states_built,
        "states_recovered": row.states_recovered,
        "violations": row.violations,
    })
}

fn clause_value(row: &ClauseRow) -> Value {
    json!({
        "engine": row.engine,
        "clause": row.clause.info().id,
        "judged": row.judged,
        "violations": row.violations,
        "skipped": row.skipped,
    })
}

fn counters(counters: &[(String, u64)]) -> Vec<Value> {
    counters
        .iter()
        .map(|(name, count)| json!({ "name": name, "count": count }))
        .collect()
}
