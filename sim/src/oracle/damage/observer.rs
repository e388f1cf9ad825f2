//! Follows a queue that is opened after its files were damaged.

use super::delivery::{Delivered, Delivery, Wrong};
use super::layout::{Layout, NamedFile, Touch};
use super::reports;
use crate::oracle::{FifoHistory, Item, Role, Verdict, Violation, role};
use crate::scenario::{Clause, Failure, FailureKind, Loss, Outcome, Reply};

/// A closed queue and what was done to its files.
#[derive(Debug, Clone, Copy)]
pub struct DamageCase<'a> {
    /// The run, which ended with a clean close.
    pub history: &'a FifoHistory,
    /// What the names of the queue's files start with.
    pub queue: &'a str,
    /// All files before the damage.
    pub before: &'a [NamedFile],
    /// All files after it.
    pub after: &'a [NamedFile],
    /// The engine writes sums.
    pub sums: bool,
}

/// Follows one opening of damaged files. Open, ask for the depth, drain until there is nothing,
/// ask for the depth again; every failure that reports damage is passed by draining on.
#[derive(Debug)]
pub struct DamageObserver<'a> {
    case: DamageCase<'a>,
    layout: Option<Layout>,
    delivered: Vec<Delivered>,
    losses: Vec<Loss>,
    /// Files that were kept aside, as they were when first seen.
    kept: Vec<NamedFile>,
    first_depth: Option<i64>,
    last_depth: Option<i64>,
    ended: bool,
    failures: usize,
    violation: Option<Violation>,
}

impl<'a> DamageObserver<'a> {
    /// An observer of what comes after this damage.
    #[must_use]
    pub fn new(case: DamageCase<'a>) -> Self {
        let DamageCase {
            history,
            queue,
            before,
            after,
            sums,
        } = case;
        Self {
            layout: Layout::of(history, queue, before, after, sums),
            case,
            delivered: Vec::new(),
            losses: Vec::new(),
            kept: Vec::new(),
            first_depth: None,
            last_depth: None,
            ended: false,
            failures: 0,
            violation: None,
        }
    }

    /// The queue was opened.
    pub fn opened(&mut self, outcome: &Outcome) {
        self.take_losses(outcome);
        if let Err(failure) = &outcome.result {
            self.fail("open", Clause::C7, failure);
        }
    }

    /// The depth was asked for.
    pub fn depth(&mut self, outcome: &Outcome) {
        self.take_losses(outcome);
        match &outcome.result {
            Ok(Reply::Count(said)) if *said < 0 => {
                self.found(Clause::Q5, format!("depth said {said}"));
            }
            Ok(Reply::Count(said)) => {
                self.first_depth.get_or_insert(*said);
                self.last_depth = Some(*said);
            }
            Ok(_) => {}
            Err(failure) => self.fail("depth", Clause::C12, failure),
        }
    }

    /// A message was delivered.
    pub fn message(&mut self, bytes: &[u8]) -> bool {
        let item = self.case.history.messages().identify(bytes);
        self.delivered.push(Delivered {
            item,
            bytes: bytes.to_vec(),
        });
        self.violation.is_none()
    }

    /// Draining ended with this outcome; `true` asks to drain on, since damage was passed.
    pub fn drained(&mut self, outcome: &Outcome) -> bool {
        self.take_losses(outcome);
        match &outcome.result {
            Ok(_) => {
                self.ended = true;
                false
            }
            Err(Failure {
                kind: FailureKind::Damage,
                ..
            }) => {
                self.failures += 1;
                self.is_passed()
            }
            Err(failure) => {
                self.fail("read", Clause::C12, failure);
                false
            }
        }
    }

    /// The files as they are now: those kept aside must stay as they are.
    pub fn directory(&mut self, files: &[NamedFile]) {
        for file in files {
            let aside = role(self.case.queue, &file.0) == Role::Quarantine;
            if aside && !self.kept.iter().any(|kept| kept.0 == file.0) {
                self.kept.push(file.clone());
            }
        }
    }

    /// An operation was called that must work after everything was drained.
    pub fn worked(&mut self, name: &'static str, outcome: &Outcome) {
        self.take_losses(outcome);
        if let Err(failure) = &outcome.result {
            self.fail(name, Clause::C1, failure);
        }
    }

