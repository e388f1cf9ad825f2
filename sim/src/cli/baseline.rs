//! `check --baseline`: what was broken before is expected to be broken now, and nothing else.
//!
//! | | broken now | kept now |
//! |---|---|---|
//! | in the baseline | expected | the baseline is stale: exit code 1 |
//! | not in it | new: exit code 1 | as it should be |

use super::Exit;
use super::failure::Failure;
use super::output::say;
use super::saved_run::{Broken, SavedRun};
use crate::explore::{CheckReport, Verdict};
use std::collections::BTreeSet;
use std::path::Path;

/// What is expected to be broken.
#[derive(Debug)]
pub(super) struct Baseline {
    broken: BTreeSet<Broken>,
}

impl Baseline {
    /// Reads what `check --format json` printed.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let SavedRun { broken, .. } = SavedRun::read(path)?;
        Ok(Self { broken })
    }

    /// The exit code of a check in the light of the baseline; differences are told.
    pub(super) fn judge(&self, report: &CheckReport) -> Exit {
        match &report.verdict {
            Verdict::Pass | Verdict::Fail => {}
            undecided @ (Verdict::Unknown(_) | Verdict::Nothing) => return Exit::of(undecided),
        }
        let found = report.found.iter();
        let now: BTreeSet<Broken> = found
            .map(|found| (found.engine.clone(), found.clause))
            .collect();
        for (engine, clause) in now.difference(&self.broken) {
            say(&format!(
                "crashline: {engine} breaks {clause}, which the baseline does not have"
            ));
        }
        for (engine, clause) in self.broken.difference(&now) {
            say(&format!(
                "crashline: {engine} no longer breaks {clause}: take it out of the baseline"
            ));
        }
        if now == self.broken {
            Exit::Pass
        } else {
            Exit::Violation
        }
    }
}
