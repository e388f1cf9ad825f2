//! The recorded run, followed step by step; what needs no crash is judged at once.

use super::answers::Fresh;
use super::cursors::{Shelf, Shown};
use super::fault_note::FaultNote;
use super::history::{FifoHistory, Recorded};
use super::pieces::gap_bytes;
use super::seen::{Mode, Seen, StepSeen};
use super::state::State;
use crate::oracle::{Messages, NEVER, Strengths, Violation, first_numbers};
use crate::scenario::{Action, Applied, Clause, FailureKind, Outcome, Planted, Scenario, Step};
use std::collections::BTreeMap;

/// Follows one recorded run. Feed it every step in order, then [`FifoOracle::finish`] it.
#[derive(Debug)]
pub struct FifoOracle {
    pub(super) shelf: Shelf,
    pub(super) state: State,
    pub(super) fresh: Fresh,
    /// The faults that fired in the step that is in flight.
    pub(super) faults: Vec<FaultNote>,
    /// A fault fired since a sync or close last answered: it may have left an error to be told.
    pub(super) untold: bool,
    /// An owed sync failed in this step, and no sync or close has said so yet.
    pub(super) unsaid_error: Option<u32>,
    steps: Vec<Step>,
    first_numbers: Vec<u32>,
    start: State,
    pub(super) planted: Vec<Planted>,
    /// The bytes that misplaced writes leave unwritten, each time.
    pub(super) gap_bytes: u64,
    /// The size of the last segment that there can be, where it was there when last looked.
    pub(super) last_segment: Option<u64>,
    recorded: Vec<Recorded>,
    /// The open after a kill whose read position is still to be found out.
    opened: Option<u32>,
    /// Where the reader stood after each such open.
    stood: BTreeMap<u32, u32>,
}

impl FifoOracle {
    /// An oracle for a run of this scenario, whose object has just been opened.
    #[must_use]
    pub fn new(scenario: &Scenario, strengths: Strengths) -> Self {
        let mut state = State::new(strengths, scenario.options);
        state.boot_is_known = scenario.knows_the_boot();
        Self {
            shelf: Shelf::new(Messages::of(&scenario.steps)),
            state: state.clone(),
            fresh: Fresh::No,
            faults: Vec::new(),
            untold: false,
            unsaid_error: None,
            steps: scenario.steps.clone(),
            first_numbers: first_numbers(&scenario.steps),
            start: state,
            planted: scenario.planted.clone(),
            gap_bytes: gap_bytes(&scenario.faults),
            last_segment: None,
            recorded: Vec::new(),
            opened: None,
            stood: BTreeMap::new(),
        }
    }

    /// The messages of the scenario.
    #[must_use]
    pub fn messages(&self) -> &Messages {
        &self.shelf.messages
    }

    /// A fault fired in the step that is in flight.
    pub fn fault_fired(&mut self, step: u32, note: FaultNote) {
        self.state.fault(step, note, &self.shelf.messages);
        self.faults.push(note);
        self.untold = true;
    }

    /// The object was opened for the first time, before any step, on an empty directory.
    pub fn opened(&mut self, outcome: &Outcome) -> Vec<Violation> {
        let Err(failure) = &outcome.result else {
            return Vec::new();
        };
        self.state.mode = Mode::Killed;
        self.start.mode = Mode::Killed;
        if !self.faults.is_empty() {
            return Vec::new();
        }
        let clause = match failure.kind {
            FailureKind::Panic | FailureKind::CutOff => Clause::C3,
            FailureKind::Io(_)
            | FailureKind::Refused
            | FailureKind::Locked
            | FailureKind::Closed
            | FailureKind::Damage
            | FailureKind::Foreign
            | FailureKind::Unsupported => Clause::C1,
        };
        vec![Violation {
            clause,
            evidence: format!("a new queue does not open: {}", failure.message),
            step: None,
        }]
    }

