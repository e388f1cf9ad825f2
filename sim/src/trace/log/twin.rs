//! The first question of a log's trace: does the twin do the same at every step?

use super::file::{LogTrace, LogTraceStep, Recorded, Shown};
use super::player::{Played, Player};
use super::same::text;
use crate::scenario::{FailureKind, LogOutcome};
use crate::trace::fingerprint::compare_files;
use crate::trace::twin::Difference;
use serde::Serialize;
use std::io;

/// Replays a trace on the twin and compares everything that the trace tells of each step.
///
/// The inner result is an error at the first difference.
///
/// # Errors
/// None that a simulated disk without faults has.
pub fn replay_log_twin(trace: &LogTrace) -> io::Result<Result<(), Difference>> {
    let mut player = Player::new(trace)?;
    for (index, step) in trace.steps.iter().enumerate() {
        let played = player.play(&step.call);
        let files = player.files()?;
        let moved = player.moved_files()?;
        let same = compare_results(&step.recorded, &played)
            .and_then(|()| compare_shown(step, player.shown()))
            .and_then(|()| compare_files(&step.files, &files))
            .and_then(|()| compare_files(&step.recorded.moved, &moved));
        if let Err(text) = same {
            let step = index + 1;
            return Ok(Err(Difference { step, text }));
        }
    }
    Ok(Ok(()))
}

/// Errors compare as being there or not, and by the position that they tell.
fn compare_results(recorded: &Recorded, played: &Played) -> Result<(), String> {
    if let Some(error) = &played.damage_skipped {
        return Err(format!("the twin's file cannot be damaged: {error}"));
    }
    let LogOutcome { result, stands, .. } = &played.outcome;
    match (&recorded.result, result) {
        (_, Err(failure)) if failure.kind == FailureKind::CutOff => {
            let message = &failure.message;
            Err(format!("the twin did not come to an end: {message}"))
        }
        (Err(_), Err(_)) => same("an error", &recorded.stands, stands),
        (Ok(recorded), Ok(reply)) => same("a result", recorded, reply),
        (Err(error), Ok(reply)) => {
            let reply = text(reply);
            Err(format!(
                "the error `{error}` was recorded, the twin gives {reply}"
            ))
        }
        (Ok(reply), Err(failure)) => {
            let (reply, error) = (text(reply), &failure.message);
            Err(format!(
                "{reply} was recorded, the twin gives the error `{error}`"
            ))
        }
    }
}

/// A snapshot is compared where the twin has one open: its closing leaves no mark in the record.
fn compare_shown(step: &LogTraceStep, shown: Option<Shown>) -> Result<(), String> {
    let (recorded, shown) = match (&step.shown, shown) {
        (Some(recorded), Some(shown)) => (recorded, shown),
        (None, None) => return Ok(()),
        (Some(_), None) => return Err("the twin is not open".to_owned()),
        (None, Some(_)) => return Err("the twin opened".to_owned()),
    };
    same("the writer", &recorded.writer, &shown.writer)?;
    for (name, recorded) in &recorded.readers {
        same(
            &format!("reader {name}"),
            &Some(recorded),
            &shown.readers.get(name),
        )?;
    }
    if shown.snapshot.is_some() {
        same("the snapshot", &recorded.snapshot, &shown.snapshot)?;
    }
    Ok(())
}

fn same<T: PartialEq + Serialize>(what: &str, recorded: &T, twin: &T) -> Result<(), String> {
    super::same::same(what, (recorded, recorded), ("the twin", twin, twin))
}
