//! `dump`: what recovery would deliver from a real directory, as JSON lines.
//!
//! The directory is reached through a filesystem that only reads, so nothing can be written to it.
//! A line has a `kind`: `queue`, `message`, `gap` (bytes that would not be delivered) or `note`;
//! all have the `queue`. Segmented logs have lines of their own (`dump_log`), and so have offset
//! stores (`dump_offsets`).

use super::Exit;
use super::args::{Assume, DumpArguments};
use super::dump_log::{dump_log, logs};
use super::dump_offsets::{dump_offsets, has_offsets};
use super::failure::Failure;
use super::files::reason;
use super::look_only::LookOnly;
use super::output::Output;
use base64::{Engine, prelude::BASE64_STANDARD};
use crashline::diskqueue::{Assumption, Finding, Loss, LossKind, Position, inspect, queues};
use crashline::fs::{Fs, RealFs, list_names};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Runs the command.
pub(super) fn dump(arguments: &DumpArguments, output: &mut Output) -> Result<Exit, Failure> {
    let directory = &arguments.directory;
    let fs: Arc<dyn Fs> = Arc::new(LookOnly {
        directory: directory.clone(),
    });
    let unusable = |error| Failure::usage(format!("cannot use {}: {error}", directory.display()));
    let logs = logs(&*fs, directory).map_err(|error| {
        let error = reason(&error);
        Failure::usage(format!("cannot read {}: {error}", directory.display()))
    })?;
    let mut names = queues(&*fs, directory).map_err(unusable)?;
    // Segments are called alike; what else a log has tells it from a queue.
    names.retain(|name| !logs.contains(name));
    let offsets = dump_offsets(directory, output)?;
    if names.is_empty() && logs.is_empty() && !offsets.found {
        return Err(nothing_in(directory));
    }
    let assumption = match arguments.assume {
        Assume::Kill => Assumption::Kill,
        Assume::PowerCut => Assumption::PowerCut,
    };
    let mut harmed = offsets.harmed;
    for name in &names {
        let mut written = Ok(());
        // What is said of a queue comes behind the line that introduces it.
        let mut held = Some(Vec::new());
        let looked = inspect(&fs, directory, name, assumption, &mut |finding| {
            harmed |= is_harm(&finding);
            let line = line(directory, name, &finding).to_string();
            if let (Some(held), Finding::Note(_)) = (&mut held, finding) {
                held.push(line);
            } else if written.is_ok() {
                let held = held.take().unwrap_or_default();
                written = output.line(&line).and_then(|()| output.lines(&held));
            }
        });
        written?;
        looked.map_err(unusable)?;
    }
    for name in &logs {
        harmed |= dump_log(&fs, directory, name, arguments.assume, output)?;
    }
    Ok(if harmed { Exit::Violation } else { Exit::Pass })
}

/// There is nothing to show; where the files of a client lie below, that is told.
fn nothing_in(directory: &Path) -> Failure {
    let below = |directory: &Path| -> Vec<PathBuf> {
        let mut names = list_names(&RealFs, directory).unwrap_or_default();
        names.sort_unstable();
        names.iter().map(|name| directory.join(name)).collect()
    };
    let mut groups = below(directory)
        .into_iter()
        .flat_map(|client| below(&client));
    let group = groups.find(|group| has_offsets(group));
    let hint = group.map(|group| format!("; there are consumer offsets in {}", group.display()));
    Failure::usage(format!(
        "{} holds no queue{}",
        directory.display(),
        hint.unwrap_or_default()
    ))
}

/// Damage or loss: bytes that are not delivered, or a meta that cannot be believed.
fn is_harm(finding: &Finding<'_>) -> bool {
    match finding {
        Finding::Gap(_) => true,
        Finding::Note(text) => text.contains("damaged"),
        Finding::Queue { .. } | Finding::Message { .. } => false,
    }
}

fn line(directory: &Path, queue: &OsStr, finding: &Finding<'_>) -> Value {
    let queue = queue.to_string_lossy();
    match finding {
        Finding::Queue { depth, read, end } => json!({
            "kind": "queue",
            "queue": queue,
            "depth": depth,
            "read": place(*read),
            "end": place(*end),
        }),
        Finding::Message { position, body } => json!({
            "kind": "message",
            "queue": queue,
            "segment": position.segment,
            "offset": position.offset,
            "data_b64": BASE64_STANDARD.encode(body),
        }),
        Finding::Gap(loss) => gap("queue", &queue, loss, directory),
        Finding::Note(text) => json!({ "kind": "note", "queue": queue, "text": text }),
    }
}

fn place(position: Position) -> Value {
    json!({ "segment": position.segment, "offset": position.offset })
}

/// Bytes that are not delivered, of what `owner` (`queue` or `log`) names; `directory` is where its
/// files are.
pub(super) fn gap(owner: &str, name: &str, loss: &Loss, directory: &Path) -> Value {
    let is_missing = || {
        let found = RealFs.stat(&directory.join(&loss.file));
        found.is_err_and(|error| error.kind() == ErrorKind::NotFound)
    };
    let why = match loss.kind {
        LossKind::Rejected => "never durable",
        LossKind::Damaged if is_missing() => "missing",
        LossKind::Damaged => "damaged",
    };
    json!({
        "kind": "gap",
        owner: name,
        "file": loss.file.to_string_lossy(),
        "offset": loss.offset,
        "size": loss.size,
        "messages": loss.messages,
        "why": why,
    })
}
