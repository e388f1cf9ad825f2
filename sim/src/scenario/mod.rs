//! Plain data: everything that a run depends on, and what its operations answered.
//!
//! A seed, a fuzz input, a property test and a corpus file all become one [`Scenario`]; it has a
//! text form (JSON), and is what is replayed, shrunk and reported.

mod clause;
mod cluster;
mod crash;
mod format;
mod log;
mod offsets;
mod options;
mod outcome;
mod payload;
mod planted;
mod step;

pub use clause::{ALL as CLAUSES, Clause, ClauseInfo};
pub use cluster::{ClusterOptions, ClusterProgram, ClusterStep};
pub use crash::{CrashChoice, CrashKind, Fill};
pub use log::{
    CleanTarget, LogMessage, LogOp, LogOptions, LogOutcome, LogPayloads, LogPosition, LogProgram,
    LogReply, LogStates, ReaderOp, ReaderState, SnapshotOp, SnapshotState, Stands, WriterOp,
    WriterState,
};
pub use offsets::{
    OffsetDialect, OffsetOp, OffsetOptions, OffsetOutcome, OffsetProgram, OffsetQueue, OffsetReply,
    OffsetTable, ReadFrom,
};
pub use options::FifoOptions;
pub use outcome::{Applied, Failure, FailureKind, Loss, Outcome, Reply};
pub use payload::{NUMBERED_BYTES_MIN, claimed_number, payload, write_payload};
pub use planted::{Planted, PlantedKind};
pub use step::{Action, Step};

use serde::{Deserialize, Serialize};

/// The version of the text form; a file with another one is refused.
pub const FORMAT: u32 = 1;

/// Which contract judges a run, and what is injected into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunKind {
    /// Kills and power cuts; judged by the whole contract.
    Crashes,
    /// Failing calls, also followed by a crash; judged by the whole contract.
    Errors,
    /// Every call of the run fails once, in several ways, and nothing crashes; judged by the whole
    /// contract.
    Calls,
    /// Bytes changed behind the engine's back; judged by the damage rule.
    Damage,
    /// Several threads on a shared handle, in an order that the seed decides; kills and power cuts.
    Orders,
}

impl RunKind {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Crashes,
        Self::Errors,
        Self::Calls,
        Self::Damage,
        Self::Orders,
    ];

    /// The name in reports and scenario files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Crashes => "crashes",
            Self::Errors => "errors",
            Self::Calls => "calls",
            Self::Damage => "damage",
            Self::Orders => "orders",
        }
    }
}

/// One run: replayed, it gives the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// [`FORMAT`].
    pub format: u32,
    /// The engine under test, by the name that `list engines` shows.
    pub engine: String,
    /// How the queue is opened first.
    #[serde(default)]
    pub options: FifoOptions,
    /// Defects put back on purpose, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quirks: Vec<String>,
    /// The disk profile, by the name that `list profiles` shows.
    pub profile: String,
    /// What is injected and how it is judged.
    pub run: RunKind,
    /// Supplies the directory syncs that an original never makes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub with_dir_sync: bool,
    /// Decides everything that is not spelled out: payload bytes, sampling, the tail's choice.
    pub seed: u64,
    /// What lies in the data directory before that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub planted: Vec<Planted>,
    /// The operations, in order. The subject is opened before the first one.
    #[serde(default)]
    pub steps: Vec<Step>,
    /// What is done with a log; then options and steps say nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<LogProgram>,
    /// What is done with an offset store; then options, steps and log say nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offsets: Option<OffsetProgram>,
    /// What is done with several hosts; then options, steps, log and offsets say nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<ClusterProgram>,
    /// The fault plan, one fault a line, in the text form of `fault`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// The damage done after the last step, one a line, in the text form of `fault`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub damage: Vec<String>,
    /// The one crash (and crashes inside recovery after it) to look at; empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crashes: Vec<CrashChoice>,
}

impl Scenario {
    /// Whether runs of the machine can be told apart in it.
    #[must_use]
    pub fn knows_the_boot(&self) -> bool {
        !self.faults.iter().any(|line| line == "boot_id: unknown")
    }

    /// A scenario in which nothing happens, without quirks, faults or damage.
    #[must_use]
    pub fn bare(engine: &str, profile: &str, run: RunKind, seed: u64) -> Self {
        Self {
            format: FORMAT,
            engine: engine.to_owned(),
            options: FifoOptions::default(),
            quirks: Vec::new(),
            profile: profile.to_owned(),
            run,
            with_dir_sync: false,
            seed,
            planted: Vec::new(),
            steps: Vec::new(),
            log: None,
            offsets: None,
            cluster: None,
            faults: Vec::new(),
            damage: Vec::new(),
            crashes: Vec::new(),
        }
    }
}
