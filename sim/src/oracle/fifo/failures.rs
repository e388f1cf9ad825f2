//! Failed operations: whether something excuses them, and what they leave.

use super::answers::broken;
use super::look::name;
use super::run::FifoOracle;
use super::seen::Seen;
use crate::oracle::Violation;
use crate::scenario::{Action, Applied, Clause, Failure, FailureKind};

impl FifoOracle {
    /// Judges a failure and says what it means.
    pub(super) fn look_at_failure(
        &mut self,
        step: u32,
        action: &Action,
        failure: &Failure,
        violations: &mut Vec<Violation>,
    ) -> Seen {
        let name = name(action);
        match failure.kind {
            FailureKind::Unsupported => return Seen::Ignored,
            FailureKind::Panic | FailureKind::CutOff => {
                let evidence = format!("`{name}`: {}", failure.message);
                violations.push(broken(Clause::C3, step, evidence));
                return Seen::Failed(Applied::Unknown);
            }
            FailureKind::Refused if self.unacceptable_size(action).is_some() => {
                return Seen::Refused;
            }
            FailureKind::Closed | FailureKind::Refused | FailureKind::Locked
                if !self.is_possible(action) =>
            {
                return Seen::Ignored;
            }
            FailureKind::Refused
            | FailureKind::Closed
            | FailureKind::Locked
            | FailureKind::Io(_)
            | FailureKind::Damage
            | FailureKind::Foreign => {}
        }
        if self.passes_damage(action, failure) {
            return Seen::Failed(Applied::No);
        }
        if !self.may_fail(action) && !self.may_be_refused(failure) {
            let evidence = format!("`{name}` failed without a cause: {}", failure.message);
            let clause = match self.state.disk_full_step {
                Some(_) => Clause::C6,
                None => clause_of_failure(action),
            };
            violations.push(broken(clause, step, evidence));
        }
        if self.state.strengths.tells_applied && failure.applied == Applied::Unknown {
            let evidence = format!("`{name}` failed and does not tell whether it took place");
            violations.push(broken(Clause::C4, step, evidence));
        }
        Seen::Failed(failure.applied)
    }

    /// C7: after a silent fault damage may be reported once and passed; any message may be lost
    /// by it.
    fn passes_damage(&mut self, action: &Action, failure: &Failure) -> bool {
        let looks = matches!(action, Action::Read | Action::Peek);
        let passes = looks && self.state.corrupted && failure.kind == FailureKind::Damage;
        if passes {
            let from = self.state.reader().low();
            self.shelf.doubt(from);
        }
        passes
    }

    /// Whether a fault excuses a failure of this operation.
    fn may_fail(&self, action: &Action) -> bool {
        let asks = matches!(action, Action::Sync | Action::Close);
        let later = self.state.sync_fails_later;
        !self.faults.is_empty() || later || (asks && self.untold)
    }
}

/// What a failure without a cause breaks.
fn clause_of_failure(action: &Action) -> Clause {
    if matches!(action, Action::Read | Action::Peek | Action::Depth) {
        Clause::C12
    } else if matches!(action, Action::Tick { .. }) {
        Clause::C15
    } else {
        Clause::C1
    }
}
