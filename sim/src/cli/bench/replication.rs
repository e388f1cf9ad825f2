//! How fast clusters run: three hosts, thirty operations, one of them a leader change and some a
//! host's loss of power.

use super::super::clock::ProcessorTime;
use super::super::failure::Failure;
use super::case::{Case, Goal, Suite};
use crate::explore::{ExploreLimits, explore};
use crate::scenario::{
    ClusterOptions, ClusterProgram, ClusterStep, CrashKind, FORMAT, FifoOptions, RunKind, Scenario,
};

/// Runs of one measurement, each with its own seed.
const RUNS: u32 = 20;
/// Runs a second and core on a quiet machine.
const GOAL: f64 = 20.0;

/// All cases.
pub(super) fn suite() -> Suite {
    let case = Case::new("clusters: 3 hosts, 30 operations", "runs/s", rate);
    Suite {
        cases: vec![case.with_goal(Goal::AtLeast(GOAL))],
        ratios: Vec::new(),
    }
}

fn rate() -> Result<f64, Failure> {
    let time = ProcessorTime::start();
    for seed in 0..RUNS {
        explore(&scenario(u64::from(seed)), &ExploreLimits::default())?;
    }
    Ok(f64::from(RUNS) / time.seconds())
}

/// Thirty operations, and time for each to be done.
fn operations() -> Vec<ClusterStep> {
    let everybody = || vec![0, 1, 2];
    let mut operations = vec![ClusterStep::Elect { among: everybody() }];
    for round in 0..4 {
        operations.extend([ClusterStep::Put { size: 64 }, ClusterStep::Put { size: 64 }]);
        let (host, count) = (round % 3, 2);
        operations.push(ClusterStep::Read { host, count });
        operations.push(ClusterStep::Put { size: 64 });
        operations.push(ClusterStep::Crash {
            host,
            kind: CrashKind::PowerCut,
            after_calls: 0,
            choice: 0,
        });
        operations.push(ClusterStep::Put { size: 64 });
        operations.push(ClusterStep::Start { host });
    }
    operations.push(ClusterStep::Elect { among: everybody() });
    operations
}

fn scenario(seed: u64) -> Scenario {
    let pause = || ClusterStep::Wait { ticks: 8 };
    let steps = operations().into_iter().flat_map(|step| [pause(), step]);
    Scenario {
        format: FORMAT,
        engine: "replication".to_owned(),
        options: FifoOptions::default(),
        quirks: Vec::new(),
        profile: "posix-min".to_owned(),
        run: RunKind::Crashes,
        with_dir_sync: false,
        seed,
        planted: Vec::new(),
        steps: Vec::new(),
        log: None,
        offsets: None,
        cluster: Some(ClusterProgram {
            options: ClusterOptions {
                segment_bytes_max: 256,
                ..ClusterOptions::default()
            },
            steps: steps.collect(),
        }),
        faults: Vec::new(),
        damage: Vec::new(),
        crashes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_thirty_operations_and_breaks_nothing() {
        assert_eq!(operations().len(), 30);
        let explored = explore(&scenario(1), &ExploreLimits::default()).unwrap();
        assert!(explored.broken.is_empty(), "{:?}", explored.broken);
        assert_eq!(explored.points, 4, "crashes");
    }
}
