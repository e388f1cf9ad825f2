//! Goes through a history and says what each step broke.

use super::Broken;
use super::damage::{Cost, cost, places};
use super::delivery::{Expected, judge_delivery};
use super::files::Look;
use super::item::{Gone, Item, Why};
use super::ledger::Ledger;
use super::owed::Owed;
use crate::scenario::{Clause, FifoOptions, Reply};
use crate::trace::disk::Files;
use crate::trace::file::{Operation, Trace};
use crate::trace::history::{History, Observed};
use std::collections::BTreeSet;

/// The clauses that a history breaks, by step.
pub(in crate::trace) fn judge(trace: &Trace, history: &History) -> Vec<Broken> {
    let mut judge = Judge::new(trace);
    for (index, step) in history.steps.iter().enumerate() {
        judge.step = index + 1;
        judge.look_at(step);
    }
    judge.look_at_the_end(&history.files_at_the_end);
    judge.broken.sort();
    judge
        .broken
        .dedup_by(|one, other| (one.step, one.clause) == (other.step, other.clause));
    judge.broken
}

/// The judge, between two steps.
pub(super) struct Judge<'a> {
    pub(super) queue: &'a str,
    pub(super) options: FifoOptions,
    pub(super) step: usize,
    pub(super) ledger: Ledger,
    owed: Owed,
    pub(super) files: Files,
    /// Segments that damage touched and that are still to be met.
    pub(super) damaged: BTreeSet<i64>,
    /// Names under which damaged bytes are kept.
    kept: BTreeSet<String>,
    /// Messages that damage made of others.
    altered: Vec<Vec<u8>>,
    /// Damage of any kind was done.
    pub(super) is_damaged: bool,
    /// The depths that were told: in which step, and how many messages seemed to be left.
    depths: Vec<(usize, i64, i64)>,
    /// Since which step reading everything does not end.
    pub(super) endless: Option<usize>,
    /// Files left behind that were told.
    told: BTreeSet<String>,
    broken: Vec<Broken>,
}

impl<'a> Judge<'a> {
    fn new(trace: &'a Trace) -> Self {
        Self {
            queue: &trace.queue,
            options: trace.options,
            step: 0,
            ledger: Ledger::default(),
            owed: Owed::default(),
            files: Files::new(),
            damaged: BTreeSet::new(),
            kept: BTreeSet::new(),
            altered: Vec::new(),
            is_damaged: false,
            depths: Vec::new(),
            endless: None,
            told: BTreeSet::new(),
            broken: Vec::new(),
        }
    }

    pub(super) fn found(&mut self, clause: Clause, evidence: impl Into<String>) {
        self.broken.push(Broken {
            step: self.step,
            clause,
            evidence: evidence.into(),
        });
    }

    fn look_at(&mut self, step: &Observed) {
        let opens = matches!(
            step.operation,
            Operation::Open
                | Operation::Reopen(_)
                | Operation::KillAndOpen
                | Operation::CloseDamageOpen(_)
        );
        let old_options = self.options;
        if let Operation::Reopen(change) = step.operation {
            change.apply(&mut self.options);
        }
        let cost = self.damage_cost(step);
        self.look_at_failures(step);
        let refused = self.is_refused(step);
        let wanted = self.wanted(step, refused);
        let lost_clause = self.lost_clause(step, &wanted, old_options);
        let expected = Expected {
            operation: &step.operation,
            wanted: &wanted,
            gone: &self.ledger.gone,
            may_come_again: self.owed.may_come_again(),
            durable_by_count: self.owed.durable_by_count(),
            altered: &self.altered,
            cost: &cost,
            lost_clause,
            refused,
        };
        let found = &step.left.messages;
        let change = judge_delivery(&expected, found);
        self.ledger.adopt(self.step, wanted, found, change);
        if opens {
            self.owed.all_durable();
        }
        self.look_at_files(step, opens);
        self.look_at_depth(step);
    }

    /// What damage in this step may cost; keeps which segment it touched.
    fn damage_cost(&mut self, step: &Observed) -> Cost {
        let (Operation::CloseDamageOpen(damage), Some(before)) =
            (&step.operation, &step.played.before_damage)
        else {
            return Cost::default();
        };
        if step.played.damage_skipped.is_some() {
            return Cost::default();
        }
        let cost = cost(self.queue, damage, before, &self.ledger.left);
        self.is_damaged = true;
        self.damaged.extend(cost.segment);
        self.altered.extend_from_slice(&cost.altered);
        cost
    }

