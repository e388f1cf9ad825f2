//! C10: a second opener for writing gets a clear error.

use super::{Finding, What};
use crate::scenario::{Clause, FailureKind, Outcome};

/// What is wrong with the answer that a second opener got while the queue was open for writing.
#[must_use]
pub fn wrong_second_opener(outcome: &Outcome) -> Option<Finding> {
    let answer = match &outcome.result {
        Err(failure) if failure.kind == FailureKind::Locked => return None,
        Err(failure) if failure.kind == FailureKind::Unsupported => return None,
        Err(failure) => failure.message.clone(),
        Ok(_) => "the queue".to_owned(),
    };
    Some(Finding {
        clause: Clause::C10,
        what: What::SecondOpener(answer),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Applied, Reply};

    #[test]
    fn only_a_clear_error_is_right() {
        let failed = |kind| Outcome::failed(kind, Applied::No, "no");
        let clause = |outcome: &Outcome| wrong_second_opener(outcome).map(|found| found.clause);
        assert_eq!(clause(&failed(FailureKind::Locked)), None);
        assert_eq!(clause(&failed(FailureKind::Io(None))), Some(Clause::C10));
        assert_eq!(clause(&Outcome::ok(Reply::Done)), Some(Clause::C10));
    }
}
