//! A cluster in a simulated network, through a scenario's steps to the end of all faults.
//!
//! Deterministic: turmoil's randomness (latency, loss) comes from the scenario's seed, its runtimes
//! have one thread and paused clocks, hosts take their turns in order, and no task chooses between
//! futures; power cuts take their choices from the seed too. [`Ran::digest`] covers every event.

use super::coordinator::Coordinator;
use super::entry::Entry;
use super::event::Event;
use super::host::{Shared, name, serve};
use super::machine::{Death, Machine};
use super::node::{Command, Setup};
use super::quirks::Quirks;
use crate::crash::Profile;
use crate::fault::Fired;
use crate::generate::Prng;
use crate::scenario::{ClusterProgram, ClusterStep, CrashKind, Scenario};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, UNIX_EPOCH};
use turmoil::{Builder, Sim};

/// How long a run may take in all, in seconds of simulated time: longer than any scenario.
const SECONDS_MAX: u64 = 1_000_000_000;

/// A run.
#[derive(Debug)]
pub(crate) struct Ran {
    /// What happened, in order.
    pub(crate) events: Vec<Event>,
    /// The faults of disks that took place.
    pub(crate) fired: Vec<Fired>,
    /// How many ticks it took.
    pub(crate) ticks: u64,
}

impl Ran {
    /// A hash over everything that happened.
    pub(crate) fn digest(&self) -> u64 {
        let fold = |digest: u64, event: &Event| {
            let words = format!("{event:?}");
            xxhash_rust::xxh3::xxh3_64_with_seed(words.as_bytes(), digest.rotate_left(5))
        };
        self.events.iter().fold(self.ticks, fold)
    }
}

/// Runs a scenario's cluster.
///
/// # Errors
/// What the scenario names and there is not.
pub(crate) fn run(
    scenario: &Scenario,
    program: &ClusterProgram,
    profile: &Profile,
) -> Result<Ran, String> {
    let quirks = Quirks::parse(scenario.quirks.iter().map(String::as_str))
        .map_err(|name| format!("replication has no defect `{name}`"))?;
    let mut cluster = Cluster::new(scenario.seed, program, profile, quirks);
    for (index, step) in program.steps.iter().enumerate() {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        cluster.tell(Event::Step { index });
        cluster.step(step)?;
    }
    cluster.end()?;
    let machines = cluster.shared.machines.iter();
    let fired = machines
        .flat_map(|machine| machine.borrow().fired())
        .collect();
    Ok(Ran {
        events: std::mem::take(&mut *cluster.shared.events.borrow_mut()),
        fired,
        ticks: cluster.ticks,
    })
}

/// A cluster in the middle of its run.
pub(super) struct Cluster<'a> {
    pub(super) sim: Sim<'a>,
    pub(super) shared: Rc<Shared>,
    pub(super) coordinator: Coordinator,
    pub(super) hosts: u8,
    profile: &'a Profile,
    quirks: Quirks,
    pub(super) prng: Prng,
    puts: u32,
    ticks: u64,
}

impl<'a> Cluster<'a> {
    fn new(seed: u64, program: &ClusterProgram, profile: &'a Profile, quirks: Quirks) -> Self {
        let options = program.options;
        let mut prng = Prng::named(seed, "cluster");
        let mut sim = Builder::new()
            .rng_seed(prng.draw())
            .epoch(UNIX_EPOCH)
            .tick_duration(Duration::from_millis(1))
            .simulation_duration(Duration::from_secs(SECONDS_MAX))
            .min_message_latency(Duration::from_millis(1))
            .max_message_latency(Duration::from_millis(4))
            .repair_rate(0.4)
            .build();
        let machines = (0..options.hosts).map(|_| RefCell::new(Machine::new()));
        let shared = Rc::new(Shared {
            machines: machines.collect(),
            events: RefCell::default(),
            named: RefCell::default(),
        });
        for host in 0..options.hosts {
            let setup = Setup {
                host,
                hosts: options.hosts,
                segment_bytes_max: options.segment_bytes_max,
                batch_messages_max: options.batch_messages_max,
                quirks,
            };
            let shared = Rc::clone(&shared);
            sim.host(name(host), move || serve(Rc::clone(&shared), setup));
        }
        Self {
            sim,
            shared,
            coordinator: Coordinator::default(),
            hosts: options.hosts,
            profile,
            quirks,
            prng,
            puts: 0,
            ticks: 0,
        }
    }

