//! Scenarios of clusters: puts with reads and retention between them, and stories in which hosts
//! lag, part, lose power or fall behind.

use crate::generate::Choices;
use crate::scenario::{ClusterOptions, ClusterProgram, ClusterStep, CrashKind, RunKind};

/// Operations and stories of a generated program.
const TURNS: (u32, u32) = (5, 14);
const LEADER: u8 = ClusterStep::LEADER;

/// The program that choices stand for.
pub(crate) fn program(choices: &mut Choices, run: RunKind) -> ClusterProgram {
    let hosts = if choices.chance(1, 8) { 5 } else { 3 };
    let options = ClusterOptions {
        hosts,
        segment_bytes_max: choices.pick(&[40, 80, 200, 1 << 20]),
        batch_messages_max: choices.pick(&[1, 2, 4]),
    };
    let mut writer = Writer {
        steps: Vec::new(),
        hosts,
        size: choices.pick(&[8, 8, 30, 100]),
        has_faults: run == RunKind::Errors,
    };
    writer.elect((0..hosts).collect());
    writer.wait(8);
    for _ in 0..choices.between(TURNS.0, TURNS.1) {
        writer.turn(choices);
    }
    ClusterProgram {
        options,
        steps: writer.steps,
    }
}

struct Writer {
    steps: Vec<ClusterStep>,
    hosts: u8,
    /// The usual size of a message: logs that part are most alike where sizes are.
    size: u32,
    has_faults: bool,
}

impl Writer {
    fn push(&mut self, step: ClusterStep) {
        self.steps.push(step);
    }

    fn wait(&mut self, ticks: u32) {
        if ticks > 0 {
            self.push(ClusterStep::Wait { ticks });
        }
    }

    fn elect(&mut self, among: Vec<u8>) {
        self.push(ClusterStep::Elect { among });
    }

    /// All hosts but the leader.
    fn followers(&self) -> Vec<u8> {
        (1..self.hosts).map(|number| LEADER - number).collect()
    }

    fn any_host(&self, choices: &mut Choices) -> u8 {
        let number = choices.below(u32::from(self.hosts));
        u8::try_from(number).unwrap_or(0)
    }

    fn put(&mut self, choices: &mut Choices) {
        let size = match choices.chance(1, 4) {
            true => choices.between(4, 60),
            false => self.size,
        };
        self.push(ClusterStep::Put { size });
    }

    fn puts(&mut self, choices: &mut Choices, most: u32) {
        let pause = choices.pick(&[0, 0, 1, 6]);
        for _ in 0..choices.between(1, most) {
            self.put(choices);
            self.wait(pause);
        }
    }

    fn settle(&mut self, choices: &mut Choices) {
        let ticks = choices.pick(&[0, 2, 5, 9, 30]);
        self.wait(ticks);
    }

    fn turn(&mut self, choices: &mut Choices) {
        match choices.weighted(&[6, 3, 2, 1, 3, 2, 2, 2, 2, 2, 2]) {
            0 => self.puts(choices, 4),
            1 => self.reads(choices),
            2 => self.crash_one(choices),
            3 => self.power_failure(choices),
            4 => self.leader_parts(choices),
            5 => self.follower_falls_behind(choices),
            6 => self.one_follower_acknowledges(choices),
            7 => self.two_leaders(choices),
            8 => self.bad_link(choices),
            9 if self.has_faults => self.bad_disk(choices),
            9 => self.change_leader(choices),
            _ => self.clean(choices),
        }
        if choices.chance(1, 2) {
            self.settle(choices);
        }
    }

    fn reads(&mut self, choices: &mut Choices) {
        let (host, count) = (self.any_host(choices), choices.between(1, 5));
        self.push(ClusterStep::Read { host, count });
        self.wait(1);
    }

    fn clean(&mut self, choices: &mut Choices) {
        let host = match choices.chance(2, 3) {
            true => LEADER,
            false => self.any_host(choices),
        };
        let force = choices.chance(2, 3);
        self.push(ClusterStep::Clean { host, force });
        self.wait(1);
    }

    fn change_leader(&mut self, choices: &mut Choices) {
        let mut among: Vec<u8> = (0..self.hosts).collect();
        while among.len() > usize::from(self.hosts) / 2 + 1 && choices.chance(2, 3) {
            let gone = choices.below(u32::try_from(among.len()).unwrap_or(1));
            among.remove(gone as usize);
        }
        self.elect(among);
        self.settle(choices);
    }

    fn crash(&mut self, choices: &mut Choices, host: u8) {
        let kind = choices.pick(&[CrashKind::PowerCut, CrashKind::PowerCut, CrashKind::Kill]);
        let after_calls = match choices.chance(1, 2) {
            true => 0,
            false => choices.between(1, 40),
        };
        let choice = match choices.chance(1, 2) {
            true => 0,
            false => choices.between(1, 9),
        };
        self.push(ClusterStep::Crash {
            host,
            kind,
            after_calls,
            choice,
        });
    }

    fn crash_one(&mut self, choices: &mut Choices) {
        let host = self.any_host(choices);
        if choices.chance(1, 4) {
            self.push(ClusterStep::Bounce { host });
            return;
        }
        self.crash(choices, host);
        self.puts(choices, 3);
        self.settle(choices);
        if choices.chance(3, 4) {
            self.push(ClusterStep::Start { host });
        }
    }

    /// Everybody loses power at once.
    fn power_failure(&mut self, choices: &mut Choices) {
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

    fn repair_all(&mut self) {
        for one in 0..self.hosts {
            for other in one + 1..self.hosts {
                self.push(ClusterStep::Repair { one, other });
            }
        }
    }

    fn cut_off(&mut self, choices: &mut Choices, host: u8) {
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
    fn leader_parts(&mut self, choices: &mut Choices) {
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
    fn follower_falls_behind(&mut self, choices: &mut Choices) {
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
    fn one_follower_acknowledges(&mut self, choices: &mut Choices) {
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
    fn two_leaders(&mut self, choices: &mut Choices) {
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

    fn bad_link(&mut self, choices: &mut Choices) {
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

    fn bad_disk(&mut self, choices: &mut Choices) {
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
