//! What a check is asked to do, and what it says while it runs.

use crate::scenario::RunKind;

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
    /// At most about so many recovered images in all; shares are cut by this, never by time.
    pub budget: u64,
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
    /// Of about so many.
    pub budget: u64,
    /// Scenarios so far.
    pub scenarios: u64,
    /// (crash point, state) pairs judged so far.
    pub judged: u64,
    /// Violations so far.
    pub violations: u64,
}
