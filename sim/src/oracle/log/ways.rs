//! How a guess may go on: every state that an answer of the subject leads to.

use super::chain::Chains;
use super::failures::Excuse;
use super::flight::{in_flight, successes};
use super::guess::{Guess, Names};
use crate::model::{LogAnswer, LogModel, LogRecovered, Place};
use crate::scenario::{
    Applied, Failure, FailureKind, LogOp, LogOutcome, LogStates, ReaderOp, WriterOp,
};

/// A step with everything that was seen of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepSeen<'a> {
    pub(super) step: u32,
    pub(super) op: &'a LogOp,
    pub(super) bytes: &'a [u8],
    pub(super) outcome: &'a LogOutcome,
    pub(super) states: &'a LogStates,
    pub(super) excuse: Excuse,
}

/// What guesses share.
pub(super) struct Shelf<'a> {
    pub(super) chains: &'a mut Chains,
    pub(super) names: &'a mut Names,
}

/// Everything that the guess may have become, by the answer alone.
pub(super) fn ways(guess: &Guess, at: &StepSeen<'_>, shelf: &mut Shelf<'_>) -> Vec<Guess> {
    if *at.op == LogOp::Kill {
        let mut after = guess.clone();
        after.kill(shelf.names);
        return vec![after];
    }
    let opens = matches!(
        at.op,
        LogOp::Writer(WriterOp::Open | WriterOp::OpenReadOnly)
    );
    if guess.is_lost && opens && at.outcome.result.is_ok() {
        return reopened(guess, at, shelf);
    }
    let answered = match &at.outcome.result {
        Ok(reply) => Ok(reply),
        // Who has the log open is told apart from what cannot be asked.
        Err(failure) if failure.kind == FailureKind::Locked && opens => {
            Err(Some(FailureKind::Refused))
        }
        Err(failure) if failure.kind == FailureKind::Unsupported => return vec![guess.clone()],
        Err(failure) => Err(Some(failure.kind)),
    };
    let possible = guess.model.apply(at.op, at.bytes);
    let mut ways = Vec::with_capacity(possible.len());
    for possible in possible {
        if !possible.answer.is(answered) {
            continue;
        }
        let mut after = guess.with_model(possible.after, shelf.chains);
        match possible.answer {
            LogAnswer::Reply(_) => after.acknowledge(guess, at.op, at.step, shelf.names),
            LogAnswer::Refused | LogAnswer::Closed => after.note_readers(None, shelf.names),
        }
        ways.push(after);
    }
    if let Err(failure) = &at.outcome.result
        && at.excuse.excuses(at.op)
    {
        ways.extend(failed(guess, at, failure, shelf));
    }
    let owed = ways.iter().filter_map(|way| with_owed_roll(guess, way, at));
    let owed: Vec<Guess> = owed.collect();
    ways.extend(owed);
    ways
}

/// A put whose roll failed is acknowledged, and the roll is owed: readers see no more than before.
/// What the roll shows is shown by the next call of the writer, whatever becomes of that call.
fn with_owed_roll(before: &Guess, after: &Guess, at: &StepSeen<'_>) -> Option<Guess> {
    let LogOp::Writer(op) = at.op else {
        return None;
    };
    if !(at.excuse.is_fault || at.excuse.is_owed) {
        return None;
    }
    let shown = before.model.read_end();
    let rolled = before.model.segment_starts().last().copied();
    let owed = rolled.filter(|rolled| *rolled > shown && *rolled <= after.model.end());
    let puts = matches!(op, WriterOp::Put { .. } | WriterOp::PutRaw { .. });
    let end = owed.or_else(|| puts.then_some(shown))?;
    (end != after.model.read_end()).then(|| {
        let mut way = after.clone();
        way.model.show_up_to(end);
        way
    })
}

/// What a failed operation may have left: as much as it says, on disk perhaps something else.
fn failed(
    guess: &Guess,
    at: &StepSeen<'_>,
    failure: &Failure,
    shelf: &mut Shelf<'_>,
) -> Vec<Guess> {
    let (op, bytes) = (at.op, at.bytes);
    let rest = guess.at_rest();
    let mut left = in_flight(guess, op, bytes, at.step, shelf.chains, shelf.names);
    if failure.applied == Applied::Yes && !guess.taken_back {
        // It was written: only a power cut leaves what was there before.
        for before in left.iter_mut().filter(|before| **before == rest) {
            before.is_covered = true;
        }
    }
    let mut ways = Vec::new();
    for model in models_after(&guess.model, at, failure.applied) {
        let mut after = guess.with_model(model, shelf.chains);
        after.note_readers(None, shelf.names);
        if guess.model.is_writing() && !after.model.is_writing() {
            after.written = Some(guess.at_rest().kill_min);
            after.is_lost = true;
        }
        for alternative in &left {
            after.add_other(&rest, alternative);
        }
        ways.push(after);
    }
    ways
}

