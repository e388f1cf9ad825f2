//! The recorded run of a log, followed step by step; what needs no crash is judged at once.

use super::chain::Chains;
use super::debts::Debts;
use super::directory::Directory;
use super::failures::{Excuse, wrong, wrong_failure};
use super::fits::difference;
use super::guess::{Guess, Names};
use super::history::LogHistory;
use super::strengths::LogStrengths;
use super::ways::{Shelf, StepSeen, ways};
use super::windows::{Allowed, LogCause};
use crate::model::LogModel;
use crate::oracle::{FaultNote, FileSeen, Violation};
use crate::scenario::{
    Applied, Clause, LogOp, LogOptions, LogOutcome, LogStates, Planted, WriterOp,
};

/// No more states are kept that fit what was seen.
const GUESSES_MAX: usize = 64;

/// Follows one run. Feed it every step in order, then [`LogOracle::finish`] it.
#[derive(Debug)]
pub struct LogOracle {
    pub(super) strengths: LogStrengths,
    /// Everything that fits what was seen; empty once the run can no longer be followed.
    pub(super) guesses: Vec<Guess>,
    pub(super) chains: Chains,
    pub(super) names: Names,
    /// The faults of the step in flight.
    pub(super) faults: Vec<FaultNote>,
    pub(super) excuse: Excuse,
    debts: Debts,
    pub(super) sync_fails_later: bool,
    pub(super) sync_failed: Option<u32>,
    /// Nothing but a crash at the end of the run is judged: no mark before that is kept.
    pub(super) is_judged_at_end: bool,
    /// The last step that ended.
    pub(super) last: Option<u32>,
    pub(super) marks: Vec<Option<Allowed>>,
    pub(super) is_undecided: bool,
    pub(super) directory: Directory,
}

/// Whether a move failed half way: files of the log are in two directories until it is repeated.
fn is_moved_in_part(at: &StepSeen<'_>) -> bool {
    let moves = matches!(at.op, LogOp::Writer(WriterOp::RemoveTo { .. }));
    let failure = at.outcome.result.as_ref().err();
    moves && failure.is_some_and(|failure| failure.applied != Applied::No)
}

impl LogOracle {
    /// An oracle of a new, empty log of which nothing is open.
    #[must_use]
    pub fn new(options: LogOptions, strengths: LogStrengths) -> Self {
        let directory = Directory::new(options.segment_bytes_max);
        Self::of(LogModel::new(options), strengths, directory)
    }

    /// An oracle that goes on from what a recovery showed, all of which is durable.
    #[must_use]
    pub fn resumed(model: LogModel, strengths: LogStrengths) -> Self {
        let directory = Directory::recovered(model.options().segment_bytes_max);
        let mut oracle = Self::of(model, strengths, directory);
        for guess in &mut oracle.guesses {
            guess.durable.cause = LogCause::Open;
        }
        oracle.marks.clear();
        oracle.mark_end();
        oracle
    }

    /// The same oracle, where a crash is judged at the end of its run alone: it keeps nothing of
    /// what one before that would allow.
    #[must_use]
    pub fn judged_at_end(mut self) -> Self {
        self.marks.clear();
        self.is_judged_at_end = true;
        self
    }

    /// The same oracle, of a log that may have been deleted before.
    #[must_use]
    pub fn of_a_deleted(mut self, was_deleted: bool) -> Self {
        self.directory.note_deleted(was_deleted);
        self
    }

    fn of(model: LogModel, strengths: LogStrengths, directory: Directory) -> Self {
        let (mut chains, mut names) = (Chains::default(), Names::default());
        let guess = Guess::new(model, &mut chains, &mut names);
        let mut oracle = Self {
            strengths,
            guesses: vec![guess],
            chains,
            names,
            faults: Vec::new(),
            excuse: Excuse::default(),
            debts: Debts::default(),
            sync_fails_later: false,
            sync_failed: None,
            is_judged_at_end: false,
            last: None,
            marks: Vec::new(),
            is_undecided: false,
            directory,
        };
        oracle.mark_end();
        oracle
    }

    /// A fault fired during the step that is in flight.
    pub fn fault_fired(&mut self, step: u32, note: FaultNote) {
        self.faults.push(note);
        match note {
            FaultNote::Full => self.excuse.disk_full = Some(step),
            FaultNote::SyncFailsLater => self.sync_fails_later = true,
            FaultNote::SyncFailed
            | FaultNote::SyncTookBack
            | FaultNote::SumsTookBack
            | FaultNote::OtherSyncFailed
            | FaultNote::Call
            | FaultNote::Corrupted => {}
        }
        if note.is_sync() {
            self.sync_failed = Some(step);
        }
        for guess in &mut self.guesses {
            guess.taken_back |= note.takes_back(self.strengths.boot_is_known);
        }
        self.directory.note_fault();
    }

