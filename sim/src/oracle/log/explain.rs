//! Names the clause that what came back breaks, and says what shows it.

use super::judge::{Unfit, find_reader};
use super::observation::LogObservation;
use super::windows::{Alternative, LogCause, LogWindows};
use crate::model::Place;
use crate::oracle::Violation;
use crate::scenario::{Clause, CrashKind};

/// A clause, what shows it, and the step that promised otherwise.
type Explained = (Clause, String, Option<u32>);

/// Explains what the nearest alternative does not allow.
pub(super) fn explain(
    windows: &LogWindows,
    alternative: &Alternative,
    unfit: Unfit,
    kind: CrashKind,
    observation: &LogObservation,
) -> Violation {
    let (clause, evidence, step) = match unfit {
        Unfit::Start => explain_start(alternative, observation),
        Unfit::End => explain_end(windows, alternative, kind, observation),
        Unfit::Content => explain_content(windows, alternative, observation),
        Unfit::Reader(index, at) => explain_reader(windows, alternative, index, at, observation),
        Unfit::Loss(index) => {
            let name = reader_name(windows, index);
            let evidence =
                format!("reader {name} reported a loss, and nothing that it had to read is gone");
            (Clause::C7, evidence, None)
        }
    };
    let is_of_the_log = matches!(unfit, Unfit::Start | Unfit::End | Unfit::Content);
    // What leaves all or nothing is to blame for whatever else came back.
    let blamed = windows.allowed.blamed.filter(|_| is_of_the_log);
    Violation {
        clause: blamed.unwrap_or(clause),
        evidence,
        step: match blamed {
            Some(_) => windows.allowed.step,
            None => step.or(windows.allowed.step),
        },
    }
}

fn words(at: Place) -> String {
    format!("offset {} (count {})", at.offset, at.count)
}

fn list(places: impl Iterator<Item = Place>) -> String {
    let places: Vec<String> = places.map(words).collect();
    places.join(" or ")
}

fn explain_start(alternative: &Alternative, observation: &LogObservation) -> Explained {
    let evidence = format!(
        "the log starts at {}, and it must start at {}",
        words(observation.start),
        list(alternative.starts.iter().copied()),
    );
    (alternative.start_clause, evidence, None)
}

fn explain_end(
    windows: &LogWindows,
    alternative: &Alternative,
    kind: CrashKind,
    observation: &LogObservation,
) -> Explained {
    let (end, durable) = (observation.end, alternative.durable);
    let least = alternative.end_min(kind);
    if end.offset < least.offset {
        let is_promised = end.offset < durable.end.offset;
        let (clause, why) = if is_promised {
            let why = match durable.step {
                Some(step) => format!("{} in step {step} promised it", durable.cause.words()),
                None => format!("{} promised it", durable.cause.words()),
            };
            (durable.cause.clause(), why)
        } else {
            (Clause::L2, "it was flushed before the kill".to_owned())
        };
        let evidence = format!(
            "the log ends at {}, and {} must be in it: {why}",
            words(end),
            words(least),
        );
        return (clause, evidence, durable.step.filter(|_| is_promised));
    }
    if let Some(explained) = explain_dropped(windows, alternative, observation) {
        return explained;
    }
    let evidence = if end.offset > alternative.end_max.offset {
        format!(
            "the log ends at {}, behind {}, which is all that was put",
            words(end),
            words(alternative.end_max),
        )
    } else {
        format!(
            "the log ends at {}, which is no end of messages with that count",
            words(end)
        )
    };
    let is_exact = alternative.power_min == alternative.end_max;
    // What is closed lost nothing here: it has too much.
    let clause = if is_exact && durable.cause != LogCause::Close {
        durable.cause.clause()
    } else {
        Clause::L2
    };
    (clause, evidence, durable.step.filter(|_| is_exact))
}

/// Whether what came back is what was there before something of it was dropped.
fn explain_dropped(
    windows: &LogWindows,
    alternative: &Alternative,
    observation: &LogObservation,
) -> Option<Explained> {
    let dropped = alternative.dropped?;
    let LogObservation {
        start, end, sum, ..
    } = *observation;
    let chain = windows.chains.get(dropped.chain)?;
    let evidence = format!(
        "the log ends at {} with messages that step {} had taken out of it",
        words(end),
        dropped.step,
    );
    let is_back = chain.has(start, end, sum);
    is_back.then_some((dropped.clause, evidence, Some(dropped.step)))
}

fn explain_content(
    windows: &LogWindows,
    alternative: &Alternative,
    observation: &LogObservation,
) -> Explained {
    if let Some(explained) = explain_dropped(windows, alternative, observation) {
        return explained;
    }
    let evidence = format!(
        "the messages between {} and {} are not those that were put there",
        words(observation.start),
        words(observation.end),
    );
    (Clause::L2, evidence, None)
}

fn reader_name(windows: &LogWindows, index: u32) -> &str {
    let name = windows.readers.get(index as usize);
    name.map_or("of no name", String::as_str)
}

/// At the log's end without cause, or at its start: as a reader does that has lost its meta.
fn explain_reader(
    windows: &LogWindows,
    alternative: &Alternative,
    index: u32,
    at: Place,
    observation: &LogObservation,
) -> Explained {
    let found = find_reader(alternative, index).ok();
    let window = found.and_then(|found| alternative.readers.get(found));
    let (start, end) = (observation.start, observation.end);
    let candidates = window.into_iter().flat_map(|window| &window.candidates);
    let allowed: Vec<Place> = candidates.map(|at| (*at).min(end).max(start)).collect();
    let forgets_to_end = at == end && allowed.iter().all(|allowed| *allowed < at);
    // One that says nothing of a loss went back to a position that it once had.
    let tells_loss = observation.losses.contains(&index);
    let forgets_to_start = at == start && tells_loss && allowed.iter().all(|allowed| *allowed > at);
    let clause = match forgets_to_end || forgets_to_start {
        true => Clause::L10,
        false => Clause::L8,
    };
    let evidence = format!(
        "reader {} stands at {}, and it must stand at {}",
        reader_name(windows, index),
        words(at),
        list(allowed.into_iter()),
    );
    (clause, evidence, None)
}