    pub(super) fn tell(&self, event: Event) {
        self.shared.events.borrow_mut().push(event);
    }

    /// The host that a number stands for at present.
    pub(super) fn host(&self, number: u8) -> u8 {
        ClusterStep::host(number, self.hosts, self.coordinator.leader)
    }

    pub(super) fn machine(&self, host: u8) -> Option<&RefCell<Machine>> {
        let host = self.host(host);
        self.shared.machines.get(usize::from(host))
    }

    pub(super) fn is_up(&self, host: u8) -> bool {
        self.machine(host)
            .is_some_and(|machine| machine.borrow().is_up)
    }

    pub(super) fn put(&mut self, host: Option<u8>, size: u32) {
        let host = host.map(|host| self.host(host));
        let number = self.puts;
        self.puts += 1;
        let is_sent = host.is_some_and(|host| self.command(host, Command::Put { number, size }));
        if !is_sent {
            self.tell(Event::PutFailed {
                host,
                number,
                words: "nobody is there".to_owned(),
            });
        }
    }

    /// Whether there is somebody to be told.
    pub(super) fn command(&self, host: u8, command: Command) -> bool {
        let Some(machine) = self.machine(host) else {
            return false;
        };
        let mut machine = machine.borrow_mut();
        if machine.last.is_some() {
            machine.mailbox.push_back(command);
        }
        machine.last.is_some()
    }

    pub(super) fn wait(&mut self, ticks: u32) -> Result<(), String> {
        for _ in 0..ticks {
            self.sim
                .step()
                .map_err(|error| format!("the simulated network failed: {error}"))?;
            self.ticks += 1;
            self.bury();
        }
        Ok(())
    }

    /// Ends the processes whose machines died in the middle of something.
    pub(super) fn bury(&mut self) {
        for host in 0..self.hosts {
            let death = self.machine(host).and_then(|machine| {
                let machine = machine.borrow();
                let panicked = Death {
                    kind: CrashKind::Kill,
                    choice: 0,
                };
                machine.is_dying.then(|| machine.death.unwrap_or(panicked))
            });
            if let Some(death) = death {
                self.die(host, death);
            }
        }
    }

    pub(super) fn crash(&mut self, host: u8, after_calls: u32, death: Death) {
        let host = self.host(host);
        if !self.is_up(host) {
            return;
        }
        if after_calls == 0 {
            self.die(host, death);
        } else if let Some(machine) = self.machine(host) {
            machine.borrow_mut().die_after(after_calls, death);
        }
    }

    fn die(&mut self, host: u8, death: Death) {
        self.sim.crash(name(host));
        let seed = self.prng.draw();
        let Some(machine) = self.machine(host) else {
            return;
        };
        let lost = machine.borrow_mut().die(death, self.profile, seed);
        self.tell(Event::Crashed {
            host,
            kind: death.kind,
            lost,
        });
    }

    pub(super) fn start(&mut self, host: u8) {
        let host = self.host(host);
        let Some(machine) = self.machine(host).filter(|_| !self.is_up(host)) else {
            return;
        };
        machine.borrow_mut().is_up = true;
        self.sim.bounce(name(host));
    }

    pub(super) fn elect(&mut self, among: &[u8]) {
        let mut replicas: Vec<(u8, Entry)> = Vec::new();
        for host in among {
            let host = &self.host(*host);
            let last = self
                .machine(*host)
                .and_then(|machine| machine.borrow().last);
            if let Some(last) = last
                && !replicas.iter().any(|(known, _)| known == host)
            {
                replicas.push((*host, last));
            }
        }
        let named = self.coordinator.elect(&replicas, self.hosts, self.quirks);
        let Some((leader, last)) = named else {
            self.tell(Event::NotElected);
            return;
        };
        let epoch = self.coordinator.epoch;
        *self.shared.named.borrow_mut() = (epoch, leader);
        self.tell(Event::Elected {
            epoch,
            leader,
            last,
        });
        for (host, _) in replicas {
            self.command(host, Command::Follow { epoch, leader });
        }
    }
}
