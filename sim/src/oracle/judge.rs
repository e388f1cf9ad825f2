//! Holds what came back against what the crash point allows. The usual case, that it fits, costs
//! nanoseconds; only a violation makes words.

use super::{Asked, Cause, Finding, NEVER, Observation, Run, Violation, What, Window, Windows};
use crate::scenario::{Clause, CrashKind};

/// Judges what came back after a crash of this kind at a point with these windows. On a disk whose
/// syncs keep nothing the caller looks at [`Asked`] too: it knows what the crash left whole.
#[must_use]
pub fn judge(windows: &Windows, kind: CrashKind, observation: &Observation) -> Option<Violation> {
    let violation = judge_honest(windows, kind, observation)?;
    let asked = Asked::of(violation.clause, kind, windows.syncs_keep);
    (asked != Asked::Never).then_some(violation)
}

/// The same on a disk whose syncs keep what they cover.
fn judge_honest(
    windows: &Windows,
    kind: CrashKind,
    observation: &Observation,
) -> Option<Violation> {
    if let Some(finding) = &observation.finding {
        let violation = finding.violation(windows.step);
        // A hole is what came back, as opposed to what the queue did with it.
        let violation = if violation.clause == Clause::Q3 {
            blame_emptying(windows, violation)
        } else {
            violation
        };
        return Some(blame_failed_call(windows, violation));
    }
    if observation.refused {
        return None;
    }
    let fits = observation.fits(windows.of(kind), windows.position)
        || windows
            .emptied
            .is_some_and(|(window, _)| observation.fits(&window, windows.position));
    if fits {
        let doubt = observation.doubt.as_ref();
        return doubt.map(|doubt| {
            let violation = blame_emptying(windows, doubt.violation(windows.step));
            blame_failed_call(windows, violation)
        });
    }
    if observation.has_more_readings {
        return None;
    }
    let violation = explain(windows, windows.of(kind), Some(kind), observation);
    let violation = blame_emptying(windows, violation);
    Some(blame_failed_call(windows, violation))
}

/// Q7 and Q12: a crash in an empty or delete leaves all or nothing; whatever else came back, this
/// is to blame.
fn blame_emptying(windows: &Windows, violation: Violation) -> Violation {
    match windows.emptied {
        Some((_, clause)) => Violation {
            clause,
            step: windows.step,
            ..violation
        },
        None => violation,
    }
}

