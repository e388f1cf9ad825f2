//! The end of a run: all faults end, and the logs become alike.

use super::cluster::Cluster;
use super::event::Event;
use super::node::Command;
use crate::scenario::ClusterStep;

/// After all faults ended the logs are alike within so many ticks.
const ALIKE_TICKS: u32 = 1_500;
/// Whoever is not there after so many ticks is elected without.
const RETURN_TICKS: u32 = 60;

impl Cluster<'_> {
    /// All faults end; everybody comes back, a leader is named, and the logs become alike.
    pub(super) fn end(&mut self) -> Result<(), String> {
        self.tell(Event::Healed);
        for one in 0..self.hosts {
            if let Some(machine) = self.machine(one) {
                machine.borrow_mut().heal();
                machine.borrow_mut().spare();
            }
            for other in one + 1..self.hosts {
                self.link(&ClusterStep::Repair { one, other }, one, other);
                let (percent, ticks) = (0, 1);
                self.link(
                    &ClusterStep::Loss {
                        one,
                        other,
                        percent,
                    },
                    one,
                    other,
                );
                self.link(&ClusterStep::Delay { one, other, ticks }, one, other);
            }
        }
        (0..self.hosts).for_each(|host| self.start(host));
        let everybody: Vec<u8> = (0..self.hosts).collect();
        for _ in 0..RETURN_TICKS {
            let mut machines = self.shared.machines.iter();
            if machines.all(|machine| machine.borrow().last.is_some()) {
                break;
            }
            self.wait(1)?;
        }
        self.elect(&everybody);
        // The new leader hears of it.
        self.wait(2)?;
        for _ in 0..ALIKE_TICKS {
            if self.not_alike().is_empty() {
                break;
            }
            self.wait(1)?;
        }
        for (host, words) in self.not_alike() {
            self.tell(Event::NotAlike { host, words });
        }
        for host in everybody {
            self.command(host, Command::Show);
        }
        self.wait(1)
    }

    /// The replicas that do not end where the leader's log ends.
    fn not_alike(&self) -> Vec<(u8, String)> {
        let last = |host: u8| self.machine(host).and_then(|one| one.borrow().last);
        let leader = last(self.coordinator.leader);
        let mut others = Vec::new();
        for host in 0..self.hosts {
            let words = match (last(host), leader) {
                (None, _) => "it could not be opened".to_owned(),
                (Some(last), Some(leader)) if last == leader => continue,
                (Some(last), _) => format!("its log ends at {last}"),
            };
            others.push((host, words));
        }
        others
    }
}
