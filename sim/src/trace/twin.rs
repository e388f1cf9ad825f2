//! The first question: does the twin do the same at every step?

use super::compare::difference;
use super::disk::Disk;
use super::file::{Trace, TraceStep};
use super::fingerprint::compare_files;
use super::player::{Played, Player};
use crate::originals::diskqueue::OriginalDiskqueue;
use crate::scenario::FailureKind;
use std::io;

/// Where the twin left the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The step, counted from 1.
    pub step: usize,
    /// What was recorded and what the twin did.
    pub text: String,
}

/// Replays a trace on the twin and compares everything that the trace tells of each step.
///
/// The inner result is an error at the first difference.
///
/// # Errors
/// None that a simulated disk without faults has.
pub fn replay_twin(trace: &Trace) -> io::Result<Result<(), Difference>> {
    let mut player = Player::new(&OriginalDiskqueue, trace, Disk::new()?);
    for (index, step) in trace.steps.iter().enumerate() {
        let played = player.play(&step.operation);
        let files = player.files()?;
        if let Err(text) = compare(step, &played).and_then(|()| compare_files(&step.files, &files))
        {
            let step = index + 1;
            return Ok(Err(Difference { step, text }));
        }
    }
    Ok(Ok(()))
}

fn compare(step: &TraceStep, played: &Played) -> Result<(), String> {
    if let Some(error) = &played.damage_skipped {
        return Err(format!("the twin's file cannot be damaged: {error}"));
    }
    for outcome in [&played.outcome, &played.depth] {
        if let Err(failure) = &outcome.result
            && failure.kind == FailureKind::CutOff
        {
            let message = &failure.message;
            return Err(format!("the twin did not come to an end: {message}"));
        }
    }
    let recorded = (&step.recorded, step.depth);
    match difference(recorded, &played.outcome, &played.depth, "the twin") {
        Some(text) => Err(text),
        None => Ok(()),
    }
}
