//! A trace's calls as one subject carries them out on a disk of its own, judged by the oracle of
//! runs. A call that does several things (an open opens the writer and both readers) is taken apart
//! into operations, since the oracle follows operations.

use super::arguments::MOVED;
use super::file::{LogCall, LogTrace};
use crate::explore::{
    DIRECTORY, LogSession, LogSetup, SESSION_LOG, empty_disk, look_at_directory, wrong_look,
};
use crate::model::LogModel;
use crate::oracle::{FaultNote, LogOracle, LogStrengths, Violation};
use crate::scenario::{
    Applied, Clause, FailureKind, LogOp, LogOutcome, LogPosition, LogStates, ReaderOp, SnapshotOp,
    WriterOp,
};
use crate::subject::LogSubject;
use crate::trace::damage::FileDamage;
use crate::trace::record::Broken;
use std::borrow::Cow;
use std::io;
use std::path::Path;

/// What one call came to.
#[derive(Debug, Clone)]
pub(super) struct Observed {
    /// The answer of its first part that failed, else of its last one.
    pub(super) outcome: LogOutcome,
    /// What the objects said after it.
    pub(super) states: LogStates,
    /// Why the damage could not be done.
    pub(super) damage_skipped: Option<String>,
}

/// Everything that a subject did with a trace.
#[derive(Debug, Clone)]
pub(super) struct History {
    /// Call by call.
    pub(super) steps: Vec<Observed>,
    /// The clauses that it broke; behind the first one nothing more is judged.
    pub(super) broken: Vec<Broken>,
    /// The step before which a file was damaged: from there on only C3 is judged.
    pub(super) damaged_at: Option<usize>,
}

/// Which ends readers and snapshots are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// Those of the record: for what does exactly what was recorded.
    AsRecorded,
    /// Those of the subject's own log at the same virtual offset.
    Own,
}

/// Carries the trace out.
///
/// # Errors
/// None that a simulated disk without faults has.
pub(super) fn observe(
    subject: &dyn LogSubject,
    strengths: LogStrengths,
    trace: &LogTrace,
    ends: Ends,
) -> io::Result<History> {
    let sim = empty_disk().map_err(|error| io::Error::other(error.to_string()))?;
    let moved = Path::new(DIRECTORY).with_file_name(MOVED);
    crashline::fs::Fs::create_dir(&sim, &moved)?;
    let setup = LogSetup {
        subject,
        quirks: &[],
        options: trace.options,
    };
    let mut player = Player {
        trace,
        session: LogSession::on(setup, sim, 0),
        oracle: LogOracle::new(trace.options, strengths),
        ends,
        shown: Vec::new(),
        step: 0,
        operations: 0,
        history: History {
            steps: Vec::new(),
            broken: Vec::new(),
            damaged_at: None,
        },
    };
    for step in &trace.steps {
        player.step += 1;
        let observed = player.play(&step.call);
        player.history.steps.push(observed);
    }
    Ok(player.history)
}

struct Player<'a> {
    trace: &'a LogTrace,
    session: LogSession<'a>,
    oracle: LogOracle,
    ends: Ends,
    /// The ends that the writer has shown since it was opened.
    shown: Vec<LogPosition>,
    step: usize,
    /// Operations that the oracle has seen.
    operations: u32,
    history: History,
}

