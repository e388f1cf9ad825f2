//! What a crash allows while an operation is in flight: what one just before it allows, what one
//! just after it allows, and of a batch or a retention any part.

use super::chain::Chains;
use super::guess::{Guess, Names};
use super::windows::{Alternative, ReaderWindow};
use crate::model::{LogAnswer, LogModel, Place};
use crate::scenario::{Clause, LogOp, ReaderOp, WriterOp};

/// The models that an operation leads to where it succeeds.
pub(super) fn successes(model: &LogModel, op: &LogOp, bytes: &[u8]) -> Vec<LogModel> {
    let possible = model.apply(op, bytes).into_iter();
    let done = possible.filter(|one| matches!(one.answer, LogAnswer::Reply(_)));
    done.map(|one| one.after).collect()
}

/// The clause of an operation that leaves all or nothing.
pub(super) fn all_or_nothing(op: &LogOp) -> Option<Clause> {
    let LogOp::Writer(op) = op else {
        return None;
    };
    match op {
        WriterOp::Rollback { .. } | WriterOp::ResetWriteEnd { .. } => Some(Clause::L3),
        WriterOp::TryFixWriteEnd { .. } => Some(Clause::L4),
        WriterOp::ResetWriteWithQueueStart { .. } => Some(Clause::L5),
        WriterOp::CleanOldData { dry_run: false, .. } => Some(Clause::L6),
        WriterOp::Empty => Some(Clause::Q7),
        WriterOp::Delete => Some(Clause::Q12),
        WriterOp::RemoveTo { .. } => Some(Clause::L13),
        WriterOp::Open
        | WriterOp::OpenReadOnly
        | WriterOp::Put { .. }
        | WriterOp::PutRaw { .. }
        | WriterOp::Flush { .. }
        | WriterOp::FlushBuffer
        | WriterOp::CleanOldData { dry_run: true, .. }
        | WriterOp::Close => None,
    }
}

/// What a crash inside the operation may leave of this guess.
pub(super) fn in_flight(
    guess: &Guess,
    op: &LogOp,
    bytes: &[u8],
    step: u32,
    chains: &mut Chains,
    names: &mut Names,
) -> Vec<Alternative> {
    let mut alternatives = guess.alternatives();
    if guess.is_lost {
        return alternatives;
    }
    for model in successes(&guess.model, op, bytes) {
        let mut after = guess.with_model(model, chains);
        match op {
            LogOp::Writer(WriterOp::Put { .. } | WriterOp::PutRaw { .. }) => {
                let base = guess.at_rest();
                let wider = Alternative {
                    chain: after.chain,
                    end_max: after.model.end(),
                    ..base
                };
                replace_first(&mut alternatives, after.chain == guess.chain, wider);
            }
            LogOp::Writer(WriterOp::CleanOldData { dry_run, .. }) => {
                if !dry_run {
                    widen_starts(&mut alternatives, &guess.model, after.model.start());
                }
            }
            LogOp::Writer(_) => {
                after.acknowledge(guess, op, step, names);
                alternatives.push(after.at_rest());
            }
            LogOp::Reader(name, op) => {
                let index = names.index(name);
                let place = after.model.confirmed(name);
                widen_reader(&mut alternatives, index, place, is_new(guess, name, op));
            }
            LogOp::Snapshot(_) | LogOp::Kill => {}
        }
    }
    if let LogOp::Writer(op) = op {
        add_leavings(&mut alternatives, guess, op, chains);
    }
    alternatives
}

/// Whether the log need not know the reader of this name while this is in flight.
fn is_new(guess: &Guess, name: &str, op: &ReaderOp) -> bool {
    let opens = *op == ReaderOp::Open && !guess.model.knows_reader(name);
    opens || *op == ReaderOp::Delete
}

/// A put only adds to what a crash before it leaves; on another chain the old one is left, too.
fn replace_first(alternatives: &mut Vec<Alternative>, is_same: bool, wider: Alternative) {
    match alternatives.first_mut().filter(|_| is_same) {
        Some(first) => {
            if wider.end_max > first.end_max {
                *first = wider;
            }
        }
        None => alternatives.push(wider),
    }
}

/// Retention may have come to any segment up to the last one that it may leave as the first.
fn widen_starts(alternatives: &mut [Alternative], before: &LogModel, last: Place) {
    let Some(first) = alternatives.first_mut() else {
        return;
    };
    for start in before.segment_starts() {
        if start <= last && !first.starts.contains(&start) {
            first.starts.push(start);
        }
    }
}

fn widen_reader(
    alternatives: &mut [Alternative],
    index: u32,
    place: Option<Place>,
    may_be_new: bool,
) {
    for alternative in alternatives {
        let readers = &mut alternative.readers;
        let found = readers.binary_search_by_key(&index, |reader| reader.index);
        if found.is_err() && place.is_none() && !may_be_new {
            // It was not known before, and is not after.
            continue;
        }
        let at = found.unwrap_or_else(|at| {
            let reader = ReaderWindow {
                index,
                candidates: Vec::new(),
                may_be_new,
            };
            readers.insert(at, reader);
            at
        });
        let Some(reader) = readers.get_mut(at) else {
            continue;
        };
        reader.may_be_new |= may_be_new;
        if let Some(place) = place.filter(|place| !reader.candidates.contains(place)) {
            reader.candidates.push(place);
        }
    }
}

/// What a delete or move leaves on its way beside the whole log and a new one: an empty log where
/// it ended; of one being moved, any segments.
fn add_leavings(
    alternatives: &mut Vec<Alternative>,
    guess: &Guess,
    op: &WriterOp,
    chains: &mut Chains,
) {
    let rest = guess.at_rest();
    let end = guess.model.end();
    if !guess.model.is_writing() {
        return;
    }
    if *op == WriterOp::Delete {
        alternatives.push(Alternative {
            chain: chains.at(Some(guess.chain), end),
            starts: vec![end],
            kill_min: end,
            power_min: end,
            ..rest
        });
    } else if matches!(op, WriterOp::RemoveTo { .. }) {
        let mut starts = guess.model.segment_starts();
        starts.push(end);
        starts.dedup();
        alternatives.push(Alternative { starts, ..rest });
    }
}
