//! What the files of all traces have in common: text, lines of JSON, bytes in base64.

use super::error::TraceError;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crashline::fs::{Fs, read_file};
use serde::{Deserialize, Deserializer};
use std::io;
use std::path::Path;

/// A larger trace is none; those of the corpus have some hundred kilobytes.
const BYTES_MAX: usize = 256 * 1024 * 1024;

/// The first line, as far as it is needed to know whether the rest can be understood.
#[derive(Deserialize)]
pub(super) struct Origin {
    pub(super) engine: String,
    pub(super) version: String,
}

/// Reads a trace file.
pub(super) fn load_text(fs: &dyn Fs, path: &Path) -> Result<String, TraceError> {
    let unreadable = |error: io::Error| TraceError::Unreadable(error.to_string());
    let bytes = read_file(fs, path, BYTES_MAX + 1).map_err(unreadable)?;
    if bytes.len() > BYTES_MAX {
        return Err(TraceError::Unreadable(format!(
            "it is larger than {BYTES_MAX} bytes"
        )));
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = error.as_bytes().get(..error.utf8_error().valid_up_to());
        let line = good.map_or(0, |good| good.iter().filter(|byte| **byte == b'\n').count());
        TraceError::line(line + 1, "it is not text")
    })
}

/// A line with its number, from 1 on.
type Line<'a> = (usize, &'a str);

/// The first line, and the others.
pub(super) fn numbered_lines(
    text: &str,
) -> Result<(Line<'_>, impl Iterator<Item = Line<'_>>), TraceError> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line));
    match lines.next() {
        Some(first) => Ok((first, lines)),
        None => Err(TraceError::line(1, "the file is empty")),
    }
}

pub(super) fn parse_json<'a, T: Deserialize<'a>>(
    line: usize,
    text: &'a str,
) -> Result<T, TraceError> {
    serde_json::from_str(text).map_err(|error| {
        // The parser counts lines within the one line that it was given.
        let message = error.to_string();
        let message = message.split(" at line 1").next().unwrap_or_default();
        TraceError::line(line, format!("{message} (column {})", error.column()))
    })
}

/// The bytes of an argument or result.
pub(super) fn bytes(text: Option<&str>) -> Result<Vec<u8>, String> {
    let text = text.ok_or("`data_b64` is missing")?;
    STANDARD
        .decode(text)
        .map_err(|error| format!("`data_b64` is not base64: {error}"))
}

/// Takes `null`, but not a missing key, for `None`.
pub(super) fn required<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    Option::deserialize(deserializer)
}

/// An argument that a line gives and its operation does not have is an error.
pub(super) fn check_arguments(
    op: &str,
    given: &[(&str, bool)],
    known: &[&str],
) -> Result<(), String> {
    match given.iter().find(|(key, is)| *is && !known.contains(key)) {
        Some((key, _)) => Err(format!("`{op}` has no argument `{key}`")),
        None => Ok(()),
    }
}
