//! A violation that does not depend on where the crash fell, small enough to be kept a million
//! times; words are made only when it is shown.

use super::Violation;
use crate::scenario::Clause;
use std::fmt;

/// What was seen.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum What {
    /// Recovery failed.
    DoesNotOpen(String),
    /// An operation that must succeed failed: its name and the error.
    Failed(&'static str, String),
    /// An operation panicked.
    Panicked(&'static str, String),
    /// An operation made more file calls than its bound.
    CutOff(&'static str),
    /// A message has the number of a message, but other bytes.
    Garbled(u32),
    /// A message that nobody put, of this size.
    Invented(u64),
    /// A message came twice.
    Twice(u32),
    /// A message came after a later one.
    OutOfOrder(u32),
    /// A message is missing while a later one came.
    Hole(u32),
    /// A message of a batch is missing while a later one of the same batch came.
    BatchHole(u32),
    /// The depth was said to be the first number, and was the second.
    Depth(i64, i64),
    /// Two opens in a row differ: depth first and second time.
    Unstable(i64, i64),
    /// The message shown by peek is not the one that was read next.
    Peek,
    /// Peek showed nothing, but a message came, or the other way round.
    PeekNothing,
    /// Delivery stopped while messages were left: this many.
    Stopped(i64),
    /// A message put after recovery and promised is gone.
    TailLost(u32),
    /// What had been recovered was gone after the next crash: so many messages before and after.
    RecoveredLost(i64, i64),
    /// Reading reported damage, though nothing but a crash had happened: in this file.
    DamageMet(String),
    /// A second opener got in, or was told something else than that the queue is open.
    SecondOpener(String),
    /// A file breaks the rules of the directory: its name and what is wrong.
    File(String, &'static str),
}

impl fmt::Display for What {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DoesNotOpen(error) => write!(to, "recovery failed: {error}"),
            Self::Failed(name, error) => write!(to, "{name} failed after recovery: {error}"),
            Self::Panicked(name, error) => write!(to, "{name} {error}"),
            Self::CutOff(name) => write!(to, "{name} made more file calls than its bound"),
            Self::Garbled(number) => {
                write!(to, "message {number} came with other bytes than were put")
            }
            Self::Invented(size) => {
                write!(to, "a message of {size} bytes came that was never put")
            }
            Self::Twice(number) => write!(to, "message {number} came twice within one run"),
            Self::OutOfOrder(number) => write!(to, "message {number} came after a later one"),
            Self::Hole(number) => {
                write!(to, "message {number} is missing while a later one came")
            }
            Self::BatchHole(number) => write!(
                to,
                "message {number} of a batch is missing while a later one of the batch came"
            ),
            Self::Depth(said, real) => {
                write!(to, "depth said {said}, but {real} messages were there")
            }
            Self::Unstable(first, second) => {
                write!(to, "two opens in a row gave depth {first}, then {second}")
            }
            Self::Peek => write!(to, "peek showed another message than the next read gave"),
            Self::PeekNothing => {
                write!(
                    to,
                    "peek and the next read disagree on whether there is one"
                )
            }
            Self::Stopped(left) => {
                write!(to, "delivery stopped although {left} messages were left")
            }
            Self::TailLost(number) => write!(
                to,
                "message {number}, put and promised after recovery, is gone"
            ),
            Self::RecoveredLost(before, after) => write!(
                to,
                "recovery had {before} messages, and after the next crash {after} were left"
            ),
            Self::DamageMet(file) => write!(
                to,
                "reading reported damage in `{file}`, though nothing but a crash had happened"
            ),
            Self::SecondOpener(answer) => write!(to, "a second opener got: {answer}"),
            Self::File(name, rule) => write!(to, "file `{name}`: {rule}"),
        }
    }
}

/// A broken clause and what was seen.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Finding {
    /// The clause.
    pub clause: Clause,
    /// What shows it.
    pub what: What,
}

impl Finding {
    /// Puts it into words.
    #[must_use]
    pub fn violation(&self, step: Option<u32>) -> Violation {
        Violation {
            clause: self.clause,
            evidence: self.what.to_string(),
            step,
        }
    }
}
