//! One replica: what it does on a command, a message or a tick, and what it sends.
//!
//! A function of what it is given and of its files; it knows no network, clock or randomness.

use super::entry::Entry;
use super::event::{Event, Shown};
use super::leader::Leader;
use super::quirks::{Quirks, ReplicationQuirk};
use super::store::{Store, StoreError};
use super::wire::Message;
use crate::scenario::payload;
use crashline::fs::Fs;
use std::sync::Arc;

/// What a replica is told by its machine, not by a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    /// The coordinator names the leader of an epoch.
    Follow { epoch: u64, leader: u8 },
    /// A client puts message `number`.
    Put { number: u32, size: u32 },
    /// Old segments may go.
    Clean { force: bool },
    /// The consumer reads on.
    Read { count: u32 },
    /// The run is over: the log is shown.
    Show,
}

/// What all replicas know from the beginning.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setup {
    pub(super) host: u8,
    pub(super) hosts: u8,
    pub(super) segment_bytes_max: u64,
    pub(super) batch_messages_max: u32,
    pub(super) quirks: Quirks,
}

/// A message to a host.
pub(super) type Sent = (u8, Message);

/// A replica.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) setup: Setup,
    pub(super) store: Store,
    pub(super) epoch: u64,
    pub(super) leader: Option<u8>,
    /// Its work as a leader, if it is one.
    pub(super) leads: Option<Leader>,
    /// Up to where it knows the log to be committed.
    pub(super) committed: u64,
    /// What happened, to be told.
    pub(super) events: Vec<Event>,
    pub(super) out: Vec<Sent>,
}

impl Node {
    /// Opens a replica's files.
    pub(super) fn open(setup: Setup, fs: Arc<dyn Fs>) -> Result<Self, StoreError> {
        let store = Store::open(fs, setup.segment_bytes_max, setup.quirks)?;
        let mut node = Self {
            setup,
            store,
            epoch: 0,
            leader: None,
            leads: None,
            committed: 0,
            events: Vec::new(),
            out: Vec::new(),
        };
        let shown = node.shown()?;
        node.tell(Event::Opened {
            host: setup.host,
            shown,
        });
        Ok(node)
    }

    pub(super) fn has(&self, quirk: ReplicationQuirk) -> bool {
        self.setup.quirks.has(quirk)
    }

    pub(super) fn tell(&mut self, event: Event) {
        self.events.push(event);
    }

    /// An operation on the files failed. Whether something excuses it, its machine knows.
    pub(super) fn trouble(&mut self, error: &StoreError) {
        self.events.push(Event::Trouble {
            host: self.setup.host,
            words: error.to_string(),
            is_excused: false,
        });
    }

    /// The log as it shows itself now.
    pub(super) fn shown(&self) -> Result<Shown, StoreError> {
        let (start, end) = self.store.span();
        Ok(Shown {
            last: self.store.last(),
            start,
            end,
            messages: self.store.scan()?,
        })
    }

    /// Does as it is told.
    pub(super) fn command(&mut self, command: &Command) -> Result<(), StoreError> {
        match command {
            Command::Follow { epoch, leader } => self.follow(*epoch, *leader),
            Command::Put { number, size } => self.put(*number, *size),
            Command::Clean { force } => self.clean(*force),
            Command::Read { count } => self.read(*count),
            Command::Show => {
                self.store.settle()?;
                let (host, shown) = (self.setup.host, self.shown()?);
                self.tell(Event::Ended { host, shown });
                Ok(())
            }
        }
    }

    /// Another epoch, and who leads in it.
    fn follow(&mut self, epoch: u64, leader: u8) -> Result<(), StoreError> {
        let host = self.setup.host;
        if epoch < self.epoch || (epoch == self.epoch && self.leader == Some(leader)) {
            return Ok(());
        }
        self.leads = None;
        self.epoch = epoch;
        self.leader = Some(leader);
        self.tell(Event::Told {
            host,
            epoch,
            leader,
        });
        if leader == host {
            self.leads = Some(Leader::new(self.setup, self.store.last()));
            self.store.settle()?;
            let shown = self.shown()?;
            self.tell(Event::Leads { host, epoch, shown });
        }
        Ok(())
    }

    /// A client's put.
    fn put(&mut self, number: u32, size: u32) -> Result<(), StoreError> {
        let host = self.setup.host;
        if self.leads.is_none() {
            self.tell(Event::PutFailed {
                host: Some(host),
                number,
                words: "it does not lead".to_owned(),
            });
            return Ok(());
        }
        let message = payload(number, size);
        if let Err(error) = self.store.settle() {
            return self.put_failed(number, error);
        }
        let after = self.store.last();
        let place = Entry {
            epoch: self.epoch,
            offset: after.offset + 4 + u64::from(size),
            count: after.count + 1,
        };
        self.tell(Event::Puts {
            host,
            number,
            size,
            after,
            place,
        });
        match self.store.put(&message, place) {
            Ok(offset) => {
                self.tell(Event::Holds {
                    host,
                    place,
                    after,
                    offset,
                });
                if let Some(leads) = &mut self.leads {
                    leads.waiting.push_back((number, place));
                }
                self.acknowledge();
                self.send_to_all();
                Ok(())
            }
            Err(error) => self.put_failed(number, error),
        }
    }

    fn put_failed(&mut self, number: u32, error: StoreError) -> Result<(), StoreError> {
        self.tell(Event::PutFailed {
            host: Some(self.setup.host),
            number,
            words: error.to_string(),
        });
        Err(error)
    }

    fn clean(&mut self, force: bool) -> Result<(), StoreError> {
        let (host, before) = (self.setup.host, self.committed);
        let (old, _) = self.store.span();
        let cleaned = self.store.clean(before, force);
        let (start, _) = self.store.span();
        // An error behind the step that counts takes nothing back.
        if start.offset != old.offset {
            self.tell(Event::Cleaned {
                host,
                before,
                start,
            });
        }
        cleaned
    }

    fn read(&mut self, count: u32) -> Result<(), StoreError> {
        let consumed = self.store.consume(count)?;
        self.tell(Event::Read {
            host: self.setup.host,
            last: self.store.reaches(),
            messages: consumed.messages,
            confirmed: consumed.confirmed,
            depth: consumed.depth,
            end: consumed.end,
        });
        Ok(())
    }

    /// A message of another host.
    pub(super) fn receive(&mut self, from: u8, message: Message) -> Result<(), StoreError> {
        let is_late = message.epoch() < self.epoch;
        let is_of_leader = matches!(message, Message::Append { .. } | Message::Begin { .. });
        if is_late && !(is_of_leader && self.has(ReplicationQuirk::OldLeaderHeard)) {
            return Ok(());
        }
        if message.epoch() > self.epoch {
            if !is_of_leader {
                return Ok(());
            }
            self.follow(message.epoch(), from)?;
        }
        match message {
            Message::Append {
                epoch,
                after,
                end,
                entries,
                records,
            } => {
                let batch = super::follower::Batch {
                    epoch,
                    after,
                    end,
                    entries,
                    records,
                };
                self.append(from, &batch)
            }
            Message::Begin { epoch, base } => self.begin(from, epoch, base),
            Message::Ack { to, .. } => {
                self.acknowledged(from, to);
                self.acknowledge();
                self.send(from)
            }
            Message::Unknown { nearest, .. } => {
                self.unknown(from, nearest);
                self.send(from)
            }
        }
    }

    /// Time passed: `now` in ticks.
    pub(super) fn tick(&mut self, now: u64) {
        self.resend(now);
    }
}
