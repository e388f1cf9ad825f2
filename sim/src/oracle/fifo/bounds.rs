//! What a crash allows in a state of the queue, as bounds on what comes back.

use super::seen::{Mode, StepSeen};
use super::state::State;
use crate::oracle::{Messages, Window, Windows};
use crate::scenario::{Action, Clause};

impl State {
    /// What the object that was never crashed still has to deliver.
    pub(super) fn live(&self, position: u32, messages: &Messages) -> Window {
        Window {
            first_min: self.cursors.low(),
            first_max: self.past_missing(self.cursors.high(), position, messages),
            end_min: self.before_missing(self.end, position, messages),
            end_max: self.end,
        }
    }

    /// The smallest and the largest message that is accepted.
    pub(super) fn limits(&self) -> (u32, u32) {
        (
            self.options.message_bytes_min,
            self.options.message_bytes_max,
        )
    }

    /// What a crash allows here; with a step, while that is in flight.
    pub(super) fn windows(
        &self,
        position: u32,
        in_flight: Option<&StepSeen<'_>>,
        step: Option<u32>,
        messages: &Messages,
    ) -> Windows {
        let end_max = in_flight.map_or(self.end, |at| self.end.max(at.numbers.1));
        let (first_min, first_max) = if self.strengths.keeps_reads {
            (self.durable.read, self.high())
        } else {
            (0, 0)
        };
        let base = Window {
            first_min,
            first_max: self.past_missing(first_max, position, messages),
            end_min: self.before_missing(self.durable.end, position, messages),
            end_max,
        };
        let kill_end = if self.taken_back {
            self.durable.end
        } else {
            self.end
        };
        let emptying = in_flight
            .filter(|_| self.mode == Mode::Open)
            .and_then(|at| {
                let clause = dropping_clause(at.action)?;
                Some((Window::exactly(self.end, self.end), clause))
            });
        Windows {
            position,
            kill: Window {
                end_min: self.before_missing(kill_end, position, messages),
                ..base
            },
            power_cut: base,
            emptied: emptying,
            durable: self.durable,
            barrier: self.barrier,
            corrupted: self.corrupted,
            syncs_keep: self.strengths.syncs_keep,
            messages_before: self.end,
            sync_failed: self.sync_failed_step,
            disk_full: self.disk_full_step,
            step,
        }
    }

    /// The first message at or after `number` that must be there: delivery may start with any up
    /// to it.
    fn past_missing(&self, number: u32, position: u32, messages: &Messages) -> u32 {
        messages
            .range(number, self.end)
            .iter()
            .find(|put| put.is_mandatory(position))
            .map_or(self.end.max(number), |put| put.number)
    }

    /// One more than the last message before `number` that must be there.
    fn before_missing(&self, number: u32, position: u32, messages: &Messages) -> u32 {
        messages
            .range(0, number)
            .iter()
            .rev()
            .find(|put| put.is_mandatory(position))
            .map_or(0, |put| put.number + 1)
    }
}

/// The clause of an operation that drops all messages.
fn dropping_clause(action: &Action) -> Option<Clause> {
    if matches!(action, Action::Empty) {
        Some(Clause::Q7)
    } else if matches!(action, Action::Delete) {
        Some(Clause::Q12)
    } else {
        None
    }
}
