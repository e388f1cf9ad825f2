//! Vectors have power: an engine with a known defect fails at least one of them, unless the defect
//! shows only when a crash or an error comes in the middle of an operation.

use crate::simulated;
use crashline::diskqueue::{QUIRKS, Quirks};
use crashline_sim::vectors::{Vector, run};
use libtest_mimic::{Failed, Trial};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Defects that no directory and no sequence of operations shows: `crashline check` finds them.
const NEED_A_CRASH_OR_AN_ERROR: &[&str] = &[
    "no-data-sync",
    "no-directory-sync",
    "unlink-before-meta",
    "open-error-is-corruption",
    "temporary-leak",
    "sync-error-ignored",
    "no-rewrite-after-failed-sync",
    "failed-put-not-cut",
    "owed-error-lost",
    "empty-removes-first",
    "delete-removes-meta-first",
];

/// One trial for each defect.
pub(crate) fn trials(vectors: &Arc<Vec<Vector>>) -> Vec<Trial> {
    let named = QUIRKS
        .iter()
        .filter(|quirk| !NEED_A_CRASH_OR_AN_ERROR.contains(&quirk.name));
    named
        .map(|quirk| {
            let vectors = Arc::clone(vectors);
            Trial::test(format!("power::{}", quirk.name), move || {
                is_noticed(quirk.name, &vectors).map_err(Failed::from)
            })
        })
        .collect()
}

fn is_noticed(quirk: &str, vectors: &[Vector]) -> Result<(), String> {
    let quirks = Quirks::parse([quirk])?;
    let fails = |vector: &&Vector| {
        // A defect may run into an assertion of the engine; that is noticed too.
        catch_unwind(AssertUnwindSafe(|| run(vector, &simulated(), quirks)))
            .map_or(true, |result| result.is_err())
    };
    match vectors.iter().find(fails) {
        Some(_) => Ok(()),
        None => Err("every vector passes with this defect".to_owned()),
    }
}
