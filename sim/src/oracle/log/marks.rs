//! What a crash at each mark of a run allows, kept as the run goes on.

use super::flight::{all_or_nothing, in_flight};
use super::guess::Guess;
use super::run::LogOracle;
use super::ways::StepSeen;
use super::windows::Allowed;
use crate::scenario::{LogOp, WriterOp};

impl LogOracle {
    /// From this step on nothing is judged.
    pub(super) fn lose(&mut self, step: u32) {
        self.guesses.clear();
        self.marks.truncate(2 * step as usize + 1);
        self.marks.push(None);
    }

    /// Nobody could be asked where things stand after this step: nothing more is judged.
    pub fn lose_sight(&mut self, step: u32) {
        self.lose(step);
    }

    fn allowed(&self, step: Option<u32>) -> Allowed {
        Allowed {
            alternatives: Vec::new(),
            blamed: None,
            is_moving: false,
            step,
            sync_failed: self.sync_failed,
            disk_full: self.excuse.disk_full,
        }
    }

    /// Keeps what a crash now allows, between two steps.
    pub(super) fn mark_end(&mut self) {
        let position = self.last.map_or(0, |step| 2 * step + 2);
        let mut allowed = self.allowed(self.last);
        for alternative in self.guesses.iter().flat_map(Guess::alternatives) {
            allowed.add(alternative);
        }
        let allowed = (!self.guesses.is_empty()).then_some(allowed);
        self.put_mark(position, allowed);
    }

    /// Keeps what a crash in the step allows.
    pub(super) fn mark_in_flight(&mut self, guesses: &[Guess], at: &StepSeen<'_>) {
        let mut allowed = self.allowed(Some(at.step));
        allowed.blamed = all_or_nothing(at.op);
        allowed.is_moving = matches!(at.op, LogOp::Writer(WriterOp::RemoveTo { .. }));
        let (op, bytes) = (at.op, at.bytes);
        for guess in guesses {
            let (chains, names) = (&mut self.chains, &mut self.names);
            for alternative in in_flight(guess, op, bytes, at.step, chains, names) {
                allowed.add(alternative);
            }
        }
        self.put_mark(2 * at.step + 1, Some(allowed));
    }

    /// Marks that were not told of allow what the last one before them did.
    fn put_mark(&mut self, position: u32, allowed: Option<Allowed>) {
        let last = self.marks.last().cloned().flatten();
        self.marks.resize(position as usize, last);
        self.marks.push(allowed);
    }
}
