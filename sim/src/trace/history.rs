//! A trace's operations as one subject carried them out, with what it would have delivered after
//! each step: the oracle of records judges that, so that it can name the step at which a state
//! was wrong although only a later one shows it.

use super::disk::{Disk, Files};
use super::file::{Operation, Trace};
use super::player::{Drained, Played, Player};
use crate::scenario::{FailureKind, Reply};
use crate::subject::Subject;
use std::io;

/// One step as it was carried out.
#[derive(Debug, Clone)]
pub(super) struct Observed {
    /// What was called.
    pub(super) operation: Operation,
    /// What came of it.
    pub(super) played: Played,
    /// The directory after it.
    pub(super) files: Files,
    /// What comes if everything is read from here on and nothing else happens.
    pub(super) left: Drained,
}

impl Observed {
    /// The depth that was told.
    pub(super) fn depth(&self) -> Option<i64> {
        match self.played.depth.result {
            Ok(Reply::Count(depth)) => Some(depth),
            _ => None,
        }
    }

    /// A failure of the given kind, of the operation or of the settling and depth after it.
    pub(super) fn failed_with(&self, kind: FailureKind) -> Option<&str> {
        [&self.played.outcome, &self.played.depth]
            .into_iter()
            .find_map(|outcome| match &outcome.result {
                Err(failure) if failure.kind == kind => Some(failure.message.as_str()),
                _ => None,
            })
    }
}

/// Everything that a subject did with a trace.
#[derive(Debug, Clone)]
pub(super) struct History {
    /// Step by step.
    pub(super) steps: Vec<Observed>,
    /// The directory after everything was read behind the last step.
    pub(super) files_at_the_end: Files,
}

/// Carries the trace out once for every step: as far as that step, and then reads everything.
pub(super) fn observe(subject: &dyn Subject, trace: &Trace) -> io::Result<History> {
    let mut steps = Vec::new();
    let mut files_at_the_end = Files::new();
    for (last, step) in trace.steps.iter().enumerate() {
        let mut player = Player::new(subject, trace, Disk::new()?);
        for before in trace.steps.iter().take(last) {
            player.play(&before.operation);
        }
        let played = player.play(&step.operation);
        let files = player.files()?;
        let left = player.drain();
        files_at_the_end = player.files()?;
        steps.push(Observed {
            operation: step.operation.clone(),
            played,
            files,
            left,
        });
    }
    Ok(History {
        steps,
        files_at_the_end,
    })
}
