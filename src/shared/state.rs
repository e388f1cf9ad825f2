//! What all handles of a queue share under one mutex, and whose turn it is.
//!
//! Invariants: whoever takes the engine out of the state gives it back or gives the queue up; while
//! the mutex is held, no file is touched but by a put that is one write and no sync; tickets below
//! `done` are answered, and `failures` has the answers that are no success.

use super::group::Group;
use crate::diskqueue::{DiskQueue, Error};

/// So often one kind of caller may go before the other although that waits.
const PASSED_OVER_MAX: u32 = 16;

/// Whether there still is a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Open,
    /// Closed or deleted.
    Closed,
    /// A thread panicked inside the engine.
    Abandoned,
}

/// Who takes the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Caller {
    /// For all messages that wait to be written.
    Producer,
    /// For an operation of its own.
    Other,
}

#[derive(Debug)]
pub(super) struct State<T> {
    pub(super) status: Status,
    /// Taken out by whoever has the turn. Boxed, since it goes to and fro.
    engine: Option<Box<DiskQueue>>,
    /// What waits for the next turn of a producer.
    pub(super) group: Group,
    /// An emptied group, whose memory is used again.
    pub(super) emptied: Group,
    /// The ticket of the next request that joins the group.
    next: u64,
    /// Tickets below it are answered.
    pub(super) done: u64,
    failures: Vec<(u64, Error)>,
    /// Threads that wait: for the answer to a ticket, for a single turn, for a message.
    pub(super) waiting_done: u32,
    pub(super) waiting_turn: u32,
    pub(super) waiting_message: u32,
    last: Caller,
    passed_over: u32,
    /// The background thread, and whether it is to end.
    pub(super) ticker: Option<T>,
    pub(super) ticker_ends: bool,
}

impl<T> State<T> {
    pub(super) fn new(queue: DiskQueue) -> Self {
        Self {
            status: Status::Open,
            engine: Some(Box::new(queue)),
            group: Group::default(),
            emptied: Group::default(),
            next: 0,
            done: 0,
            failures: Vec::new(),
            waiting_done: 0,
            waiting_turn: 0,
            waiting_message: 0,
            last: Caller::Other,
            passed_over: 0,
            ticker: None,
            ticker_ends: false,
        }
    }

    /// Refuses what comes after the end.
    pub(super) fn check_open(&self) -> Result<(), Error> {
        match self.status {
            Status::Open => Ok(()),
            Status::Closed => Err(Error::Closed),
            Status::Abandoned => Err(Error::Abandoned),
        }
    }

    /// Takes the engine if it is there and this kind of caller may have it.
    pub(super) fn take(&mut self, caller: Caller) -> Option<Box<DiskQueue>> {
        let other_waits = match caller {
            Caller::Producer => self.waiting_turn > 0,
            Caller::Other => !self.group.is_empty(),
        };
        if other_waits && self.last == caller && self.passed_over >= PASSED_OVER_MAX {
            return None;
        }
        let engine = self.engine.take()?;
        let again = other_waits && self.last == caller;
        self.passed_over = if again { self.passed_over + 1 } else { 0 };
        self.last = caller;
        Some(engine)
    }

    pub(super) fn give_back(&mut self, engine: Box<DiskQueue>) {
        debug_assert!(self.engine.is_none(), "one thread at a time has the engine");
        self.engine = Some(engine);
    }

    /// Adds a request to the group with `push`; returns its ticket.
    pub(super) fn join_group(&mut self, push: impl FnOnce(&mut Group)) -> u64 {
        push(&mut self.group);
        self.next += 1;
        self.next - 1
    }

    /// Takes the group; the ticket of its first request comes with it.
    pub(super) fn take_group(&mut self) -> (Group, u64) {
        let first = self.next - self.group.requests() as u64;
        let emptied = std::mem::take(&mut self.emptied);
        (std::mem::replace(&mut self.group, emptied), first)
    }

    /// All requests of a group are answered.
    pub(super) fn answer(&mut self, mut group: Group, first: u64, failed: Vec<(usize, Error)>) {
        self.done = first + group.requests() as u64;
        let failures = failed.into_iter();
        self.failures
            .extend(failures.map(|(number, error)| (first + number as u64, error)));
        group.clear();
        self.emptied = group;
    }

    /// The answer to a ticket below `done`. It is given once.
    pub(super) fn answer_of(&mut self, ticket: u64) -> Result<(), Error> {
        let mut failures = self.failures.iter();
        match failures.position(|(failed, _)| *failed == ticket) {
            Some(index) => Err(self.failures.swap_remove(index).1),
            None => Ok(()),
        }
    }

    /// The queue is gone: whoever has no answer yet gets this one, and nothing more is written.
    pub(super) fn end(&mut self, status: Status) {
        self.status = status;
        self.engine = None;
        self.ticker_ends = true;
        self.group.clear();
        for ticket in self.done..self.next {
            if let Err(error) = self.check_open() {
                self.failures.push((ticket, error));
            }
        }
        self.done = self.next;
    }
}
