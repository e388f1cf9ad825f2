//! C7: losses that are reported though nothing was damaged.

use super::failures::name;
use super::guess::Guess;
use super::run::LogOracle;
use super::ways::StepSeen;
use crate::oracle::Violation;
use crate::scenario::{Clause, LogOp, Loss};

impl LogOracle {
    /// C7: a loss is reported where nothing was lost. A reader whose position the log's start
    /// passed may report one, and so may a snapshot.
    pub(super) fn odd_losses(&self, at: &StepSeen<'_>) -> Option<Violation> {
        let mut losses = at.outcome.losses.iter();
        let loss = losses.find(|loss| !self.strengths.tear(loss))?;
        let is_passed = |guess: &Guess, name: &str| {
            let start = guess.model.start();
            let index = (0..)
                .zip(self.names.all())
                .find(|(_, known)| *known == name);
            let places = index.and_then(|(index, _)| guess.candidates.get(&index));
            let confirmed = guess.model.confirmed(name);
            let mut places = places.into_iter().flatten().copied().chain(confirmed);
            places.any(|place| place < start)
        };
        let marks = self.marks.get(2 * at.step as usize + 1);
        let before = marks.and_then(Option::as_ref);
        let could = |name: &str| {
            let index = (0..)
                .zip(self.names.all())
                .find(|(_, known)| *known == name);
            before.zip(index).is_some_and(|(before, (index, _))| {
                let starts = before.alternatives.iter().flat_map(|one| &one.starts);
                let last = starts.max().copied().unwrap_or_default();
                let readers = before.alternatives.iter().flat_map(|one| &one.readers);
                let mut places = readers
                    .filter(|reader| reader.index == index)
                    .flat_map(|reader| &reader.candidates);
                places.any(|place| *place < last)
            })
        };
        if let LogOp::Reader(name, _) = at.op
            && (could(name) || self.guesses.iter().any(|guess| is_passed(guess, name)))
        {
            return None;
        }
        let mut losses = at.outcome.losses.iter();
        if matches!(at.op, LogOp::Snapshot(_)) && losses.all(|loss| self.is_before_start(loss)) {
            return None;
        }
        Some(Violation {
            clause: Clause::C7,
            evidence: format!(
                "`{}` reported {} bytes of `{}` as lost, and nothing was damaged",
                name(at.op),
                loss.size,
                loss.file
            ),
            step: Some(at.step),
        })
    }

    /// Whether a loss is that of a segment before the log's start.
    fn is_before_start(&self, loss: &Loss) -> bool {
        let name = loss.file.strip_suffix(".dat");
        let digits = name.and_then(|name| name.rsplit('.').next());
        let Some(number) = digits.and_then(|digits| digits.parse::<i64>().ok()) else {
            return false;
        };
        self.guesses.iter().any(|guess| {
            let start = guess.model.boundaries().first().copied();
            start.is_some_and(|start| number < start.segment)
        })
    }
}
