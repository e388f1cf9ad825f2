//! What a crash at one position of a run allows: from where to where delivery may start, and
//! from where to where the queue may end.
//!
//! Positions count the marks of the recording: 0 before the first step, `2 * step + 1` while a
//! step is in flight, `2 * step + 2` after it. Bounds are message numbers, and are widened over
//! messages that need not be there, so that comparing them with what came back is enough.

use crate::scenario::{Clause, CrashKind};

/// What made the durable point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The queue was new: nothing was promised yet.
    Start,
    /// An acknowledged sync.
    Sync,
    /// A sync owed by `sync_every` or `sync_timeout`.
    Owed,
    /// A clean close.
    Close,
    /// An open for writing that succeeded.
    Open,
    /// An acknowledged empty.
    Empty,
    /// An acknowledged delete.
    Delete,
}

impl Cause {
    /// How evidence names it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Start => "the start",
            Self::Sync => "the acknowledged sync",
            Self::Owed => "the sync owed",
            Self::Close => "the clean close",
            Self::Open => "the completed open",
            Self::Empty => "the acknowledged empty",
            Self::Delete => "the acknowledged delete",
        }
    }
}

/// The newest state that is promised to outlive a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Durable {
    /// The durable read position.
    pub read: u32,
    /// The durable end.
    pub end: u32,
    /// What promised it.
    pub cause: Cause,
    /// In which step.
    pub step: u32,
}

/// Messages below it were dropped for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Barrier {
    /// The first number that may still come.
    pub number: u32,
    /// Q7 for an empty, Q12 for a delete.
    pub clause: Clause,
    /// The step that dropped them.
    pub step: u32,
}

/// The bounds of one allowed outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Delivery starts at this number or later.
    pub first_min: u32,
    /// Delivery starts at this number or earlier.
    pub first_max: u32,
    /// The queue ends at this number or later.
    pub end_min: u32,
    /// The queue ends at this number or earlier.
    pub end_max: u32,
}

impl Window {
    /// Exactly the messages from `first` to before `end`.
    #[must_use]
    pub fn exactly(first: u32, end: u32) -> Self {
        Self {
            first_min: first,
            first_max: first,
            end_min: end,
            end_max: end,
        }
    }

    /// Whether delivering nothing is allowed: then the queue starts where it ends.
    #[must_use]
    pub fn allows_nothing(&self) -> bool {
        self.first_min.max(self.end_min) <= self.first_max.min(self.end_max)
    }
}

/// Everything that a crash at one position allows, and whom to blame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Windows {
    /// The position, counted in marks.
    pub position: u32,
    /// After a kill.
    pub kill: Window,
    /// After a power cut.
    pub power_cut: Window,
    /// While an empty or delete is in flight: the empty queue that it may leave as well, and the
    /// clause that allows this and nothing else.
    pub emptied: Option<(Window, Clause)>,
    /// What promised the lower bounds.
    pub durable: Durable,
    /// The newest empty or delete.
    pub barrier: Option<Barrier>,
    /// The newest step in which a sync of a file failed (C5).
    pub sync_failed: Option<u32>,
    /// The newest step in which space ran out, unless the queue was opened since (C6).
    pub disk_full: Option<u32>,
    /// Bytes were read or written wrongly before it, and nobody was told: only the damage rule
    /// holds.
    pub corrupted: bool,
    /// The disk keeps what its syncs cover; else nothing can be promised to outlive a power cut.
    pub syncs_keep: bool,
    /// How many messages had been put by then, acknowledged or not.
    pub messages_before: u32,
    /// The step that was in flight, or else the last one before.
    pub step: Option<u32>,
}

impl Windows {
    /// The window of a kind of crash.
    #[must_use]
    pub fn of(&self, kind: CrashKind) -> &Window {
        match kind {
            CrashKind::Kill => &self.kill,
            CrashKind::PowerCut => &self.power_cut,
        }
    }
}
