//! Smaller neighbours of the program of an offset store: fewer operations, plain names, small
//! numbers, fewer queues in a persist.

use super::candidates::chunks;
use crate::scenario::{OffsetOp, OffsetOptions, OffsetProgram, OffsetQueue, Scenario};

/// All candidates of one round, lazily.
pub(super) fn simpler_stores(of: &Scenario) -> impl Iterator<Item = OffsetProgram> + '_ {
    of.offsets.iter().flat_map(|store| {
        without_chunks(store)
            .chain(with_simple_options(store))
            .chain(with_plain_queues(store))
            .chain((0..store.steps.len()).flat_map(|index| with_simpler_step(store, index)))
    })
}

fn without_chunks(of: &OffsetProgram) -> impl Iterator<Item = OffsetProgram> + '_ {
    chunks(of.steps.len()).map(move |chunk| {
        let mut smaller = of.clone();
        smaller.steps.drain(chunk);
        smaller
    })
}

fn with_simple_options(of: &OffsetProgram) -> impl Iterator<Item = OffsetProgram> + '_ {
    let (simple, now) = (OffsetOptions::default(), &of.options);
    let plain_names = OffsetOptions {
        dialect: now.dialect,
        ..simple.clone()
    };
    let plain_dialect = OffsetOptions {
        dialect: simple.dialect,
        ..now.clone()
    };
    [plain_names, plain_dialect]
        .into_iter()
        .filter(move |options| options != now)
        .map(|options| OffsetProgram {
            options,
            ..of.clone()
        })
}

/// Gives one queue after the other a plain name that no other has.
fn with_plain_queues(of: &OffsetProgram) -> impl Iterator<Item = OffsetProgram> + '_ {
    let queues = of.queues();
    let plain = |number: usize| OffsetQueue {
        topic: "topic".to_owned(),
        broker: "broker-a".to_owned(),
        queue_id: i32::try_from(number).unwrap_or(i32::MAX),
    };
    let plains: Vec<OffsetQueue> = (0..queues.len()).map(plain).collect();
    let strange: Vec<OffsetQueue> = queues
        .iter()
        .filter(|queue| !plains.contains(queue))
        .cloned()
        .collect();
    let free: Vec<OffsetQueue> = plains
        .into_iter()
        .filter(|plain| !queues.contains(plain))
        .collect();
    strange.into_iter().zip(free).map(|(from, to)| {
        let mut smaller = of.clone();
        let named = smaller.steps.iter_mut().flat_map(OffsetOp::queues_mut);
        for queue in named.filter(|queue| **queue == from) {
            *queue = to.clone();
        }
        smaller
    })
}

fn with_simpler_step(of: &OffsetProgram, index: usize) -> Vec<OffsetProgram> {
    let step = of.steps.get(index);
    let simpler = step.map(simpler_ops).unwrap_or_default();
    let programs = simpler.into_iter().map(|op| {
        let mut smaller = of.clone();
        if let Some(slot) = smaller.steps.get_mut(index) {
            *slot = op;
        }
        smaller
    });
    programs.collect()
}

fn simpler_ops(op: &OffsetOp) -> Vec<OffsetOp> {
    match op {
        OffsetOp::Update {
            queue,
            offset,
            increase_only,
        } => {
            let smaller = [1, *offset / 2, offset.saturating_sub(1)];
            let smaller = smaller.into_iter().filter(|one| (1..*offset).contains(one));
            let numbers = smaller.map(|offset| OffsetOp::Update {
                queue: queue.clone(),
                offset,
                increase_only: *increase_only,
            });
            let plain = increase_only.then(|| OffsetOp::Update {
                queue: queue.clone(),
                offset: *offset,
                increase_only: false,
            });
            numbers.chain(plain).collect()
        }
        OffsetOp::Persist { queues } => {
            let without = |index: usize| {
                let mut fewer = queues.clone();
                fewer.remove(index);
                OffsetOp::Persist { queues: fewer }
            };
            (0..queues.len()).map(without).collect()
        }
        OffsetOp::Open
        | OffsetOp::OpenReadOnly
        | OffsetOp::Read { .. }
        | OffsetOp::PersistAll
        | OffsetOp::Remove { .. }
        | OffsetOp::Offsets { .. }
        | OffsetOp::Close
        | OffsetOp::Kill => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(topic: &str) -> OffsetQueue {
        OffsetQueue {
            topic: topic.to_owned(),
            broker: "b".to_owned(),
            queue_id: -1,
        }
    }

    #[test]
    fn names_numbers_and_queues_get_simpler() {
        let set = |offset| OffsetOp::Update {
            queue: queue("<a>"),
            offset,
            increase_only: false,
        };
        let persist = |queues: Vec<OffsetQueue>| OffsetOp::Persist { queues };
        let of = OffsetProgram {
            options: OffsetOptions::default(),
            steps: vec![set(79), persist(vec![queue("<a>"), queue("b")])],
        };
        assert_eq!(simpler_ops(&set(79)), [set(1), set(39), set(78)]);
        assert_eq!(simpler_ops(&set(1)), []);
        assert_eq!(simpler_ops(&set(i64::MIN)), []);
        let fewer = with_simpler_step(&of, 1);
        assert_eq!(fewer.len(), 2);
        let plain: Vec<OffsetProgram> = with_plain_queues(&of).collect();
        assert_eq!(plain.len(), 2);
        for one in &plain {
            assert_eq!(one.queues().len(), 2, "queues stay apart: {one:?}");
            let is_plain = |queue: &OffsetQueue| queue.topic == "topic";
            assert_eq!(one.queues().into_iter().filter(is_plain).count(), 1);
        }
    }
}
