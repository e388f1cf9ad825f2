//! What the lanes of a check add up to: the verdict, the digest, and how often each clause was
//! judged.

use super::engines::System;
use super::lanes::LaneState;
use super::one::Explored;
use super::plan::CheckPlan;
use super::result::{ClauseRow, Row, Verdict};
use crate::generate::Abilities;
use crate::scenario::{CLAUSES, Clause, RunKind};
use std::collections::{BTreeMap, BTreeSet};

/// The digest of a scenario's result. Those of a whole check are added up, so that its shards add
/// up to it in any order.
pub(crate) fn digest_of(row: &Row, explored: &Explored) -> u128 {
    let mut bytes = format!("{} {} {:?}", row.engine, row.profile, row.run).into_bytes();
    for number in [
        explored.digest,
        explored.points,
        explored.states_judged,
        explored.states_recovered,
        explored.violations,
    ] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    for (clause, (violation, _)) in &explored.broken {
        bytes.extend_from_slice(clause.info().id.as_bytes());
        bytes.extend_from_slice(violation.evidence.as_bytes());
    }
    xxhash_rust::xxh3::xxh3_128(&bytes)
}

/// The answer of a check.
pub(crate) fn verdict_of(plan: &CheckPlan, lanes: &[LaneState], complete: bool) -> Verdict {
    if lanes.iter().any(|lane| !lane.found.is_empty()) {
        return Verdict::Fail;
    }
    if let Some(reason) = lanes.iter().find_map(|lane| lane.unknown.clone()) {
        return Verdict::Unknown(reason);
    }
    if !complete {
        return Verdict::Unknown("it was stopped before the budget was used up".to_owned());
    }
    if lanes.iter().all(|lane| lane.row.scenarios == 0) {
        return Verdict::Nothing;
    }
    if plan.full
        && let Some(reason) = not_reached(lanes)
    {
        return Verdict::Unknown(reason);
    }
    Verdict::Pass
}

/// What a full run must have reached and has not.
fn not_reached(lanes: &[LaneState]) -> Option<String> {
    let reached: BTreeSet<&str> = lanes
        .iter()
        .flat_map(|lane| lane.marks.iter())
        .map(|mark| mark.name)
        .collect();
    let fired: BTreeSet<&str> = lanes
        .iter()
        .flat_map(|lane| lane.fired.keys().copied())
        .collect();
    let marks = crate::oracle::sometimes::ALL.iter().map(|mark| mark.name);
    let kinds = crate::fault::KINDS.iter().map(|kind| kind.name);
    let missing: Vec<&str> = marks
        .filter(|name| !reached.contains(name))
        .chain(kinds.filter(|name| !fired.contains(name)))
        .collect();
    (!missing.is_empty()).then(|| format!("never reached: {}", missing.join(", ")))
}

/// How often each clause was judged for each engine.
pub(crate) fn clause_rows(lanes: &[LaneState]) -> Vec<ClauseRow> {
    let mut engines: BTreeMap<&str, Vec<&LaneState>> = BTreeMap::new();
    for lane in lanes {
        engines.entry(lane.engine.name).or_default().push(lane);
    }
    let mut rows = Vec::new();
    for (engine, lanes) in engines {
        for info in CLAUSES {
            rows.extend(clause_row(engine, &lanes, info.clause));
        }
    }
    rows
}

/// The row of a clause that concerns an engine; none for the clauses of others.
fn clause_row(engine: &str, lanes: &[&LaneState], clause: Clause) -> Option<ClauseRow> {
    let system = &lanes.first()?.engine.system;
    if !concerns(clause, system) {
        return None;
    }
    let violations = lanes
        .iter()
        .flat_map(|lane| &lane.found)
        .filter(|at| at.found.clause == clause)
        .count() as u64;
    let judged = lanes
        .iter()
        .filter(|lane| judged_by(clause, lane))
        .map(|lane| lane.judged(clause))
        .sum();
    let skipped = (judged == 0).then(|| why_not(clause).to_owned());
    Some(ClauseRow {
        engine: engine.to_owned(),
        clause,
        judged,
        violations,
        skipped,
    })
}

