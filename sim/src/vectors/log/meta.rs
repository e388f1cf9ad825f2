//! Stage `parse-meta`: bytes of a meta or side file, and what they are.

use super::super::vector::Vector;
use super::super::with_boot::boot_text;
use super::stages::Place;
use crashline::diskqueue::format::{Salt, SumsBlock, parse_sums_block};
use crashline::seglog::Position;
use crashline::seglog::format::{
    ReaderMeta, Registration, StartMeta, WriterMeta, WriterState, parse_cuts, parse_reader_lock,
    parse_reader_meta, parse_sidecar, parse_start_meta, parse_writer_meta, sensible_writer_meta,
};
use serde_json::{Value, json};
use std::ffi::OsStr;

/// The log whose readers' locks are looked at.
const LOG: &str = "log";
/// Generation and segment of the sums that are looked at.
const SUMS: (u64, u64) = (1, 0);

/// Runs one.
pub(super) fn run(vector: &Vector) -> Result<(), String> {
    let bytes = &vector.data_b64.as_ref().ok_or("it has no bytes")?.0;
    let file = vector
        .file
        .as_deref()
        .ok_or("it does not say whose bytes these are")?;
    let found = match file {
        "writer" => writer(sensible_writer_meta(parse_writer_meta(bytes))),
        "reader" => reader(parse_reader_meta(bytes)),
        "start" => start(parse_start_meta(bytes)),
        "sidecar" => match parse_sidecar(bytes) {
            Some(sidecar) => json!({
                "state": "whole",
                "count": sidecar.count,
                "start": sidecar.start,
                "end": sidecar.end,
            }),
            None => damaged(),
        },
        "cuts" => {
            let cuts = parse_cuts(bytes, u64::MAX).0;
            let told = cuts.iter().map(|cut| json!([cut.generation, at(cut.end)]));
            json!({ "cuts": told.collect::<Vec<Value>>() })
        }
        "reader-lock" => match parse_reader_lock(bytes, OsStr::new(LOG)) {
            Registration::None => json!({ "state": "none" }),
            Registration::Begun(first) => json!({ "state": "begun", "first": at(first) }),
            Registration::Done => json!({ "state": "done" }),
            Registration::Damaged => damaged(),
        },
        "sums" => sums(bytes),
        other => return Err(format!("there is no file `{other}`")),
    };
    if found == vector.allowed {
        return Ok(());
    }
    Err(format!("it is {found}"))
}

fn at(place: Position) -> Place {
    Place::from(place)
}

fn damaged() -> Value {
    json!({ "state": "damaged" })
}

fn writer(meta: WriterMeta) -> Value {
    match meta {
        WriterMeta::Absent => json!({ "state": "absent" }),
        WriterMeta::Damaged => damaged(),
        WriterMeta::Bare(end) => json!({ "state": "bare", "end": at(end) }),
        WriterMeta::Noted(end, note) => json!({
            "state": "noted",
            "end": at(end),
            "boot": boot_text(note.boot),
            "generation": note.generation,
            "life": note.life,
            "log": match note.state {
                WriterState::Closed => "closed",
                WriterState::Opened => "opened",
                WriterState::Cutting => "cutting",
                WriterState::Moving => "moving",
            },
            "sequence": note.sequence,
            "sums_bytes": note.sums_bytes,
            "durable": at(note.durable),
            "start": at(note.start),
        }),
    }
}

fn reader(meta: ReaderMeta) -> Value {
    match meta {
        ReaderMeta::Absent => json!({ "state": "absent" }),
        ReaderMeta::Damaged => damaged(),
        ReaderMeta::Bare(positions) => json!({
            "state": "bare",
            "confirmed": at(positions.confirmed),
            "end": at(positions.end),
        }),
        ReaderMeta::Noted(positions, note) => json!({
            "state": "noted",
            "confirmed": at(positions.confirmed),
            "end": at(positions.end),
            "generation": note.generation,
            "sequence": note.sequence,
        }),
    }
}

fn start(meta: StartMeta) -> Value {
    match meta {
        StartMeta::Absent => json!({ "state": "absent" }),
        StartMeta::Damaged => damaged(),
        StartMeta::Bare(start) => json!({ "state": "bare", "start": at(start) }),
        StartMeta::Noted(start, generation) => json!({
            "state": "noted",
            "start": at(start),
            "generation": generation,
        }),
    }
}

/// The blocks up to the first that is none: where their records begin, and length and sum of each.
fn sums(bytes: &[u8]) -> Value {
    let salt = Salt::new(SUMS.0, SUMS.1);
    let mut rest = bytes;
    let mut blocks = Vec::new();
    let mut entries = Vec::new();
    while let SumsBlock::Whole { offset, bytes } = parse_sums_block(&salt, rest, &mut entries) {
        let told = entries.iter().map(|entry| json!([entry.length, entry.sum]));
        blocks.push(json!([offset, told.collect::<Vec<Value>>()]));
        entries.clear();
        rest = rest.get(bytes..).unwrap_or_default();
    }
    json!({ "blocks": blocks })
}
