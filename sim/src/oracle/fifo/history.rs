//! The finished run: its messages, and for every position what a crash there allows.

use super::cursors::Shelf;
use super::fault_note::FaultNote;
use super::seen::{Seen, StepSeen};
use super::state::State;
use crate::oracle::{Cause, Messages, Strengths, Window, Windows};
use crate::scenario::{Planted, Step};
use std::collections::BTreeMap;

/// What was seen of one step.
#[derive(Debug, Clone)]
pub(super) struct Recorded {
    pub seen: Seen,
    pub faults: Vec<FaultNote>,
}

/// A finished run, ready for judging its crashes.
#[derive(Debug, Clone)]
pub struct FifoHistory {
    messages: Messages,
    windows: Vec<Windows>,
    live: Window,
    strengths: Strengths,
    limits: (u32, u32),
    planted: Vec<Planted>,
}

impl FifoHistory {
    /// Goes through the run once more, now knowing where every reader stood.
    pub(super) fn build(
        start: State,
        steps: &[Step],
        first_numbers: &[u32],
        recorded: &[Recorded],
        stood: &BTreeMap<u32, u32>,
        shelf: Shelf,
    ) -> Self {
        let mut state = start;
        let mut windows = vec![state.windows(0, None, None, &shelf.messages)];
        for (index, ((step, first), recorded)) in
            steps.iter().zip(first_numbers).zip(recorded).enumerate()
        {
            let number = u32::try_from(index).unwrap_or(u32::MAX);
            let count = u32::try_from(step.action.sizes().len()).unwrap_or(0);
            let at = StepSeen {
                step: number,
                action: &step.action,
                numbers: (*first, first + count),
                seen: recorded.seen,
            };
            for note in &recorded.faults {
                state.fault(number, *note, &shelf.messages);
            }
            let messages = &shelf.messages;
            windows.push(state.windows(2 * number + 1, Some(&at), Some(number), messages));
            if let Seen::Message(item) = recorded.seen {
                let end = state.end;
                let reader = state.reader_mut();
                if reader.read_below(item, &shelf, end).is_empty() {
                    // A later loss has hidden it by now; here it was read all the same.
                    reader.pass(item);
                }
            }
            state.apply(&at, &shelf, stood.get(&number).copied());
            windows.push(state.windows(2 * number + 2, None, Some(number), messages));
        }
        let position = u32::try_from(windows.len()).unwrap_or(u32::MAX) - 1;
        let live = state.live(position, &shelf.messages);
        Self {
            messages: shelf.messages,
            windows,
            live,
            strengths: state.strengths,
            limits: state.limits(),
            planted: Vec::new(),
        }
    }

    /// For every position, by the marks before it: what a crash there allows.
    #[must_use]
    pub fn windows(&self) -> &[Windows] {
        &self.windows
    }

    /// The windows at a position; beyond the end of the run, those at its end.
    #[must_use]
    pub fn windows_at(&self, position: u32) -> Option<&Windows> {
        self.windows
            .get(position as usize)
            .or_else(|| self.windows.last())
    }

    /// The messages of the run with what became of them.
    #[must_use]
    pub fn messages(&self) -> &Messages {
        &self.messages
    }

    /// What the object that was never crashed still has to deliver after the last step.
    #[must_use]
    pub fn live(&self) -> &Window {
        &self.live
    }

    /// Bytes were read or written wrongly and nobody was told: what a crash leaves of such a run
    /// cannot be judged.
    #[must_use]
    pub fn is_corrupted(&self) -> bool {
        self.windows.last().is_some_and(|windows| windows.corrupted)
    }

    /// Whether the run ended with a close or a delete: the files say all that the run did.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        let cause = self.windows.last().map(|windows| windows.durable.cause);
        matches!(cause, Some(Cause::Close | Cause::Delete))
    }

    /// The smallest and the largest message that was accepted at the end.
    #[must_use]
    pub fn limits(&self) -> (u32, u32) {
        self.limits
    }

    /// With what lay in the directory before the queue.
    pub(super) fn with_planted(mut self, planted: Vec<Planted>) -> Self {
        self.planted = planted;
        self
    }

    /// What lay in the directory before the queue.
    #[must_use]
    pub fn planted(&self) -> &[Planted] {
        &self.planted
    }

    /// Whether the queue began so near the last segment that there can be that it may refuse.
    #[must_use]
    pub fn has_last_numbers(&self) -> bool {
        has_last_numbers(&self.planted)
    }

    /// What the subject is held to.
    #[must_use]
    pub fn strengths(&self) -> Strengths {
        self.strengths
    }
}

/// Segments so near the last one that there can be that numbers may run out.
const NUMBERS_LEFT_MAX: u64 = 1_000;

/// Whether a queue that begins with this may run out of numbers for its segments.
pub(super) fn has_last_numbers(planted: &[Planted]) -> bool {
    let mut metas = planted.iter().filter(|one| one.name.ends_with(".meta.dat"));
    metas.any(|meta| {
        let write = meta.text.lines().nth(2).unwrap_or_default();
        let segment = write.split(',').next().unwrap_or_default();
        let segment: Result<u64, _> = segment.parse();
        segment.is_ok_and(|number| number.saturating_add(NUMBERS_LEFT_MAX) > i64::MAX as u64)
    })
}
