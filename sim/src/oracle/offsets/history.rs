//! What a crash at each mark of a run allows, and what came back after one.

use super::strengths::OffsetStrengths;
use crate::oracle::Violation;
use crate::scenario::{Clause, CrashKind, OffsetOp, OffsetQueue, OffsetTable};

/// The offsets of a run's queues, in their order.
pub(super) type Snapshot = Vec<Option<i64>>;

/// What a crash at one position allows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Allowed {
    /// Numbers of snapshots.
    pub(super) snapshots: Vec<u32>,
    pub(super) step: Option<u32>,
    pub(super) is_in_flight: bool,
    /// Of each queue, whether the last persist was given it; nothing where that was given all.
    pub(super) named: Option<Vec<bool>>,
    /// A sync or a write for want of space had failed before, in this step.
    pub(super) sync_failed: Option<u32>,
    pub(super) disk_full: Option<u32>,
}

/// What judges the crashes of a run. Positions count marks: 0 before the first step, `2 * step + 1`
/// while a step is in flight, `2 * step + 2` after it.
#[derive(Debug)]
pub struct OffsetHistory {
    pub(super) queues: Vec<OffsetQueue>,
    pub(super) snapshots: Vec<Snapshot>,
    pub(super) marks: Vec<Option<Allowed>>,
    pub(super) strengths: OffsetStrengths,
}

/// What came back after one crash: the offsets of the run's queues, or what was wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct OffsetObservation {
    offsets: Vec<Option<i64>>,
    /// The first violation that holds wherever the crash fell.
    finding: Option<(Clause, String)>,
}

impl OffsetObservation {
    /// What an opened store holds in memory.
    #[must_use]
    pub fn of(history: &OffsetHistory, table: &OffsetTable) -> Self {
        Self {
            offsets: history.in_order(table),
            finding: None,
        }
    }

    /// Adds what was wrong, whatever the crash; the first one counts.
    pub fn broken(&mut self, violation: Violation) {
        if self.finding.is_none() {
            self.finding = Some((violation.clause, violation.evidence));
        }
    }

    /// Whether anything was wrong.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.finding.is_some()
    }
}

impl OffsetHistory {
    /// The queues of the run, in their order.
    #[must_use]
    pub fn queues(&self) -> &[OffsetQueue] {
        &self.queues
    }

    /// What it was held to.
    #[must_use]
    pub fn strengths(&self) -> OffsetStrengths {
        self.strengths
    }

    /// Whether the run was judged up to this position.
    #[must_use]
    pub fn knows(&self, position: u32) -> bool {
        self.at(position).is_some()
    }

    pub(super) fn in_order(&self, table: &OffsetTable) -> Snapshot {
        let offset = |queue: &OffsetQueue| table.get(queue).copied();
        self.queues.iter().map(offset).collect()
    }

    fn at(&self, position: u32) -> Option<&Allowed> {
        let last = self.marks.len().checked_sub(1)?;
        self.marks.get((position as usize).min(last))?.as_ref()
    }
}

/// Judges what came back after a crash of this kind at a position.
#[must_use]
pub fn judge_offsets(
    history: &OffsetHistory,
    position: u32,
    kind: CrashKind,
    observation: &OffsetObservation,
) -> Option<Violation> {
    let allowed = history.at(position)?;
    let is_asked = |clause: Clause| {
        use Clause::{C1, C3, C9, C10, C14};
        history.strengths.syncs_keep
            || kind == CrashKind::Kill
            || matches!(clause, C1 | C3 | C9 | C10 | C14)
    };
    let snapshot = |number: &u32| history.snapshots.get(*number as usize);
    let mut fitting = allowed.snapshots.iter().filter_map(snapshot);
    let fits = fitting.any(|snapshot| *snapshot == observation.offsets);
    // What a loss has cost tells more than that it was reported.
    let is_loss = |(clause, _): &&(Clause, String)| *clause == Clause::C7 && !fits;
    let finding = observation.finding.as_ref();
    if let Some((clause, evidence)) = finding.filter(|found| !is_loss(found)) {
        // A sync that failed unseen is what tore a file.
        let clause = match allowed.sync_failed {
            Some(_) if *clause == Clause::C7 => Clause::C5,
            Some(_) | None => *clause,
        };
        return is_asked(clause).then(|| Violation {
            clause,
            evidence: evidence.clone(),
            step: allowed.step,
        });
    }
    if fits || !is_asked(Clause::O1) {
        return None;
    }
    Some(explain(history, allowed, observation))
}

