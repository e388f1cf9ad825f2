//! The search: a survey of an original on disks of growing harshness, in a fixed budget.

use super::key::{Key, Way};
use super::trial::Original;
use crate::explore::{self, CheckError, CheckPlan, Found, Progress, Row};
use crate::scenario::{Clause, RunKind};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// Decides every scenario of the search.
const SEED: u64 = 1;

/// The disks, mildest first. An original never syncs directories: where names depend on that, the
/// missing calls are supplied, since this one defect would hide everything else.
const DISKS: &[(&str, bool)] = &[
    ("strict-prefix", false),
    ("ext4-ordered", false),
    ("posix-min", true),
    ("posix-min", false),
];

/// What the search came to for one original.
#[derive(Debug, Clone)]
pub struct Survey {
    /// The engine's name.
    pub engine: String,
    /// What was explored.
    pub rows: Vec<Row>,
    /// How often each clause was judged, over all disks.
    pub judged: BTreeMap<Clause, u64>,
    /// For each key how often it was found, and the violation that promises the shortest
    /// reproducer on the mildest disk.
    pub found: BTreeMap<Key, (u64, Found)>,
}

/// Searches one original.
///
/// # Errors
/// When there is no engine of this name.
pub fn survey(
    original: &Original,
    jobs: usize,
    on_progress: &(dyn Fn(Progress) + Sync),
    stop: &AtomicBool,
) -> Result<Survey, CheckError> {
    let mut survey = Survey {
        engine: original.engine.to_owned(),
        rows: Vec::new(),
        judged: BTreeMap::new(),
        found: BTreeMap::new(),
    };
    for (profile, with_dir_sync) in DISKS {
        let plan = plan_of(original, profile, *with_dir_sync, jobs);
        let report = explore::survey(&plan, on_progress, stop)?;
        for row in &report.clauses {
            *survey.judged.entry(row.clause).or_default() += row.judged;
        }
        survey.rows.extend(report.rows);
        report
            .found
            .into_iter()
            .for_each(|found| survey.take(found));
    }
    Ok(survey)
}

fn plan_of(original: &Original, profile: &str, with_dir_sync: bool, jobs: usize) -> CheckPlan {
    CheckPlan {
        engines: vec![original.engine.to_owned()],
        profiles: vec![profile.to_owned()],
        runs: vec![RunKind::Crashes, RunKind::Errors, RunKind::Damage],
        seed: SEED,
        cases: None,
        budget: Some(original.budget),
        shard: None,
        time_limit_ms: None,
        jobs,
        full: false,
        quirks: Vec::new(),
        with_dir_sync,
        violations_max: usize::MAX,
    }
}

impl Survey {
    /// The keys that no milder one covers.
    #[must_use]
    pub fn mildest(&self) -> Vec<Key> {
        let keys = self.found.keys();
        let is_mildest = |key: &&Key| !self.found.keys().any(|other| other.covers(key));
        keys.filter(is_mildest).copied().collect()
    }

    /// The ways in which the same was seen with more happening, and in how many scenarios.
    #[must_use]
    pub fn covered_by(&self, key: &Key) -> Vec<(Way, u64)> {
        let covered = self.found.iter().filter(|(other, _)| key.covers(other));
        covered
            .map(|(other, (count, _))| (other.way, *count))
            .collect()
    }

    fn take(&mut self, found: Found) {
        let key = Key::of(&found);
        let Some((count, best)) = self.found.get_mut(&key) else {
            self.found.insert(key, (1, found));
            return;
        };
        *count += 1;
        let is_as_mild = best.profile == found.profile
            && best.scenario.with_dir_sync == found.scenario.with_dir_sync;
        if is_as_mild && length(&found) < length(best) {
            *best = found;
        }
    }
}

/// How long a reproducer is: crashes, steps, faults, lost effects.
fn length(found: &Found) -> (usize, usize, usize) {
    let scenario = &found.scenario;
    let lost = scenario.crashes.iter().map(|crash| crash.lost.len()).sum();
    let lines = scenario.step_count() + scenario.faults.len() + scenario.damage.len();
    (scenario.crashes.len(), lines, lost)
}
