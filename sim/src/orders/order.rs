//! What is wrong with messages in the order in which they came, whatever was acknowledged.

use super::story::Story;
use crate::oracle::Violation;
use crate::scenario::Clause;

/// A violation of a clause, shown by this.
pub(super) fn broken(clause: Clause, evidence: String, step: Option<u32>) -> Violation {
    Violation {
        clause,
        evidence,
        step,
    }
}

/// The first message that has the wrong bytes, comes twice, or comes behind one that it precedes.
pub(super) fn wrong_order(story: &Story, came: &[Result<u32, usize>]) -> Option<Violation> {
    let mut seen: Vec<u32> = Vec::new();
    for one in came {
        let number = match one {
            Ok(number) => *number,
            Err(size) => {
                let words = format!("a message of {size} bytes came that was never put");
                return Some(broken(Clause::Q1, words, None));
            }
        };
        if seen.contains(&number) {
            let words = format!("message {number} came twice within one run");
            return Some(broken(Clause::Q1, words, None));
        }
        let behind = seen
            .iter()
            .find(|earlier| story.precedes(number, **earlier));
        if let Some(earlier) = behind {
            return Some(out_of_order(story, number, *earlier));
        }
        seen.push(number);
    }
    None
}

/// Message `number` came behind `earlier`, which was put later.
pub(super) fn out_of_order(story: &Story, number: u32, earlier: u32) -> Violation {
    let step = story
        .message(number)
        .and_then(|message| story.ops.get(message.op));
    let step = step.map(|op| op.step);
    if story.share_a_producer(number, earlier) {
        let words = format!(
            "message {number} came behind message {earlier}, which the same thread put later"
        );
        return broken(Clause::Q13, words, step);
    }
    let words = format!(
        "message {number} came behind message {earlier}, which was put after it was acknowledged"
    );
    broken(Clause::Q1, words, step)
}
