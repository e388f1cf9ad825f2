//! What a crash at one position of a run of a log allows: a few alternatives, each a chain of
//! boundaries with bounds for start and end, and for each reader the positions it may stand at.

use super::chain::{Chain, Chains};
use crate::model::Place;
use crate::scenario::{Clause, CrashKind};
use std::sync::Arc;

/// What made the durable point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LogCause {
    Start,
    Sync,
    Open,
    Close,
    Cut,
    Grow,
    NewStart,
    Empty,
    Retention,
    Delete,
    Move,
}

impl LogCause {
    /// How evidence names it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Start => "the start",
            Self::Sync => "the acknowledged flush",
            Self::Open => "the completed open",
            Self::Close => "the clean close",
            Self::Cut => "the acknowledged rollback or reset",
            Self::Grow => "the acknowledged growth",
            Self::NewStart => "the acknowledged new start",
            Self::Empty => "the acknowledged empty",
            Self::Retention => "the acknowledged retention",
            Self::Delete => "the acknowledged delete",
            Self::Move => "the acknowledged move",
        }
    }

    /// The clause that forbids losing what it promised.
    pub(super) fn clause(self) -> Clause {
        match self {
            Self::Start | Self::Sync | Self::Open => Clause::L2,
            Self::Close => Clause::C11,
            Self::Cut => Clause::L3,
            Self::Grow => Clause::L4,
            Self::NewStart => Clause::L5,
            Self::Empty => Clause::Q7,
            Self::Retention => Clause::L6,
            Self::Delete => Clause::Q12,
            Self::Move => Clause::L13,
        }
    }
}

/// The newest end that is promised to outlive a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LogDurable {
    pub(super) end: Place,
    pub(super) cause: LogCause,
    /// The step that promised it; nothing for what was there before the first one.
    pub(super) step: Option<u32>,
}

/// What was in the log before the newest operation that dropped some of it for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dropped {
    pub(super) chain: usize,
    pub(super) clause: Clause,
    pub(super) step: u32,
}

/// Where a reader may stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReaderWindow {
    /// Its index among the readers of the run.
    pub(super) index: u32,
    /// Positions confirmed since its durable point, that one included, none twice.
    pub(super) candidates: Vec<Place>,
    /// The log need not know it: then it starts at the end.
    pub(super) may_be_new: bool,
}

/// One outcome, with bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Alternative {
    /// The number of its chain.
    pub(super) chain: usize,
    /// Where it may start, in order.
    pub(super) starts: Vec<Place>,
    /// After a kill it ends here or later.
    pub(super) kill_min: Place,
    /// After a power cut it ends here or later.
    pub(super) power_min: Place,
    /// It ends here or earlier.
    pub(super) end_max: Place,
    /// Only a power cut leaves it: what was written since covers it until then.
    pub(super) is_covered: bool,
    /// By index, in order.
    pub(super) readers: Vec<ReaderWindow>,
    pub(super) durable: LogDurable,
    /// The clause that says where the log starts.
    pub(super) start_clause: Clause,
    pub(super) dropped: Option<Dropped>,
}

impl Alternative {
    pub(super) fn end_min(&self, kind: CrashKind) -> Place {
        match kind {
            CrashKind::Kill => self.kill_min,
            CrashKind::PowerCut => self.power_min,
        }
    }

    /// Whether both allow the same; what promised it does not count.
    fn allows_as(&self, other: &Self) -> bool {
        (self.chain, self.kill_min, self.power_min, self.end_max)
            == (other.chain, other.kill_min, other.power_min, other.end_max)
            && self.starts == other.starts
            && self.is_covered == other.is_covered
            && self.readers == other.readers
    }
}

/// The alternatives at one mark, and whom to blame; the chains are added when the run is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Allowed {
    pub(super) alternatives: Vec<Alternative>,
    /// The clause of the operation in flight that leaves all or nothing.
    pub(super) blamed: Option<Clause>,
    /// The log's files are being moved elsewhere: any of them may be missing.
    pub(super) is_moving: bool,
    /// The step in flight, or else the last one before.
    pub(super) step: Option<u32>,
    /// The newest step in which a sync of a file failed (C5).
    pub(super) sync_failed: Option<u32>,
    /// The newest step in which space ran out (C6).
    pub(super) disk_full: Option<u32>,
}

impl Allowed {
    /// Adds an alternative unless there is one that allows the same.
    pub(super) fn add(&mut self, alternative: Alternative) {
        let is_known = self
            .alternatives
            .iter()
            .any(|known| known.allows_as(&alternative));
        if !is_known {
            self.alternatives.push(alternative);
        }
    }

    /// Whether both allow the same.
    pub(super) fn allows_as(&self, other: &Self) -> bool {
        let mut pairs = self.alternatives.iter().zip(&other.alternatives);
        self.alternatives.len() == other.alternatives.len()
            && self.is_moving == other.is_moving
            && pairs.all(|(one, other)| one.allows_as(other))
    }
}

/// Everything that a crash at one position allows.
#[derive(Debug, Clone)]
pub struct LogWindows {
    pub(super) position: u32,
    pub(super) version: u32,
    pub(super) allowed: Arc<Allowed>,
    pub(super) chains: Arc<Chains>,
    /// The names of the readers by index.
    pub(super) readers: Arc<[String]>,
    pub(super) syncs_keep: bool,
}

impl LogWindows {
    /// The position, counted in marks: 0 before the first step, `2 * step + 1` while a step is in
    /// flight, `2 * step + 2` after it.
    #[must_use]
    pub fn position(&self) -> u32 {
        self.position
    }

    /// The same number at marks that allow the same.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    pub(super) fn chain(&self, alternative: &Alternative) -> Option<&Chain> {
        self.chains.get(alternative.chain)
    }
}
