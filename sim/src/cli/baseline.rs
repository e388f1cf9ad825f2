//! `check --baseline`: what was broken before is expected to be broken now, and nothing else.
//!
//! | | broken now | kept now |
//! |---|---|---|
//! | in the baseline | expected | the baseline is stale: exit code 1 |
//! | not in it | new: exit code 1 | as it should be |

use super::failure::Failure;
use super::output::say;
use super::saved_run::{Broken, SavedRun};
use crate::explore::{CheckReport, Found, Shard, Verdict};
use std::collections::BTreeSet;
use std::path::Path;

/// What is expected to be broken.
#[derive(Debug)]
pub(super) struct Baseline {
    broken: BTreeSet<Broken>,
}

impl Baseline {
    /// Reads what `check --format json` printed of the same share of a run: another share finds
    /// other violations, and what it does not find is not mended.
    pub(super) fn read(path: &Path, shard: Option<Shard>) -> Result<Self, Failure> {
        let run = SavedRun::read(path)?;
        let place = path.display();
        let of_baseline = run.shards.first().copied();
        let of_check = shard.map(|shard| (shard.number, shard.count));
        if of_baseline != of_check {
            let (baseline, check) = (share(of_baseline), share(of_check));
            return Err(Failure::usage(format!(
                "{place} is of {baseline} and this check of {check}, which finds something else"
            )));
        }
        if !run.decided {
            say(&format!(
                "crashline: {place} is of a check that did not end: more may be broken than it says"
            ));
        }
        Ok(Self { broken: run.broken })
    }

    /// What is expected is no failure; what is not, is one, and so is what is kept against all
    /// expectation. Where not everything was decided it stays so.
    pub(super) fn apply(&self, report: &mut CheckReport) {
        report.expected = self.of_engines_in(report);
        match &mut report.verdict {
            verdict @ (Verdict::Pass | Verdict::Fail) => {
                let as_expected = broken(&report.found) == report.expected;
                *verdict = match as_expected {
                    true => Verdict::Pass,
                    false => Verdict::Fail,
                };
            }
            Verdict::Unknown(_) | Verdict::Nothing => {}
        }
    }

    /// What is said of the engines that were checked; of others nothing can be expected.
    fn of_engines_in(&self, report: &CheckReport) -> BTreeSet<Broken> {
        let was_checked =
            |(engine, _): &&Broken| report.rows.iter().any(|row| row.engine == *engine);
        self.broken.iter().filter(was_checked).cloned().collect()
    }

    /// Tells what differs from what is expected.
    pub(super) fn tell(&self, report: &CheckReport) {
        if !matches!(report.verdict, Verdict::Pass | Verdict::Fail) {
            return;
        }
        let now = broken(&report.found);
        for (engine, clause) in now.difference(&report.expected) {
            say(&format!(
                "crashline: {engine} breaks {clause}, which the baseline does not have"
            ));
        }
        for (engine, clause) in report.expected.difference(&now) {
            say(&format!(
                "crashline: {engine} no longer breaks {clause}: take it out of the baseline"
            ));
        }
    }
}

fn share(shard: Option<(u64, u64)>) -> String {
    match shard {
        Some((number, count)) => format!("shard {number}/{count}"),
        None => "a whole run".to_owned(),
    }
}

fn broken(found: &[Found]) -> BTreeSet<Broken> {
    let found = found.iter();
    found
        .map(|found| (found.engine.clone(), found.clause))
        .collect()
}