/// Whether a clause is one of this kind of system.
fn concerns(clause: Clause, system: &System) -> bool {
    let id = clause.info().id;
    match system {
        System::Queue(_) => id.starts_with(['C', 'Q']),
        System::Log(_) => {
            id.starts_with(['C', 'L']) || matches!(clause, Clause::Q7 | Clause::Q9 | Clause::Q12)
        }
        System::Offsets(_) => id.starts_with(['C', 'O']),
        System::Cluster => id.starts_with(['C', 'L', 'R']),
    }
}

/// Whether the runs of an offset store's lane can break a clause.
fn judged_of_offsets(clause: Clause, run: RunKind) -> bool {
    use Clause::{C1, C3, C5, C6, C7, C13, C14, C15, O1, O5, O6};
    match run {
        RunKind::Crashes => !matches!(clause, C5 | C6 | C7 | C13 | C14 | C15 | O5),
        RunKind::Errors | RunKind::Calls => !matches!(clause, C7 | C13 | C14 | C15 | O5),
        RunKind::Damage => matches!(clause, C1 | C3 | C7 | O1 | O5 | O6),
        RunKind::Orders => false,
    }
}

/// Whether the runs of a cluster's lane can break a clause.
fn judged_of_a_cluster(clause: Clause) -> bool {
    use Clause::{C1, C3, C12, L1, L2, L3, L5, L6, L7, L8, L11, L12, R1, R2, R3};
    matches!(
        clause,
        C1 | C3 | C12 | L1 | L2 | L3 | L5 | L6 | L7 | L8 | L11 | L12 | R1 | R2 | R3
    )
}

/// Whether the runs of a log's lane can break a clause.
fn judged_of_a_log(clause: Clause, run: RunKind) -> bool {
    use Clause::{C3, C5, C6, C7, C8, C10, C11, C12, C15, L1, L6, L10};
    match run {
        RunKind::Crashes => !matches!(clause, C5 | C6 | C7 | C15 | L10),
        RunKind::Errors | RunKind::Calls => !matches!(clause, C7 | C10 | C15 | L10),
        RunKind::Damage => matches!(clause, C3 | C7 | C8 | C11 | C12 | L1 | L6 | L10),
        RunKind::Orders => false,
    }
}

/// Whether an engine has the operations that a clause speaks of.
fn has_operations(clause: Clause, engine: &str) -> bool {
    let able = Abilities::of(engine);
    (able.peek || clause != Clause::Q6) && (able.batch || clause != Clause::Q10)
}

/// Whether the runs of a lane can break a clause.
fn judged_by(clause: Clause, lane: &LaneState) -> bool {
    use Clause::{C1, C3, C4, C5, C6, C7, C10, C11, C12};
    use Clause::{Q1, Q2, Q3, Q4, Q5, Q10, Q11, Q13};
    let queue = match &lane.engine.system {
        System::Queue(queue) => queue,
        // Originals take no lock.
        System::Log(log) if clause == C10 && !log.strengths.seglog_files => return false,
        System::Log(_) => return judged_of_a_log(clause, lane.row.run),
        System::Offsets(_) => return judged_of_offsets(clause, lane.row.run),
        System::Cluster => return judged_of_a_cluster(clause),
    };
    let whole = queue.strengths.diskqueue_files;
    if !has_operations(clause, lane.engine.name) {
        return false;
    }
    match lane.row.run {
        RunKind::Damage => matches!(clause, C1 | C3 | C7 | Q1),
        RunKind::Orders => matches!(
            clause,
            C1 | C3 | C4 | C5 | C11 | C12 | Q1 | Q2 | Q3 | Q4 | Q5 | Q10 | Q11 | Q13
        ),
        _ if !whole => matches!(clause, C1 | C3 | Q1 | Q2 | Q3),
        RunKind::Crashes => !matches!(clause, C5 | C6 | C7 | Q13),
        RunKind::Errors | RunKind::Calls => !matches!(clause, C7 | C10 | Q13),
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a new clause is not judged until a run is"
)]
/// Why no run of this check could break a clause.
fn why_not(clause: Clause) -> &'static str {
    match clause {
        Clause::Q13 => "explored with the engine shared-diskqueue",
        _ => "no run of this check concerns it",
    }
}
