//! What becomes of a log that nobody uses is found out once for all equal disks; and the further
//! crash in the life of a log.

use super::life::{Life, without_step};
use super::recovery::{open_all, read_all};
use super::session::LogSession;
use super::tail::noted;
use crate::explore::machine::further_crash;
use crate::explore::rests::{Fold, RestKey, Rests};
use crate::explore::timeline::Entry;
use crate::explore::words;
use crate::model::Reading;
use crate::oracle::{LogOracle, LogRecovery, Violation, judge_log};
use crate::scenario::{CrashKind, LogOp, LogOutcome, LogStates};
use crate::simfs::SimFs;
use std::hash::Hash;

/// What a life has left to do with a disk that nobody uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Left {
    /// To open it after its recovery and a kill, with nothing in between, read it and go on.
    OpenAfterKill,
    /// The same after a close.
    OpenAfterClose,
    /// To open it after a further crash, read it, go on, close it and open it again.
    Recover(CrashKind),
    /// To look at it without writing, open it and go on.
    Look,
    /// To open it once more.
    LastOpen,
}

/// What is known to come of disks, and what this life will add to it.
#[derive(Debug, Default)]
pub(super) struct KnownLives<'l> {
    rests: Option<&'l Rests<Option<Violation>>>,
    /// Everything that the oracle was told. What it is held to depends on nothing else.
    told: Fold,
    /// Under what the end of this life will be known.
    keys: Vec<RestKey>,
}

impl<'l> KnownLives<'l> {
    /// Of a life that begins with what a recovery showed; nothing is known where there are no
    /// `rests`.
    pub(super) fn after(
        rests: Option<&'l Rests<Option<Violation>>>,
        recovery: &LogRecovery<'_>,
    ) -> Self {
        let mut told = Fold::default();
        if rests.is_some() {
            recovery.hash(&mut told);
        }
        Self {
            rests,
            told,
            keys: Vec::new(),
        }
    }

    /// The oracle is told how far a reader read what it had to.
    pub(super) fn tell_read(&mut self, reading: Reading) {
        if self.rests.is_some() {
            reading.hash(&mut self.told);
        }
    }

    /// The oracle is told this.
    pub(super) fn tell(&mut self, outcome: &LogOutcome, states: &LogStates) {
        if self.rests.is_some() {
            (outcome, states).hash(&mut self.told);
        }
    }
}

impl Life<'_, '_> {
    /// Whether it is known what comes of the disk, which nobody uses now; then that is what came
    /// of it. Else this life will tell.
    pub(super) fn is_known(&mut self, left: Left) -> bool {
        let Some(rests) = self.known.rests.filter(|_| !self.is_over()) else {
            return false;
        };
        let sim = self.session.machine.sim();
        let Some(key) = RestKey::of(sim, false, (left, self.known.told)) else {
            return false;
        };
        let Some(known) = rests.get(key) else {
            self.known.keys.push(key);
            return false;
        };
        self.violations.extend(known);
        true
    }

    /// Notes how this life ended.
    pub(super) fn note(&mut self) {
        if let Some(rests) = self.known.rests {
            let sim = self.session.machine.sim();
            let first = self.violations.first().cloned();
            rests.note(&self.known.keys, sim, &first);
        }
    }

    /// Another crash; what comes back must be what the first recovery and all since promise.
    /// Whether it is known how this life ends.
    pub(super) fn crash_again(&mut self, kind: CrashKind, crash: &dyn Fn(&SimFs) -> SimFs) -> bool {
        if self.is_over() {
            return false;
        }
        let kind = further_crash(kind, self.case.strengths.syncs_keep);
        self.session.crash(kind, crash);
        if kind == CrashKind::PowerCut {
            self.known.keys.clear();
        }
        if let Some(log) = &mut self.log {
            log.push(Entry::Note(words::of_further_crash(kind).to_owned()));
            self.session.machine.log_calls();
        }
        if self.is_known(Left::Recover(kind)) {
            return true;
        }
        self.recover_again(kind);
        false
    }

    fn recover_again(&mut self, kind: CrashKind) {
        let strengths = self.case.strengths;
        let before = LogOracle::new(self.case.program.options, strengths);
        let history = std::mem::replace(&mut self.oracle, before).finish();
        let mut recovery = LogRecovery::new(&history, self.case.program.options, Some(kind));
        let (log, step) = (&mut *self.log, &mut *self.step);
        let mut call = |session: &mut LogSession<'_>, op: &LogOp, bytes: &[u8]| {
            noted(log, step, session, op, bytes)
        };
        open_all(self.session, &mut recovery, &self.readers, &mut call);
        read_all(self.session, &mut recovery, &mut call);
        let model = recovery.model();
        let observation = recovery.finish();
        let windows = history.windows_at(2 * self.steps);
        let violation = windows.and_then(|windows| judge_log(windows, kind, &observation));
        self.violations.extend(violation.map(without_step));
        if let Some(model) = model {
            self.oracle = self.case.resumed(model);
            self.steps = 0;
        }
    }
}