    /// Everything was done; `at_end` is what the directory holds now.
    #[must_use]
    pub fn finish(self, at_end: &[NamedFile]) -> Verdict {
        if let Some(violation) = self.violation {
            return Verdict::Fail(violation);
        }
        if self.case.history.is_corrupted() {
            return Verdict::Skipped("the run itself had silent faults".to_owned());
        }
        if !self.case.history.is_closed() {
            return Verdict::Skipped("the run did not end with a close".to_owned());
        }
        let Some(layout) = &self.layout else {
            let reason = "the files of the closed queue do not hold its messages";
            return Verdict::Unknown(reason.to_owned());
        };
        if !self.ended {
            return Verdict::Unknown("the queue was not drained".to_owned());
        }
        let delivery = Delivery::of(layout);
        let wrong = delivery.check(self.case.history.messages(), &self.delivered);
        let found = match wrong {
            Err(wrong) => Some(self.explain(layout, &wrong)),
            Ok(()) => reports::check_kept(&self.kept, at_end)
                .map(|problem| (Clause::C8, problem))
                .or_else(|| self.check_reports(layout, at_end))
                .or_else(|| self.check_depth(layout)),
        };
        found.map_or(Verdict::Pass, |(clause, evidence)| {
            Verdict::Fail(Violation {
                clause,
                evidence,
                step: None,
            })
        })
    }

    /// C12: damage is reported once and passed, so there are not more reports than bytes.
    fn is_passed(&mut self) -> bool {
        let bytes: usize = self.case.after.iter().map(|(_, bytes)| bytes.len()).sum();
        if self.failures <= bytes + self.case.before.len() {
            return true;
        }
        let evidence = "reading reports damage again and again and never gets past it";
        self.found(Clause::C12, evidence.to_owned());
        false
    }

    fn check_reports(&self, layout: &Layout, at_end: &[NamedFile]) -> Option<(Clause, String)> {
        let messages = self.case.history.messages();
        let missing = |number: u32| {
            let mut items = self.delivered.iter();
            !items.any(|message| messages.matches(message.item, number))
                && !self.came_changed(layout, number)
        };
        reports::check(layout, self.case.queue, &self.losses, missing)
            .or_else(|| reports::check_quarantine(layout, self.case.queue, &self.losses, at_end))
            .map(|problem| (Clause::C7, problem))
    }

    /// Whether a message that no sum covers came with its changed body.
    fn came_changed(&self, layout: &Layout, number: u32) -> bool {
        layout.segments.iter().any(|segment| {
            let mut records = segment.records.iter();
            let Some(record) = records.find(|record| record.number == number) else {
                return false;
            };
            let now = segment
                .now
                .get(record.bytes.clone())
                .and_then(|all| all.get(4..));
            record.touch == Touch::Body
                && self
                    .delivered
                    .iter()
                    .any(|message| Some(&*message.bytes) == now)
        })
    }

    fn check_depth(&self, layout: &Layout) -> Option<(Clause, String)> {
        if let Some(last) = self.last_depth
            && last != 0
        {
            return Some((
                Clause::Q5,
                format!("everything was read and depth says {last}"),
            ));
        }
        let first = self.first_depth?;
        let delivered = i64::try_from(self.delivered.len()).unwrap_or(i64::MAX);
        let whole = layout.segments.iter().all(|segment| !segment.damaged);
        (whole && first != delivered).then(|| {
            let evidence = format!("depth said {first}, and {delivered} messages came");
            (Clause::Q5, evidence)
        })
    }

    fn explain(&self, layout: &Layout, wrong: &Wrong) -> (Clause, String) {
        match wrong {
            Wrong::Missing(number) => {
                let evidence = format!("message {number} is undamaged and did not come");
                (Clause::C7, evidence)
            }
            Wrong::Unexpected(None) => {
                let evidence = "a message came that was never put, and no damage explains it";
                (Clause::C7, evidence.to_owned())
            }
            Wrong::Unexpected(Some(number)) => {
                let read = *number < self.case.history.live().first_min;
                let again = self
                    .delivered
                    .iter()
                    .filter(|message| message.item == Item::Number(*number))
                    .count();
                if read && again > 0 && !layout.meta_damaged {
                    let evidence = format!("message {number} was read before the clean close");
                    return (Clause::C11, evidence);
                }
                if again > 1 {
                    return (Clause::Q1, format!("message {number} came twice"));
                }
                let evidence = format!("message {number} came out of its order or changed");
                (Clause::C7, evidence)
            }
        }
    }

    fn take_losses(&mut self, outcome: &Outcome) {
        self.losses.extend(outcome.losses.iter().cloned());
    }

    fn fail(&mut self, name: &'static str, clause: Clause, failure: &Failure) {
        let clause = match failure.kind {
            FailureKind::Unsupported => return,
            FailureKind::Panic | FailureKind::CutOff => Clause::C3,
            FailureKind::Io(_)
            | FailureKind::Refused
            | FailureKind::Locked
            | FailureKind::Closed
            | FailureKind::Damage
            | FailureKind::Foreign => clause,
        };
        self.found(
            clause,
            format!("{name} failed after the damage: {}", failure.message),
        );
    }

    fn found(&mut self, clause: Clause, evidence: String) {
        self.violation.get_or_insert(Violation {
            clause,
            evidence,
            step: None,
        });
    }
}
