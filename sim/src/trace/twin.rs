//! The first question: does the twin do the same at every step?

use super::directory::fingerprints;
use super::file::{Operation, Recorded, Trace, TraceStep};
use crate::originals::diskqueue::OriginalDiskqueue;
use crate::scenario::{Action, FailureKind, FifoOptions, Outcome, Reply};
use crate::subject::{Object, OpenRequest, Subject};
use crashline::fs::Fs;
use std::path::Path;
use std::sync::Arc;

/// Where the twin left the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The step, counted from 1.
    pub step: usize,
    /// What was recorded and what the twin did.
    pub text: String,
}

/// Replays a trace on the twin, in an empty directory.
///
/// # Errors
/// The first difference.
pub fn replay_twin(trace: &Trace, fs: &Arc<dyn Fs>, directory: &Path) -> Result<(), Difference> {
    let mut twin = Twin {
        fs,
        directory,
        queue: &trace.queue,
        options: trace.options,
        object: None,
    };
    for (index, step) in trace.steps.iter().enumerate() {
        twin.step(step).map_err(|text| Difference {
            step: index + 1,
            text,
        })?;
    }
    Ok(())
}

struct Twin<'a> {
    fs: &'a Arc<dyn Fs>,
    directory: &'a Path,
    queue: &'a str,
    options: FifoOptions,
    object: Option<Box<dyn Object>>,
}

impl Twin<'_> {
    /// Does one step and compares everything that the trace tells of it.
    fn step(&mut self, step: &TraceStep) -> Result<(), String> {
        let outcome = self.call(&step.operation)?;
        compare_result(&step.recorded, &outcome)?;
        self.apply(&Action::Settle)?;
        let depth = self.apply(&Action::Depth)?;
        if depth.result != Ok(Reply::Count(step.depth)) {
            return Err(format!(
                "depth {} was recorded, the twin says {}",
                step.depth,
                told(&depth)
            ));
        }
        self.compare_files(step)
    }

    fn call(&mut self, operation: &Operation) -> Result<Outcome, String> {
        match operation {
            Operation::Open => self.open(),
            Operation::Put(message) => {
                let size = u32::try_from(message.len()).unwrap_or(u32::MAX);
                self.apply_put(size, message)
            }
            Operation::Read => self.apply(&Action::Read),
            Operation::Empty => self.apply(&Action::Empty),
            Operation::Reopen(change) => {
                let closed = self.apply(&Action::Close)?;
                change.apply(&mut self.options);
                self.open()?;
                Ok(closed)
            }
            Operation::KillAndOpen => self.open(),
            Operation::CloseDamageOpen(damage) => {
                let closed = self.apply(&Action::Close)?;
                damage
                    .apply(self.fs.as_ref(), self.directory)
                    .map_err(|error| format!("`{}` cannot be damaged: {error}", damage.file))?;
                self.open()?;
                Ok(closed)
            }
        }
    }

    /// Opens a new object; the one before is dropped first.
    fn open(&mut self) -> Result<Outcome, String> {
        self.object = None;
        let opened = OriginalDiskqueue.open(&OpenRequest {
            fs: self.fs,
            directory: self.directory,
            object: self.queue,
            options: &self.options,
            read_only: false,
            quirks: &[],
        });
        self.object = opened.object;
        Ok(opened.outcome)
    }

    fn apply(&mut self, action: &Action) -> Result<Outcome, String> {
        self.apply_with(action, &[])
    }

    fn apply_put(&mut self, size: u32, message: &[u8]) -> Result<Outcome, String> {
        self.apply_with(&Action::Put { size }, &[message.to_vec()])
    }

    fn apply_with(&mut self, action: &Action, payloads: &[Vec<u8>]) -> Result<Outcome, String> {
        let object = self.object.as_mut().ok_or("the twin is not open")?;
        let outcome = object.apply(action, payloads);
        match &outcome.result {
            Err(failure) if failure.kind == FailureKind::CutOff => Err(format!(
                "the twin did not come to an end: {}",
                failure.message
            )),
            _ => Ok(outcome),
        }
    }

    fn compare_files(&self, step: &TraceStep) -> Result<(), String> {
        let files = fingerprints(self.fs.as_ref(), self.directory)
            .map_err(|error| format!("the directory cannot be read: {error}"))?;
        for (name, recorded) in &step.files {
            match files.get(name) {
                Some(found) if found == recorded => {}
                Some(found) => {
                    return Err(format!(
                        "`{name}` was recorded as {recorded}, the twin's is {found}"
                    ));
                }
                None => return Err(format!("`{name}` was recorded, the twin has none")),
            }
        }
        match files.keys().find(|name| !step.files.contains_key(*name)) {
            Some(name) => Err(format!("the twin has `{name}`, which was not recorded")),
            None => Ok(()),
        }
    }
}

/// Errors compare as being there or not.
fn compare_result(recorded: &Recorded, outcome: &Outcome) -> Result<(), String> {
    let same = match (recorded, &outcome.result) {
        (Recorded::Done, Ok(Reply::Done))
        | (Recorded::Failed(_), Err(_))
        | (Recorded::Nothing, Ok(Reply::Nothing)) => true,
        (Recorded::Message(recorded), Ok(Reply::Message(message))) => recorded == message,
        _ => false,
    };
    if same {
        return Ok(());
    }
    let recorded = match recorded {
        Recorded::Done => "success".to_owned(),
        Recorded::Failed(error) => format!("the error `{error}`"),
        Recorded::Message(message) => format!("the message `{}`", message.escape_ascii()),
        Recorded::Nothing => "no message".to_owned(),
    };
    Err(format!(
        "{recorded} was recorded, the twin gives {}",
        told(outcome)
    ))
}

/// An outcome in words.
fn told(outcome: &Outcome) -> String {
    match &outcome.result {
        Ok(Reply::Done) => "success".to_owned(),
        Ok(Reply::Count(count)) => count.to_string(),
        Ok(Reply::Message(message)) => format!("the message `{}`", message.escape_ascii()),
        Ok(Reply::Nothing) => "no message".to_owned(),
        Err(failure) => format!("the error `{}`", failure.message),
    }
}
