//! The recorded run of an offset store, followed step by step.

use super::guess::Guess;
use super::history::{Allowed, OffsetHistory, Snapshot, clause_of};
use super::strengths::OffsetStrengths;
use crate::model::{OffsetAnswer, OffsetModel};
use crate::oracle::{FaultNote, Violation};
use crate::scenario::{
    Applied, Clause, FailureKind, OffsetOp, OffsetOutcome, OffsetQueue, OffsetTable,
};

/// No more states are kept that fit what was seen.
const GUESSES_MAX: usize = 64;

/// Follows one run. Feed it every step in order, then [`OffsetOracle::finish`] it.
#[derive(Debug)]
pub struct OffsetOracle {
    queues: Vec<OffsetQueue>,
    strengths: OffsetStrengths,
    /// Everything that fits what was seen; empty once the run can no longer be followed.
    guesses: Vec<Guess>,
    snapshots: Vec<Snapshot>,
    marks: Vec<Option<Allowed>>,
    /// The queues that the last persist was given, where it was not given all.
    named: Option<Vec<bool>>,
    is_faulty: bool,
    sync_failed: Option<u32>,
    disk_full: Option<u32>,
    is_corrupted: bool,
}

impl OffsetOracle {
    /// An oracle of a closed store whose file holds this, for runs that name these queues.
    #[must_use]
    pub fn new(queues: Vec<OffsetQueue>, file: OffsetTable, strengths: OffsetStrengths) -> Self {
        let mut oracle = Self {
            queues,
            strengths,
            guesses: vec![Guess::new(OffsetModel::new(file))],
            snapshots: Vec::new(),
            marks: Vec::new(),
            named: None,
            is_faulty: false,
            sync_failed: None,
            disk_full: None,
            is_corrupted: false,
        };
        oracle.mark(0, None, &[]);
        oracle
    }

    /// A fault fired during the step that is in flight.
    pub fn fault_fired(&mut self, step: u32, note: FaultNote) {
        self.is_faulty = true;
        match note {
            FaultNote::Full => self.disk_full = Some(step),
            FaultNote::Corrupted => self.is_corrupted = true,
            FaultNote::SyncFailed
            | FaultNote::SyncTookBack
            | FaultNote::SumsTookBack
            | FaultNote::OtherSyncFailed
            | FaultNote::SyncFailsLater => self.sync_failed = Some(step),
            FaultNote::Call => {}
        }
    }

    /// A step ended; `table` is what the store holds in memory then. What is wrong without any
    /// crash; after that nothing more is judged.
    pub fn end(
        &mut self,
        step: u32,
        op: &OffsetOp,
        outcome: &OffsetOutcome,
        table: Option<&OffsetTable>,
    ) -> Vec<Violation> {
        let is_faulty = std::mem::take(&mut self.is_faulty);
        if self.guesses.is_empty() {
            return Vec::new();
        }
        if self.is_corrupted {
            self.lose(2 * step + 1);
            return Vec::new();
        }
        self.note_named(op);
        let before = std::mem::take(&mut self.guesses);
        let in_flight: Vec<OffsetTable> = before
            .iter()
            .filter_map(|guess| guess.model.in_flight(op))
            .collect();
        self.guesses.clone_from(&before);
        self.mark(2 * step + 1, Some(step), &in_flight);
        let mut after: Vec<Guess> = Vec::new();
        for way in before
            .iter()
            .flat_map(|guess| self.ways(guess, op, outcome, is_faulty))
        {
            let fits = table.is_none_or(|table| table == way.model.table());
            if fits && !after.contains(&way) {
                after.push(way);
            }
        }
        after.truncate(GUESSES_MAX);
        let nothing_fits = after.is_empty();
        let violation = self.wrong((op, outcome, table), &before, nothing_fits, is_faulty);
        self.guesses = after;
        if let Some((clause, evidence)) = violation {
            self.lose(2 * step + 1);
            let step = Some(step);
            return vec![Violation {
                clause,
                evidence,
                step,
            }];
        }
        self.mark(2 * step + 2, Some(step), &[]);
        Vec::new()
    }

    fn note_named(&mut self, op: &OffsetOp) {
        if let OffsetOp::Persist { queues } = op {
            let is_named = |queue: &OffsetQueue| queues.contains(queue);
            self.named = Some(self.queues.iter().map(is_named).collect());
        } else if matches!(op, OffsetOp::PersistAll | OffsetOp::Close) {
            self.named = None;
        }
    }

    fn ways(
        &self,
        guess: &Guess,
        op: &OffsetOp,
        outcome: &OffsetOutcome,
        is_faulty: bool,
    ) -> Vec<Guess> {
        match &outcome.result {
            Ok(reply) => guess.succeeded(op, reply, self.strengths.tells),
            Err(failure) => guess.failed(op, failure, is_faulty),
        }
    }

