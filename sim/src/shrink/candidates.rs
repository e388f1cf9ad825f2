//! Smaller neighbours of a scenario, most promising first. Pure: nothing is run here.

use super::cluster_candidates::simpler_clusters;
use super::log_candidates::simpler_logs;
use super::offset_candidates::simpler_stores;
use crate::scenario::{Action, FifoOptions, Scenario, Step};

/// The size that every put is tried with: the least that carries its number.
const SIZE_SIMPLE: u32 = 4;

/// All candidates of one round, lazily: the next one is asked for only when the last one failed.
pub(super) fn candidates(of: &Scenario) -> impl Iterator<Item = Scenario> + '_ {
    without_chunks(of)
        .chain(without_lines(of))
        .chain(with_simple_options(of))
        .chain((0..of.steps.len()).flat_map(|index| with_simpler_step(of, index)))
        .chain(simpler_clusters(of).map(|cluster| Scenario {
            cluster: Some(cluster),
            ..of.clone()
        }))
        .chain(simpler_logs(of).map(|log| Scenario {
            log: Some(log),
            ..of.clone()
        }))
        .chain(simpler_stores(of).map(|store| Scenario {
            offsets: Some(store),
            ..of.clone()
        }))
}

/// Leaves out runs of steps: halves first, single steps last, later ones before earlier ones.
fn without_chunks(of: &Scenario) -> impl Iterator<Item = Scenario> + '_ {
    chunks(of.steps.len()).map(move |chunk| {
        let mut smaller = of.clone();
        smaller.steps.drain(chunk);
        smaller
    })
}

/// The runs of so many steps that may be left out, in order of promise.
pub(super) fn chunks(count: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let sizes = std::iter::successors(Some(count.div_ceil(2)), |size| {
        (*size > 1).then(|| size.div_ceil(2))
    });
    sizes.filter(|size| *size > 0).flat_map(move |size| {
        let starts = (0..count).step_by(size).rev();
        starts.map(move |start| start..(start + size).min(count))
    })
}

/// Leaves out one fault, one damage, or one quirk.
fn without_lines(of: &Scenario) -> impl Iterator<Item = Scenario> + '_ {
    let without = |lines: fn(&mut Scenario) -> &mut Vec<String>, count: usize| {
        (0..count).map(move |index| {
            let mut smaller = of.clone();
            lines(&mut smaller).remove(index);
            smaller
        })
    };
    without(|scenario| &mut scenario.faults, of.faults.len())
        .chain(without(|scenario| &mut scenario.damage, of.damage.len()))
        .chain(without(|scenario| &mut scenario.quirks, of.quirks.len()))
        .chain(without_planted(of))
}

/// Leaves out one thing that lies in the directory.
fn without_planted(of: &Scenario) -> impl Iterator<Item = Scenario> + '_ {
    (0..of.planted.len()).map(|index| {
        let mut smaller = of.clone();
        smaller.planted.remove(index);
        smaller
    })
}

/// Sets one option to what a reader need not think about.
fn with_simple_options(of: &Scenario) -> impl Iterator<Item = Scenario> + '_ {
    let simple = FifoOptions::default();
    let now = of.options;
    [
        FifoOptions {
            sync_timeout_ms: simple.sync_timeout_ms,
            ..now
        },
        FifoOptions {
            sync_every: simple.sync_every,
            ..now
        },
        FifoOptions {
            segment_bytes_max: simple.segment_bytes_max,
            ..now
        },
        FifoOptions {
            message_bytes_min: simple.message_bytes_min,
            ..now
        },
        FifoOptions {
            message_bytes_max: simple.message_bytes_max,
            ..now
        },
    ]
    .into_iter()
    .filter(move |options| *options != now)
    .map(|options| Scenario {
        options,
        ..of.clone()
    })
}

/// Replaces one step by simpler ones of its kind.
fn with_simpler_step(of: &Scenario, index: usize) -> Vec<Scenario> {
    let Some(step) = of.steps.get(index) else {
        return Vec::new();
    };
    simpler_actions(&step.action)
        .into_iter()
        .map(|action| {
            let mut smaller = of.clone();
            if let Some(slot) = smaller.steps.get_mut(index) {
                *slot = Step {
                    object: step.object.clone(),
                    action,
                };
            }
            smaller
        })
        .collect()
}

fn simpler_actions(action: &Action) -> Vec<Action> {
    match action {
        Action::Put { size } => smaller_sizes(*size)
            .map(|size| Action::Put { size })
            .collect(),
        Action::PutBatch { sizes } => {
            let mut simpler = Vec::new();
            if let Some((last, rest)) = sizes.split_last() {
                simpler.push(Action::Put { size: *last });
                if !rest.is_empty() {
                    simpler.push(Action::PutBatch {
                        sizes: rest.to_vec(),
                    });
                }
            }
            if sizes.iter().any(|size| *size > SIZE_SIMPLE) {
                let sizes = sizes.iter().map(|size| (*size).min(SIZE_SIMPLE)).collect();
                simpler.push(Action::PutBatch { sizes });
            }
            simpler
        }
        Action::Open { options: Some(_) } => vec![Action::Open { options: None }],
        Action::Tick { now_ms } if *now_ms > 0 => vec![Action::Tick { now_ms: now_ms / 2 }],
        Action::Open { options: None }
        | Action::OpenReadOnly
        | Action::Read
        | Action::Peek
        | Action::Depth
        | Action::Empty
        | Action::Sync
        | Action::Tick { .. }
        | Action::Settle
        | Action::Close
        | Action::Delete
        | Action::Kill => Vec::new(),
    }
}

/// The simplest size, then about half, then one less.
pub(super) fn smaller_sizes(size: u32) -> impl Iterator<Item = u32> {
    let mut sizes = vec![SIZE_SIMPLE, size / 2, size.saturating_sub(1)];
    sizes.retain(|smaller| *smaller < size && (*smaller >= SIZE_SIMPLE || size <= SIZE_SIMPLE));
    sizes.dedup();
    sizes.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{FORMAT, RunKind};

    fn scenario(steps: Vec<Action>) -> Scenario {
        Scenario {
            format: FORMAT,
            engine: "toylog".to_owned(),
            options: FifoOptions::default(),
            quirks: vec![],
            profile: "posix-min".to_owned(),
            run: RunKind::Crashes,
            with_dir_sync: false,
            seed: 0,
            steps: steps.into_iter().map(Step::queue).collect(),
            log: None,
            offsets: None,
            cluster: None,
            faults: vec![],
            damage: vec![],
            planted: vec![],
            crashes: vec![],
        }
    }

    #[test]
    fn every_candidate_is_smaller() {
        let whole = scenario(vec![
            Action::Put { size: 100 },
            Action::PutBatch {
                sizes: vec![7, 300],
            },
            Action::Tick { now_ms: 8 },
        ]);
        let all: Vec<Scenario> = candidates(&whole).collect();
        assert!(all.len() > 8);
        assert!(all.iter().all(|smaller| *smaller != whole));
        assert!(all.iter().any(|smaller| smaller.steps.len() == 1));
    }

    #[test]
    fn nothing_is_smaller_than_nothing() {
        assert_eq!(candidates(&scenario(vec![])).count(), 0);
        let least = scenario(vec![Action::Put { size: 0 }]);
        assert_eq!(candidates(&least).count(), 1, "only leaving it out");
    }
}