/// C5: where a sync of file bytes had failed before, and bytes are lost or wrong, they were taken
/// for written. C6: where space had run out before, and bytes are lost or the queue does not go
/// on, that is why.
fn blame_failed_call(windows: &Windows, violation: Violation) -> Violation {
    use Clause::{C1, C5, C6, C12, Q1, Q2, Q3, Q11};
    let is_lost = matches!(violation.clause, Q2 | Q3 | Q11 | C12);
    let (clause, failed) = match (windows.sync_failed, windows.disk_full) {
        (Some(step), _) if is_lost || violation.clause == Q1 => {
            (C5, format!("after a sync had failed in step {step}"))
        }
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

/// Judges what the object that was never crashed delivers after the last step: the liveness
/// phase. `live` is what must come, exactly.
#[must_use]
pub fn judge_running(
    live: &Window,
    windows: &Windows,
    observation: &Observation,
) -> Option<Violation> {
    if let Some(finding) = &observation.finding {
        let excused = windows.corrupted && !matches!(finding.clause, Clause::C1 | Clause::C3);
        let violation = || blame_failed_call(windows, finding.violation(windows.step));
        return (!excused).then(violation);
    }
    if windows.corrupted || observation.refused {
        return None;
    }
    if observation.fits(live, windows.position) {
        let doubt = observation.doubt.as_ref();
        return doubt.map(|doubt| blame_failed_call(windows, doubt.violation(windows.step)));
    }
    if observation.has_more_readings {
        return None;
    }
    let violation = explain(windows, live, None, observation);
    Some(blame_failed_call(windows, violation))
}

#[cold]
fn explain(
    windows: &Windows,
    window: &Window,
    kind: Option<CrashKind>,
    observation: &Observation,
) -> Violation {
    // Of several readings the last is as good as any: none of them is allowed.
    let (clause, evidence, step) = match observation.runs.last() {
        Some(run) => explain_run(windows, window, kind, run),
        None => explain_nothing(windows, window, kind),
    };
    Violation {
        clause,
        evidence,
        step,
    }
}

type Explained = (Clause, String, Option<u32>);

fn explain_run(
    windows: &Windows,
    window: &Window,
    kind: Option<CrashKind>,
    run: &Run,
) -> Explained {
    let durable = &windows.durable;
    if run.first < window.first_min {
        return too_early(windows, window, run);
    }
    if run.end < window.end_min {
        let evidence = format!(
            "the queue ended before message {}, and message {} must be there {}",
            run.end,
            window.end_min.saturating_sub(1),
            because(windows, kind),
        );
        return (lost_clause(windows, kind), evidence, Some(durable.step));
    }
    if run.first > window.first_max {
        let evidence = format!(
            "delivery started at message {}, and message {} was not read by anybody",
            run.first, window.first_max,
        );
        return (Clause::Q4, evidence, windows.step);
    }
    if run.end > window.end_max {
        let evidence = format!(
            "message {} came, which had not been put yet",
            run.end.saturating_sub(1)
        );
        return (Clause::Q1, evidence, windows.step);
    }
    if windows.position >= run.absent_from {
        // Refused ones are absent from their own flight on, failed ones from its end on.
        let refused = run.absent_from % 2 == 1;
        let (clause, evidence) = if refused {
            (Clause::Q9, "a message came whose put had been refused")
        } else {
            (
                Clause::C4,
                "a message came whose put had failed, saying that it did not take place",
            )
        };
        return (clause, evidence.to_owned(), windows.step);
    }
    debug_assert!(run.missing_from > windows.position && run.missing_from != NEVER);
    let hole = Finding {
        clause: Clause::Q3,
        what: What::Hole(run.first),
    };
    (hole.clause, hole.what.to_string(), windows.step)
}

fn too_early(windows: &Windows, window: &Window, run: &Run) -> Explained {
    let durable = &windows.durable;
    if let Some(barrier) = windows.barrier.filter(|barrier| run.first < barrier.number) {
        let evidence = format!(
            "message {} came again, although step {} had dropped it",
            run.first, barrier.step
        );
        return (barrier.clause, evidence, Some(barrier.step));
    }
    let clause = match durable.cause {
        Cause::Close => Clause::C11,
        Cause::Owed => Clause::Q11,
        Cause::Start | Cause::Sync | Cause::Open | Cause::Empty | Cause::Delete => Clause::Q4,
    };
    let evidence = format!(
        "delivery started at message {}, and {} in step {} had made the read position {} durable",
        run.first,
        durable.cause.words(),
        durable.step,
        window.first_min,
    );
    (clause, evidence, Some(durable.step))
}

fn explain_nothing(windows: &Windows, window: &Window, kind: Option<CrashKind>) -> Explained {
    if window.end_min > window.first_max {
        let evidence = format!(
            "nothing was delivered, and messages {} to {} must be there {}",
            window.first_max,
            window.end_min.saturating_sub(1),
            because(windows, kind),
        );
        return (
            lost_clause(windows, kind),
            evidence,
            Some(windows.durable.step),
        );
    }
    // The bounds cannot exclude each other in another way: a queue may always end where it ends.
    let evidence = "nothing was delivered, which no state of the queue explains".to_owned();
    (Clause::Q3, evidence, windows.step)
}

/// The clause that forbids losing the end of the queue.
fn lost_clause(windows: &Windows, kind: Option<CrashKind>) -> Clause {
    match (kind, windows.durable.cause) {
        (None, _) => Clause::C12,
        (_, Cause::Close) => Clause::C11,
        (Some(CrashKind::Kill), _) => Clause::Q2,
        (Some(CrashKind::PowerCut), Cause::Owed) => Clause::Q11,
        (Some(CrashKind::PowerCut), _) => Clause::Q3,
    }
}

fn because(windows: &Windows, kind: Option<CrashKind>) -> String {
    match kind {
        None => "since nobody has read it".to_owned(),
        Some(CrashKind::Kill) if windows.durable.cause != Cause::Close => {
            "since its put was acknowledged before the kill".to_owned()
        }
        Some(_) => format!(
            "since {} in step {} promised it",
            windows.durable.cause.words(),
            windows.durable.step
        ),
    }
}
