//! The steps of a scenario, carried out on a cluster.

use super::cluster::Cluster;
use super::host::name;
use super::machine::Death;
use super::node::Command;
use crate::fault::FaultPlan;
use crate::scenario::{ClusterStep, CrashKind};
use std::time::Duration;

impl Cluster<'_> {
    /// Carries out a step.
    ///
    /// # Errors
    /// A fault plan that is none, or a simulated network that fails.
    pub(super) fn step(&mut self, step: &ClusterStep) -> Result<(), String> {
        match step {
            ClusterStep::Put { size } => {
                let leader = (self.coordinator.epoch > 0).then_some(self.coordinator.leader);
                self.put(leader, *size);
            }
            ClusterStep::PutTo { host, size } => self.put(Some(*host), *size),
            ClusterStep::Wait { ticks } => self.wait(*ticks)?,
            ClusterStep::Elect { among } => self.elect(among),
            ClusterStep::Crash {
                host,
                kind,
                after_calls,
                choice,
            } => self.crash(
                *host,
                *after_calls,
                Death {
                    kind: *kind,
                    choice: *choice,
                },
            ),
            ClusterStep::Start { host } => self.start(*host),
            ClusterStep::Bounce { host } => {
                let kind = CrashKind::Kill;
                self.crash(*host, 0, Death { kind, choice: 0 });
                self.start(*host);
            }
            ClusterStep::Fault { host, faults } => {
                let plan = FaultPlan::parse(faults)?.with_seed(self.prng.draw());
                if let Some(machine) = self.machine(*host) {
                    machine.borrow_mut().fail(plan);
                }
            }
            ClusterStep::Heal { host } => {
                if let Some(machine) = self.machine(*host) {
                    machine.borrow_mut().heal();
                }
            }
            ClusterStep::Clean { host, force } => {
                self.command(*host, Command::Clean { force: *force });
            }
            ClusterStep::Read { host, count } => {
                self.command(*host, Command::Read { count: *count });
            }
            ClusterStep::Partition { one, other }
            | ClusterStep::Hold { one, other }
            | ClusterStep::Repair { one, other }
            | ClusterStep::Delay { one, other, .. }
            | ClusterStep::Loss { one, other, .. } => self.link(step, *one, *other),
        }
        Ok(())
    }

    /// Changes the link of two hosts.
    pub(super) fn link(&mut self, step: &ClusterStep, one: u8, other: u8) {
        let (one, other) = (self.host(one), self.host(other));
        if one == other || one >= self.hosts || other >= self.hosts {
            return;
        }
        let (one, other) = (name(one), name(other));
        if matches!(step, ClusterStep::Partition { .. }) {
            self.sim.partition(one, other);
        } else if matches!(step, ClusterStep::Hold { .. }) {
            self.sim.hold(one, other);
        } else if let ClusterStep::Delay { ticks, .. } = step {
            let latency = Duration::from_millis(u64::from(*ticks).max(1));
            self.sim.set_link_latency(one, other, latency);
        } else if let ClusterStep::Loss { percent, .. } = step {
            let rate = f64::from((*percent).min(100)) / 100.0;
            self.sim.set_link_fail_rate(one, other, rate);
        } else {
            self.sim.release(one.clone(), other.clone());
            self.sim.repair(one, other);
        }
    }
}
