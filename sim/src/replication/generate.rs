//! Scenarios of clusters: puts with reads and retention between them, and stories in which hosts
//! lag, part, lose power or fall behind.

use crate::generate::Choices;
use crate::scenario::{ClusterOptions, ClusterProgram, ClusterStep, CrashKind, RunKind};

/// Operations and stories of a generated program.
const TURNS: (u32, u32) = (5, 14);
pub(super) const LEADER: u8 = ClusterStep::LEADER;

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
    writer.wait(2);
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

/// A program that grows.
pub(super) struct Writer {
    steps: Vec<ClusterStep>,
    pub(super) hosts: u8,
    /// The usual size of a message: logs that part are most alike where sizes are.
    pub(super) size: u32,
    has_faults: bool,
}

impl Writer {
    pub(super) fn push(&mut self, step: ClusterStep) {
        self.steps.push(step);
    }

    pub(super) fn wait(&mut self, ticks: u32) {
        if ticks > 0 {
            self.push(ClusterStep::Wait { ticks });
        }
    }

    pub(super) fn elect(&mut self, among: Vec<u8>) {
        self.push(ClusterStep::Elect { among });
    }

    /// All hosts but the leader.
    pub(super) fn followers(&self) -> Vec<u8> {
        (1..self.hosts).map(|number| LEADER - number).collect()
    }

    pub(super) fn any_host(&self, choices: &mut Choices) -> u8 {
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

    pub(super) fn puts(&mut self, choices: &mut Choices, most: u32) {
        let pause = choices.pick(&[0, 0, 1, 6]);
        for _ in 0..choices.between(1, most) {
            self.put(choices);
            self.wait(pause);
        }
    }

    pub(super) fn settle(&mut self, choices: &mut Choices) {
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

    pub(super) fn change_leader(&mut self, choices: &mut Choices) {
        let mut among: Vec<u8> = (0..self.hosts).collect();
        while among.len() > usize::from(self.hosts) / 2 + 1 && choices.chance(2, 3) {
            let gone = choices.below(u32::try_from(among.len()).unwrap_or(1));
            among.remove(gone as usize);
        }
        self.elect(among);
        self.settle(choices);
    }

    pub(super) fn crash(&mut self, choices: &mut Choices, host: u8) {
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
}
