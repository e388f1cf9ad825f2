//! `dump` of segmented logs: where each begins and ends, its readers, its messages.
//!
//! A line has a `kind`: `log`, `note`, `reader`, `message` or `gap`; all have the `log`. A place is
//! told by segment, position in it, virtual offset and count.

use super::notes::{noted_boot, notes};
use super::readers::readers;
use super::teller::{Teller, name};
use crate::cli::args::Assume;
use crate::cli::failure::Failure;
use crate::vectors::WithBoot;
use crashline::fs::Fs;
use crashline::seglog::format::{Role, owner};
use crashline::seglog::{Error, LogOptions, LogWriter, Loss, Position, Snapshot};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

/// The logs among the names in a directory: a name that has a file which no queue has.
pub(super) fn logs<'a>(names: impl Iterator<Item = &'a OsStr>) -> BTreeSet<OsString> {
    let is_of_a_log = |role: &Role| {
        matches!(
            role,
            Role::WriterMeta | Role::WriterCopy | Role::StartMeta | Role::Sidecar(_) | Role::Cuts
        )
    };
    names
        .filter_map(|name| owner(name.as_bytes()))
        .filter(|(log, role)| !log.is_empty() && is_of_a_log(role))
        .map(|(log, _)| OsStr::from_bytes(log).to_owned())
        .collect()
}

/// Writes the lines of one of the logs of a directory.
pub(super) fn dump_log(
    fs: &Arc<dyn Fs>,
    log: &OsStr,
    logs: &BTreeSet<OsString>,
    assume: Assume,
    teller: &mut Teller<'_>,
) -> Result<(), Failure> {
    let fs: Arc<dyn Fs> = match assume {
        Assume::PowerCut => Arc::clone(fs),
        Assume::Kill => Arc::new(WithBoot {
            inner: Arc::clone(fs),
            boot: noted_boot(fs.as_ref(), &teller.directory, log),
        }),
    };
    let mut stopped = None;
    let written = tell(&fs, log, logs, teller, &mut stopped);
    written?;
    match stopped {
        None => Ok(()),
        Some(error) => {
            let hint = "what else there is was told; copy the directory, and look at the copy";
            teller.error(None, &format!("log {}: {error}", log.display()), hint)
        }
    }
}

/// As [`dump_log`]; what the engine cannot go on from is `stopped`.
fn tell(
    fs: &Arc<dyn Fs>,
    log: &OsStr,
    logs: &BTreeSet<OsString>,
    teller: &mut Teller<'_>,
    stopped: &mut Option<Error>,
) -> Result<(), Failure> {
    let directory = teller.directory.clone();
    let options = LogOptions::default();
    let opened = match LogWriter::open_read_only(Arc::clone(fs), &directory, log, options) {
        Ok(opened) => opened,
        Err(error) => {
            *stopped = Some(error);
            return Ok(());
        }
    };
    let (start, end) = (opened.writer.queue_start(), opened.writer.read_end());
    teller.found(introduction(log, &start, &end.position))?;
    for text in notes(fs.as_ref(), &directory, log) {
        teller.note("log", log, &text)?;
    }
    gaps(log, &opened.losses, teller)?;
    readers(fs, log, logs, &opened.writer, teller)?;
    let mut snapshot = match Snapshot::open(Arc::clone(fs), &directory, log, start, end) {
        Ok(snapshot) => snapshot,
        Err(error) => {
            *stopped = Some(error);
            return Ok(());
        }
    };
    loop {
        let read = snapshot.read_one();
        gaps(log, &snapshot.take_losses(), teller)?;
        match read {
            Ok(Some(message)) => {
                let (offset, count) = (message.offset, message.count_after);
                let mut line = json!({ "kind": "message", "offset": offset, "count": count });
                name(&mut line, "log", log);
                teller.message(line, &message.bytes)?;
            }
            Ok(None) => return Ok(()),
            Err(Error::Damage { losses }) => gaps(log, &losses, teller)?,
            Err(error) => {
                *stopped = Some(error);
                return Ok(());
            }
        }
    }
}

pub(super) fn gaps(log: &OsStr, losses: &[Loss], teller: &mut Teller<'_>) -> Result<(), Failure> {
    losses
        .iter()
        .try_for_each(|loss| teller.gap("log", log, loss))
}

fn introduction(log: &OsStr, start: &Position, end: &Position) -> Value {
    let mut line = json!({
        "kind": "log",
        "start": place(start),
        "end": place(end),
        "messages": end.count.saturating_sub(start.count),
    });
    name(&mut line, "log", log);
    line
}

pub(super) fn place(position: &Position) -> Value {
    json!({
        "segment": position.segment,
        "position": position.position,
        "offset": position.offset,
        "count": position.count,
    })
}
