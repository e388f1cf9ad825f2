//! One original on trial: the search, the shortest reproducers, the named defects.

use super::collect::{Survey, survey};
use super::key::{Key, Way};
use super::named::{NAMED, Named, show};
use super::shortest::{Finding, shortest};
use crate::explore::{CheckError, Found, Progress, side_by_side};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// An original that is tried.
#[derive(Debug, Clone, Copy)]
pub struct Original {
    /// The engine's name.
    pub engine: &'static str,
    /// What it is a twin of.
    pub title: &'static str,
    /// Images recovered on one disk.
    pub budget: u64,
}

/// All of them. How long each is looked at is what all together may take.
pub const ORIGINALS: &[Original] = &[
    Original {
        engine: "original-diskqueue",
        title: "nsqio's go-diskqueue v1.1.0",
        budget: 80_000,
    },
    Original {
        engine: "original-seglog",
        title: "youzan nsq's segmented log at 012e0601, with metas in files",
        budget: 80_000,
    },
    Original {
        engine: "original-offsets",
        title: "the local offset store of RocketMQ's Go client at 2173d07",
        budget: 20_000,
    },
    Original {
        engine: "original-offsets-seed",
        title: "the same before a load kept what was in memory",
        budget: 20_000,
    },
];

/// What the page says of one original.
#[derive(Debug)]
pub struct Trial {
    /// What it is a twin of.
    pub title: &'static str,
    /// The search.
    pub survey: Survey,
    /// The findings, in the order of their keys.
    pub findings: Vec<Finding>,
    /// The defects that a shorter one hides, and how each is shown.
    pub named: Vec<(&'static Named, Option<Found>)>,
}

/// Tries one original. `stop` ends it early, with an error.
///
/// # Errors
/// When a scenario cannot be run, or `stop` was set.
pub fn trial(
    original: &Original,
    jobs: usize,
    on_progress: &(dyn Fn(Progress) + Sync),
    stop: &AtomicBool,
) -> Result<Trial, CheckError> {
    let survey = survey(original, jobs, on_progress, stop)?;
    let keys: Vec<Key> = survey.mildest();
    let stopped = || CheckError::Usage("it was stopped before its end".to_owned());
    let found = side_by_side(&keys, jobs, &|key| match survey.found.get(key) {
        _ if stop.load(Ordering::Relaxed) => Err(stopped()),
        Some((count, found)) => shortest(key, *count, found).map(Some),
        None => Ok(None),
    });
    let mut findings = BTreeMap::new();
    for finding in found {
        if let Some(finding) = finding? {
            take(&mut findings, finding);
        }
    }
    let mut named = Vec::new();
    for one in NAMED.iter().filter(|one| one.engine == original.engine) {
        named.push((one, show(one)?));
    }
    Ok(Trial {
        title: original.title,
        survey,
        findings: findings.into_values().collect(),
        named,
    })
}

/// Findings that turned out to be one stay one, with the shorter reproducer.
fn take(findings: &mut BTreeMap<super::Key, Finding>, finding: Finding) {
    let covered = findings.keys().any(|key| key.covers(&finding.key));
    if covered {
        return;
    }
    findings.retain(|key, _| !finding.key.covers(key));
    let steps = |finding: &Finding| finding.found.scenario.step_count();
    let count = finding.count;
    let kept = findings.entry(finding.key).or_insert_with(|| Finding {
        count: 0,
        ..finding.clone()
    });
    let sum = kept.count + count;
    if steps(&finding) < steps(kept) {
        *kept = finding;
    }
    kept.count = sum;
}

impl Trial {
    /// In which other kinds of run a finding was seen, in how many scenarios.
    #[must_use]
    pub fn also(&self, finding: &Finding) -> Vec<(Way, u64)> {
        self.survey.covered_by(&finding.key)
    }
}
