//! Whether what the objects of a log say of themselves is what a model says, and what differs.

use crate::model::{LogModel, Place};
use crate::scenario::{LogPosition, LogStates, ReaderState, WriterState};

/// The first thing that differs, with what was expected and what was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) on: Differs,
    pub(super) evidence: String,
}

/// What differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Differs {
    Writer,
    Reader(String),
    /// The reader stands where it must, and tells a wrong depth or waits wrongly.
    Depth,
    Snapshot,
}

fn same_place(one: LogPosition, other: LogPosition) -> bool {
    Place::from(one) == Place::from(other)
}

fn same_writer(one: &WriterState, other: &WriterState) -> bool {
    same_place(one.queue_start, other.queue_start)
        && same_place(one.write_end, other.write_end)
        && same_place(one.read_end, other.read_end)
}

fn same_places(one: &ReaderState, other: &ReaderState) -> bool {
    same_place(one.confirmed, other.confirmed)
        && same_place(one.read, other.read)
        && same_place(one.end, other.end)
}

fn same_depth(one: &ReaderState, other: &ReaderState) -> bool {
    (one.depth, one.depth_size, one.waiting) == (other.depth, other.depth_size, other.waiting)
}

/// What differs first; nothing where all fits.
pub(super) fn difference(model: &LogModel, states: &LogStates) -> Option<Difference> {
    writer_difference(model, states)
        .or_else(|| snapshot_difference(model, states))
        .or_else(|| readers_difference(model, states))
}

fn writer_difference(model: &LogModel, states: &LogStates) -> Option<Difference> {
    let fits = match (model.writer(), &states.writer) {
        (Some(expected), Some(seen)) => same_writer(&expected, seen),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    let evidence = || {
        let expected = writer_words(model.writer().as_ref());
        let seen = writer_words(states.writer.as_ref());
        format!("the writer should be {expected}, and is {seen}")
    };
    (!fits).then(|| Difference {
        on: Differs::Writer,
        evidence: evidence(),
    })
}

fn writer_words(state: Option<&WriterState>) -> String {
    state.map_or_else(
        || "closed".to_owned(),
        |state| {
            format!(
                "at start {}, read end {}, write end {}",
                state.queue_start, state.read_end, state.write_end
            )
        },
    )
}

/// A snapshot that the model does not have is not looked at.
fn snapshot_difference(model: &LogModel, states: &LogStates) -> Option<Difference> {
    let expected = model.snapshot();
    let seen = states.snapshot.map(|snapshot| snapshot.offset);
    let fits = expected.is_empty() || expected.iter().any(|state| Some(state.offset) == seen);
    (!fits).then(|| {
        let expected: Vec<String> = expected
            .iter()
            .map(|state| state.offset.to_string())
            .collect();
        let seen = seen.map_or_else(|| "closed".to_owned(), |offset| format!("at {offset}"));
        Difference {
            on: Differs::Snapshot,
            evidence: format!(
                "the snapshot should be at offset {}, and is {seen}",
                expected.join(" or ")
            ),
        }
    })
}

fn readers_difference(model: &LogModel, states: &LogStates) -> Option<Difference> {
    let seen = states.readers.keys().map(String::as_str);
    let unexpected = seen.filter(|name| !model.knows_reader(name));
    let names = model.reader_names().chain(unexpected);
    names.into_iter().find_map(|name| {
        let expected = model.reader(name);
        let seen = states.readers.get(name);
        reader_difference(name, &expected, seen)
    })
}

fn reader_difference(
    name: &str,
    expected: &[ReaderState],
    seen: Option<&ReaderState>,
) -> Option<Difference> {
    let placed = |on, seen: &str| {
        let expected: Vec<String> = expected.iter().map(|one| reader_words(Some(one))).collect();
        let expected = match expected.is_empty() {
            true => reader_words(None),
            false => expected.join(" or "),
        };
        Some(Difference {
            on,
            evidence: format!("reader {name} should be {expected}, and is {seen}"),
        })
    };
    let Some(seen) = seen else {
        let is_closed = expected.is_empty();
        return if is_closed {
            None
        } else {
            placed(Differs::Reader(name.to_owned()), &reader_words(None))
        };
    };
    let mut standing = expected
        .iter()
        .filter(|one| same_places(one, seen))
        .peekable();
    if standing.peek().is_none() {
        return placed(Differs::Reader(name.to_owned()), &reader_words(Some(seen)));
    }
    if standing.any(|one| same_depth(one, seen)) {
        return None;
    }
    placed(Differs::Depth, &reader_words(Some(seen)))
}

fn reader_words(state: Option<&ReaderState>) -> String {
    state.map_or_else(
        || "closed".to_owned(),
        |state| {
            let waits = if state.waiting { ", waiting" } else { "" };
            format!(
                "at confirmed {}, read {}, end {}, depth {} ({} bytes){waits}",
                state.confirmed, state.read, state.end, state.depth, state.depth_size
            )
        },
    )
}
