//! The third question of a log's trace: does our engine give what was recorded, as far as the
//! record keeps the contract and the contract leaves no choice, and does it keep the contract from
//! there on?
//!
//! Places compare by virtual offset and count: the end of a segment and the start of the next are
//! one place.

use super::file::{LogCall, LogTrace, LogTraceStep, Shown};
use super::history::{History, Observed};
use super::same::{same, text};
use crate::model::Place;
use crate::scenario::{
    Clause, LogOp, LogPosition, LogReply, LogStates, ReaderOp, ReaderState, SnapshotOp, WriterState,
};
use crate::trace::engine::{Compared, EngineAnswer};
use std::collections::{BTreeMap, BTreeSet};

/// Compares our engine's history with the record, whose first broken step ends the comparison.
pub(super) fn compare_engine(
    trace: &LogTrace,
    first_broken: Option<usize>,
    ours: &History,
) -> EngineAnswer {
    let mut known = Known::default();
    let steps = trace.steps.iter().zip(&ours.steps).map(|(recorded, our)| {
        if let LogCall::KillDamageOpen(_) = recorded.call {
            return Compared::Damaged(our.damage_skipped.as_deref());
        }
        match known.compare(recorded, our) {
            Err((clause, text)) if recorded.call == LogCall::KillAndOpen => {
                Compared::Free(clause, text)
            }
            Err((_, text)) => Compared::Different(text),
            Ok(()) => Compared::Same,
        }
    });
    EngineAnswer::of(ours.broken.clone(), first_broken, steps)
}

/// What the comparison knows of the record.
///
/// Where the log was cut below the end that a reader or snapshot was told, one that looks for
/// itself stands at the cut at once, another one when it is told an end again. Both keep the
/// contract, so that places compare as if either knew of the cut.
#[derive(Debug, Default)]
struct Known {
    /// Where the log starts.
    start: Place,
    /// Where the log ends.
    end: Place,
    /// What readers and the snapshot were told.
    told: BTreeMap<Walker, Told>,
    /// Who did something else than ours with what was cut under both.
    left: BTreeSet<Walker>,
}

/// Who is told where the log ends.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Walker {
    Reader(String),
    Snapshot,
}

/// An end that was told.
#[derive(Debug, Clone, Copy)]
struct Told {
    end: Place,
    /// The lowest end of the log since.
    lowest: Place,
}

impl Known {
    /// What differs, and the clause that leaves the choice if a kill came before it.
    fn compare(&mut self, recorded: &LogTraceStep, our: &Observed) -> Result<(), (Clause, String)> {
        if recorded.call.is_opening() {
            self.told.clear();
            self.left.clear();
        }
        let same = self.compare_results(recorded, our);
        let walker = walker_of(&recorded.call);
        let told = walker.as_ref().and_then(|walker| self.told.get(walker));
        match walker.as_ref().filter(|_| told.is_some_and(Told::is_cut)) {
            Some(walker) if same.is_err() && !tells_end(&recorded.call) => {
                self.left.insert(walker.clone());
            }
            Some(_) if tells_end(&recorded.call) => {}
            Some(_) | None => same.map_err(|text| (Clause::C2, text))?,
        }
        if let Some(shown) = &recorded.shown {
            self.end = Place::from(shown.writer.write_end);
            self.note_told(&recorded.call, shown);
            if our.states.writer.is_some() {
                self.compare_shown(shown, &our.states)?;
            }
            self.start = Place::from(shown.writer.queue_start);
        }
        Ok(())
    }

    /// Notes the ends that were told by this call, and how low the log is.
    fn note_told(&mut self, call: &LogCall, shown: &Shown) {
        let is_told = tells_end(call);
        if let Some(walker) = walker_of(call).filter(|_| is_told) {
            self.told.remove(&walker);
            self.left.remove(&walker);
        }
        let readers = shown.readers.iter();
        let readers =
            readers.map(|(name, reader)| (Walker::Reader(name.clone()), Place::from(reader.end)));
        let mut snapshot = Place::from(shown.writer.read_end);
        if let LogCall::Operation(LogOp::Snapshot(SnapshotOp::UpdateQueueEnd { end }), _) = call {
            snapshot = Place::from(*end);
        }
        for (walker, end) in readers.chain([(Walker::Snapshot, snapshot)]) {
            let lowest = self.end;
            let told = self.told.entry(walker).or_insert(Told { end, lowest });
            told.lowest = told.lowest.min(self.end);
        }
    }

