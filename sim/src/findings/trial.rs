//! One original on trial: the search, the shortest reproducers, the named defects.

use super::collect::{Survey, survey};
use super::key::Way;
use super::named::{NAMED, Named, show};
use super::shortest::{Finding, shortest};
use crate::explore::{CheckError, Found, Progress};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// The originals that are tried, and what each is a twin of.
pub const ORIGINALS: &[(&str, &str)] = &[("original-diskqueue", "nsqio's go-diskqueue v1.1.0")];

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
    engine: &str,
    title: &'static str,
    jobs: usize,
    on_progress: &(dyn Fn(Progress) + Sync),
    stop: &AtomicBool,
) -> Result<Trial, CheckError> {
    let survey = survey(engine, jobs, on_progress, stop)?;
    let mut findings = BTreeMap::new();
    for key in survey.mildest() {
        if stop.load(Ordering::Relaxed) {
            return Err(CheckError::Usage(
                "it was stopped before its end".to_owned(),
            ));
        }
        if let Some((count, found)) = survey.found.get(&key) {
            let finding = shortest(&key, *count, found)?;
            take(&mut findings, finding);
        }
    }
    let mut named = Vec::new();
    for one in NAMED.iter().filter(|one| one.engine == engine) {
        named.push((one, show(one)?));
    }
    Ok(Trial {
        title,
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