    /// A step ended; `bytes` are those that it put. What is wrong without any crash. After a
    /// violation, or a fault that nobody was told of, nothing more is judged.
    pub fn end(
        &mut self,
        step: u32,
        op: &LogOp,
        bytes: &[u8],
        outcome: &LogOutcome,
        states: &LogStates,
    ) -> Vec<Violation> {
        let faults = std::mem::take(&mut self.faults);
        if self.guesses.is_empty() {
            return Vec::new();
        }
        if faults.contains(&FaultNote::Corrupted) {
            self.lose(step);
            return Vec::new();
        }
        self.excuse.is_fault = !faults.is_empty();
        self.excuse.is_owed = self.debts.has(op) || self.sync_fails_later;
        let at = StepSeen {
            step,
            op,
            bytes,
            outcome,
            states,
            excuse: self.excuse,
        };
        let mut violations = wrong_failure(&at, self.strengths.tells_applied);
        if violations.iter().any(|one| one.clause == Clause::C3) {
            self.lose(step);
            return violations;
        }
        match self.go_on(&at) {
            Ok(()) => self.directory.note(op, outcome, states),
            Err(violation) => {
                violations.insert(0, violation);
                self.lose(step);
                return violations;
            }
        }
        violations.extend(self.odd_losses(&at));
        if is_moved_in_part(&at) {
            // Which files are where is told by another call alone.
            self.lose(step);
            return violations;
        }
        self.note_excuses(&at);
        self.last = Some(step);
        if !self.is_judged_at_end {
            self.mark_end();
        }
        violations
    }

    /// Follows the step.
    fn go_on(&mut self, at: &StepSeen<'_>) -> Result<(), Violation> {
        let guesses = self.made_sure(at.op);
        if !self.is_judged_at_end {
            self.mark_in_flight(&guesses, at);
        }
        // Nearly always one leads to one, and room for more would be looked for at every step.
        let mut after: Vec<Guess> = Vec::with_capacity(guesses.len());
        let mut near = Vec::new();
        let mut shelf = Shelf {
            chains: &mut self.chains,
            names: &mut self.names,
        };
        for guess in &guesses {
            for way in ways(guess, at, &mut shelf) {
                if difference(&way.model, at.states).is_some() {
                    near.push(way);
                } else if !after.contains(&way) {
                    after.push(way);
                }
            }
        }
        if after.is_empty() {
            return Err(wrong(&guesses, &near, at));
        }
        if after.len() > GUESSES_MAX {
            self.is_undecided = true;
            after.clear();
        }
        self.guesses = after;
        Ok(())
    }

    /// The guesses, each knowing where the readers stand that this operation asks.
    fn made_sure(&mut self, op: &LogOp) -> Vec<Guess> {
        let guesses = std::mem::take(&mut self.guesses);
        if guesses.iter().all(|guess| guess.unsure.is_empty()) {
            return guesses;
        }
        let is_asked = |name: &str| match op {
            LogOp::Reader(asked, _) => asked == name,
            LogOp::Writer(op) => matches!(op, WriterOp::CleanOldData { .. }),
            LogOp::Snapshot(_) | LogOp::Kill => false,
        };
        let sure = guesses
            .into_iter()
            .flat_map(|guess| guess.made_sure(is_asked));
        sure.collect()
    }

    /// What the step changes of what excuses later ones.
    fn note_excuses(&mut self, at: &StepSeen<'_>) {
        let is_success = at.outcome.result.is_ok();
        self.debts.note(at.op, at.excuse.is_fault, is_success);
        if *at.op == LogOp::Kill || *at.op == LogOp::Writer(WriterOp::Open) {
            self.sync_fails_later &= at.outcome.result.is_err();
        }
        let opened = *at.op == LogOp::Writer(WriterOp::Open) && at.outcome.result.is_ok();
        if opened {
            self.excuse.disk_full = None;
        }
    }

    /// The directory after a step: the files in it by name and size, what was planted before the
    /// log with its bytes. What breaks the rules.
    pub fn directory(
        &mut self,
        step: u32,
        log: &str,
        files: &[FileSeen<'_>],
        planted: &[Planted],
    ) -> Vec<Violation> {
        if self.guesses.is_empty() {
            return Vec::new();
        }
        let found = self.directory.check(log, files, planted, self.strengths);
        self.directory.remember(log, files);
        let violations = found
            .into_iter()
            .map(|finding| finding.violation(Some(step)));
        violations.collect()
    }

    /// One of the models that fit what was seen; nothing after a violation.
    #[must_use]
    pub fn model(&self) -> Option<&LogModel> {
        self.guesses.first().map(|guess| &guess.model)
    }

    /// The run is over: gives what its crashes are judged by.
    #[must_use]
    pub fn finish(mut self) -> LogHistory {
        if self.is_judged_at_end {
            self.mark_end();
        }
        let Self {
            marks,
            chains,
            names,
            strengths,
            is_undecided,
            ..
        } = self;
        LogHistory::build(marks, chains, &names, strengths, is_undecided)
    }
}
