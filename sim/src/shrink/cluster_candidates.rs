//! Smaller neighbours of a cluster's program: fewer steps, faults first; fewer hosts; plainer
//! steps.

use super::candidates::{chunks, smaller_sizes};
use crate::scenario::{ClusterOptions, ClusterProgram, ClusterStep, NUMBERED_BYTES_MIN, Scenario};

/// A leader and two followers: with fewer, a majority is everybody.
const HOSTS_SIMPLE: u8 = 3;

/// All candidates of one round, lazily.
pub(super) fn simpler_clusters(of: &Scenario) -> impl Iterator<Item = ClusterProgram> + '_ {
    of.cluster.iter().flat_map(|cluster| {
        without_all_of_a_kind(cluster)
            .chain(without_chunks(cluster))
            .chain(with_simple_options(cluster))
            .chain((0..cluster.steps.len()).flat_map(|index| with_simpler_step(cluster, index)))
    })
}

/// Without any faults, without any reads or retention: most of what is long is of no account.
fn without_all_of_a_kind(of: &ClusterProgram) -> impl Iterator<Item = ClusterProgram> + '_ {
    let kinds: [fn(&ClusterStep) -> bool; 3] = [
        ClusterStep::is_fault,
        |step| matches!(step, ClusterStep::Read { .. }),
        |step| matches!(step, ClusterStep::Clean { .. }),
    ];
    kinds.into_iter().filter_map(|kind| {
        let mut smaller = of.clone();
        smaller.steps.retain(|step| !kind(step));
        (smaller.steps.len() < of.steps.len()).then_some(smaller)
    })
}

fn without_chunks(of: &ClusterProgram) -> impl Iterator<Item = ClusterProgram> + '_ {
    chunks(of.steps.len()).map(|chunk| {
        let mut smaller = of.clone();
        smaller.steps.drain(chunk);
        smaller
    })
}

fn with_simple_options(of: &ClusterProgram) -> impl Iterator<Item = ClusterProgram> + '_ {
    let (simple, now) = (ClusterOptions::default(), of.options);
    [
        ClusterOptions {
            hosts: now.hosts.min(HOSTS_SIMPLE),
            ..now
        },
        ClusterOptions {
            segment_bytes_max: simple.segment_bytes_max,
            ..now
        },
        ClusterOptions {
            batch_messages_max: simple.batch_messages_max,
            ..now
        },
    ]
    .into_iter()
    .filter(move |options| *options != now)
    .map(|options| ClusterProgram {
        options,
        ..of.clone()
    })
}

fn with_simpler_step(of: &ClusterProgram, index: usize) -> Vec<ClusterProgram> {
    let Some(step) = of.steps.get(index) else {
        return Vec::new();
    };
    let simpler = simpler_steps(step).into_iter();
    let programs = simpler.map(|simpler| {
        let mut smaller = of.clone();
        if let Some(slot) = smaller.steps.get_mut(index) {
            *slot = simpler;
        }
        smaller
    });
    programs.collect()
}

/// Every message of a cluster carries its number.
fn sizes_of(size: u32) -> impl Iterator<Item = u32> {
    smaller_sizes(size).filter(|size| *size as usize >= NUMBERED_BYTES_MIN)
}

fn simpler_steps(step: &ClusterStep) -> Vec<ClusterStep> {
    match step {
        ClusterStep::Put { size } => sizes_of(*size)
            .map(|size| ClusterStep::Put { size })
            .collect(),
        ClusterStep::PutTo { host, size } => {
            let host = *host;
            sizes_of(*size)
                .map(|size| ClusterStep::PutTo { host, size })
                .collect()
        }
        ClusterStep::Wait { ticks } if *ticks > 1 => vec![ClusterStep::Wait { ticks: ticks / 2 }],
        ClusterStep::Crash {
            host,
            kind,
            after_calls,
            choice,
        } => {
            let crash = |after_calls, choice| ClusterStep::Crash {
                host: *host,
                kind: *kind,
                after_calls,
                choice,
            };
            let simpler = [
                crash(0, *choice),
                crash(*after_calls, 0),
                crash(after_calls / 2, *choice),
            ];
            simpler.into_iter().filter(|one| one != step).collect()
        }
        ClusterStep::Hold { one, other } => {
            let (one, other) = (*one, *other);
            vec![ClusterStep::Partition { one, other }]
        }
        ClusterStep::Fault { host, faults } if faults.len() > 1 => {
            let host = *host;
            let mut fewer = Vec::new();
            for index in 0..faults.len() {
                let mut faults = faults.clone();
                faults.remove(index);
                fewer.push(ClusterStep::Fault { host, faults });
            }
            fewer
        }
        ClusterStep::Wait { .. }
        | ClusterStep::Elect { .. }
        | ClusterStep::Start { .. }
        | ClusterStep::Bounce { .. }
        | ClusterStep::Partition { .. }
        | ClusterStep::Repair { .. }
        | ClusterStep::Delay { .. }
        | ClusterStep::Loss { .. }
        | ClusterStep::Fault { .. }
        | ClusterStep::Heal { .. }
        | ClusterStep::Clean { .. }
        | ClusterStep::Read { .. } => Vec::new(),
    }
}
