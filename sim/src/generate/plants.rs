//! What lies in the directory of a new queue: what is not its own, and numbers at their limits.

use super::Choices;
use crate::scenario::{Planted, PlantedKind};

/// Files of others: names that begin, end or look like the queue's own, and are not.
const FOREIGN: &[&str] = &[
    "queue2.diskqueue.000000.dat",
    "queue2.diskqueue.meta.dat",
    "queue2.diskqueue.000000.dat.bad",
    "queu.diskqueue.000000.dat",
    "QUEUE.diskqueue.000000.dat",
    "queue.diskqueue.diskqueue.000000.dat",
    "queue.diskqueue.diskqueue.meta.dat",
    "queue.diskqueue.0000000.dat",
    "queue.diskqueue.00000.dat",
    "queue.diskqueue.-00001.dat",
    "queue.diskqueue.000000.dat.1",
    "queue.diskqueue.meta.dat.tmp",
    "queue.diskqueue.meta.dat.12x.tmp",
    "queue.diskqueue.lock.old",
    "queue",
    "meta.dat",
    ".nfs0001",
];

/// Bytes that the queue kept aside before.
const ASIDE: &[&str] = &[
    "queue.diskqueue.000000.dat.bad",
    "queue.diskqueue.000001.dat.bad",
    "queue.diskqueue.meta.dat.bad",
];

/// Names that are the queue's own or somebody else's, and stand for no file.
const NO_FILES: &[&str] = &[
    "queue.diskqueue.700000.dat",
    "queue.diskqueue.700000.sums",
    "queue.diskqueue.meta.dat.77.tmp",
    "queue2.diskqueue.lock",
    "queue.fifo",
];

/// The largest number of a segment.
const NUMBER_MAX: u64 = i64::MAX as u64;

/// Draws what is planted: in most scenarios nothing.
pub(super) fn draw(choices: &mut Choices) -> Vec<Planted> {
    match choices.weighted(&[12, 4, 1]) {
        0 => Vec::new(),
        1 => {
            let count = choices.between(1, 3);
            let mut planted: Vec<Planted> = Vec::new();
            for _ in 0..count {
                let one = one(choices);
                if planted.iter().all(|other| other.name != one.name) {
                    planted.push(one);
                }
            }
            planted
        }
        _ => vec![last_numbers(choices)],
    }
}

fn one(choices: &mut Choices) -> Planted {
    let (names, kind) = match choices.weighted(&[6, 2, 2]) {
        0 => (FOREIGN, PlantedKind::File),
        1 => (ASIDE, PlantedKind::File),
        _ => {
            let kind = choices.pick(&[PlantedKind::Directory, PlantedKind::Special]);
            (NO_FILES, kind)
        }
    };
    let name = choices.pick(names).to_owned();
    let is_file = kind == PlantedKind::File;
    let text = if is_file {
        format!("planted {name}\n")
    } else {
        String::new()
    };
    Planted { name, kind, text }
}

/// The meta of an empty queue whose next segments are the last that there can be.
fn last_numbers(choices: &mut Choices) -> Planted {
    let number = NUMBER_MAX - u64::from(choices.between(1, 3));
    Planted {
        name: "queue.diskqueue.meta.dat".to_owned(),
        kind: PlantedKind::File,
        text: format!("0\n{number},0\n{number},0\n"),
    }
}
