//! The second question of a log's trace: which clauses does the record break?
//!
//! The reference model goes along with the record. Where it differs from everything that the model
//! allows, the step broke a clause. What the object does from there on says nothing: a reader or
//! snapshot is left aside then, and behind a wrong writer nothing is judged. Nor is anything judged
//! behind a kill, which the model does not know.

use super::file::{LogCall, LogTrace, LogTraceStep, Shown};
use crate::model::{LogAnswer, LogModel, Place, Possible};
use crate::scenario::{
    Clause, LogMessage, LogOp, LogPosition, LogReply, ReaderOp, ReaderState, SnapshotOp, WriterOp,
    WriterState,
};
use crate::trace::record::Broken;
use std::collections::BTreeSet;

/// What the model says of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogJudgement {
    /// The clauses that it breaks, by step.
    pub broken: Vec<Broken>,
    /// How many steps were judged.
    pub judged: usize,
}

/// Judges the record of a trace, as far as the model goes along.
#[must_use]
pub fn judge_log(trace: &LogTrace) -> LogJudgement {
    let mut judge = Judge::new(trace);
    for (index, step) in trace.steps.iter().enumerate() {
        if judge.is_lost || step.call.is_kill() {
            break;
        }
        judge.step = index + 1;
        judge.look_at(step);
    }
    LogJudgement {
        broken: judge.broken,
        judged: judge.step,
    }
}

/// The judge, between two steps.
struct Judge<'a> {
    model: LogModel,
    step: usize,
    broken: Vec<Broken>,
    /// The log itself is not what the model has.
    is_lost: bool,
    /// Readers that are followed.
    readers: BTreeSet<&'a str>,
    /// Readers that told a wrong depth, or waited wrongly, in the step before.
    wrong_depths: BTreeSet<&'a str>,
}

impl<'a> Judge<'a> {
    fn new(trace: &'a LogTrace) -> Self {
        Self {
            model: LogModel::new(trace.options),
            step: 0,
            broken: Vec::new(),
            is_lost: false,
            readers: trace.readers.keys().map(String::as_str).collect(),
            wrong_depths: BTreeSet::new(),
        }
    }

    fn found(&mut self, clause: Clause, evidence: impl Into<String>) {
        let (step, evidence) = (self.step, evidence.into());
        let found = Broken {
            step,
            clause,
            evidence,
        };
        let is_new = !self
            .broken
            .iter()
            .any(|one| (one.step, one.clause) == (step, clause));
        self.broken.extend(is_new.then_some(found));
    }

    fn look_at(&mut self, step: &LogTraceStep) {
        match &step.call {
            LogCall::Open => self.open(),
            LogCall::Reopen => {
                self.close();
                self.open();
            }
            LogCall::KillAndOpen | LogCall::KillDamageOpen(_) => return,
            LogCall::Operation(op, bytes) => return self.look_at_operation(step, op, bytes),
        }
        match &step.shown {
            Some(shown) => self.look_at_shown(None, Clause::C2, shown),
            None => {
                self.found(Clause::C1, "the log does not open");
                self.is_lost = true;
            }
        }
    }

    fn open(&mut self) {
        self.take(&LogOp::Writer(WriterOp::Open));
        for name in self.readers.clone() {
            self.take(&LogOp::Reader(name.to_owned(), ReaderOp::Open));
        }
    }

    fn close(&mut self) {
        self.model.forget_snapshot();
        self.take(&LogOp::Writer(WriterOp::Close));
        for name in self.readers.clone() {
            self.take(&LogOp::Reader(name.to_owned(), ReaderOp::Close));
        }
    }

    /// Carries out what can end in one way only.
    fn take(&mut self, op: &LogOp) {
        if let Some(only) = self.model.apply(op, &[]).pop() {
            self.model = only.after;
        }
    }

    fn look_at_operation(&mut self, step: &LogTraceStep, op: &LogOp, bytes: &[u8]) {
        let is_followed = match op {
            LogOp::Writer(_) | LogOp::Snapshot(SnapshotOp::Open) | LogOp::Kill => true,
            LogOp::Reader(name, _) => self.readers.contains(name.as_str()),
            LogOp::Snapshot(_) => !self.model.snapshot().is_empty(),
        };
        let Some(shown) = step.shown.as_ref().filter(|_| is_followed) else {
            return;
        };
        let result = step.recorded.result.as_ref().map_err(|_| None);
        let possible = self.model.apply(op, bytes);
        let clause = possible.first().map_or(Clause::C4, |one| one.clause);
        let mut fitting: Vec<Possible> = possible
            .into_iter()
            .filter(|one| one.answer.is(result))
            .collect();
        if fitting.is_empty() {
            let (clause, answered) = match &step.recorded.result {
                Ok(LogReply::Message(message)) if !self.holds(message) => {
                    (Clause::L7, "the message is not that of the log")
                }
                Ok(LogReply::Message(_)) => (Clause::C12, "messages are passed"),
                Ok(_) => (clause, "it does what it must not"),
                Err(_) if clause == Clause::L7 => (Clause::C12, "it delivers nothing"),
                Err(_) => (clause, "it fails where it must not"),
            };
            self.found(clause, answered);
            self.leave(op);
            return;
        }
        let whole = fitting.iter().position(|one| self.fits(&one.after, shown));
        let taken = fitting.swap_remove(whole.unwrap_or(0));
        let is_refused = matches!(taken.answer, LogAnswer::Refused | LogAnswer::Closed);
        self.model = taken.after;
        let clause = if is_refused { Clause::C4 } else { taken.clause };
        self.look_at_shown(Some(op), clause, shown);
    }

