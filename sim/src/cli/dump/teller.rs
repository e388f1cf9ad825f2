//! Writes the lines of a dump, adds to each what all have, and counts.

use crate::cli::failure::Failure;
use crate::cli::output::Output;
use base64::{Engine, prelude::BASE64_STANDARD};
use crashline::diskqueue::{Loss, LossKind};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// What was told.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    /// Queues, logs and stores.
    pub(super) found: u64,
    messages: u64,
    bytes: u64,
    offsets: u64,
    lost: u64,
    lost_unknown: u64,
    pub(super) errors: u64,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.found += other.found;
        self.messages += other.messages;
        self.bytes += other.bytes;
        self.offsets += other.offsets;
        self.lost += other.lost;
        self.lost_unknown += other.lost_unknown;
        self.errors += other.errors;
    }

    fn line(&self) -> Value {
        json!({
            "kind": "total",
            "found": self.found,
            "messages": self.messages,
            "bytes": self.bytes,
            "offsets": self.offsets,
            "lost": self.lost,
            "gaps_of_unknown_count": self.lost_unknown,
            "errors": self.errors,
        })
    }
}

/// Where lines go.
pub(super) struct Teller<'a> {
    output: &'a mut Output,
    /// The directory that is looked at.
    pub(super) directory: PathBuf,
    /// Its path below the one that was asked for; empty for that.
    below: PathBuf,
    here: Counts,
    /// Of all directories so far.
    pub(super) all: Counts,
    directories: u64,
    /// Damage, loss, or something that could not be read.
    pub(super) is_harmed: bool,
}

impl<'a> Teller<'a> {
    pub(super) fn new(output: &'a mut Output) -> Self {
        Self {
            output,
            directory: PathBuf::new(),
            below: PathBuf::new(),
            here: Counts::default(),
            all: Counts::default(),
            directories: 0,
            is_harmed: false,
        }
    }

    /// Goes to a directory.
    pub(super) fn enter(&mut self, directory: PathBuf, below: &Path) {
        self.directory = directory;
        below.clone_into(&mut self.below);
        self.directories += 1;
    }

    /// Tells what the directory held.
    pub(super) fn leave(&mut self) -> Result<(), Failure> {
        let here = std::mem::take(&mut self.here);
        self.all.add(&here);
        let mut line = here.line();
        if self.below.as_os_str().is_empty() {
            name(&mut line, "directory", OsStr::new("."));
        }
        self.tell(line)
    }

    /// Tells what all directories held.
    pub(super) fn end(&mut self) -> Result<(), Failure> {
        let mut line = self.all.line();
        insert(&mut line, "directories", json!(self.directories));
        self.output.line(&line.to_string())
    }

    /// Writes a line.
    pub(super) fn tell(&mut self, mut line: Value) -> Result<(), Failure> {
        if !self.below.as_os_str().is_empty() {
            name(&mut line, "directory", self.below.as_os_str());
        }
        self.output.line(&line.to_string())
    }

    /// Writes the line that introduces a queue, a log or a store.
    pub(super) fn found(&mut self, line: Value) -> Result<(), Failure> {
        self.here.found += 1;
        self.tell(line)
    }

    pub(super) fn offset(&mut self, line: Value) -> Result<(), Failure> {
        self.here.offsets += 1;
        self.tell(line)
    }

    /// Writes the line of a message.
    pub(super) fn message(&mut self, mut line: Value, body: &[u8]) -> Result<(), Failure> {
        self.here.messages += 1;
        self.here.bytes += body.len() as u64;
        insert(&mut line, "data_b64", json!(BASE64_STANDARD.encode(body)));
        self.tell(line)
    }

    /// Tells of something that could not be looked at: `line` has what is known beside.
    pub(super) fn error(
        &mut self,
        what: Option<&OsStr>,
        why: &str,
        hint: &str,
    ) -> Result<(), Failure> {
        let mut line = json!({ "kind": "error", "why": why, "hint": hint });
        if let Some(what) = what {
            name(&mut line, "file", what);
        }
        self.error_line(line)
    }

    pub(super) fn error_line(&mut self, line: Value) -> Result<(), Failure> {
        self.here.errors += 1;
        self.is_harmed = true;
        self.tell(line)
    }

    /// Bytes that are not delivered, of what `owner` (`queue`, `log` or `offsets`) names.
    pub(super) fn gap(&mut self, owner: &str, of: &OsStr, loss: &Loss) -> Result<(), Failure> {
        self.is_harmed = true;
        let path = self.directory.join(&loss.file);
        let is_missing = || {
            let found = crashline::fs::Fs::stat(&crashline::fs::RealFs, &path);
            found.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
        };
        let (why, hint) = match loss.kind {
            LossKind::Rejected => (
                "never durable",
                "nothing was promised of these bytes; opening it keeps them aside",
            ),
            LossKind::Damaged if is_missing() => (
                "missing",
                "put the file back from a copy before anything opens the directory",
            ),
            LossKind::Damaged => (
                "damaged",
                "put the file back from a copy, or open it: what is whole is delivered",
            ),
        };
        if loss.kind == LossKind::Damaged {
            match loss.messages {
                Some(messages) => self.here.lost += messages,
                None => self.here.lost_unknown += 1,
            }
        }
        let mut line = json!({
            "kind": "gap",
            "offset": loss.offset,
            "size": loss.size,
            "messages": loss.messages,
            "why": why,
            "hint": hint,
        });
        name(&mut line, owner, of);
        name(&mut line, "file", &loss.file);
        self.tell(line)
    }

    /// What is worth knowing.
    pub(super) fn note(&mut self, owner: &str, of: &OsStr, text: &str) -> Result<(), Failure> {
        let mut line = json!({ "kind": "note", "text": text });
        name(&mut line, owner, of);
        self.tell(line)
    }
}

/// Sets a field of a line.
fn insert(line: &mut Value, key: &str, value: Value) {
    if let Value::Object(fields) = line {
        fields.insert(key.to_owned(), value);
    }
}

/// Sets a field to a name: as it is, or in base64 where it is not UTF-8.
pub(super) fn name(line: &mut Value, key: &str, name: &OsStr) {
    match name.to_str() {
        Some(text) => insert(line, key, json!(text)),
        None => {
            let encoded = BASE64_STANDARD.encode(name.as_encoded_bytes());
            insert(line, &format!("{key}_b64"), json!(encoded));
        }
    }
}
