//! `dump` of segmented logs: where each begins and ends, its readers, its messages.
//!
//! A line has a `kind`: `log`, `reader`, `message` or `gap`; all have the `log`. A place is told by
//! segment, position in it, virtual offset and count. A reader without a place begins at the log's
//! start. Readers that are called after another log of the directory are left out.

use super::args::Assume;
use super::dump::gap;
use super::failure::Failure;
use super::output::Output;
use crate::vectors::WithBoot;
use base64::{Engine, prelude::BASE64_STANDARD};
use crashline::fs::{BootId, Fs, list_names, read_file};
use crashline::seglog::format::{
    META_BYTES, ReaderMeta, Role, WriterMeta, owner, parse_reader_meta, parse_writer_meta,
    reader_of_meta,
};
use crashline::seglog::{
    Error, LogOptions, LogWriter, Loss, LossKind, Position, Snapshot, known_readers,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

/// The logs in a directory, sorted: a name that has a file which no queue has.
pub(super) fn logs(fs: &dyn Fs, directory: &Path) -> io::Result<BTreeSet<OsString>> {
    let names = list_names(fs, directory)?;
    let is_of_a_log = |role: &Role| {
        matches!(
            role,
            Role::WriterMeta | Role::WriterCopy | Role::StartMeta | Role::Sidecar(_) | Role::Cuts
        )
    };
    let owners = names.iter().filter_map(|name| owner(name.as_bytes()));
    Ok(owners
        .filter(|(log, role)| !log.is_empty() && is_of_a_log(role))
        .map(|(log, _)| OsStr::from_bytes(log).to_owned())
        .collect())
}

/// Writes the lines of one log. Says whether there is damage or loss.
pub(super) fn dump_log(
    fs: &Arc<dyn Fs>,
    directory: &Path,
    log: &OsStr,
    assume: Assume,
    output: &mut Output,
) -> Result<bool, Failure> {
    let fs: Arc<dyn Fs> = match assume {
        Assume::PowerCut => Arc::clone(fs),
        Assume::Kill => Arc::new(WithBoot {
            inner: Arc::clone(fs),
            boot: noted_boot(fs.as_ref(), directory, log),
        }),
    };
    let unusable =
        |error: Error| Failure::usage(format!("cannot use the log {}: {error}", log.display()));
    let opened = LogWriter::open_read_only(Arc::clone(&fs), directory, log, LogOptions::default())
        .map_err(unusable)?;
    let (start, end) = (opened.writer.queue_start(), opened.writer.read_end());
    let name = log.to_string_lossy();
    output.line(&introduction(&name, &start, &end.position))?;
    let mut losses = Losses {
        name: &name,
        directory,
        seen: false,
    };
    losses.tell(&opened.losses, output)?;
    let seen = readers(&fs, directory, log).map_err(unusable)?;
    losses.tell(&seen.damaged, output)?;
    for (reader, place) in seen.places {
        output.line(&reader_line(&name, &reader, place, &start, &end.position))?;
    }
    let snapshot = Snapshot::open(Arc::clone(&fs), directory, log, start, end);
    let mut snapshot = snapshot.map_err(unusable)?;
    loop {
        let read = snapshot.read_one();
        losses.tell(&snapshot.take_losses(), output)?;
        match read {
            Ok(Some(message)) => output.line(
                &json!({
                    "kind": "message",
                    "log": name,
                    "offset": message.offset,
                    "count": message.count_after,
                    "data_b64": BASE64_STANDARD.encode(&message.bytes),
                })
                .to_string(),
            )?,
            Ok(None) => return Ok(losses.seen),
            Err(Error::Damage { losses: met }) => losses.tell(&met, output)?,
            Err(error) => return Err(unusable(error)),
        }
    }
}

/// Tells losses, and remembers that there was one.
struct Losses<'a> {
    name: &'a str,
    directory: &'a Path,
    seen: bool,
}

