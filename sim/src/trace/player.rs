//! Plays a trace's operations on a subject, as the recorder did on the real one: after every
//! operation, and after an open, the queue comes to rest and is asked for its depth.

use super::disk::{Disk, Files};
use super::file::{Operation, Trace};

use crate::scenario::{Action, Applied, FailureKind, FifoOptions, Outcome, Reply};
use crate::subject::{Object, OpenRequest, Subject, guarded};
use std::io;

/// What one operation came to.
#[derive(Debug, Clone)]
pub(super) struct Played {
    /// The operation's own answer; of a close and open in one, the close's unless the open failed.
    pub(super) outcome: Outcome,
    /// What the settling and the depth after it answered.
    pub(super) depth: Outcome,
    /// The directory between close and damage, where there was damage.
    pub(super) before_damage: Option<Files>,
    /// Why the damage could not be done.
    pub(super) damage_skipped: Option<String>,
}

/// What came when everything was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Drained {
    /// The messages in order.
    pub(super) messages: Vec<Vec<u8>>,
    /// The error that ended it, other than reported damage.
    pub(super) error: Option<(FailureKind, String)>,
}

/// More messages than this are not drained: no trace puts so many.
const DRAINED_MAX: usize = 1 << 20;

/// A subject on a disk of its own.
#[derive(Debug)]
pub(super) struct Player<'a> {
    subject: &'a dyn Subject,
    disk: Disk,
    queue: &'a str,
    options: FifoOptions,
    object: Option<Box<dyn Object>>,
}

impl<'a> Player<'a> {
    pub(super) fn new(subject: &'a dyn Subject, trace: &'a Trace, disk: Disk) -> Self {
        Self {
            subject,
            disk,
            queue: &trace.queue,
            options: trace.options,
            object: None,
        }
    }

    pub(super) fn play(&mut self, operation: &Operation) -> Played {
        let mut before_damage = None;
        let mut damage_skipped = None;
        let outcome = match operation {
            Operation::Open | Operation::KillAndOpen => self.open(),
            Operation::Put(message) => {
                let size = u32::try_from(message.len()).unwrap_or(u32::MAX);
                self.apply(&Action::Put { size }, std::slice::from_ref(message))
            }
            Operation::Read => self.apply(&Action::Read, &[]),
            Operation::Empty => self.apply(&Action::Empty, &[]),
            Operation::Reopen(change) => {
                let closed = self.apply(&Action::Close, &[]);
                change.apply(&mut self.options);
                first_failure(closed, self.open())
            }
            Operation::CloseDamageOpen(damage) => {
                let closed = self.apply(&Action::Close, &[]);
                self.object = None;
                before_damage = self.files().ok();
                damage_skipped = self
                    .disk
                    .damage(damage)
                    .err()
                    .map(|error| error.to_string());
                first_failure(closed, self.open())
            }
        };
        let settled = self.apply(&Action::Settle, &[]);
        let cut_off = matches!(&settled.result, Err(f) if f.kind == FailureKind::CutOff);
        Played {
            outcome,
            depth: if cut_off {
                settled
            } else {
                self.apply(&Action::Depth, &[])
            },
            before_damage,
            damage_skipped,
        }
    }

    /// Reads everything. Damage that a read reports is passed, as a caller would.
    pub(super) fn drain(&mut self) -> Drained {
        let mut messages = Vec::new();
        let mut passed = 0;
        while messages.len() + passed < DRAINED_MAX {
            match self.apply(&Action::Read, &[]).result {
                Ok(Reply::Message(message)) => messages.push(message),
                Err(failure) if failure.kind == FailureKind::Damage => passed += 1,
                Err(failure) => {
                    let error = Some((failure.kind, failure.message));
                    return Drained { messages, error };
                }
                Ok(Reply::Done | Reply::Count(_) | Reply::Nothing) => {
                    let error = None;
                    return Drained { messages, error };
                }
            }
        }
        let error = Some((FailureKind::CutOff, "reading did not end".to_owned()));
        Drained { messages, error }
    }

    pub(super) fn files(&self) -> io::Result<Files> {
        self.disk.files()
    }

    /// Opens a new object; the one before is dropped first, as by a kill if it was not closed.
    fn open(&mut self) -> Outcome {
        self.object = None;
        let request = OpenRequest {
            fs: &self.disk.fs,
            directory: &self.disk.directory,
            object: self.queue,
            options: &self.options,
            read_only: false,
            quirks: &[],
        };
        match guarded(|| self.subject.open(&request)) {
            Ok(opened) => {
                self.object = opened.object;
                opened.outcome
            }
            Err(panicked) => panicked.into(),
        }
    }

    fn apply(&mut self, action: &Action, payloads: &[Vec<u8>]) -> Outcome {
        let Some(mut object) = self.object.take() else {
            return Outcome::failed(FailureKind::Closed, Applied::No, "it is not open");
        };
        match guarded(|| object.apply(action, payloads)) {
            Ok(outcome) => {
                self.object = Some(object);
                outcome
            }
            // A panic is a kill: the object is dropped.
            Err(panicked) => panicked.into(),
        }
    }
}

fn first_failure(one: Outcome, other: Outcome) -> Outcome {
    if one.result.is_err() { one } else { other }
}
