//! Judges what needs no crash: answers, order, and what the next open delivers.

use super::after::{Came, lost};
use super::order::{broken, out_of_order, wrong_order};
use super::scheduler::Ended;
use super::story::{Op, Story};
use crate::oracle::Violation;
use crate::scenario::{Action, Clause, FailureKind, Reply};
use std::collections::BTreeSet;

/// What was wrong with a run; `left` is what the next open delivered. `can_roll` says whether a put
/// may have had to go on in another segment.
#[must_use]
pub fn judge_story(
    story: &Story,
    ended: Ended,
    left: Option<&Came>,
    can_roll: bool,
) -> Vec<Violation> {
    if ended == Ended::Stuck {
        return vec![stuck(story)];
    }
    let mut violations = Vec::new();
    violations.extend(foreign(story));
    violations.extend(story.ops.iter().filter_map(|op| wrong_answer(story, op)));
    violations.extend(read_order(story));
    violations.extend(unreported_sync(story, can_roll));
    if let Some(came) = left {
        violations.extend(wrong_rest(story, came));
    }
    violations
}

/// Q13: somebody waits, and nobody will wake him.
fn stuck(story: &Story) -> Violation {
    let open = story.ops.iter();
    let waiting: Vec<String> = open
        .filter(|op| op.begin.is_some() && op.end.is_none())
        .map(|op| format!("{} in step {}", op.actor, op.step))
        .collect();
    let step = story
        .ops
        .iter()
        .find(|op| op.begin.is_some() && op.end.is_none());
    let words = format!("nobody wakes those who wait: {}", waiting.join(", "));
    broken(Clause::Q13, words, step.map(|op| op.step))
}

/// Q1: a read or a peek gave what nobody had put.
fn foreign(story: &Story) -> Option<Violation> {
    let op = story.ops.get(*story.foreign.first()?)?;
    let words = "a message came that was never put, or with other bytes".to_owned();
    Some(broken(Clause::Q1, words, Some(op.step)))
}

/// Answers that no order of the calls explains.
fn wrong_answer(story: &Story, op: &Op) -> Option<Violation> {
    let (begin, end) = (op.begin?, op.end?);
    let closes = || {
        story
            .ops
            .iter()
            .filter(|other| other.action == Action::Close)
    };
    let kind = match &op.outcome.as_ref()?.result {
        Ok(_) => None,
        Err(failure) => Some(failure.kind),
    };
    let was_closed = closes().any(|close| close.succeeded() && close.ended_before(begin));
    if was_closed && kind != Some(FailureKind::Closed) {
        let words = format!("{} went on after the queue was closed", op.actor);
        return Some(broken(Clause::Q13, words, Some(op.step)));
    }
    if kind == Some(FailureKind::Closed) && !closes().any(|close| close.began_before(end)) {
        let words = format!(
            "{} was told that the queue is closed, and it was not",
            op.actor
        );
        return Some(broken(Clause::C4, words, Some(op.step)));
    }
    let failed = matches!(kind, Some(FailureKind::Io(_) | FailureKind::Damage));
    if failed && story.fired_until(end).0 == 0 {
        let words = format!("{} was told of an error, and nothing had failed", op.actor);
        return Some(broken(Clause::C4, words, Some(op.step)));
    }
    None
}

/// Q1 and Q13: of two reads one after the other the first got the message that was put later.
fn read_order(story: &Story) -> Option<Violation> {
    let mut reads: Vec<(u32, &Op)> = Vec::new();
    for (number, message, _) in story.numbered() {
        let ops = message
            .reads
            .iter()
            .filter_map(|place| story.ops.get(*place));
        reads.extend(ops.map(|op| (number, op)));
    }
    reads.sort_by_key(|(_, op)| op.begin);
    for (index, (number, op)) in reads.iter().enumerate() {
        for (earlier, before) in reads.iter().take(index) {
            if number == earlier {
                let words = format!("message {number} was read twice");
                return Some(broken(Clause::Q1, words, Some(op.step)));
            }
            let in_turn = op.begin.is_some_and(|begin| before.ended_before(begin));
            if in_turn && story.precedes(*number, *earlier) {
                return Some(out_of_order(story, *number, *earlier));
            }
        }
    }
    None
}

/// C5: a failed sync must be told by the operation that met it, or else by a sync or close that
/// ended after it, before one that began after it succeeds. Where the sync of a roll fails for
/// several puts at once, it is made again for each of them, and may then succeed.
fn unreported_sync(story: &Story, can_roll: bool) -> Option<Violation> {
    // Those that the open met are its own.
    let mut known = story.events.first()?.fired.1;
    for (place, event) in story.events.iter().enumerate() {
        if event.fired.1 == known {
            continue;
        }
        known = event.fired.1;
        let puts = story.ops.iter().filter(|op| !op.action.sizes().is_empty());
        let putting = |op: &&Op| op.began_before(place) && !op.ended_before(place);
        if can_roll && puts.filter(putting).count() > 1 {
            continue;
        }
        let syncs = || story.ops.iter().filter(|op| op.is_sync());
        let told = |before: usize| {
            let after = |op: &&Op| op.end.is_some_and(|end| end >= place);
            let mut failed = story.ops.iter().filter(after).filter(|op| !op.succeeded());
            failed.any(|op| op.began_before(place) || op.is_sync() && op.began_before(before))
        };
        let later = syncs().filter(|op| op.succeeded());
        let next = later.filter(|op| op.begin.is_some_and(|begin| begin >= place));
        let next = next.min_by_key(|op| op.end);
        if let Some((op, end)) = next.and_then(|op| Some((op, op.end?)))
            && !told(end)
        {
            let words = "a sync had failed before, and nobody was told".to_owned();
            return Some(broken(Clause::C5, words, Some(op.step)));
        }
    }
    None
}

/// What the next open delivered: all that was put and not read, in order, and nothing else.
fn wrong_rest(story: &Story, came: &Came) -> Option<Violation> {
    if let Some((clause, words)) = &came.failed {
        return Some(broken(*clause, words.clone(), None));
    }
    if let Some(violation) = wrong_order(story, &came.messages) {
        return Some(violation);
    }
    let left: BTreeSet<u32> = came.messages.iter().flatten().copied().collect();
    for (number, message, op) in story.numbered() {
        let was_read = !message.reads.is_empty();
        let is_left = left.contains(&number);
        match op.says_put(message.index) {
            Some(true) if !was_read && !is_left => {
                let words = format!("message {number} was put and not read, and is gone");
                return Some(broken(Clause::C11, words, Some(op.step)));
            }
            Some(false) if was_read || is_left => {
                let words = format!("message {number} came, and its put had failed");
                return Some(broken(Clause::C4, words, Some(op.step)));
            }
            _ if was_read && is_left => {
                let words = format!("message {number} came again after the close");
                return Some(broken(Clause::C11, words, Some(op.step)));
            }
            _ => {}
        }
    }
    lost(came).or_else(|| wrong_depth(story))
}

/// Q5: more messages than there can be.
fn wrong_depth(story: &Story) -> Option<Violation> {
    story.ops.iter().find_map(|op| {
        let Ok(Reply::Count(count)) = op.outcome.as_ref()?.result else {
            return None;
        };
        let begun = story
            .numbered()
            .filter(|(_, _, put)| put.begin.is_some_and(|begin| Some(begin) < op.end));
        let words = format!("depth said {count}, and fewer messages had been put");
        (count > i64::try_from(begun.count()).ok()?)
            .then(|| broken(Clause::Q5, words, Some(op.step)))
    })
}
