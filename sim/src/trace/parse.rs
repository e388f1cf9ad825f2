//! Turns the text of a trace file into a [`Trace`], and refuses what does not fit together: a key,
//! operation or argument that is not known, a result that the operation cannot have.

use super::damage::{DamageArguments, FileDamage};
use super::error::TraceError;
use super::file::{Operation, OptionsChange, Recorded, Tier, Trace, TraceStep};
use super::fingerprint::{Prints, change};
use super::lines::{Answer, Header, Line};
use super::text::{Origin, bytes, check_arguments, load_text, numbered_lines, parse_json};
use crate::scenario::FifoOptions;
use crashline::fs::Fs;
use std::path::Path;

/// The engine whose traces are understood.
const ENGINE: &str = "nsqio/go-diskqueue";

/// The version whose traces are understood.
const VERSION: &str = "v1.1.0";

/// The sync timer was never to fire: an hour, in milliseconds.
const SYNC_TIMEOUT_MS: u64 = 3_600_000;

impl Trace {
    /// Reads and parses a trace file.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn load(fs: &dyn Fs, path: &Path) -> Result<Self, TraceError> {
        let text = load_text(fs, path)?;
        Self::parse(&text)
    }

    /// Parses the text of a trace file.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, TraceError> {
        let ((number, first), lines) = numbered_lines(text)?;
        let header = parse_header(number, first)?;
        let mut depth = None;
        let mut files = Prints::new();
        let mut steps: Vec<TraceStep> = Vec::new();
        for (number, line) in lines {
            let wrong = |message: String| TraceError::line(number, message);
            let line: Line = parse_json(number, line)?;
            let operation = operation(&line).map_err(wrong)?;
            if (operation == Operation::Open) != steps.is_empty() {
                return Err(wrong("the first step, and only it, is `open`".to_owned()));
            }
            depth = line.after.depth.or(depth);
            change(&mut files, line.after.files, line.after.gone).map_err(wrong)?;
            steps.push(TraceStep {
                recorded: recorded(&operation, line.result).map_err(wrong)?,
                operation,
                depth: depth.ok_or_else(|| wrong("no depth was told yet".to_owned()))?,
                files: files.clone(),
            });
        }
        if steps.is_empty() {
            return Err(TraceError::line(2, "there are no steps"));
        }
        Ok(Self { steps, ..header })
    }
}

fn parse_header(number: usize, text: &str) -> Result<Trace, TraceError> {
    let origin: Origin = parse_json(number, text)?;
    if origin.engine != ENGINE || origin.version != VERSION {
        return Err(TraceError::NoTwin {
            engine: origin.engine,
            version: origin.version,
        });
    }
    let header: Header = parse_json(number, text)?;
    let wrong = |message: String| Err(TraceError::line(number, message));
    let tier = match header.tier.as_str() {
        "clean" => Tier::Clean,
        "corner" => Tier::Corner,
        "damage" => Tier::Damage,
        other => return wrong(format!("there is no tier `{other}`")),
    };
    if header.ended != "complete" {
        return wrong(format!("`ended` is `{}`, not `complete`", header.ended));
    }
    if header.queue.is_empty() || header.queue.contains('/') {
        return wrong(format!("`{}` is no name of a queue", header.queue));
    }
    Ok(Trace {
        queue: header.queue,
        tier,
        options: FifoOptions {
            segment_bytes_max: header.options.segment_bytes_max,
            message_bytes_min: header.options.message_bytes_min,
            message_bytes_max: header.options.message_bytes_max,
            sync_every: header.options.sync_every,
            sync_timeout_ms: SYNC_TIMEOUT_MS,
        },
        steps: Vec::new(),
    })
}

/// The operation of a line; an argument that it does not have is an error.
fn operation(line: &Line) -> Result<Operation, String> {
    let (operation, arguments): (_, &[&str]) = match line.op.as_str() {
        "open" => (Operation::Open, &[]),
        "put" => (
            Operation::Put(bytes(line.data_b64.as_deref())?),
            &["data_b64"],
        ),
        "read" => (Operation::Read, &[]),
        "empty" => (Operation::Empty, &[]),
        "kill_and_open" => (Operation::KillAndOpen, &[]),
        "reopen" => {
            let change = OptionsChange {
                segment_bytes_max: line.segment_bytes_max,
                message_bytes_min: line.message_bytes_min,
                message_bytes_max: line.message_bytes_max,
                sync_every: line.sync_every,
            };
            (Operation::Reopen(change), OPTIONS)
        }
        "close_damage_open" => {
            let (damage, arguments) = FileDamage::parse(DamageArguments {
                file: line.file.as_deref(),
                how: line.how.as_deref(),
                size: line.size,
                at: line.at,
                value: line.value,
            })?;
            (Operation::CloseDamageOpen(damage), arguments)
        }
        other => return Err(format!("there is no operation `{other}`")),
    };
    let given = [
        ("data_b64", line.data_b64.is_some()),
        ("segment_bytes_max", line.segment_bytes_max.is_some()),
        ("message_bytes_min", line.message_bytes_min.is_some()),
        ("message_bytes_max", line.message_bytes_max.is_some()),
        ("sync_every", line.sync_every.is_some()),
        ("file", line.file.is_some()),
        ("how", line.how.is_some()),
        ("size", line.size.is_some()),
        ("at", line.at.is_some()),
        ("value", line.value.is_some()),
    ];
    check_arguments(&line.op, &given, arguments)?;
    Ok(operation)
}

const OPTIONS: &[&str] = &[
    "segment_bytes_max",
    "message_bytes_min",
    "message_bytes_max",
    "sync_every",
];

/// The result of a line; only a read gives a kind.
fn recorded(operation: &Operation, answer: Answer) -> Result<Recorded, String> {
    let Answer {
        error,
        kind,
        data_b64,
    } = answer;
    let is_read = *operation == Operation::Read;
    match (error, kind.as_deref()) {
        (None, Some("message")) if is_read => bytes(data_b64.as_deref()).map(Recorded::Message),
        _ if data_b64.is_some() => Err("only a read's message has `data_b64`".to_owned()),
        (None, Some("none")) if is_read => Ok(Recorded::Nothing),
        (_, Some(kind)) => Err(format!("a result of the kind `{kind}` does not fit here")),
        (Some(error), None) => Ok(Recorded::Failed(error)),
        (None, None) if is_read => Err("a read's result has a `kind`".to_owned()),
        (None, None) => Ok(Recorded::Done),
    }
}
