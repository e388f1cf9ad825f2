//! The engines that a check can name.

use crate::oracle::{LogStrengths, OffsetStrengths, Strengths};
use crate::originals::diskqueue::OriginalDiskqueue;
use crate::originals::offsets::{OriginalOffsets, Version};
use crate::originals::seglog::OriginalSeglog;
use crate::originals::{SuppliedLogWithDirSync, SuppliedOffsetsWithDirSync, SuppliedWithDirSync};
use crate::scenario::{RunKind, Scenario};
use crate::subject::{
    DiskQueueSubject, LogSubject, OffsetSubject, OffsetsSubject, SeglogSubject, Subject, ToyLog,
};

/// An engine under test.
#[derive(Debug, Clone, Copy)]
pub struct EngineInfo {
    /// The name that `--engine` takes.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub text: &'static str,
    /// Whether a check without arguments explores it. An original is none: it must fail.
    pub in_default_run: bool,
    /// The kinds of run that make sense for it.
    pub runs: &'static [RunKind],
    /// The thing itself.
    pub system: System,
}

/// What kind of thing an engine is: which contract it is held to, and how it is driven.
#[derive(Debug, Clone, Copy)]
pub enum System {
    /// A FIFO queue.
    Queue(QueueSystem),
    /// A segmented log with its readers and snapshot.
    Log(LogSystem),
    /// An offset store.
    Offsets(OffsetSystem),
    /// A log on several hosts.
    Cluster,
}

/// A FIFO queue.
#[derive(Debug, Clone, Copy)]
pub struct QueueSystem {
    /// It writes sums of its records.
    pub writes_sums: bool,
    /// What it is held to.
    pub strengths: Strengths,
    /// The thing itself.
    pub subject: &'static dyn Subject,
    /// The same with directory syncs made for it.
    supplied: &'static dyn Subject,
}

impl QueueSystem {
    /// What a scenario runs.
    #[must_use]
    pub fn subject_of(&self, scenario: &Scenario) -> &'static dyn Subject {
        if scenario.with_dir_sync {
            self.supplied
        } else {
            self.subject
        }
    }
}

/// A segmented log.
#[derive(Debug, Clone, Copy)]
pub struct LogSystem {
    /// What it is held to.
    pub strengths: LogStrengths,
    /// The thing itself.
    pub subject: &'static dyn LogSubject,
    /// The same with directory syncs made for it.
    supplied: &'static dyn LogSubject,
}

impl LogSystem {
    /// What a scenario runs.
    #[must_use]
    pub fn subject_of(&self, scenario: &Scenario) -> &'static dyn LogSubject {
        if scenario.with_dir_sync {
            self.supplied
        } else {
            self.subject
        }
    }
}

/// An offset store.
#[derive(Debug, Clone, Copy)]
pub struct OffsetSystem {
    /// What it is held to.
    pub strengths: OffsetStrengths,
    /// The thing itself.
    pub subject: &'static dyn OffsetSubject,
    /// The same with directory syncs made for it.
    supplied: &'static dyn OffsetSubject,
}

impl OffsetSystem {
    /// What a scenario runs.
    #[must_use]
    pub fn subject_of(&self, scenario: &Scenario) -> &'static dyn OffsetSubject {
        if scenario.with_dir_sync {
            self.supplied
        } else {
            self.subject
        }
    }
}

impl EngineInfo {
    /// Whether it is a twin, which is explored to be found out.
    #[must_use]
    pub fn is_original(&self) -> bool {
        self.name.starts_with("original-")
    }

    /// The queue that it is; nothing where it is something else.
    #[must_use]
    pub fn queue(&self) -> Option<&QueueSystem> {
        match &self.system {
            System::Queue(queue) => Some(queue),
            System::Log(_) | System::Offsets(_) | System::Cluster => None,
        }
    }

    /// Whether files of others are laid beside its own in some runs.
    #[must_use]
    pub fn has_neighbours(&self) -> bool {
        matches!(self.system, System::Queue(_) | System::Log(_))
    }

    /// Whether its clauses are those of a FIFO queue.
    #[must_use]
    pub fn is_queue(&self) -> bool {
        matches!(self.system, System::Queue(_))
    }
}

