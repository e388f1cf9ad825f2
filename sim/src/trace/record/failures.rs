//! Failures that nothing explains, and which clause a loss breaks.

use super::damage::places;
use super::item::Item;
use super::judge::Judge;
use super::segments::segments;
use crate::scenario::{Clause, FailureKind, FifoOptions};
use crate::trace::file::Operation;
use crate::trace::history::Observed;

impl Judge<'_> {
    /// Failures that nothing explains, and operations that did not end.
    pub(super) fn look_at_failures(&mut self, step: &Observed) {
        for kind in [FailureKind::CutOff, FailureKind::Panic] {
            if let Some(message) = step.failed_with(kind) {
                self.found(Clause::C3, message.to_owned());
            }
        }
        let endless = matches!(step.left.error, Some((FailureKind::CutOff, _)));
        self.endless = endless.then(|| self.endless.unwrap_or(self.step));
        let reads = step.operation == Operation::Read;
        for outcome in [&step.played.outcome, &step.played.depth] {
            let Err(failure) = &outcome.result else {
                continue;
            };
            let explained = match failure.kind {
                FailureKind::CutOff | FailureKind::Panic => true,
                FailureKind::Refused => self.is_refused(step),
                FailureKind::Damage => self.is_damaged,
                FailureKind::Io(_)
                | FailureKind::Locked
                | FailureKind::Closed
                | FailureKind::Foreign
                | FailureKind::Unsupported => false,
            };
            if !explained {
                let clause = if reads { Clause::C12 } else { Clause::C1 };
                self.found(
                    clause,
                    format!("failed without a cause: {}", failure.message),
                );
            }
        }
    }

    /// Whether the step is a put of a size out of bounds; says so if it was accepted.
    pub(super) fn is_refused(&mut self, step: &Observed) -> bool {
        let Operation::Put(message) = &step.operation else {
            return false;
        };
        let (min, max) = (
            self.options.message_bytes_min,
            self.options.message_bytes_max,
        );
        let fits = u32::try_from(message.len()).is_ok_and(|size| (min..=max).contains(&size));
        let accepted = step.played.outcome.result.is_ok();
        if accepted && !fits {
            let evidence = format!("a message of {} bytes was accepted", message.len());
            self.found(Clause::Q9, evidence);
        }
        !fits && !accepted
    }

    /// The clause that a loss in this step breaks, where the operation alone does not tell.
    pub(super) fn lost_clause(
        &self,
        step: &Observed,
        wanted: &[Item],
        old: FifoOptions,
    ) -> Option<Clause> {
        if let Operation::Reopen(_) = step.operation {
            let fits = |item: &Item| {
                let limits = self.options.message_bytes_min..=self.options.message_bytes_max;
                u32::try_from(item.bytes.len()).is_ok_and(|size| limits.contains(&size))
            };
            let by_options =
                self.options.segment_bytes_max != old.segment_bytes_max || !wanted.iter().all(fits);
            return by_options.then_some(Clause::Q9);
        }
        let lies = places(self.queue, &self.files, wanted);
        let lost = |item: &Item| !step.left.messages.contains(&item.bytes);
        let mut hit = wanted
            .iter()
            .zip(&lies)
            .filter(|(item, _)| lost(item))
            .filter_map(|(_, place)| place.map(|record| record.segment));
        if hit.clone().any(|segment| self.damaged.contains(&segment)) {
            return Some(Clause::C7);
        }
        let there = |segment: i64| {
            segments(self.queue, &step.files)
                .iter()
                .any(|(number, _)| *number == segment)
        };
        hit.any(|segment| !there(segment)).then_some(Clause::Q8)
    }
}
