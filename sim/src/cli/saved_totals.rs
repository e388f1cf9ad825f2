//! Whether the summary of a saved check and its other lines say the same.

use super::saved_run::{Broken, word};
use serde_json::Value;
use std::collections::BTreeSet;

/// Refuses a summary that says something else than its rows, or than the events before it.
pub(super) fn check_totals(
    summary: &Value,
    broken: &BTreeSet<Broken>,
    is_unexpected: bool,
) -> Result<(), String> {
    let list = |name| summary.get(name).and_then(Value::as_array);
    for name in [
        "states_judged",
        "states_built",
        "states_recovered",
        "violations",
    ] {
        let rows = list("rows").into_iter().flatten();
        let counts = rows.filter_map(|row| row.get(name).and_then(Value::as_u64));
        let sum = counts.fold(0, u64::saturating_add);
        let told = summary.get(name).and_then(Value::as_u64);
        if told.is_some_and(|told| told != sum) {
            return Err(format!(
                "its summary's `{name}` is not what its rows add up to"
            ));
        }
    }
    for row in list("clauses").into_iter().flatten() {
        let clause = word(row, "clause").and_then(|id| id.parse().ok());
        let Some((engine, clause)) = word(row, "engine").zip(clause) else {
            return Err("its summary has a clause without a name".to_owned());
        };
        let is_told = row.get("violations").and_then(Value::as_u64) > Some(0);
        if is_told != broken.contains(&(engine.to_owned(), clause)) {
            return Err(format!(
                "its summary and its violations differ in whether {engine} breaks {clause}"
            ));
        }
    }
    if is_unexpected && word(summary, "verdict") == Some("pass") {
        return Err("its summary passes what breaks a clause".to_owned());
    }
    Ok(())
}