    /// Errors compare as being there or not.
    fn compare_results(&self, recorded: &LogTraceStep, our: &Observed) -> Result<(), String> {
        let is_read = matches!(
            recorded.call,
            LogCall::Operation(LogOp::Snapshot(SnapshotOp::ReadOne), _)
        );
        let theirs = match &recorded.recorded.result {
            // A snapshot of the original's tells its end as an error.
            Err(error) if is_read && error == "EOF" => Ok(LogReply::Nothing),
            // The start that there was: nothing was done.
            Ok(LogReply::Start(Some(start))) if Place::from(*start) == self.start => {
                Ok(LogReply::Start(None))
            }
            Err(error) => Err(error),
            Ok(reply) => Ok(reply.clone()),
        };
        match (theirs, &our.outcome.result) {
            (Err(_), Err(_)) => Ok(()),
            (Ok(theirs), Ok(ours)) => same(
                "the answer",
                (&told(&theirs), &theirs),
                ("our engine", &told(ours), ours),
            ),
            (Err(error), Ok(reply)) => {
                let reply = text(reply);
                Err(format!(
                    "the error `{error}` was recorded, our engine gives {reply}"
                ))
            }
            (Ok(reply), Err(failure)) => {
                let (reply, error) = (text(&reply), &failure.message);
                Err(format!(
                    "{reply} was recorded, our engine gives the error `{error}`"
                ))
            }
        }
    }

    fn compare_shown(&self, theirs: &Shown, ours: &LogStates) -> Result<(), (Clause, String)> {
        if let Some(writer) = &ours.writer {
            let places = |writer: &WriterState| {
                [writer.queue_start, writer.write_end, writer.read_end].map(Place::from)
            };
            let (one, other) = (places(&theirs.writer), places(writer));
            same(
                "the writer",
                (&one, &theirs.writer),
                ("our engine", &other, writer),
            )
            .map_err(|text| (Clause::L2, text))?;
        }
        for (name, theirs) in &theirs.readers {
            let walker = Walker::Reader(name.clone());
            let our = ours.readers.get(name);
            let Some(our) = our.filter(|_| !self.left.contains(&walker)) else {
                continue;
            };
            let lowest = self.lowest(&walker);
            let (one, other) = (lowered(theirs, lowest), lowered(our, lowest));
            same(
                &format!("reader {name}"),
                (&one, theirs),
                ("our engine", &other, our),
            )
            .map_err(|text| (Clause::L8, text))?;
        }
        match (&theirs.snapshot, &ours.snapshot) {
            (Some(theirs), Some(our)) if !self.left.contains(&Walker::Snapshot) => {
                let lowest = self.lowest(&Walker::Snapshot).offset;
                let (one, other) = (theirs.offset.min(lowest), our.offset.min(lowest));
                same("the snapshot", (&one, theirs), ("our engine", &other, our))
                    .map_err(|text| (Clause::L2, text))
            }
            // The closing of a snapshot leaves no mark in the record.
            _ => Ok(()),
        }
    }

    fn lowest(&self, walker: &Walker) -> Place {
        self.told.get(walker).map_or(self.end, |told| told.lowest)
    }
}

impl Told {
    fn is_cut(&self) -> bool {
        self.lowest < self.end
    }
}

/// Whom a call is made on.
fn walker_of(call: &LogCall) -> Option<Walker> {
    let LogCall::Operation(op, _) = call else {
        return None;
    };
    match op {
        LogOp::Reader(name, _) => Some(Walker::Reader(name.clone())),
        LogOp::Snapshot(_) => Some(Walker::Snapshot),
        LogOp::Writer(_) | LogOp::Kill => None,
    }
}

/// Whether it tells a reader or the snapshot where the log ends.
fn tells_end(call: &LogCall) -> bool {
    matches!(
        call,
        LogCall::Operation(
            LogOp::Reader(_, ReaderOp::UpdateQueueEnd { .. })
                | LogOp::Snapshot(SnapshotOp::Open | SnapshotOp::UpdateQueueEnd { .. }),
            _
        )
    )
}

/// Where a reader stands that knows how far the log was cut, and whether it waits there.
fn lowered(reader: &ReaderState, lowest: Place) -> (Vec<Place>, [i64; 2], bool) {
    let places = [reader.confirmed, reader.read, reader.end].map(Place::from);
    if places.iter().all(|place| *place <= lowest) {
        return (
            places.to_vec(),
            [reader.depth, reader.depth_size],
            reader.waiting,
        );
    }
    let [confirmed, read, end] = places.map(|place| place.min(lowest));
    let depth = [end.count - confirmed.count, end.offset - confirmed.offset];
    (vec![confirmed, read, end], depth, end == confirmed)
}

/// A reply with its positions as places.
fn told(reply: &LogReply) -> (LogReply, Option<Place>) {
    let place = |at: &LogPosition| Some(Place::from(*at));
    match reply {
        LogReply::Put { offset, size, end } => {
            let reply = LogReply::Put {
                offset: *offset,
                size: *size,
                end: LogPosition::default(),
            };
            (reply, place(end))
        }
        LogReply::Position(at) => (LogReply::Position(LogPosition::default()), place(at)),
        LogReply::Start(Some(at)) => (LogReply::Start(Some(LogPosition::default())), place(at)),
        LogReply::Start(None)
        | LogReply::Done
        | LogReply::HadData(_)
        | LogReply::Changed(_)
        | LogReply::Message(_)
        | LogReply::Raw(_)
        | LogReply::Nothing => (reply.clone(), None),
    }
}