impl Losses<'_> {
    fn tell(&mut self, losses: &[Loss], output: &mut Output) -> Result<(), Failure> {
        self.seen |= !losses.is_empty();
        losses.iter().try_for_each(|loss| {
            output.line(&gap("log", self.name, loss, self.directory).to_string())
        })
    }
}

/// The boot that the newest copy of the writer meta names.
fn noted_boot(fs: &dyn Fs, directory: &Path, log: &OsStr) -> Option<BootId> {
    let copies = ["meta.writer.dat", "meta.writer.dat.tmp"].map(|ending| {
        let mut name = log.to_owned();
        name.push(".diskqueue.");
        name.push(ending);
        let bytes = read_file(fs, &directory.join(name), META_BYTES + 1).ok()?;
        match parse_writer_meta(&bytes) {
            WriterMeta::Noted(_, note) => Some(note),
            WriterMeta::Absent | WriterMeta::Bare(_) | WriterMeta::Damaged => None,
        }
    });
    let notes = copies.into_iter().flatten();
    let newest = notes.max_by_key(|note| (note.generation, note.sequence));
    newest.and_then(|note| note.boot)
}

/// The readers of a log.
struct Readers {
    /// Where each stands; one without a place begins at the log's start.
    places: BTreeMap<OsString, Option<Position>>,
    /// Metas that are no good.
    damaged: Vec<Loss>,
}

/// The readers that the log knows, and those that have a meta and are not called after another log.
fn readers(fs: &Arc<dyn Fs>, directory: &Path, log: &OsStr) -> Result<Readers, Error> {
    let mut places = BTreeMap::new();
    let mut damaged = Vec::new();
    let others = logs(fs.as_ref(), directory).unwrap_or_default();
    for name in list_names(fs.as_ref(), directory).unwrap_or_default() {
        let Some(reader) = reader_of_meta(name.as_bytes()) else {
            continue;
        };
        let is_called_after = |other: &OsString| {
            let rest = reader.strip_prefix(other.as_bytes());
            rest.is_some_and(|rest| rest.starts_with(b":"))
        };
        if others
            .iter()
            .any(|other| other != log && is_called_after(other))
        {
            continue;
        }
        let bytes = read_file(fs.as_ref(), &directory.join(&name), META_BYTES + 1);
        let bytes = bytes.unwrap_or_default();
        let place = match parse_reader_meta(&bytes) {
            ReaderMeta::Noted(positions, _) | ReaderMeta::Bare(positions) => {
                Some(positions.confirmed)
            }
            ReaderMeta::Absent | ReaderMeta::Damaged => {
                damaged.push(Loss {
                    kind: LossKind::Damaged,
                    file: name.clone(),
                    offset: 0,
                    size: bytes.len() as u64,
                    messages: Some(0),
                });
                None
            }
        };
        places.insert(OsStr::from_bytes(reader).to_owned(), place);
    }
    let known = known_readers(Arc::clone(fs), directory, log)?;
    places.extend(known.into_iter().map(|known| (known.name, known.confirmed)));
    Ok(Readers { places, damaged })
}

fn introduction(name: &str, start: &Position, end: &Position) -> String {
    json!({
        "kind": "log",
        "log": name,
        "start": place(start),
        "end": place(end),
        "messages": end.count.saturating_sub(start.count),
    })
    .to_string()
}

fn reader_line(
    log: &str,
    reader: &OsStr,
    confirmed: Option<Position>,
    start: &Position,
    end: &Position,
) -> String {
    let from = confirmed.unwrap_or(*start);
    json!({
        "kind": "reader",
        "log": log,
        "reader": reader.to_string_lossy(),
        "confirmed": confirmed.as_ref().map(place),
        "depth": end.count.saturating_sub(from.count.max(start.count)),
    })
    .to_string()
}

fn place(position: &Position) -> Value {
    json!({
        "segment": position.segment,
        "position": position.position,
        "offset": position.offset,
        "count": position.count,
    })
}
