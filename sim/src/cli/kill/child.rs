//! The process that is killed: takes a scenario from standard input, does its steps in a real
//! directory, and says every begin and end at once, one JSON value a line.

use crate::explore::{EngineInfo, engine};
use crate::scenario::{
    Action, Applied, FailureKind, FifoOptions, Outcome, Reply, Scenario, payload,
};
use crate::subject::{Object, OpenRequest, Subject, guarded};
use crashline::fs::{Fs, RealFs};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::Arc;

/// What the process is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum Part {
    /// Open, and do the steps.
    Steps,
    /// Open, wait for a line, and do the steps.
    StepsWhenAsked,
    /// Open, read everything, and end.
    Drain,
    /// Open for reading only, read everything, and end.
    Look,
}

/// A line that the process says.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Said {
    /// The first open ended.
    Opened(Outcome),
    /// A step begins.
    Begin,
    /// The step that had begun ended.
    End(Outcome),
    /// A message, read while draining.
    Message(Vec<u8>),
    /// Draining ended.
    Drained(Outcome),
}

/// Does `part` in `directory`. What goes wrong is said, or ends the process.
pub(super) fn child(directory: &Path, part: Part) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut line = String::new();
    input.read_line(&mut line)?;
    let scenario = Scenario::parse(&line).map_err(|error| io::Error::other(error.to_string()))?;
    let known = engine(&scenario.engine).and_then(EngineInfo::queue);
    let known = known.ok_or_else(|| io::Error::other("there is no such queue"))?;
    let mut running = Running {
        subject: known.subject_of(&scenario),
        fs: Arc::new(RealFs),
        directory,
        quirks: &scenario.quirks,
        options: scenario.options,
        object: None,
    };
    let opened = running.open(part == Part::Look);
    say(&Said::Opened(opened))?;
    match part {
        Part::Drain | Part::Look => running.drain(),
        Part::StepsWhenAsked => {
            input.read_line(&mut line)?;
            running.steps(&scenario)
        }
        Part::Steps => running.steps(&scenario),
    }
}

fn say(said: &Said) -> io::Result<()> {
    let mut line = serde_json::to_string(said).map_err(io::Error::other)?;
    line.push('\n');
    // One write: a line is said whole or not at all.
    let mut output = io::stdout().lock();
    output.write_all(line.as_bytes())?;
    output.flush()
}

struct Running<'r> {
    subject: &'static dyn Subject,
    fs: Arc<dyn Fs>,
    directory: &'r Path,
    quirks: &'r [String],
    options: FifoOptions,
    object: Option<Box<dyn Object>>,
}

impl Running<'_> {
    fn open(&mut self, read_only: bool) -> Outcome {
        self.object = None;
        let request = OpenRequest {
            fs: &self.fs,
            directory: self.directory,
            object: "queue",
            options: &self.options,
            read_only,
            quirks: self.quirks,
        };
        match guarded(|| self.subject.open(&request)) {
            Ok(opened) => {
                self.object = opened.object;
                opened.outcome
            }
            Err(failure) => failure.into(),
        }
    }

    fn steps(&mut self, scenario: &Scenario) -> io::Result<()> {
        let mut number = 0;
        for step in &scenario.steps {
            let sizes = step.action.sizes().iter();
            let payloads: Vec<Vec<u8>> = (number..)
                .zip(sizes)
                .map(|(n, size)| payload(n, *size))
                .collect();
            number += u32::try_from(payloads.len()).unwrap_or(u32::MAX);
            say(&Said::Begin)?;
            let outcome = self.step(&step.action, &payloads);
            say(&Said::End(outcome))?;
        }
        Ok(())
    }

    fn step(&mut self, action: &Action, payloads: &[Vec<u8>]) -> Outcome {
        if let Action::Open { options } = action {
            self.options = options.unwrap_or(self.options);
            return self.open(false);
        }
        if *action == Action::OpenReadOnly {
            return self.open(true);
        }
        if *action == Action::Kill {
            self.object = None;
            return Outcome::ok(Reply::Done);
        }
        let Some(object) = self.object.as_mut() else {
            return Outcome::failed(FailureKind::Closed, Applied::No, "nothing is open");
        };
        let outcome = guarded(|| object.apply(action, payloads)).unwrap_or_else(Outcome::from);
        if matches!(action, Action::Close | Action::Delete) && outcome.result.is_ok() {
            self.object = None;
        }
        outcome
    }

    fn drain(&mut self) -> io::Result<()> {
        let mut said = Ok(());
        if let Some(object) = self.object.as_mut() {
            let outcome = object.drain(&mut |message| {
                said = say(&Said::Message(message.to_vec()));
                said.is_ok()
            });
            said?;
            say(&Said::Drained(outcome))?;
        }
        Ok(())
    }
}
