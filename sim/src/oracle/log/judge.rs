//! Holds what came back from a log against what the crash point allows. The usual case, that it
//! fits, costs two binary searches and makes no words.

use super::explain::explain;
use super::observation::LogObservation;
use super::windows::{Alternative, LogWindows};
use crate::model::Place;
use crate::oracle::{Asked, Violation};
use crate::scenario::{Clause, CrashKind};

/// What of an observation an alternative does not allow; later ones are nearer to fitting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unfit {
    Start,
    End,
    Content,
    Reader(u32, Place),
    Loss(u32),
}

/// Judges what came back after a crash of this kind at a point with these windows. On a disk whose
/// syncs keep nothing a power cut is asked for nothing but opening, and that without a panic.
#[must_use]
pub fn judge_log(
    windows: &LogWindows,
    kind: CrashKind,
    observation: &LogObservation,
) -> Option<Violation> {
    let violation = judge_honest(windows, kind, observation)?;
    let asked = Asked::of(violation.clause, kind, windows.syncs_keep);
    (asked != Asked::Never).then_some(violation)
}

/// The same on a disk whose syncs keep what they cover.
fn judge_honest(
    windows: &LogWindows,
    kind: CrashKind,
    observation: &LogObservation,
) -> Option<Violation> {
    let allowed = &windows.allowed;
    if let Some(finding) = &observation.finding {
        // Of a log that is being moved any file may be missing until the move is finished: holes
        // are none of its own.
        let is_hole = matches!(
            finding.clause,
            Clause::L1 | Clause::L2 | Clause::L8 | Clause::C7 | Clause::C12
        );
        if allowed.is_moving && is_hole && !observation.is_moved_again {
            return None;
        }
        if matches!(finding.clause, Clause::C7 | Clause::L2)
            && let Some(violation) = misplaced(windows, kind, observation)
        {
            return Some(blame_failed_call(windows, violation));
        }
        let mut violation = finding.violation(allowed.step);
        // What leaves all or nothing is to blame for a hole, too.
        violation.clause = allowed
            .blamed
            .filter(|_| is_hole && finding.clause != Clause::L8)
            .unwrap_or(violation.clause);
        return Some(blame_failed_call(windows, violation));
    }
    let (unfit, alternative) = nearest(windows, kind, observation)?;
    let violation = explain(windows, alternative, unfit, kind, observation);
    Some(blame_failed_call(windows, violation))
}

/// Where the log starts or ends wrongly, that says more than the loss that is reported with it.
fn misplaced(
    windows: &LogWindows,
    kind: CrashKind,
    observation: &LogObservation,
) -> Option<Violation> {
    let nearest = nearest(windows, kind, observation);
    let (unfit, alternative) = nearest.filter(|(unfit, _)| *unfit <= Unfit::End)?;
    Some(explain(windows, alternative, unfit, kind, observation))
}

/// The alternative that fits best, and what does not fit; nothing where one fits.
fn nearest<'w>(
    windows: &'w LogWindows,
    kind: CrashKind,
    observation: &LogObservation,
) -> Option<(Unfit, &'w Alternative)> {
    let mut nearest: Option<(Unfit, &Alternative)> = None;
    for alternative in &windows.allowed.alternatives {
        let unfit = unfit(windows, alternative, kind, observation)?;
        if nearest.is_none_or(|(least, _)| least < unfit) {
            nearest = Some((unfit, alternative));
        }
    }
    nearest
}

/// The first thing that an alternative does not allow.
fn unfit(
    windows: &LogWindows,
    alternative: &Alternative,
    kind: CrashKind,
    observation: &LogObservation,
) -> Option<Unfit> {
    let LogObservation { start, end, .. } = *observation;
    let is_left = !alternative.is_covered || kind == CrashKind::PowerCut;
    if !is_left || !alternative.starts.contains(&start) {
        return Some(Unfit::Start);
    }
    let ends = alternative.end_min(kind).offset..=alternative.end_max.offset;
    let chain = windows.chain(alternative);
    if !ends.contains(&end.offset) || chain.is_none_or(|chain| chain.find(end).is_none()) {
        return Some(Unfit::End);
    }
    if !chain.is_some_and(|chain| chain.has(start, end, observation.sum)) {
        return Some(Unfit::Content);
    }
    for (index, place) in &observation.readers {
        if !stands(alternative, *index, *place, start, end) {
            return Some(Unfit::Reader(*index, *place));
        }
    }
    let mut losses = observation.losses.iter();
    let odd = losses.find(|index| !may_lose(alternative, **index, start));
    odd.map(|index| Unfit::Loss(*index))
}

fn stands(alternative: &Alternative, index: u32, at: Place, start: Place, end: Place) -> bool {
    let Ok(found) = find_reader(alternative, index) else {
        return true;
    };
    alternative.readers.get(found).is_none_or(|reader| {
        let mut candidates = reader.candidates.iter();
        // Known already, but without its position: then it stands at the start (L10).
        (reader.may_be_new && (at == end || at == start))
            || candidates.any(|candidate| (*candidate).min(end).max(start) == at)
    })
}

/// A loss is reported where the log's start passed the reader, and where its first position was
/// being written.
fn may_lose(alternative: &Alternative, index: u32, start: Place) -> bool {
    let Ok(found) = find_reader(alternative, index) else {
        return true;
    };
    alternative.readers.get(found).is_none_or(|reader| {
        let mut candidates = reader.candidates.iter();
        reader.may_be_new || candidates.any(|candidate| *candidate < start)
    })
}

pub(super) fn find_reader(alternative: &Alternative, index: u32) -> Result<usize, usize> {
    let readers = &alternative.readers;
    readers.binary_search_by_key(&index, |reader| reader.index)
}

/// C5 and C6: where a sync had failed or space had run out, that is what the engine did not get
/// over.
fn blame_failed_call(windows: &LogWindows, violation: Violation) -> Violation {
    use Clause::{C1, C5, C6, C7, C11, C12, L2};
    let allowed = &windows.allowed;
    let is_lost = matches!(violation.clause, L2 | C7 | C11 | C12);
    let (clause, failed) = match (allowed.sync_failed, allowed.disk_full) {
        (Some(step), _) if is_lost => (C5, format!("after a sync had failed in step {step}")),
        (_, Some(step)) if is_lost || violation.clause == C1 => {
            (C6, format!("after space had run out in step {step}"))
        }
        _ => return violation,
    };
    Violation {
        clause,
        evidence: format!("{}, {failed}", violation.evidence),
        ..violation
    }
}
