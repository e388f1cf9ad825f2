//! A child process as its killer sees it.

use super::child::{Part, Said};
use crate::cli::failure::Failure;
use crate::explore::LastWords;
use crate::scenario::Scenario;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running child and what it has said.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// Everything so far.
    pub(super) said: Vec<Said>,
}

impl Process {
    /// Starts a child that does `part` of `scenario` in `directory`; with at most so many open
    /// descriptors, if given.
    pub(super) fn start(
        scenario: &Scenario,
        directory: &Path,
        part: Part,
        descriptors_max: Option<u32>,
    ) -> Result<Self, Failure> {
        let started = start(scenario, directory, part, descriptors_max);
        started.map_err(|error| Failure::usage(format!("cannot start a process: {error}")))
    }

    /// Waits for the next line; `false` at the end of the process.
    pub(super) fn listen(&mut self) -> Result<bool, Failure> {
        let mut line = String::new();
        let read = self.output.read_line(&mut line);
        let read = read.map_err(|error| Failure::usage(format!("cannot read a pipe: {error}")))?;
        if read == 0 || !line.ends_with('\n') {
            return Ok(false);
        }
        let said = serde_json::from_str(&line);
        let said =
            said.map_err(|error| Failure::usage(format!("the child said {line:?}: {error}")))?;
        self.said.push(said);
        Ok(true)
    }

    /// Answers a child that waits to be asked.
    pub(super) fn ask(&mut self) {
        // A child that is gone is noticed when it is listened to.
        if let Some(input) = &mut self.input {
            drop(input.write_all(b"\n"));
        }
    }

    /// Kills the child and takes what it had said.
    pub(super) fn kill(mut self) -> Result<Vec<Said>, Failure> {
        let killed = self.child.kill();
        killed.map_err(|error| Failure::usage(format!("cannot kill a process: {error}")))?;
        self.finish()
    }

    /// Waits for the end of the child and takes what it had said.
    pub(super) fn finish(mut self) -> Result<Vec<Said>, Failure> {
        self.input = None;
        while self.listen()? {}
        let waited = self.child.wait();
        waited.map_err(|error| Failure::usage(format!("cannot wait for a process: {error}")))?;
        Ok(std::mem::take(&mut self.said))
    }
}

fn start(
    scenario: &Scenario,
    directory: &Path,
    part: Part,
    descriptors_max: Option<u32>,
) -> io::Result<Process> {
    let program = std::env::current_exe()?;
    let mut command = match descriptors_max {
        None => Command::new(program),
        Some(count) => {
            let mut shell = Command::new("sh");
            let limit = format!("ulimit -n {count}; exec \"$0\" \"$@\"");
            shell.arg("-c").arg(limit).arg(program);
            shell
        }
    };
    let part = clap::ValueEnum::to_possible_value(&part);
    let part = part.map_or(String::new(), |part| part.get_name().to_owned());
    let mut child = command
        .args(["kill", "--child", &part, "--dir"])
        .arg(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let missing = || io::Error::other("a pipe is missing");
    let mut input = child.stdin.take().ok_or_else(missing)?;
    let output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
    let line = serde_json::to_string(scenario).map_err(io::Error::other)?;
    input.write_all(line.as_bytes())?;
    input.write_all(b"\n")?;
    Ok(Process {
        child,
        input: Some(input),
        output,
        said: Vec::new(),
    })
}

/// What a child said, as its judge wants it.
pub(super) fn last_words(said: &[Said]) -> LastWords {
    let mut words = LastWords::default();
    for one in said {
        match one {
            Said::Opened(outcome) => words.opened = Some(outcome.clone()),
            Said::Begin => words.in_flight = true,
            Said::End(outcome) => {
                words.in_flight = false;
                words.ended.push(outcome.clone());
            }
            Said::Message(_) | Said::Drained(_) => {}
        }
    }
    words
}

/// The messages that a child read while draining.
pub(super) fn drained(said: &[Said]) -> Vec<Vec<u8>> {
    let message = |one: &Said| match one {
        Said::Message(bytes) => Some(bytes.clone()),
        Said::Opened(_) | Said::Begin | Said::End(_) | Said::Drained(_) => None,
    };
    said.iter().filter_map(message).collect()
}
