//! What happened in one run, entry by entry, as data; `report` makes text of it.

use crate::scenario::{Clause, CrashChoice};

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// An operation began: its number (from 0) and the call in words, such as `put 72 bytes (#3)`.
    Begin {
        /// Number of the step; steps of the tail after a crash go on counting.
        step: u32,
        /// The call in words.
        call: String,
    },
    /// A filesystem call, such as `write_at q.diskqueue.000000.dat 0+76`, and its result.
    Call {
        /// The call in words.
        call: String,
        /// Its result in words; `ok` where there is nothing to tell.
        result: String,
    },
    /// An operation's answer.
    End {
        /// Number of the step.
        step: u32,
        /// The answer in words, such as `acknowledged` or `error: no space left`.
        answer: String,
    },
    /// The crash, and what the disk kept.
    Crash {
        /// Where, and what was lost.
        choice: CrashChoice,
        /// The lost effects in words, at most a screenful.
        lost: Vec<String>,
        /// The files after the crash: name and size in bytes.
        files: Vec<(String, u64)>,
    },
    /// Damage done, in its text form.
    Damage(String),
    /// Something worth saying about what came back.
    Note(String),
    /// The clause that broke, and the evidence.
    Violation {
        /// The clause.
        clause: Clause,
        /// What shows it.
        evidence: String,
    },
}

/// A run from its first operation to the verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Timeline {
    /// What was run: engine, profile, options, seed, in words.
    pub heading: Vec<String>,
    /// In order.
    pub entries: Vec<Entry>,
}
