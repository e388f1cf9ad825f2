//! A step and its answer, as the automaton takes them.

use crate::oracle::Item;
use crate::scenario::{Action, Applied};

/// What a step's answer was, once its bytes have been looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// It succeeded; a read or peek that gave nothing counts as this too.
    Done,
    /// A read gave this message.
    Message(Item),
    /// It was refused and changed nothing.
    Refused,
    /// It failed.
    Failed(Applied),
    /// It says nothing about the queue: not supported, or the object was not open.
    Ignored,
}

/// What is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Open for writing.
    Open,
    /// Open for reading only.
    ReadOnly,
    /// Closed cleanly, or deleted.
    Closed,
    /// The process died.
    Killed,
}

/// A step as the automaton takes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepSeen<'a> {
    pub step: u32,
    pub action: &'a Action,
    /// The numbers of the messages that it puts: from, to before.
    pub numbers: (u32, u32),
    pub seen: Seen,
}
