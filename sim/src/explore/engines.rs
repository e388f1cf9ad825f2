//! The engines that a check can name.

use crate::oracle::Strengths;
use crate::originals::SuppliedWithDirSync;
use crate::originals::diskqueue::OriginalDiskqueue;
use crate::scenario::{RunKind, Scenario};
use crate::subject::{DiskQueueSubject, Subject, ToyLog};

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
    /// It writes sums of its records.
    pub writes_sums: bool,
    /// What it is held to.
    pub strengths: Strengths,
    /// The thing itself.
    pub subject: &'static dyn Subject,
    /// The same with directory syncs made for it.
    supplied: &'static dyn Subject,
}

impl EngineInfo {
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

/// All engines.
pub const ENGINES: &[EngineInfo] = &[
    EngineInfo {
        name: "diskqueue",
        text: "FIFO queue in segment files, hardened, in the format of nsqio's go-diskqueue",
        in_default_run: true,
        runs: &[RunKind::Crashes, RunKind::Errors, RunKind::Damage],
        writes_sums: true,
        strengths: Strengths::DISKQUEUE,
        subject: &DiskQueueSubject,
        supplied: &SuppliedWithDirSync(&DiskQueueSubject),
    },
    EngineInfo {
        name: "shared-diskqueue",
        text: "the same behind the handle for many threads, in many orders of them",
        in_default_run: true,
        runs: &[RunKind::Orders],
        writes_sums: true,
        strengths: Strengths::DISKQUEUE,
        subject: &DiskQueueSubject,
        supplied: &SuppliedWithDirSync(&DiskQueueSubject),
    },
    EngineInfo {
        name: "toylog",
        text: "the smallest log worth crashing: one file of checked records",
        in_default_run: true,
        runs: &[RunKind::Crashes],
        writes_sums: false,
        strengths: Strengths::TOY_LOG,
        subject: &ToyLog,
        supplied: &SuppliedWithDirSync(&ToyLog),
    },
    EngineInfo {
        name: "original-diskqueue",
        text: "twin of go-diskqueue v1.1.0, defects included",
        in_default_run: false,
        runs: &[RunKind::Crashes, RunKind::Errors, RunKind::Damage],
        writes_sums: false,
        strengths: Strengths::ORIGINAL_DISKQUEUE,
        subject: &OriginalDiskqueue,
        supplied: &SuppliedWithDirSync(&OriginalDiskqueue),
    },
];

/// The engine of this name.
#[must_use]
pub fn engine(name: &str) -> Option<&'static EngineInfo> {
    ENGINES.iter().find(|engine| engine.name == name)
}