/// What the log may be after a failed operation.
fn models_after(model: &LogModel, at: &StepSeen<'_>, applied: Applied) -> Vec<LogModel> {
    let done = || successes(model, at.op, at.bytes);
    let mut models = match applied {
        Applied::No => vec![model.clone()],
        Applied::Yes => done(),
        Applied::Leading(count) => leading(model, at, count),
        // Whether a subject may be silent about it is judged elsewhere.
        Applied::Unknown => {
            let mut models = vec![model.clone()];
            models.extend(done());
            for count in 1..batch_size(at.op) {
                models.extend(leading(model, at, count));
            }
            models
        }
    };
    let writer = match at.op {
        LogOp::Writer(op) => Some(op),
        LogOp::Reader(..) | LogOp::Snapshot(_) | LogOp::Kill => None,
    };
    if applied != Applied::No && writer == Some(&WriterOp::Delete) {
        // The messages are dropped, and the log is there: deleting may be tried again.
        models.extend(successes(model, &LogOp::Writer(WriterOp::Empty), &[]));
    }
    // Both flush before they end the log.
    if matches!(writer, Some(WriterOp::Close | WriterOp::RemoveTo { .. })) {
        let flush = LogOp::Writer(WriterOp::Flush { fsync: true });
        models.extend(successes(model, &flush, &[]));
    }
    // Whether the bytes of a failed flush are seen by readers is up to the subject.
    let is_flush = matches!(
        at.op,
        LogOp::Writer(WriterOp::Flush { .. } | WriterOp::FlushBuffer | WriterOp::Close)
            | LogOp::Reader(_, ReaderOp::Flush { .. } | ReaderOp::Close)
    );
    if is_flush {
        models.push(model.clone());
        models.extend(done());
    }
    models
}

fn batch_size(op: &LogOp) -> u32 {
    match op {
        LogOp::Writer(WriterOp::PutRaw { sizes, .. }) => {
            u32::try_from(sizes.len()).unwrap_or(u32::MAX)
        }
        LogOp::Writer(_) | LogOp::Reader(..) | LogOp::Snapshot(_) | LogOp::Kill => 0,
    }
}

/// The log with the first messages of a batch.
fn leading(model: &LogModel, at: &StepSeen<'_>, count: u32) -> Vec<LogModel> {
    let LogOp::Writer(WriterOp::PutRaw { sizes, .. }) = at.op else {
        return Vec::new();
    };
    if count == 0 {
        return vec![model.clone()];
    }
    let taken: Vec<u32> = sizes.iter().copied().take(count as usize).collect();
    let size: usize = taken.iter().map(|size| *size as usize + 4).sum();
    let op = LogOp::Writer(WriterOp::PutRaw {
        count: i32::try_from(taken.len()).unwrap_or(i32::MAX),
        sizes: taken,
        missing: 0,
    });
    let bytes = at.bytes.get(..size).unwrap_or_default();
    successes(model, &op, bytes)
}

/// The process died, or the writer was lost: where the log starts and ends is as the open shows
/// it, if that is what a kill allows.
fn reopened(guess: &Guess, at: &StepSeen<'_>, shelf: &mut Shelf<'_>) -> Vec<Guess> {
    let Some(writer) = &at.states.writer else {
        return Vec::new();
    };
    let (start, end) = (
        Place::from(writer.queue_start),
        Place::from(writer.write_end),
    );
    let mut ways = Vec::new();
    for (number, alternative) in guess.alternatives().into_iter().enumerate() {
        let is_there = {
            let chain = shelf.chains.get(alternative.chain);
            chain.is_some_and(|chain| chain.find(end).is_some() && chain.find(start).is_some())
        };
        let ends = alternative.kill_min.offset..=alternative.end_max.offset;
        let is_left = is_there && !alternative.is_covered;
        if !is_left || !ends.contains(&end.offset) || !alternative.starts.contains(&start) {
            continue;
        }
        let mut model = guess.model.clone();
        if number == 0 && start == model.start() {
            model.recover_to(end);
        } else {
            let chain = shelf.chains.get(alternative.chain);
            let recovered = LogRecovered {
                start: writer.queue_start,
                messages: chain.map_or_else(Vec::new, |chain| chain.messages(start, end).to_vec()),
                borders: chain.map_or_else(Vec::new, |chain| chain.borders_within(start, end)),
                readers: known_readers(guess),
            };
            model = LogModel::resumed(guess.model.options(), &recovered);
            model.kill();
        }
        for opened in successes(&model, at.op, &[]) {
            let mut after = guess.clone();
            after.model = opened;
            after.chain = alternative.chain;
            after.is_lost = false;
            after.cut_readers(end);
            after.acknowledge(guess, at.op, at.step, shelf.names);
            ways.push(after);
        }
    }
    ways
}

fn known_readers(guess: &Guess) -> Vec<(String, Place, bool)> {
    let names = guess.model.reader_names();
    let known = names.filter_map(|name| {
        let at = guess.model.confirmed(name)?;
        Some((name.to_owned(), at, false))
    });
    known.collect()
}
