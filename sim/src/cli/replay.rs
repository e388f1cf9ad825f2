//! `replay`: one saved scenario again, told as a timeline.

use super::Exit;
use super::args::{Format, ReplayArguments};
use super::failure::Failure;
use super::output::Output;
use super::saved::read_scenario;
use crate::explore::{self, Explored, Replayed, Verdict};
use crate::report::{Ink, WIDTH, thousands, timeline, verdict_word, violation_event, wrapped};
use crate::scenario::{Clause, RunKind};
use serde_json::json;

/// Runs the command.
pub(super) fn replay(arguments: &ReplayArguments, output: &mut Output) -> Result<Exit, Failure> {
    let scenario = read_scenario(&arguments.file)?;
    let replayed = explore::replay_for(&scenario, arguments.clause).map_err(Failure::from)?;
    let word = verdict_word(&replayed.verdict);
    match arguments.format {
        Format::Text => {
            output.text(&timeline(&replayed.timeline, output.paint))?;
            output.lines(&last_words(
                &replayed,
                scenario.run,
                arguments.clause,
                output,
            ))?;
        }
        Format::Json => {
            let file = arguments.file.display().to_string();
            if let Some(found) = &replayed.found {
                output.event(&violation_event(found, Some(&file)))?;
            }
            let violations = u32::from(replayed.found.is_some());
            let counted = |count: fn(&Explored) -> u64| replayed.explored.as_ref().map(count);
            output.event(&json!({
                "event": "summary",
                "verdict": word,
                "reason": reason(&replayed.verdict),
                "violations": violations,
                "points": counted(|explored| explored.points),
                "points_enumerated": counted(|explored| explored.points_enumerated),
                "states_judged": counted(|explored| explored.states_judged),
            }))?;
        }
    }
    Ok(Exit::of(&replayed.verdict))
}

fn reason(verdict: &Verdict) -> Option<&str> {
    match verdict {
        Verdict::Unknown(reason) => Some(reason),
        Verdict::Nothing => Some("there was nothing to check"),
        Verdict::Pass | Verdict::Fail => None,
    }
}

/// Behind `no clause was broken`; damage is done once, at no crash point.
fn words_of_counts(explored: &Explored, run: RunKind) -> String {
    let judged = thousands(explored.states_judged);
    let points = thousands(explored.points);
    let enumerated = thousands(explored.points_enumerated);
    match run {
        RunKind::Damage => format!("; states judged: {judged}"),
        RunKind::Calls => format!("; calls that failed: {judged}"),
        RunKind::Crashes | RunKind::Errors | RunKind::Orders => {
            format!("; states judged: {judged}, crash points: {points}, enumerated: {enumerated}")
        }
    }
}

fn last_words(
    replayed: &Replayed,
    run: RunKind,
    asked: Option<Clause>,
    output: &Output,
) -> Vec<String> {
    let (ink, word) = match replayed.verdict {
        Verdict::Pass => (Ink::Good, "PASS"),
        Verdict::Fail => (Ink::Bad, "FAIL"),
        Verdict::Unknown(_) | Verdict::Nothing => (Ink::Alarm, "UNKNOWN"),
    };
    let told = match (&replayed.found, reason(&replayed.verdict)) {
        (Some(found), _) => {
            let info = found.clause.info();
            let kept = asked.filter(|asked| *asked != found.clause);
            let kept = kept.map(|kept| format!(", and keeps {kept}, which was asked for"));
            format!(
                "breaks {} {}{}",
                info.id,
                info.name,
                kept.unwrap_or_default()
            )
        }
        (None, Some(reason)) => reason.to_owned(),
        (None, None) => {
            let explored = replayed.explored.as_ref();
            let explored = explored.map(|explored| words_of_counts(explored, run));
            format!("no clause was broken{}", explored.unwrap_or_default())
        }
    };
    let mut lines = wrapped(&format!("{word}: {told}"), WIDTH);
    if let Some(first) = lines.first_mut() {
        *first = first.replacen(word, &output.paint.ink(ink, word), 1);
    }
    lines
}
