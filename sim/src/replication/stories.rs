//! Stories for clusters: hosts that part, fall behind, or lose their power or their disk.

use super::generate::{LEADER, Writer};
use crate::generate::Choices;
use crate::scenario::{ClusterStep, CrashKind};

impl Writer {
    /// Everybody loses power at once.
    pub(super) fn power_failure(&mut self, choices: &mut Choices) {
        self.puts(choices, 3);
        self.settle(choices);
        for host in 0..self.hosts {
            let choice = choices.pick(&[0, 0, 1, 2]);
            self.push(ClusterStep::Crash {
                host,
                kind: CrashKind::PowerCut,
                after_calls: 0,
                choice,
            });
        }
        for host in 0..self.hosts {
            self.push(ClusterStep::Start { host });
        }
        self.wait(3);
        self.change_leader(choices);
    }

    pub(super) fn repair_all(&mut self) {
        for one in 0..self.hosts {
            for other in one + 1..self.hosts {
                self.push(ClusterStep::Repair { one, other });
            }
        }
    }

    pub(super) fn cut_off(&mut self, choices: &mut Choices, host: u8) {
        let holds = choices.chance(1, 4);
        for number in 0..self.hosts {
            let (one, other) = (host, LEADER - number);
            if one != other {
                self.push(match holds {
                    true => ClusterStep::Hold { one, other },
                    false => ClusterStep::Partition { one, other },
                });
            }
        }
    }

    /// The leader is cut off, and goes on; the others go on without it.
    pub(super) fn leader_parts(&mut self, choices: &mut Choices) {
        self.puts(choices, 2);
        self.settle(choices);
        self.cut_off(choices, LEADER);
        self.puts(choices, 3);
        self.wait(2);
        self.elect(self.followers());
        self.wait(2);
        self.puts(choices, 2);
        self.settle(choices);
        if choices.chance(1, 2) {
            self.change_leader(choices);
        }
        if choices.chance(1, 4) {
            let host = self.any_host(choices);
            self.crash(choices, host);
        }
        self.repair_all();
        self.settle(choices);
    }

    /// A follower is cut off, and the leader removes what it lacks.
    pub(super) fn follower_falls_behind(&mut self, choices: &mut Choices) {
        let host = self.any_host(choices);
        self.cut_off(choices, host);
        for _ in 0..choices.between(2, 3) {
            self.puts(choices, 4);
            self.settle(choices);
        }
        let force = choices.chance(3, 4);
        self.push(ClusterStep::Clean {
            host: LEADER,
            force,
        });
        self.wait(2);
        if choices.chance(1, 3) {
            self.crash(choices, host);
        }
        self.repair_all();
        self.wait(choices.between(1, 30));
        let count = choices.between(1, 5);
        self.push(ClusterStep::Read { host, count });
        self.push(ClusterStep::Start { host });
    }

    /// One follower alone acknowledges, and loses its power; the leader is gone after that.
    pub(super) fn one_follower_acknowledges(&mut self, choices: &mut Choices) {
        let (one, other) = (LEADER, LEADER - 2);
        self.push(ClusterStep::Partition { one, other });
        self.puts(choices, 3);
        self.wait(choices.between(3, 12));
        let host = LEADER - 1;
        self.crash(choices, host);
        self.push(ClusterStep::Start { host });
        self.wait(2);
        self.elect(self.followers());
        self.settle(choices);
        self.repair_all();
    }

    /// Two hosts lead at once, each in its epoch, and one follower hears both.
    pub(super) fn two_leaders(&mut self, choices: &mut Choices) {
        self.puts(choices, 2);
        self.wait(8);
        let (one, other) = (LEADER, LEADER - choices.pick(&[1, 2]));
        self.push(ClusterStep::Partition { one, other });
        self.elect(self.followers());
        self.wait(1);
        for _ in 0..choices.between(1, 3) {
            for host in 0..self.hosts {
                let size = self.size;
                self.push(ClusterStep::PutTo { host, size });
            }
            self.wait(choices.between(1, 12));
        }
        self.change_leader(choices);
        self.repair_all();
    }

    pub(super) fn bad_link(&mut self, choices: &mut Choices) {
        let (one, other) = (self.any_host(choices), self.any_host(choices));
        let step = match choices.below(4) {
            0 => ClusterStep::Delay {
                one,
                other,
                ticks: choices.between(5, 40),
            },
            1 => ClusterStep::Loss {
                one,
                other,
                percent: choices.pick(&[10, 40]),
            },
            2 => ClusterStep::Hold { one, other },
            _ => ClusterStep::Partition { one, other },
        };
        self.push(step);
        self.puts(choices, 3);
        self.settle(choices);
        if choices.chance(3, 4) {
            self.push(ClusterStep::Repair { one, other });
        }
    }

    pub(super) fn bad_disk(&mut self, choices: &mut Choices) {
        let host = match choices.chance(1, 3) {
            true => LEADER,
            false => self.any_host(choices),
        };
        let which = choices.between(1, 12);
        let line = match choices.below(8) {
            0 => format!("{which} sync on *: EIO"),
            1 => format!("{which} sync on *: EIO, reverted"),
            2 => format!("{which}- sync on *: EIO"),
            3 => format!("{which}- change on *: ENOSPC"),
            4 => format!("space: {} bytes", choices.pick(&[0, 100, 5000])),
            5 => format!("{which} change on *: EIO"),
            6 => format!("{which} sync_dir on *: EIO"),
            _ => format!("{which} open on *: EMFILE"),
        };
        self.push(ClusterStep::Fault {
            host,
            faults: vec![line],
        });
        self.puts(choices, 4);
        self.settle(choices);
        match choices.below(3) {
            0 => self.crash(choices, host),
            1 => self.change_leader(choices),
            _ => {}
        }
        self.push(ClusterStep::Heal { host });
        self.push(ClusterStep::Start { host });
    }
}
