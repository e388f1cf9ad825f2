//! Goes over a directory and those below it.

use super::entries::{Entry, Part, entries};
use super::held::holder;
use super::log::{dump_log, logs};
use super::look_only::LookOnly;
use super::offsets::dump_offsets;
use super::queue::dump_queue;
use super::teller::{Teller, name};
use crate::cli::Exit;
use crate::cli::args::{Assume, DumpArguments};
use crate::cli::failure::Failure;
use crate::cli::files::reason;
use crate::cli::output::{Output, say};
use crashline::diskqueue::queues;
use crashline::fs::{Fs, RealFs};
use crashline::offsets::format::BYTES_MAX;
use serde_json::json;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The key-value store of later versions of the original.
const SHARED_META: &str = "shared_meta";

/// Runs the command.
pub(in crate::cli) fn dump(
    arguments: &DumpArguments,
    output: &mut Output,
) -> Result<Exit, Failure> {
    let root = &arguments.directory;
    let mut teller = Teller::new(output);
    let mut waiting = vec![PathBuf::new()];
    while let Some(below) = waiting.pop() {
        let is_root = below.as_os_str().is_empty();
        let directory = match is_root {
            true => root.clone(),
            false => root.join(&below),
        };
        let found = entries(&RealFs, &directory);
        if let (true, Err(error)) = (is_root, &found) {
            let error = reason(error);
            let sentence = format!("cannot read {}: {error}", root.display());
            return Err(Failure::usage(sentence));
        }
        teller.enter(directory, &below);
        match found {
            Ok(entries) => {
                dump_directory(&entries, arguments.assume, &mut teller)?;
                waiting.extend(directories(&entries, &below).into_iter().rev());
            }
            Err(error) => teller.error(None, &reason(&error), READABLE)?,
        }
        teller.leave()?;
    }
    teller.end()?;
    if teller.all.found == 0 {
        let root = root.display();
        say(&format!(
            "crashline: no queue, log or offset store in {root}"
        ));
    }
    Ok(match teller.is_harmed {
        true => Exit::Violation,
        false if teller.all.found == 0 => Exit::Nothing,
        false => Exit::Pass,
    })
}

const READABLE: &str = "an engine cannot open it either: make it readable, or copy it";

/// The directories that are gone into. Links are not followed, so that there is an end.
fn directories(entries: &[Entry], below: &Path) -> Vec<PathBuf> {
    let is_one = |entry: &&Entry| {
        entry.what == "directory" && entry.part == Part::Other && entry.name != SHARED_META
    };
    let directories = entries.iter().filter(is_one);
    directories.map(|entry| below.join(&entry.name)).collect()
}

fn dump_directory(
    entries: &[Entry],
    assume: Assume,
    teller: &mut Teller<'_>,
) -> Result<(), Failure> {
    let directory = teller.directory.clone();
    let unreadable = entries.iter().filter(|entry| entry.problem.is_some());
    let unreadable: BTreeSet<OsString> = unreadable.map(|entry| entry.name.clone()).collect();
    let fs: Arc<dyn Fs> = Arc::new(LookOnly {
        directory: directory.clone(),
        unreadable,
    });
    let logs = logs(entries.iter().map(|entry| entry.name.as_os_str()));
    let mut queues = queues(fs.as_ref(), &directory).unwrap_or_default();
    // Segments are called alike; what else a log has tells it from a queue.
    queues.retain(|name| !logs.contains(name));
    for entry in entries {
        let is_owned = match &entry.part {
            Part::Of(owner) => queues.contains(owner) || logs.contains(owner),
            Part::Reader => !logs.is_empty(),
            Part::Store | Part::Kept(_) => true,
            Part::Other => false,
        };
        dump_entry(entry, is_owned, teller)?;
    }
    dump_offsets(entries, teller)?;
    for queue in &queues {
        dump_queue(&fs, queue, assume, teller)?;
    }
    let is_shared = entries
        .iter()
        .any(|entry| entry.name == SHARED_META && entry.what == "directory");
    for log in &logs {
        dump_log(&fs, log, &logs, assume, teller)?;
        if is_shared {
            teller.note("log", log, SHARED)?;
        }
    }
    Ok(())
}

const SHARED: &str = "a later version of the original keeps metas in `shared_meta` here: opening \
    this log for writing is refused, and what is told of it may be old";

/// Tells of a file that no engine reads, or that cannot be read.
fn dump_entry(entry: &Entry, is_owned: bool, teller: &mut Teller<'_>) -> Result<(), Failure> {
    if let Some(problem) = &entry.problem {
        let is_large = problem.starts_with("it is larger");
        let hint = match entry.what {
            "file" if is_large => "opening uses a whole backup beside it and keeps this one aside",
            "file" => READABLE,
            _ => "it is never opened; move it away, and put the file back if there is a copy",
        };
        let mut line = json!({ "kind": "error", "why": problem, "hint": hint });
        if is_large {
            line = json!({
                "kind": "error", "why": problem, "hint": hint,
                "size": entry.size, "size_max": BYTES_MAX,
            });
        }
        name(&mut line, "file", &entry.name);
        return teller.error_line(line);
    }
    let path = teller.directory.join(&entry.name);
    if is_lock(&entry.name)
        && let Some(process) = holder(&path)
    {
        let text = format!(
            "process {process} has it open: what is told may change meanwhile, and another open is \
            refused; stop it, copy the directory, and look at the copy"
        );
        return teller.note("file", &entry.name, &text);
    }
    let mut line = match &entry.part {
        Part::Kept(why) => json!({ "kind": "kept", "why": why, "size": entry.size }),
        Part::Of(_) | Part::Reader | Part::Store | Part::Other if is_owned => return Ok(()),
        Part::Other if entry.what == "directory" && entry.name != SHARED_META => return Ok(()),
        Part::Of(_) | Part::Reader | Part::Store | Part::Other => {
            json!({ "kind": "other", "what": entry.what, "size": entry.size })
        }
    };
    name(&mut line, "file", &entry.name);
    teller.tell(line)
}

/// Whether a file is a lock of an engine.
fn is_lock(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.ends_with(b".lock")
}
