//! `dump` of queues: where each begins and ends, its messages, what is not delivered.

use super::teller::{Teller, name};
use crate::cli::args::Assume;
use crate::cli::failure::Failure;
use crashline::diskqueue::{Assumption, Finding, Position, inspect};
use crashline::fs::Fs;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::sync::Arc;

/// Writes the lines of one queue.
pub(super) fn dump_queue(
    fs: &Arc<dyn Fs>,
    queue: &OsStr,
    assume: Assume,
    teller: &mut Teller<'_>,
) -> Result<(), Failure> {
    let assumption = match assume {
        Assume::Kill => Assumption::Kill,
        Assume::PowerCut => Assumption::PowerCut,
    };
    let directory = teller.directory.clone();
    let mut written = Ok(());
    // What is said of a queue comes behind the line that introduces it.
    let mut held = Some(Vec::new());
    let looked = inspect(fs, &directory, queue, assumption, &mut |finding| {
        if written.is_err() {
            return;
        }
        if let (Some(held), Finding::Note(text)) = (&mut held, finding) {
            held.push(text.to_owned());
            return;
        }
        written = tell(queue, &finding, teller);
        for text in held.take().unwrap_or_default() {
            if written.is_ok() {
                written = note(queue, &text, teller);
            }
        }
    });
    written?;
    looked.or_else(|error| {
        let hint = "what else there is was told; copy the directory, and look at the copy";
        teller.error(None, &format!("queue {}: {error}", queue.display()), hint)
    })
}

fn note(queue: &OsStr, text: &str, teller: &mut Teller<'_>) -> Result<(), Failure> {
    // What is quarantined has lines of its own.
    if text.starts_with("quarantined") {
        return Ok(());
    }
    teller.is_harmed |= text.contains("damaged");
    teller.note("queue", queue, text)
}

fn tell(queue: &OsStr, finding: &Finding<'_>, teller: &mut Teller<'_>) -> Result<(), Failure> {
    match finding {
        Finding::Queue { depth, read, end } => {
            let mut line = json!({
                "kind": "queue",
                "depth": depth,
                "read": place(*read),
                "end": place(*end),
            });
            name(&mut line, "queue", queue);
            teller.found(line)
        }
        Finding::Message { position, body } => {
            let mut line = json!({
                "kind": "message",
                "segment": position.segment,
                "offset": position.offset,
            });
            name(&mut line, "queue", queue);
            teller.message(line, body)
        }
        Finding::Gap(loss) => teller.gap("queue", queue, loss),
        Finding::Note(text) => note(queue, text, teller),
    }
}

fn place(position: Position) -> Value {
    json!({ "segment": position.segment, "offset": position.offset })
}
