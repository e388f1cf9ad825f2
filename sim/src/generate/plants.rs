//! What lies in the directory of a new queue or log: what is not its own, and numbers at their
//! limits.

use super::Choices;
use crate::scenario::{Planted, PlantedKind};

/// Names to plant.
struct Names {
    /// Files of others: names that begin, end or look like its own, and are not.
    foreign: &'static [&'static str],
    /// Bytes that it kept aside before.
    aside: &'static [&'static str],
    /// Names that are its own or somebody else's, and stand for no file.
    no_files: &'static [&'static str],
}

const OF_A_QUEUE: Names = Names {
    foreign: &[
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
    ],
    aside: &[
        "queue.diskqueue.000000.dat.bad",
        "queue.diskqueue.000001.dat.bad",
        "queue.diskqueue.meta.dat.bad",
    ],
    no_files: &[
        "queue.diskqueue.700000.dat",
        "queue.diskqueue.700000.sums",
        "queue.diskqueue.meta.dat.77.tmp",
        "queue2.diskqueue.lock",
        "queue.fifo",
    ],
};

/// Beside the log `log` with the readers `a` and `b`.
const OF_A_LOG: Names = Names {
    foreign: &[
        "log2.diskqueue.000000.dat",
        "log2.diskqueue.000000.dat.offsetmeta.dat",
        "log2.diskqueue.meta.writer.dat",
        "log2.diskqueue.meta.extra.dat",
        "log2.diskqueue.cuts",
        "log2:c.diskqueue.meta.v2.reader.dat",
        "lo.diskqueue.000000.dat",
        "LOG.diskqueue.000000.dat",
        "aa.diskqueue.meta.v2.reader.dat",
        "a.diskqueue.meta.v2.reader.dat.old",
        "log.diskqueue.diskqueue.000000.dat",
        "log.diskqueue.diskqueue.meta.writer.dat",
        "log.diskqueue.0000000.dat",
        "log.diskqueue.00000.dat",
        "log.diskqueue.-00001.dat",
        "log.diskqueue.999991.dat",
        "log.diskqueue.000000.dat.1",
        "log.diskqueue.000001.dat.rolldata.01",
        "log.diskqueue.000000.offsetmeta.dat",
        "log.diskqueue.meta.dat",
        "log.diskqueue.meta.writer.dat.12x.corrupt",
        "log.diskqueue.lock.old",
        "log",
        "meta.writer.dat",
        ".nfs0001",
    ],
    aside: &[
        "log.diskqueue.000000.dat.bad",
        "log.diskqueue.000001.dat.bad",
        "log.diskqueue.meta.writer.dat.bad",
        "log.diskqueue.000001.dat.rolldata",
    ],
    no_files: &[
        "log.diskqueue.700000.dat",
        "log.diskqueue.700000.dat.offsetmeta.dat",
        "log.diskqueue.700000.sums",
        "log.diskqueue.meta.writer.dat.77.corrupt",
        "log2.diskqueue.lock",
        "log.fifo",
    ],
};

/// The largest number of a segment.
const NUMBER_MAX: u64 = i64::MAX as u64;

/// Draws what is planted beside a queue: in most scenarios nothing.
pub(super) fn draw(choices: &mut Choices) -> Vec<Planted> {
    match choices.weighted(&[12, 4, 1]) {
        0 => Vec::new(),
        1 => some(choices, &OF_A_QUEUE),
        _ => vec![last_numbers(choices)],
    }
}

/// Draws what is planted beside a log: in most scenarios nothing.
pub fn log_plants(choices: &mut Choices) -> Vec<Planted> {
    match choices.weighted(&[4, 1]) {
        0 => Vec::new(),
        _ => some(choices, &OF_A_LOG),
    }
}

fn some(choices: &mut Choices, names: &Names) -> Vec<Planted> {
    let count = choices.between(1, 3);
    let mut planted: Vec<Planted> = Vec::new();
    for _ in 0..count {
        let one = one(choices, names);
        if planted.iter().all(|other| other.name != one.name) {
            planted.push(one);
        }
    }
    planted
}

fn one(choices: &mut Choices, names: &Names) -> Planted {
    let (names, kind) = match choices.weighted(&[6, 2, 2]) {
        0 => (names.foreign, PlantedKind::File),
        1 => (names.aside, PlantedKind::File),
        _ => {
            let kind = choices.pick(&[PlantedKind::Directory, PlantedKind::Special]);
            (names.no_files, kind)
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
