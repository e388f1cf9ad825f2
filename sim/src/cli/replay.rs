//! `replay`: one saved scenario again, told as a timeline.

use super::Exit;
use super::args::{Format, ReplayArguments};
use super::failure::Failure;
use super::output::Output;
use super::saved::read_scenario;
use crate::explore::{self, Replayed, Verdict};
use crate::report::{Ink, WIDTH, timeline, verdict_word, violation_event, wrapped};
use crate::scenario::Clause;
use serde_json::json;

/// Runs the command.
pub(super) fn replay(arguments: &ReplayArguments, output: &mut Output) -> Result<Exit, Failure> {
    let scenario = read_scenario(&arguments.file)?;
    let replayed = explore::replay_for(&scenario, arguments.clause).map_err(Failure::from)?;
    let word = verdict_word(&replayed.verdict);
    match arguments.format {
        Format::Text => {
            output.text(&timeline(&replayed.timeline, output.paint))?;
            output.lines(&last_words(&replayed, arguments.clause, output))?;
        }
        Format::Json => {
            let file = arguments.file.display().to_string();
            if let Some(found) = &replayed.found {
                output.event(&violation_event(found, Some(&file)))?;
            }
            let violations = u32::from(replayed.found.is_some());
            output.event(&json!({
                "event": "summary",
                "verdict": word,
                "reason": reason(&replayed.verdict),
                "violations": violations,
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

fn last_words(replayed: &Replayed, asked: Option<Clause>, output: &Output) -> Vec<String> {
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
        (None, None) => "no clause was broken".to_owned(),
    };
    let mut lines = wrapped(&format!("{word}: {told}"), WIDTH);
    if let Some(first) = lines.first_mut() {
        *first = first.replacen(word, &output.paint.ink(ink, word), 1);
    }
    lines
}
