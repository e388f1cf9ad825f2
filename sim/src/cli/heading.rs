//! The first lines of a check: everything that its result depends on.

use crate::explore::CheckPlan;
use crate::report::{WIDTH, thousands, wrapped};
use crate::scenario::RunKind;

/// Everything that the result depends on, before the run.
pub(super) fn heading(plan: &CheckPlan) -> Vec<String> {
    let mut words = format!(
        "checking {} on {}; seed {}",
        plan.engines.join(", "),
        plan.profiles.join(", "),
        plan.seed,
    );
    if plan.runs != RunKind::ALL {
        let runs: Vec<&str> = plan.runs.iter().map(|kind| kind.name()).collect();
        words.push_str(&format!(", runs of {} alone", runs.join(" and ")));
    }
    if let Some(budget) = plan.budget {
        words.push_str(&format!(", budget {} recovered images", thousands(budget)));
    }
    if let Some(cases) = plan.cases {
        words.push_str(&format!(", at most {} scenarios", thousands(cases)));
    }
    if let Some(shard) = plan.shard {
        words.push_str(&format!(", shard {} of {}", shard.number, shard.count));
    }
    if !plan.quirks.is_empty() {
        words.push_str(&format!(", with the defect {}", plan.quirks.join(", ")));
    }
    if plan.with_dir_sync {
        words.push_str(", with directory syncs supplied");
    }
    let mut lines = wrapped(&words, WIDTH);
    lines.push(String::new());
    lines
}
