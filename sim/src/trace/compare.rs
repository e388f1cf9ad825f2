//! Recorded and real answers side by side.

use super::file::Recorded;
use crate::scenario::{Outcome, Reply};

/// Whether an answer is the recorded one; errors compare as being there or not.
pub(super) fn is_same(recorded: &Recorded, outcome: &Outcome) -> bool {
    match (recorded, &outcome.result) {
        (Recorded::Done, Ok(Reply::Done))
        | (Recorded::Failed(_), Err(_))
        | (Recorded::Nothing, Ok(Reply::Nothing)) => true,
        (Recorded::Message(recorded), Ok(Reply::Message(message))) => recorded == message,
        _ => false,
    }
}

/// How an answer differs from the recorded one and the depth after it from the recorded depth.
pub(super) fn difference(
    recorded: (&Recorded, i64),
    outcome: &Outcome,
    depth: &Outcome,
    who: &str,
) -> Option<String> {
    let (result, recorded_depth) = recorded;
    if !is_same(result, outcome) {
        let told = told(outcome);
        return Some(format!("{result} was recorded, {who} gives {told}"));
    }
    if depth.result == Ok(Reply::Count(recorded_depth)) {
        return None;
    }
    let told = told(depth);
    Some(format!(
        "depth {recorded_depth} was recorded, {who} says {told}"
    ))
}

/// An answer in words.
fn told(outcome: &Outcome) -> String {
    match &outcome.result {
        Ok(Reply::Done) => Recorded::Done.to_string(),
        Ok(Reply::Count(count)) => count.to_string(),
        Ok(Reply::Message(message)) => Recorded::Message(message.clone()).to_string(),
        Ok(Reply::Nothing) => Recorded::Nothing.to_string(),
        Err(failure) => Recorded::Failed(failure.message.clone()).to_string(),
    }
}
