//! What comes of a damaged log in the end, and which clause is broken where it is wrong.

use super::aside::check_bytes;
use super::layout::Layout;
use super::observer::LogDamageObserver;
use crate::oracle::{NamedFile, Verdict, Violation};
use crate::scenario::{Clause, Failure, FailureKind, Loss};

impl LogDamageObserver<'_> {
    /// Everything was done; `at_end` is what the directory holds now.
    #[must_use]
    pub fn finish(mut self, at_end: &[NamedFile]) -> Verdict {
        if let Some(violation) = self.violation {
            return Verdict::Fail(violation);
        }
        if self.case.settled.is_none() {
            let reason = "more than one log fits the run, so that it is not known what was damaged";
            return Verdict::Skipped(reason.to_owned());
        }
        let Some(layout) = self.layout.take() else {
            let reason = "the files do not hold what is known of the log";
            return Verdict::Unknown(reason.to_owned());
        };
        if self.readings.iter().any(|reading| !reading.is_ended) {
            return Verdict::Unknown("the log was not read to its end".to_owned());
        }
        let problem = self.check_readings(&layout);
        if problem.is_some() {
            self.layout = Some(layout);
            self.judged(problem);
        } else if let Some(problem) = self.aside.check(at_end) {
            self.found(Clause::C8, problem);
        } else if let Some(problem) = check_bytes(&layout, &self.losses, self.case.after, at_end) {
            self.found(Clause::C7, problem);
        }
        self.violation.map_or(Verdict::Pass, Verdict::Fail)
    }

    fn check_readings(&self, layout: &Layout) -> Option<String> {
        let put = self.put.as_ref().map(|(at, bytes)| (*at, bytes.as_slice()));
        self.readings
            .iter()
            .enumerate()
            .find_map(|(index, reading)| {
                // The first one, a snapshot, reads before anything is put.
                let put = put.filter(|_| index > 0);
                reading.check(layout, put, &self.told)
            })
    }

    /// The damage rule is broken: where segments are whole it is the metas that were not got over.
    pub(super) fn judged(&mut self, problem: Option<String>) {
        let is_in_segments = self.layout.as_ref().is_some_and(Layout::is_in_segments);
        let clause = if is_in_segments {
            Clause::C7
        } else {
            Clause::L10
        };
        if let Some(problem) = problem {
            self.found(clause, problem);
        }
    }

    /// A call failed that must not.
    pub(super) fn fail(&mut self, name: &'static str, failure: &Failure) {
        self.fail_by(name, failure, None);
    }

    /// The same, where one clause says so, damage or not.
    pub(super) fn fail_by(
        &mut self,
        name: &'static str,
        failure: &Failure,
        clause: Option<Clause>,
    ) {
        let evidence = format!("{name} failed after the damage: {}", failure.message);
        match failure.kind {
            FailureKind::Unsupported => {}
            FailureKind::Panic | FailureKind::CutOff => self.found(Clause::C3, evidence),
            FailureKind::Io(_)
            | FailureKind::Refused
            | FailureKind::Locked
            | FailureKind::Closed
            | FailureKind::Damage
            | FailureKind::Foreign => match clause {
                Some(clause) => self.found(clause, evidence),
                None => self.judged(Some(evidence)),
            },
        }
    }

    pub(super) fn found(&mut self, clause: Clause, evidence: String) {
        self.violation.get_or_insert(Violation {
            clause,
            evidence,
            step: None,
        });
    }
}

/// The first loss that is told of a file that nobody touched.
pub(super) fn odd_file(layout: &Layout, losses: &[Loss]) -> Option<String> {
    let odd = losses
        .iter()
        .find(|loss| !layout.is_blind && !layout.damaged.contains(&loss.file))?;
    Some(format!(
        "a loss in `{}` was reported, which is undamaged",
        odd.file
    ))
}