impl Player<'_> {
    fn play(&mut self, call: &LogCall) -> Observed {
        let mut damage_skipped = None;
        let outcome = match call {
            LogCall::Operation(op, bytes) => match self.with_own_end(op) {
                Some(op) => self.call(&op, bytes),
                None => refused("our log has no such end"),
            },
            LogCall::Open => self.open(),
            LogCall::Reopen => {
                let closed = self.close();
                first_failure(closed, self.open())
            }
            LogCall::KillAndOpen => {
                self.call(&LogOp::Kill, &[]);
                self.open()
            }
            LogCall::KillDamageOpen(damage) => {
                self.call(&LogOp::Kill, &[]);
                match self.damage(damage) {
                    Ok(()) => {
                        self.history.damaged_at.get_or_insert(self.step);
                        self.oracle
                            .fault_fired(self.operations, FaultNote::Corrupted);
                    }
                    Err(error) => damage_skipped = Some(error.to_string()),
                }
                self.open()
            }
        };
        let found = look_at_directory(&self.session, &mut self.oracle, self.operations, &[]);
        self.note(found);
        Observed {
            outcome,
            states: self.session.states().clone(),
            damage_skipped,
        }
    }

    /// The operation with an end of our log in place of a recorded one: the one that was shown at
    /// the same virtual offset. Nothing where our log has none, or has it no more.
    fn with_own_end<'o>(&self, op: &'o LogOp) -> Option<Cow<'o, LogOp>> {
        let (LogOp::Reader(_, ReaderOp::UpdateQueueEnd { end: recorded, .. })
        | LogOp::Snapshot(SnapshotOp::UpdateQueueEnd { end: recorded })) = op
        else {
            return Some(Cow::Borrowed(op));
        };
        if self.ends == Ends::AsRecorded {
            return Some(Cow::Borrowed(op));
        }
        let shown = self.session.states().writer?.read_end.offset;
        let boundaries = self.oracle.model().map(LogModel::boundaries);
        let is_there = |end: &LogPosition| {
            let mut all = boundaries.iter().flatten();
            boundaries.is_none() || all.any(|one| one.offset == end.offset)
        };
        let mut own = self.shown.iter().rev();
        let end = *own.find(|end| end.offset == recorded.offset)?;
        let op = if let LogOp::Reader(name, ReaderOp::UpdateQueueEnd { force, .. }) = op {
            let force = *force;
            LogOp::Reader(name.clone(), ReaderOp::UpdateQueueEnd { end, force })
        } else {
            LogOp::Snapshot(SnapshotOp::UpdateQueueEnd { end })
        };
        (end.offset <= shown && is_there(&end)).then_some(Cow::Owned(op))
    }

    /// Opens the writer, and then the readers at its end.
    fn open(&mut self) -> LogOutcome {
        self.shown.clear();
        let mut outcome = self.call(&LogOp::Writer(WriterOp::Open), &[]);
        for name in self.trace.readers.keys() {
            if outcome.result.is_ok() {
                outcome = self.call(&LogOp::Reader(name.clone(), ReaderOp::Open), &[]);
            }
        }
        outcome
    }

    fn close(&mut self) -> LogOutcome {
        // A flush that fails is followed by a close all the same.
        self.call(&LogOp::Writer(WriterOp::Flush { fsync: true }), &[]);
        let mut outcome = self.call(&LogOp::Writer(WriterOp::Close), &[]);
        for name in self.trace.readers.keys() {
            let closed = self.call(&LogOp::Reader(name.clone(), ReaderOp::Close), &[]);
            outcome = first_failure(outcome, closed);
        }
        if self.session.states().snapshot.is_some() {
            self.call(&LogOp::Snapshot(SnapshotOp::Close), &[]);
        }
        outcome
    }

    fn call(&mut self, op: &LogOp, bytes: &[u8]) -> LogOutcome {
        let outcome = self.session.apply(op, bytes);
        let number = self.operations;
        self.operations += 1;
        if let Err(failure) = self.session.look() {
            self.note(vec![wrong_look(&failure, number)]);
        }
        let states = self.session.states();
        self.shown
            .extend(states.writer.map(|writer| writer.read_end));
        let mut found = self.oracle.end(number, op, bytes, &outcome, states);
        if let Err(failure) = &outcome.result
            && matches!(failure.kind, FailureKind::Panic | FailureKind::CutOff)
            && found.is_empty()
        {
            found.push(Violation {
                clause: Clause::C3,
                evidence: failure.message.clone(),
                step: Some(number),
            });
        }
        self.note(found);
        outcome
    }

    fn note(&mut self, found: Vec<Violation>) {
        let step = self.step;
        for Violation {
            clause, evidence, ..
        } in found
        {
            let broken = &mut self.history.broken;
            if !broken
                .iter()
                .any(|one| (one.step, one.clause) == (step, clause))
            {
                broken.push(Broken {
                    step,
                    clause,
                    evidence,
                });
            }
        }
    }

    fn damage(&self, damage: &FileDamage) -> io::Result<()> {
        let damage = FileDamage {
            file: self.own_name(&damage.file),
            how: damage.how,
        };
        damage.apply(self.session.machine.fs().as_ref(), Path::new(DIRECTORY))
    }

    /// What a file is called here: log and readers have names of their own in a session.
    fn own_name(&self, file: &str) -> String {
        let LogTrace { log, readers, .. } = self.trace;
        let readers = readers
            .iter()
            .map(|(name, file)| (file.as_str(), format!("{SESSION_LOG}:{name}")));
        let mut names = readers.chain([(log.as_str(), SESSION_LOG.to_owned())]);
        let own = names.find_map(|(theirs, own)| {
            let rest = file.strip_prefix(theirs)?;
            rest.starts_with('.').then(|| format!("{own}{rest}"))
        });
        own.unwrap_or_else(|| file.to_owned())
    }
}

fn refused(reason: &str) -> LogOutcome {
    LogOutcome::failed(FailureKind::Refused, Applied::No, reason)
}

fn first_failure(one: LogOutcome, other: LogOutcome) -> LogOutcome {
    if one.result.is_err() { one } else { other }
}