    /// Whether a message is that of the log at its offset.
    fn holds(&self, message: &LogMessage) -> bool {
        self.model.message(message.offset) == Some(&message.bytes)
    }

    /// Leaves the object aside that an operation was called on.
    fn leave(&mut self, op: &LogOp) {
        match op {
            LogOp::Writer(_) | LogOp::Kill => self.is_lost = true,
            LogOp::Reader(name, _) => self.leave_reader(name),
            LogOp::Snapshot(_) => self.model.forget_snapshot(),
        }
    }

    fn leave_reader(&mut self, name: &str) {
        self.readers.remove(name);
        self.wrong_depths.remove(name);
        self.model.forget_reader(name);
    }

    /// Whether everything that is shown is what the model has.
    fn fits(&self, model: &LogModel, shown: &Shown) -> bool {
        let is_writer = model
            .writer()
            .is_none_or(|writer| same_writer(&writer, &shown.writer));
        let mut readers = self.readers.iter();
        is_writer
            && fits_snapshot(model, shown)
            && readers.all(|name| fits_reader(model, name, shown).is_some_and(|at| at.1))
    }

    fn look_at_shown(&mut self, op: Option<&LogOp>, clause: Clause, shown: &Shown) {
        if let Some(writer) = self.model.writer()
            && !same_writer(&writer, &shown.writer)
        {
            let clause = match op {
                Some(LogOp::Writer(_)) | None => clause,
                Some(_) => Clause::L1,
            };
            self.found(clause, "the log starts or ends elsewhere");
            self.is_lost = true;
            return;
        }
        if !fits_snapshot(&self.model, shown) {
            let clause = match op {
                Some(LogOp::Snapshot(_)) => clause,
                _ => Clause::L7,
            };
            self.found(clause, "the snapshot stands elsewhere");
            self.model.forget_snapshot();
        }
        for name in self.readers.clone() {
            let clause = match op {
                Some(LogOp::Reader(on, _)) if on == name => clause,
                _ => Clause::L8,
            };
            self.look_at_reader(name, clause, shown);
        }
    }

    fn look_at_reader(&mut self, name: &'a str, clause: Clause, shown: &Shown) {
        match fits_reader(&self.model, name, shown) {
            None => {}
            Some((_, false)) => {
                self.found(clause, format!("reader {name} stands elsewhere"));
                self.leave_reader(name);
            }
            Some((depth_fits, true)) => {
                let was_wrong = self.wrong_depths.remove(name);
                if !depth_fits {
                    self.wrong_depths.insert(name);
                    if !was_wrong {
                        let text = format!("reader {name} tells a wrong depth, or waits wrongly");
                        self.found(Clause::L12, text);
                    }
                }
            }
        }
    }
}

fn same_place(one: LogPosition, other: LogPosition) -> bool {
    Place::from(one) == Place::from(other)
}

fn same_writer(one: &WriterState, other: &WriterState) -> bool {
    same_place(one.queue_start, other.queue_start)
        && same_place(one.write_end, other.write_end)
        && same_place(one.read_end, other.read_end)
}

fn fits_snapshot(model: &LogModel, shown: &Shown) -> bool {
    let states = model.snapshot();
    let offset = shown.snapshot.map(|snapshot| snapshot.offset);
    states.is_empty() || states.iter().any(|state| Some(state.offset) == offset)
}

/// Whether the depth, and whether the place is one of the model's; nothing to compare where the
/// reader is not open.
fn fits_reader(model: &LogModel, name: &str, shown: &Shown) -> Option<(bool, bool)> {
    let states = model.reader(name);
    let shown = shown.readers.get(name).filter(|_| !states.is_empty())?;
    let at = |state: &&ReaderState| {
        same_place(state.confirmed, shown.confirmed)
            && same_place(state.read, shown.read)
            && same_place(state.end, shown.end)
    };
    let depth = |state: &ReaderState| (state.depth, state.depth_size, state.waiting);
    let fits = states
        .iter()
        .filter(at)
        .any(|state| depth(state) == depth(shown));
    Some((fits, states.iter().any(|state| at(&state))))
}