#[cold]
fn explain(
    history: &OffsetHistory,
    allowed: &Allowed,
    observation: &OffsetObservation,
) -> Violation {
    let known = history.snapshots.iter();
    let is_known = known
        .clone()
        .any(|snapshot| *snapshot == observation.offsets);
    let is_empty = observation.offsets.iter().all(Option::is_none);
    let is_strange = |_: usize, queue: &OffsetQueue| !queue.topic.is_ascii();
    let is_unnamed = |index: usize, _: &OffsetQueue| {
        let named = allowed.named.as_ref().and_then(|named| named.get(index));
        named == Some(&false)
    };
    // While a persist is in flight either of two snapshots comes, and nothing else.
    let lost = match allowed.is_in_flight {
        true => Clause::O2,
        false => Clause::O1,
    };
    let (clause, words) = match (is_known, is_empty) {
        (_, true) => (lost, "nothing came back"),
        (true, false) => (lost, "an older snapshot came back"),
        (false, false) if differs_only(history, allowed, observation, is_strange) => (
            Clause::O6,
            "queues whose names are not plain did not come back",
        ),
        (false, false) if differs_only(history, allowed, observation, is_unnamed) => (
            Clause::O7,
            "queues that the last persist was not given did not come back",
        ),
        (false, false) => (Clause::O2, "what came back is no snapshot"),
    };
    let promised = match allowed.is_in_flight {
        true => "the last acknowledged one or the one in flight",
        false => "the last acknowledged one",
    };
    let (clause, after) = match (allowed.sync_failed, allowed.disk_full) {
        (Some(step), _) => (
            Clause::C5,
            format!(", after a sync had failed in step {step}"),
        ),
        (_, Some(step)) => (
            Clause::C6,
            format!(", after space had run out in step {step}"),
        ),
        (None, None) => (clause, String::new()),
    };
    Violation {
        clause,
        evidence: format!(
            "{words}: {}, and {promised} was to come{after}",
            listed(&history.queues, &observation.offsets)
        ),
        step: allowed.step,
    }
}

/// Whether all that differs from an allowed snapshot are queues like these.
fn differs_only(
    history: &OffsetHistory,
    allowed: &Allowed,
    observation: &OffsetObservation,
    is_such: impl Fn(usize, &OffsetQueue) -> bool,
) -> bool {
    let snapshots = allowed.snapshots.iter();
    let mut snapshots = snapshots.filter_map(|number| history.snapshots.get(*number as usize));
    snapshots.any(|snapshot| {
        let pairs = snapshot.iter().zip(&observation.offsets);
        let mut differing = pairs
            .zip(history.queues.iter().enumerate())
            .filter(|((one, other), _)| one != other);
        differing.all(|(_, (index, queue))| is_such(index, queue))
    })
}

/// Offsets in words.
fn listed(queues: &[OffsetQueue], offsets: &[Option<i64>]) -> String {
    let entry = |(queue, offset): (&OffsetQueue, &Option<i64>)| {
        let offset = offset.map_or("none".to_owned(), |offset| offset.to_string());
        format!("{:?} {} = {offset}", queue.topic, queue.queue_id)
    };
    let entries: Vec<String> = queues.iter().zip(offsets).map(entry).collect();
    entries.join(", ")
}

/// The clause that an operation is judged by.
pub(super) fn clause_of(op: &OffsetOp) -> Clause {
    match op {
        OffsetOp::Open => Clause::C2,
        OffsetOp::OpenReadOnly => Clause::C14,
        OffsetOp::Read { .. } | OffsetOp::Offsets { .. } => Clause::O4,
        OffsetOp::Update { .. } => Clause::O3,
        OffsetOp::Persist { .. } | OffsetOp::PersistAll | OffsetOp::Remove { .. } => Clause::O7,
        OffsetOp::Close | OffsetOp::Kill => Clause::C11,
    }
}