    /// The step is over: judges its answer. Steps beyond the scenario's are not looked at.
    pub fn end(&mut self, step: u32, outcome: &Outcome) -> Vec<Violation> {
        let Some(action) = self.steps.get(step as usize).map(|at| at.action.clone()) else {
            return Vec::new();
        };
        self.state.begin_open(&action);
        let mut violations = Vec::new();
        let seen = self.look_at(step, &action, outcome, &mut violations);
        let first = self.first_numbers.get(step as usize).copied().unwrap_or(0);
        let count = u32::try_from(action.sizes().len()).unwrap_or(0);
        let at = StepSeen {
            step,
            action: &action,
            numbers: (first, first + count),
            seen,
        };
        self.note_puts(&at);
        if is_telling(&action) {
            self.untold = false;
        }
        if matches!(action, Action::Empty | Action::Delete) {
            // They move the reader: what the answers so far tell is all that will be known.
            self.learn_where_it_stood();
        }
        self.note_open(&at);
        if matches!(action, Action::Empty | Action::Delete) {
            // From here on the reader stands where it does for another reason.
            self.learn_where_it_stood();
        }
        self.state.apply(&at, &self.shelf, None);
        if let Some(FailureKind::Panic | FailureKind::CutOff) =
            outcome.result.as_ref().err().map(|failure| failure.kind)
        {
            // The object is gone, as with its process.
            self.state.mode = Mode::Killed;
        }
        self.recorded.push(Recorded {
            seen,
            faults: std::mem::take(&mut self.faults),
        });
        violations
    }

    /// Whether a fault has fired or an operation failed, so that files may be left over.
    pub(super) fn has_failed(&self) -> bool {
        self.recorded
            .iter()
            .any(|step| !step.faults.is_empty() || matches!(step.seen, Seen::Failed(_)))
    }

    /// Whether the process has died.
    pub(super) fn has_killed(&self) -> bool {
        let judged = self.steps.iter().take(self.recorded.len());
        judged.into_iter().any(|step| step.action == Action::Kill)
    }

    /// The run is over: gives what its crashes are judged by.
    #[must_use]
    pub fn finish(mut self) -> FifoHistory {
        self.learn_where_it_stood();
        FifoHistory::build(
            self.start,
            &self.steps,
            &self.first_numbers,
            &self.recorded,
            &self.stood,
            self.shelf,
        )
        .with_planted(self.planted)
    }

    /// What the answer to a put says of its messages.
    fn note_puts(&mut self, at: &StepSeen<'_>) {
        let in_flight = 2 * at.step + 1;
        // What failed can be taken back, unless that fails too; then a crash may bring it back.
        let taken_back = self.state.strengths.tells_applied && self.faults.len() == 1;
        for (index, number) in (at.numbers.0..at.numbers.1).enumerate() {
            let index = u32::try_from(index).unwrap_or(NEVER);
            let shown = match at.seen {
                Seen::Done | Seen::Message(_) => Shown::Yes,
                Seen::Refused | Seen::Ignored => Shown::No,
                Seen::Failed(Applied::Yes) => Shown::Yes,
                Seen::Failed(Applied::No) => Shown::No,
                Seen::Failed(Applied::Unknown) => Shown::Maybe,
                Seen::Failed(Applied::Leading(count)) if index < count => Shown::Yes,
                Seen::Failed(Applied::Leading(_)) => Shown::No,
            };
            self.shelf.show(number, shown);
            if let Some(put) = self.shelf.messages.get_mut(number) {
                match at.seen {
                    Seen::Refused | Seen::Ignored => put.absent_from = in_flight,
                    Seen::Failed(_) => {
                        put.optional_from = in_flight;
                        if shown == Shown::No && taken_back {
                            put.absent_from = in_flight + 1;
                        }
                    }
                    Seen::Done | Seen::Message(_) => {}
                }
            }
        }
    }

    /// What the answer to an open says, before the state moves on.
    fn note_open(&mut self, at: &StepSeen<'_>) {
        if at.seen != Seen::Done {
            return;
        }
        let opens = matches!(at.action, Action::Open { .. } | Action::OpenReadOnly);
        if !opens {
            return;
        }
        self.learn_where_it_stood();
        if self.state.mode != Mode::Killed {
            self.fresh = Fresh::AfterClose;
            return;
        }
        self.fresh = Fresh::AfterKill;
        if matches!(at.action, Action::Open { .. }) {
            self.opened = Some(at.step);
        }
        if self.state.taken_back {
            // The kill may have lost these, the last of them first.
            for number in self.state.durable.end..self.state.end {
                if let Some(put) = self.shelf.messages.get_mut(number) {
                    put.optional_from = put.optional_from.min(2 * at.step + 2);
                }
                self.shelf.show(number, Shown::Maybe);
            }
        }
    }

    /// Keeps where the reader stood after the last open that followed a kill, if that is known.
    fn learn_where_it_stood(&mut self) {
        if let Some(step) = self.opened.take()
            && let Some(origin) = self.state.cursors.origin()
        {
            self.stood.insert(step, origin);
        }
    }
}

/// Whether an operation tells the error of an owed sync, or begins anew without one.
fn is_telling(action: &Action) -> bool {
    matches!(
        action,
        Action::Sync | Action::Close | Action::Open { .. } | Action::Kill
    )
}
