//! What a replay showed, of whichever engine.

use super::error::CheckError;
use super::one::Explored;
use super::result::{Found, Verdict};
use super::timeline::{Entry, Timeline};
use crate::oracle::Violation;
use crate::scenario::Scenario;

/// What a replay showed.
#[derive(Debug, Clone)]
pub struct Replayed {
    /// Pass, or fail; unknown where the oracle could not decide.
    pub verdict: Verdict,
    /// The violation, if there is one.
    pub found: Option<Found>,
    /// What happened.
    pub timeline: Timeline,
    /// How much was looked at, where the scenario names no crash.
    pub explored: Option<Explored>,
}

/// What the oracle says of the one crash, or the run without one, that was followed.
#[derive(Debug)]
pub(crate) enum Judged {
    Broken(Violation),
    Kept,
    Undecided,
}

impl Judged {
    /// A violation stands, whatever else could not be decided.
    pub(crate) fn of(violation: Option<Violation>, is_undecided: bool) -> Self {
        match violation {
            Some(violation) => Self::Broken(violation),
            None if is_undecided => Self::Undecided,
            None => Self::Kept,
        }
    }
}

/// What a replay showed, from what it found and what happened.
pub(crate) fn replayed(scenario: &Scenario, judged: Judged, mut timeline: Timeline) -> Replayed {
    let (violation, verdict) = match judged {
        Judged::Broken(violation) => (Some(violation), Verdict::Fail),
        Judged::Kept => (None, Verdict::Pass),
        Judged::Undecided => (None, Verdict::Unknown("it could not be decided".to_owned())),
    };
    let found = violation.map(|violation| {
        timeline.entries.push(Entry::Violation {
            clause: violation.clause,
            evidence: violation.evidence.clone(),
        });
        Found::of(violation, scenario.clone(), timeline.clone())
    });
    Replayed {
        verdict,
        found,
        timeline,
        explored: None,
    }
}

/// What is said of a scenario of which no violation is shown.
pub(crate) fn unshown(explored: &Explored) -> Result<Verdict, CheckError> {
    if let Some(clause) = explored.broken.keys().next() {
        let words = format!("a violation of {clause} that was found did not come again");
        return Err(CheckError::defect(words));
    }
    Ok(match &explored.unknown {
        Some(reason) => Verdict::Unknown(reason.clone()),
        None if explored.points == 0 && explored.states_judged == 0 => Verdict::Nothing,
        None => Verdict::Pass,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::timeline::Timeline;
    use crate::scenario::{Clause, RunKind};

    #[test]
    fn a_violation_stands_whatever_else_was_not_decided() {
        let scenario = Scenario::bare("toylog", "posix-min", RunKind::Crashes, 1);
        let violation = Violation {
            clause: Clause::Q3,
            evidence: "message #1 is lost".to_owned(),
            step: None,
        };
        let verdict = |violation, is_undecided| {
            let judged = Judged::of(violation, is_undecided);
            replayed(&scenario, judged, Timeline::default()).verdict
        };
        assert_eq!(verdict(Some(violation.clone()), true), Verdict::Fail);
        assert_eq!(verdict(Some(violation), false), Verdict::Fail);
        assert_eq!(verdict(None, false), Verdict::Pass);
        assert!(matches!(verdict(None, true), Verdict::Unknown(_)));
    }

    #[test]
    fn what_could_not_be_decided_is_no_pass() {
        let explored = |points, unknown: Option<&str>| Explored {
            points,
            unknown: unknown.map(str::to_owned),
            ..Explored::default()
        };
        let reason = "too many states";
        for (given, verdict) in [
            (explored(3, None), Verdict::Pass),
            (explored(0, None), Verdict::Nothing),
            (
                explored(3, Some(reason)),
                Verdict::Unknown(reason.to_owned()),
            ),
        ] {
            assert_eq!(unshown(&given), Ok(verdict));
        }
        let mut lost = explored(3, None);
        let violation = Violation {
            clause: Clause::Q3,
            evidence: "message #1 is lost".to_owned(),
            step: None,
        };
        let scenario = Scenario::bare("toylog", "posix-min", RunKind::Crashes, 1);
        lost.broken.insert(Clause::Q3, (violation, scenario));
        assert!(matches!(unshown(&lost), Err(CheckError::Defect(_))));
    }
}
