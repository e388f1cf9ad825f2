//! The process on a machine: a replica between its mailbox and its socket.
//!
//! One task that sleeps a tick, takes what has come, and sends; it never chooses between futures,
//! so nothing depends on the runtime's own randomness.

use super::event::Event;
use super::machine::Machine;
use super::node::{Command, Node, Sent, Setup};
use super::store::StoreError;
use super::wire::Message;
use crate::subject::guarded;
use std::cell::RefCell;
use std::net::{IpAddr, Ipv4Addr};
use std::rc::Rc;
use std::time::Duration;
use turmoil::net::UdpSocket;

/// The port that all replicas listen on.
const PORT: u16 = 4151;
/// A replica that could not be opened is tried again after so many ticks.
const REOPEN_TICKS: u64 = 20;
/// Larger than any datagram.
const DATAGRAM_BYTES_MAX: usize = 1 << 16;

/// What processes share with what runs them.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) machines: Vec<RefCell<Machine>>,
    pub(super) events: RefCell<Vec<Event>>,
    /// The coordinator's word: the epoch, and who leads in it.
    pub(super) named: RefCell<(u64, u8)>,
}

/// Runs a replica until its process dies.
pub(super) async fn serve(shared: Rc<Shared>, setup: Setup) -> turmoil::Result {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, PORT)).await?;
    let addresses: Vec<IpAddr> = (0..setup.hosts)
        .map(|host| turmoil::lookup(name(host)))
        .collect();
    let mut process = Process {
        shared,
        setup,
        node: None,
        now: 0,
    };
    let mut buffer = vec![0; DATAGRAM_BYTES_MAX];
    loop {
        tokio::time::sleep(Duration::from_millis(1)).await;
        let mut inbox = Vec::new();
        while let Ok((size, from)) = socket.try_recv_from(&mut buffer) {
            let from = addresses.iter().position(|known| *known == from.ip());
            let message = Message::from_bytes(buffer.get(..size).unwrap_or_default());
            if let (Some(from), Some(message)) = (from, message) {
                inbox.push((u8::try_from(from).unwrap_or(u8::MAX), message));
            }
        }
        for (to, message) in process.turn(inbox) {
            if let Some(address) = addresses.get(usize::from(to)) {
                // What cannot be sent is lost, as anything else may be.
                drop(socket.try_send_to(&message.to_bytes(), (*address, PORT)));
            }
        }
    }
}

/// The name of a host in the simulated network.
pub(super) fn name(host: u8) -> String {
    format!("h{host}")
}

struct Process {
    shared: Rc<Shared>,
    setup: Setup,
    node: Option<Node>,
    now: u64,
}

impl Process {
    /// One tick; what is to be sent.
    fn turn(&mut self, inbox: Vec<Sent>) -> Vec<Sent> {
        let shared = Rc::clone(&self.shared);
        let Some(machine) = shared.machines.get(usize::from(self.setup.host)) else {
            return Vec::new();
        };
        if machine.borrow().is_dying {
            return Vec::new();
        }
        if self.node.is_none() && self.now.is_multiple_of(REOPEN_TICKS) {
            self.open(machine);
        }
        self.now += 1;
        let commands: Vec<Command> = machine.borrow_mut().mailbox.drain(..).collect();
        for command in commands {
            self.step(machine, |node| node.command(&command));
        }
        for (from, message) in inbox {
            self.step(machine, |node| node.receive(from, message));
        }
        let now = self.now;
        self.step(machine, |node| {
            node.tick(now);
            Ok(())
        });
        let mut machine = machine.borrow_mut();
        machine.last = self.node.as_ref().map(|node| node.store.last());
        if machine.is_dying {
            return Vec::new();
        }
        self.node
            .as_mut()
            .map_or_else(Vec::new, |node| std::mem::take(&mut node.out))
    }

    fn open(&mut self, machine: &RefCell<Machine>) {
        let (setup, fs) = (self.setup, machine.borrow().fs());
        let host = setup.host;
        match guarded(|| Node::open(setup, fs)) {
            Ok(Ok(node)) => self.node = Some(node),
            Ok(Err(error)) if !machine.borrow().is_cut_off() => {
                let is_excused = machine.borrow().has_faults();
                self.tell(Event::NotOpened {
                    host,
                    words: error.to_string(),
                    is_excused,
                });
            }
            Ok(Err(_)) => {}
            Err(failure) => self.panicked(machine, failure.message),
        }
        let (epoch, leader) = *self.shared.named.borrow();
        if epoch > 0 {
            let follow = Command::Follow { epoch, leader };
            self.step(machine, |node| node.command(&follow));
        }
        self.look(machine);
    }

    /// Lets the replica do something, unless its machine died in the middle of what it did before.
    fn step(
        &mut self,
        machine: &RefCell<Machine>,
        work: impl FnOnce(&mut Node) -> Result<(), StoreError>,
    ) {
        if machine.borrow().is_dying {
            return;
        }
        let Some(node) = &mut self.node else {
            return;
        };
        let result = guarded(|| work(node));
        match result {
            Ok(Ok(())) => {}
            Ok(Err(error)) => node.trouble(&error),
            Err(failure) => self.panicked(machine, failure.message),
        }
        self.look(machine);
    }

    fn panicked(&mut self, machine: &RefCell<Machine>, words: String) {
        if !machine.borrow().is_cut_off() {
            let host = self.setup.host;
            self.tell(Event::Panicked { host, words });
        }
        machine.borrow_mut().is_dying = true;
    }

    /// Tells what happened; what failed because the machine died did not happen any more.
    fn look(&mut self, machine: &RefCell<Machine>) {
        let (is_cut_off, has_faults) = {
            let machine = machine.borrow();
            (machine.is_cut_off(), machine.has_faults())
        };
        let events = self
            .node
            .as_mut()
            .map(|node| std::mem::take(&mut node.events));
        for mut event in events.unwrap_or_default() {
            if let Event::Trouble { is_excused, .. } = &mut event {
                if is_cut_off {
                    continue;
                }
                *is_excused = has_faults;
            }
            let is_late = is_cut_off && matches!(event, Event::PutFailed { .. });
            if !is_late {
                self.tell(event);
            }
        }
        machine.borrow_mut().is_dying |= is_cut_off;
    }

    fn tell(&self, event: Event) {
        self.shared.events.borrow_mut().push(event);
    }
}
