//! Judges what came back after a crash of a run of several threads.
//!
//! By thread: what was acknowledged must be there as far as the kind of crash and the syncs promise
//! it, what was in flight may be there, and there is no hole. A read that was called may have taken
//! its message: a sync of another thread may already have covered that.

use super::order::{broken, wrong_order};
use super::story::{Message, Op, Story};
use crate::oracle::Violation;
use crate::scenario::{Action, Clause, CrashKind};

/// What an open delivered, and what was wrong with it on its own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Came {
    /// Numbers of messages, in order; sizes of those that nobody put.
    pub messages: Vec<Result<u32, usize>>,
    /// How many losses the reads reported.
    pub losses: usize,
    /// What failed.
    pub failed: Option<(Clause, String)>,
}

/// Judges what came after a crash behind so many events.
#[must_use]
pub fn judge_after(
    story: &Story,
    place: usize,
    kind: CrashKind,
    sync_every: u64,
    came: &Came,
) -> Option<Violation> {
    if let Some((clause, words)) = &came.failed {
        return Some(broken(*clause, words.clone(), None));
    }
    if let Some(violation) = wrong_order(story, &came.messages) {
        return Some(violation);
    }
    let crash = Crash {
        story,
        place,
        kind,
        present: came.messages.iter().flatten().copied().collect(),
        sync_failed: story.fired_until(place).1 > 0,
    };
    let numbered = story.numbered();
    let mut violations = numbered.filter_map(|(number, message, op)| {
        if crash.present.contains(&number) {
            crash.wrong_there(number, message, op)
        } else {
            crash.wrong_missing(number, message, op)
        }
    });
    violations
        .next()
        .or_else(|| crash.too_many_missing(sync_every))
        .or_else(|| lost(came))
}

/// C12: reading reported damage, though nothing but a crash had happened.
pub(super) fn lost(came: &Came) -> Option<Violation> {
    let words = || format!("reading reported {} losses", came.losses);
    (came.losses > 0).then(|| broken(Clause::C12, words(), None))
}

struct Crash<'a> {
    story: &'a Story,
    place: usize,
    kind: CrashKind,
    present: Vec<u32>,
    /// What a failed sync took out of the page cache may be gone until it is written again.
    sync_failed: bool,
}

impl Crash<'_> {
    /// A message came that must not.
    fn wrong_there(&self, number: u32, message: &Message, op: &Op) -> Option<Violation> {
        if !op.began_before(self.place) {
            let words = format!("message {number} came, which had not been put yet");
            return Some(broken(Clause::Q1, words, Some(op.step)));
        }
        if op.ended_before(self.place) && op.says_put(message.index) == Some(false) {
            let words = format!("message {number} came, and its put had failed");
            return Some(broken(Clause::C4, words, Some(op.step)));
        }
        let read = message
            .reads
            .iter()
            .filter_map(|read| self.story.ops.get(*read));
        let read = read.filter_map(|op| op.end).min()?;
        let sync = self.covering(read)?;
        let words = format!(
            "message {number} came again, and step {} had made its read durable",
            sync.step
        );
        Some(broken(Clause::Q4, words, Some(sync.step)))
    }

    /// A message is missing that must come.
    fn wrong_missing(&self, number: u32, message: &Message, op: &Op) -> Option<Violation> {
        let may_be_read = self.may_be_read(message);
        if may_be_read || op.says_put(message.index) == Some(false) || !op.began_before(self.place)
        {
            return None;
        }
        let is_acknowledged = op.ended_before(self.place);
        if let Some(sync) = op.end.and_then(|end| self.covering(end)) {
            let clause = if sync.action == Action::Close {
                Clause::C11
            } else {
                Clause::Q3
            };
            let words = format!(
                "message {number} is gone, and step {} promised it",
                sync.step
            );
            return Some(broken(clause, words, Some(sync.step)));
        }
        if self.sync_failed {
            return None;
        }
        if is_acknowledged && self.kind == CrashKind::Kill {
            let words = format!("message {number} is gone, and its put was acknowledged");
            return Some(broken(Clause::Q2, words, Some(op.step)));
        }
        let later = self
            .present
            .iter()
            .find(|other| self.story.precedes(number, **other))?;
        let words = format!("message {number} is missing, and message {later}, put later, came");
        let clause = match self.story.message(*later) {
            Some(other) if other.op == message.op => Clause::Q10,
            _ => Clause::Q3,
        };
        Some(broken(clause, words, Some(op.step)))
    }

    /// Q11: so many acknowledged puts are gone that one of them had owed a sync.
    fn too_many_missing(&self, sync_every: u64) -> Option<Violation> {
        if self.sync_failed {
            return None;
        }
        let missing: Vec<u32> = self
            .story
            .numbered()
            .filter(|(number, message, op)| {
                op.ended_before(self.place)
                    && op.says_put(message.index) == Some(true)
                    && !self.may_be_read(message)
                    && !self.present.contains(number)
            })
            .map(|(number, _, _)| number)
            .collect();
        if (missing.len() as u64) < sync_every.max(1) {
            return None;
        }
        let words = format!(
            "messages {missing:?} are gone, which were acknowledged, and a sync was owed after \
             {} of them",
            sync_every.max(1)
        );
        let first = missing
            .first()
            .and_then(|number| self.story.message(*number))?;
        let step = self.story.ops.get(first.op).map(|op| op.step);
        Some(broken(Clause::Q11, words, step))
    }

    fn may_be_read(&self, message: &Message) -> bool {
        let mut reads = message
            .reads
            .iter()
            .filter_map(|read| self.story.ops.get(*read));
        reads.any(|read| read.began_before(self.place))
    }

    /// A sync that was called after this place and had succeeded before the crash.
    fn covering(&self, after: usize) -> Option<&Op> {
        let mut syncs = self.story.ops.iter().filter(|op| op.is_sync());
        syncs.find(|op| {
            op.succeeded()
                && op.begin.is_some_and(|begin| begin > after)
                && op.ended_before(self.place)
        })
    }
}
