//! The tables of a check: by engine, profile and kind of run; by engine and clause.

use super::layout::{columns, hanging, thousands};
use crate::explore::{ClauseRow, Row};
use crate::scenario::RunKind;

/// Columns of one cell in the table of clauses.
const CELL: usize = 50;

/// What was explored: a line for each profile and kind of run, under its engine.
#[must_use]
pub fn run_table(rows: &[Row]) -> Vec<String> {
    let headings = [
        "engine, profile",
        "run",
        ">scenarios",
        ">crash points",
        ">enumerated",
        ">judged",
        ">recovered",
        ">broken",
    ];
    let mut cells = Vec::new();
    for engine in rows.chunk_by(|one, next| one.engine == next.engine) {
        cells.extend(engine.first().map(|row| vec![row.engine.clone()]));
        cells.extend(engine.iter().map(run_row));
    }
    columns(&headings, &cells)
}

fn run_row(row: &Row) -> Vec<String> {
    let enumerated = if row.points_enumerated == row.points {
        "all".to_owned()
    } else {
        thousands(row.points_enumerated)
    };
    vec![
        format!("  {}", row.profile),
        run_word(row.run).to_owned(),
        thousands(row.scenarios),
        thousands(row.points),
        enumerated,
        thousands(row.states_judged),
        thousands(row.states_recovered),
        thousands(row.violations),
    ]
}

/// The kind of run in a word.
#[must_use]
pub fn run_word(run: RunKind) -> &'static str {
    run.name()
}

/// What was judged: two clauses a line, read down the columns; then what was not judged, and why.
#[must_use]
pub fn clause_table(rows: &[ClauseRow]) -> Vec<String> {
    let mut lines = Vec::new();
    for engine in rows.chunk_by(|one, next| one.engine == next.engine) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let name = engine.first().map_or("", |row| row.engine.as_str());
        engine_clauses(name, engine, &mut lines);
    }
    lines
}

fn engine_clauses(name: &str, rows: &[ClauseRow], lines: &mut Vec<String>) {
    let (skipped, judged): (Vec<&ClauseRow>, Vec<&ClauseRow>) =
        rows.iter().partition(|row| row.skipped.is_some());
    let half = judged.len().div_ceil(2);
    let left = judged.iter().take(half);
    let right = judged.iter().skip(half).map(Some);
    let title = format!("{name:<26}{:>13}{:>9}", "judged", "broken");
    let second_title = format!("  {:<24}{:>13}{:>9}", "", "judged", "broken");
    let second_title = if judged.len() > 1 {
        second_title
    } else {
        String::new()
    };
    lines.push(
        format!("{title:<CELL$}{second_title}")
            .trim_end()
            .to_owned(),
    );
    for (left, right) in left.zip(right.chain(std::iter::repeat(None))) {
        let right = right.map(|row| clause_cell(row)).unwrap_or_default();
        let line = format!("{:<CELL$}{right}", clause_cell(left));
        lines.push(line.trim_end().to_owned());
    }
    lines.extend(not_judged(&skipped));
}

/// Clauses that were not judged, those with one reason together.
fn not_judged(skipped: &[&ClauseRow]) -> Vec<String> {
    let mut reasons: Vec<&str> = Vec::new();
    let reason_of = |row: &ClauseRow| row.skipped.clone().unwrap_or_default();
    for row in skipped {
        let reason = row.skipped.as_deref().unwrap_or_default();
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let mut lines = Vec::new();
    for reason in reasons {
        let alike = skipped.iter().filter(|row| reason_of(row) == reason);
        let names: Vec<String> = alike
            .map(|row| format!("{} {}", row.clause.info().id, row.clause.info().name))
            .collect();
        let text = format!("{reason}: {}", names.join(", "));
        lines.extend(hanging("  not judged, ", &text));
    }
    lines
}

fn clause_cell(row: &ClauseRow) -> String {
    let judged = thousands(row.judged);
    let broken = thousands(row.violations);
    format!("  {:<24}{judged:>13}{broken:>9}", clause_name(row))
}

fn clause_name(row: &ClauseRow) -> String {
    let info = row.clause.info();
    format!("{:<4}{}", info.id, info.name)
}

/// Says of named counters how many were reached at all, and names those that were not.
#[must_use]
pub fn reached_lines(what: &str, counters: &[(String, u64)]) -> Vec<String> {
    if counters.is_empty() {
        return Vec::new();
    }
    let missed: Vec<&str> = counters
        .iter()
        .filter(|(_, count)| *count == 0)
        .map(|(name, _)| name.as_str())
        .collect();
    let reached = counters.len() - missed.len();
    let first = format!("{what}: ");
    if missed.is_empty() {
        return hanging(&first, &format!("all {reached} reached"));
    }
    let text = format!(
        "{reached} of {} reached; not reached: {}",
        counters.len(),
        missed.join(", ")
    );
    hanging(&first, &text)
}