    /// What must be left after the step; counts what it makes durable.
    fn wanted(&mut self, step: &Observed, refused: bool) -> Vec<Item> {
        let mut wanted = std::mem::take(&mut self.ledger.left);
        match (&step.operation, &step.played.outcome.result) {
            (Operation::Put(message), Ok(_)) if !refused => {
                self.owed.put(self.options.sync_every);
                wanted.push(self.ledger.put(message));
            }
            (Operation::Read, Ok(Reply::Message(message))) => {
                self.owed.read(self.options.sync_every);
                // What comes was to come, since it was asked for after the step before.
                if wanted.first().is_some_and(|item| item.bytes == *message) {
                    let item = wanted.remove(0);
                    self.ledger.read(Some(&item));
                    let why = Why::Read;
                    self.ledger.gone.push(Gone { item, why });
                }
            }
            (Operation::Read, Ok(Reply::Nothing)) => self.ledger.read(None),
            (Operation::Empty, Ok(_)) => {
                self.owed.all_durable();
                let dropped = wanted.drain(..).map(|item| Gone {
                    item,
                    why: Why::Dropped,
                });
                self.ledger.gone.extend(dropped);
            }
            _ => {}
        }
        wanted
    }

    fn look_at_files(&mut self, step: &Observed, opens: bool) {
        let touched = if let Operation::CloseDamageOpen(damage) = &step.operation {
            Some(damage.file.as_str())
        } else {
            None
        };
        let look = Look {
            queue: self.queue,
            before: &self.files,
            after: &step.files,
            damaged: &self.damaged,
            kept: &self.kept,
            touched,
        };
        let mut found = look.put_aside();
        let newly_kept: Vec<String> = look.newly_kept().cloned().collect();
        if opens {
            let gone = &self.ledger.gone;
            let done = |bytes: &[u8]| {
                gone.iter()
                    .any(|gone| !gone.why.is_lost() && gone.item.bytes == bytes)
            };
            found.extend(look.left_behind(&self.ledger.left, &done, &mut self.told));
        }
        for (clause, evidence) in found {
            self.found(clause, evidence);
        }
        self.kept.extend(newly_kept);
        self.files.clone_from(&step.files);
        let lies = places(self.queue, &self.files, &self.ledger.left);
        let there: Vec<i64> = super::segments::segments(self.queue, &self.files)
            .iter()
            .map(|(number, _)| *number)
            .collect();
        self.damaged.retain(|number| {
            there.contains(number) || lies.iter().flatten().any(|at| at.segment < *number)
        });
    }

    /// Keeps the depth that was told, unless damage is still to be met.
    fn look_at_depth(&mut self, step: &Observed) {
        let Some(depth) = step.depth() else {
            return;
        };
        if self.damaged.is_empty() || depth < 0 {
            let left = i64::try_from(self.ledger.left.len()).unwrap_or(i64::MAX);
            self.depths.push((self.step, depth, left));
        }
    }

    /// What comes to light when everything is read behind the last step.
    fn look_at_the_end(&mut self, files: &Files) {
        let look = Look {
            queue: self.queue,
            before: &self.files,
            after: files,
            damaged: &self.damaged,
            kept: &self.kept,
            touched: None,
        };
        for (clause, evidence) in look.put_aside() {
            self.found(clause, evidence);
        }
        if let Some(step) = self.endless {
            self.step = step;
            self.found(Clause::C3, "reading from here on does not end");
        }
        self.broken.extend(self.ledger.finish());
        self.judge_depths();
    }

    /// The depth is what is left; a wrong one is told when it becomes wrong, or wrong in another
    /// way.
    fn judge_depths(&mut self) {
        let mut error_before = 0;
        for (step, depth, left) in std::mem::take(&mut self.depths) {
            let left = left + self.ledger.correction(step);
            let error = depth - left;
            if error != 0 && error != error_before {
                self.step = step;
                let evidence =
                    format!("the depth is told as {depth}, and {left} messages are left");
                self.found(Clause::Q5, evidence);
            }
            error_before = error;
        }
    }
}