/// All engines.
pub const ENGINES: &[EngineInfo] = &[
    EngineInfo {
        name: "diskqueue",
        text: "FIFO queue in segment files, hardened, in the format of nsqio's go-diskqueue",
        in_default_run: true,
        runs: &[
            RunKind::Crashes,
            RunKind::Errors,
            RunKind::Calls,
            RunKind::Damage,
        ],
        system: System::Queue(QueueSystem {
            writes_sums: true,
            strengths: Strengths::DISKQUEUE,
            subject: &DiskQueueSubject,
            supplied: &SuppliedWithDirSync(&DiskQueueSubject),
        }),
    },
    EngineInfo {
        name: "shared-diskqueue",
        text: "the same behind the handle for many threads, in many orders of them",
        in_default_run: true,
        runs: &[RunKind::Orders],
        system: System::Queue(QueueSystem {
            writes_sums: true,
            strengths: Strengths::DISKQUEUE,
            subject: &DiskQueueSubject,
            supplied: &SuppliedWithDirSync(&DiskQueueSubject),
        }),
    },
    EngineInfo {
        name: "toylog",
        text: "the smallest log worth crashing: one file of checked records",
        in_default_run: true,
        runs: &[RunKind::Crashes],
        system: System::Queue(QueueSystem {
            writes_sums: false,
            strengths: Strengths::TOY_LOG,
            subject: &ToyLog,
            supplied: &SuppliedWithDirSync(&ToyLog),
        }),
    },
    EngineInfo {
        name: "seglog",
        text: "segmented log with readers and snapshot, hardened, in the format of youzan's nsq",
        in_default_run: true,
        runs: &[
            RunKind::Crashes,
            RunKind::Errors,
            RunKind::Calls,
            RunKind::Damage,
        ],
        system: System::Log(LogSystem {
            strengths: LogStrengths::SEGLOG,
            subject: &SeglogSubject,
            supplied: &SuppliedLogWithDirSync(&SeglogSubject),
        }),
    },
    EngineInfo {
        name: "offsets",
        text: "consumer offsets in one JSON file, hardened, in the formats of RocketMQ's clients",
        in_default_run: true,
        runs: &[
            RunKind::Crashes,
            RunKind::Errors,
            RunKind::Calls,
            RunKind::Damage,
        ],
        system: System::Offsets(OffsetSystem {
            strengths: OffsetStrengths::OFFSETS,
            subject: &OffsetsSubject,
            supplied: &SuppliedOffsetsWithDirSync(&OffsetsSubject),
        }),
    },
    EngineInfo {
        name: "replication",
        text: "the segmented log on several hosts, kept alike over a simulated network",
        in_default_run: true,
        runs: &[RunKind::Crashes, RunKind::Errors],
        system: System::Cluster,
    },
    EngineInfo {
        name: "original-diskqueue",
        text: "twin of go-diskqueue v1.1.0, defects included",
        in_default_run: false,
        runs: &[RunKind::Crashes, RunKind::Errors, RunKind::Damage],
        system: System::Queue(QueueSystem {
            writes_sums: false,
            strengths: Strengths::ORIGINAL_DISKQUEUE,
            subject: &OriginalDiskqueue,
            supplied: &SuppliedWithDirSync(&OriginalDiskqueue),
        }),
    },
    EngineInfo {
        name: "original-seglog",
        text: "twin of youzan's nsq at 012e0601 with file metas, defects included",
        in_default_run: false,
        runs: &[RunKind::Crashes, RunKind::Errors, RunKind::Damage],
        system: System::Log(LogSystem {
            strengths: LogStrengths::ORIGINAL_SEGLOG,
            subject: &OriginalSeglog,
            supplied: &SuppliedLogWithDirSync(&OriginalSeglog),
        }),
    },
    EngineInfo {
        name: "original-offsets",
        text: "twin of RocketMQ's Go client at 2173d07, defects included",
        in_default_run: false,
        runs: &[RunKind::Crashes, RunKind::Errors, RunKind::Damage],
        system: System::Offsets(OffsetSystem {
            strengths: OffsetStrengths::ORIGINAL,
            subject: &OriginalOffsets(Version::Head),
            supplied: &SuppliedOffsetsWithDirSync(&OriginalOffsets(Version::Head)),
        }),
    },
    EngineInfo {
        name: "original-offsets-seed",
        text: "twin of the same before loads were merged, defects included",
        in_default_run: false,
        runs: &[RunKind::Crashes, RunKind::Errors, RunKind::Damage],
        system: System::Offsets(OffsetSystem {
            strengths: OffsetStrengths::ORIGINAL,
            subject: &OriginalOffsets(Version::Seed),
            supplied: &SuppliedOffsetsWithDirSync(&OriginalOffsets(Version::Seed)),
        }),
    },
];

/// The engine of this name.
#[must_use]
pub fn engine(name: &str) -> Option<&'static EngineInfo> {
    ENGINES.iter().find(|engine| engine.name == name)
}
