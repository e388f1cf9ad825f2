//! `offsets`: shows a client's file of offsets, or prints it for the other client. Reads only.

use super::Exit;
use super::args::{Client, Format, OffsetsArguments, OffsetsCommand};
use super::failure::Failure;
use super::files::{read_bytes, reason};
use super::output::Output;
use crashline::offsets::format::{Document, Layout, Noted, encode, parse};
use crashline::offsets::{Dialect, MessageQueue};
use serde_json::{Value, json};
use std::path::Path;

/// Runs the command.
pub(super) fn offsets(arguments: &OffsetsArguments, output: &mut Output) -> Result<Exit, Failure> {
    match &arguments.what {
        OffsetsCommand::Show { file, format } => show(&document(file)?, *format, output)?,
        OffsetsCommand::Convert { file, to } => convert(&document(file)?, *to, output)?,
    }
    Ok(Exit::Pass)
}

fn document(path: &Path) -> Result<Document, Failure> {
    let unusable =
        |words: String| Failure::usage(format!("cannot read {}: {words}", path.display()));
    let bytes = read_bytes(path).map_err(|error| unusable(reason(&error)))?;
    parse(&bytes).map_err(|error| Failure {
        exit: Exit::Violation,
        sentence: format!("{} is damaged: {error}", path.display()),
    })
}

fn show(document: &Document, format: Format, output: &mut Output) -> Result<(), Failure> {
    for (queue, offset) in &document.table {
        let line = match format {
            Format::Json => line(queue, *offset).to_string(),
            Format::Text => {
                // As JSON, so that a strange name stays on its line.
                let (topic, broker) = (json!(queue.topic), json!(queue.broker));
                format!("{offset:>19}  {topic} {broker} {}", queue.queue_id)
            }
        };
        output.line(&line)?;
    }
    Ok(())
}

/// The offset of a queue.
pub(super) fn line(queue: &MessageQueue, offset: i64) -> Value {
    json!({
        "kind": "offset",
        "topic": queue.topic,
        "broker": queue.broker,
        "queue": queue.queue_id,
        "offset": offset,
    })
}

fn convert(document: &Document, to: Client, output: &mut Output) -> Result<(), Failure> {
    let (dialect, layout) = match to {
        Client::Go => (Dialect::Go, Layout::Plain),
        Client::Java => (Dialect::Java, Layout::Indented),
    };
    let bytes = encode(&document.table, dialect, layout, Noted::No);
    output.text(&String::from_utf8_lossy(&bytes))
}
