//! What an observer knows, as one number: observers that know the same see the same in what comes.

use super::observer::TailObserver;
use super::sequence::Sequence;
use crate::oracle::Item;
use std::hash::{Hash, Hasher};

impl Hash for TailObserver<'_> {
    /// Adds everything on which depends what comes of it later; the run itself is left out.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            history: _,
            sequence,
            finding,
            doubt,
            lost_files,
            reopened,
            idle,
            opened,
            closed,
            peeked,
            drained,
            only_kills,
            settled,
            refused,
        } = self;
        (sequence, finding, doubt, lost_files, reopened, peeked).hash(state);
        (idle, opened, closed, drained, only_kills, settled, refused).hash(state);
    }
}

impl Hash for Sequence {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            items,
            newest,
            tail,
            position,
            low,
            durable_position,
            total,
            asked,
        } = self;
        hash_items(items, state);
        (newest, tail, position, low, durable_position, total, asked).hash(state);
    }
}

/// Adds items, each run of messages in a row as its first one and its length: nearly all are one.
fn hash_items<H: Hasher>(items: &[Item], state: &mut H) {
    let follows = |left: &Item, right: &Item| match (left, right) {
        (Item::Number(left), Item::Number(right)) => left.checked_add(1) == Some(*right),
        _ => false,
    };
    items.len().hash(state);
    for run in items.chunk_by(follows) {
        (run.first(), run.len()).hash(state);
    }
}