    /// The clause that a step broke, and what shows it.
    fn wrong(
        &self,
        (op, outcome, table): (&OffsetOp, &OffsetOutcome, Option<&OffsetTable>),
        before: &[Guess],
        nothing_fits: bool,
        is_faulty: bool,
    ) -> Option<(Clause, String)> {
        let name = name_of(op);
        if let Err(failure) = &outcome.result {
            if matches!(failure.kind, FailureKind::Panic | FailureKind::CutOff) {
                return Some((Clause::C3, format!("`{name}`: {}", failure.message)));
            }
            if self.strengths.tells && failure.applied == Applied::Unknown {
                let words = format!("`{name}` failed and does not tell whether it took place");
                return Some((Clause::C4, words));
            }
        }
        if let Some(loss) = outcome.losses.first() {
            let words = format!(
                "`{name}` reported {} bytes of `{}` as lost, and nothing was damaged",
                loss.size, loss.file
            );
            return Some((Clause::C7, words));
        }
        if !nothing_fits {
            return None;
        }
        let mut model = before.first()?.model.clone();
        let expected = match model.apply(op) {
            OffsetAnswer::Reply(reply) => format!("{reply:?}"),
            OffsetAnswer::Refused => "a refusal".to_owned(),
            OffsetAnswer::Closed => "that it is closed".to_owned(),
        };
        let answered = match &outcome.result {
            Ok(reply) => format!("{reply:?}"),
            Err(failure) => format!("a failure ({})", failure.message),
        };
        let words = format!("`{name}` answered {answered}, and {expected} was to come");
        let clause = match (&outcome.result, op) {
            (Ok(_), OffsetOp::Open | OffsetOp::OpenReadOnly) => {
                let words = format!("`{name}` found something else than was persisted last");
                let is_strange = table.is_some_and(|found| {
                    let mut queues = self.queues.iter();
                    let is_same = |queue| found.get(queue) == model.table().get(queue);
                    queues.all(|queue| is_same(queue) || !queue.topic.is_ascii())
                });
                let clause = if is_strange { Clause::O6 } else { Clause::O1 };
                return Some((clause, words));
            }
            (Ok(_), OffsetOp::Persist { .. } | OffsetOp::PersistAll) if is_faulty => Clause::C4,
            (Err(_), OffsetOp::Open) => Clause::C1,
            (Err(_), _) => Clause::C12,
            (Ok(_), op) => clause_of(op),
        };
        Some((clause, words))
    }

    /// Whether the run can still be followed.
    #[must_use]
    pub fn is_followed(&self) -> bool {
        !self.guesses.is_empty()
    }

    /// The run is over: gives what its crashes are judged by.
    #[must_use]
    pub fn finish(self) -> OffsetHistory {
        OffsetHistory {
            queues: self.queues,
            snapshots: self.snapshots,
            marks: self.marks,
            strengths: self.strengths,
        }
    }

    /// From this position on nothing is judged.
    fn lose(&mut self, position: u32) {
        self.guesses.clear();
        self.marks.truncate(position as usize);
        self.marks.push(None);
    }

    /// Keeps what a crash now allows: what the files may hold, and what is in flight.
    fn mark(&mut self, position: u32, step: Option<u32>, in_flight: &[OffsetTable]) {
        let mut allowed = Allowed {
            snapshots: Vec::new(),
            step,
            is_in_flight: !in_flight.is_empty(),
            named: self.named.clone(),
            sync_failed: self.sync_failed,
            disk_full: self.disk_full,
        };
        let at_rest = self.guesses.iter().flat_map(Guess::at_rest);
        let tables: Vec<OffsetTable> = at_rest.chain(in_flight).cloned().collect();
        for table in &tables {
            let number = self.number_of(table);
            if !allowed.snapshots.contains(&number) {
                allowed.snapshots.push(number);
            }
        }
        let last = self.marks.last().cloned().flatten();
        self.marks.resize(position as usize, last);
        self.marks.push(Some(allowed));
    }

    fn number_of(&mut self, table: &OffsetTable) -> u32 {
        let offset = |queue: &OffsetQueue| table.get(queue).copied();
        let snapshot: Snapshot = self.queues.iter().map(offset).collect();
        let known = self.snapshots.iter().position(|one| *one == snapshot);
        let index = known.unwrap_or_else(|| {
            self.snapshots.push(snapshot);
            self.snapshots.len() - 1
        });
        u32::try_from(index).unwrap_or(u32::MAX)
    }
}

fn name_of(op: &OffsetOp) -> &'static str {
    match op {
        OffsetOp::Open => "open",
        OffsetOp::OpenReadOnly => "open for reading only",
        OffsetOp::Read { .. } => "read",
        OffsetOp::Update { .. } => "update",
        OffsetOp::Persist { .. } => "persist",
        OffsetOp::PersistAll => "persist all",
        OffsetOp::Remove { .. } => "remove",
        OffsetOp::Offsets { .. } => "offsets",
        OffsetOp::Close => "close",
        OffsetOp::Kill => "kill",
    }
}
