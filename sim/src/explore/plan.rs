//! What a check is asked to do, and what it says while it runs.

use crate::scenario::RunKind;

/// One of several equal shares of a check's scenarios.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which one, from 1.
    pub number: u64,
    /// How many there are.
    pub count: u64,
}

impl Shard {
    /// Whether a scenario with this hash is of this share. Scenarios that come or go move no other.
    #[must_use]
    pub fn has(self, hash: u64) -> bool {
        hash % self.count.max(1) + 1 == self.number
    }
}

/// Everything a check depends on: two checks with one plan give one digest.
#[derive(Debug, Clone)]
pub struct CheckPlan {
    /// Engines by name; never empty.
    pub engines: Vec<String>,
    /// Disk profiles by name; never empty.
    pub profiles: Vec<String>,
    /// The kinds of run to make; never empty.
    pub runs: Vec<RunKind>,
    /// Decides every scenario.
    pub seed: u64,
    /// At most so many scenarios in all, if given.
    pub cases: Option<u64>,
    /// At most about so many recovered images in all, if given; shares are cut by this, never by
    /// time.
    pub budget: Option<u64>,
    /// The share of the scenarios to run; the others count as run by somebody else.
    pub shard: Option<Shard>,
    /// Stop after so many milliseconds; then no digest is given.
    pub time_limit_ms: Option<u64>,
    /// Threads; changes nothing but the time it takes.
    pub jobs: usize,
    /// Everything, ten times the budget, all marks must be reached.
    pub full: bool,
    /// Defects put back on purpose.
    pub quirks: Vec<String>,
    /// Supplies the directory syncs that an original never makes.
    pub with_dir_sync: bool,
    /// Stop at the first so many violations with different clauses for each engine.
    pub violations_max: usize,
}

/// A step of a running check.
#[derive(Debug, Clone, Copy, Default)]
pub struct Progress {
    /// Recovered images so far.
    pub recovered: u64,
    /// Of about so many, where that is known.
    pub budget: Option<u64>,
    /// Scenarios so far.
    pub scenarios: u64,
    /// Of at most about so many, where that is known.
    pub cases: Option<u64>,
    /// (crash point, state) pairs judged so far.
    pub judged: u64,
    /// Violations so far.
    pub violations: u64,
}
