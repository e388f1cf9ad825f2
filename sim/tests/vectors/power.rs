//! Vectors have power: an engine with a known defect fails at least one of them, unless the defect
//! shows only when a crash comes in the middle of an operation, or what a failed call left is lost.

use crate::simulated;
use crashline::diskqueue::{QUIRKS, Quirks};
use crashline::{offsets, shared};
use crashline_sim::vectors::{Stage, Vector, run, run_offsets, run_shared};
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
    "no-rewrite-after-failed-sync",
    "failed-put-not-cut",
    "empty-removes-first",
    "delete-removes-meta-first",
];

/// Defects of the handle that show only when threads meet in a certain way.
const NEED_A_MEETING: &[&str] = &["puts-swapped", "acknowledged-before-sync"];

/// Defects of the offset store that show only in a crash: what is not synced, and the moment
/// between a removal and a rename.
const NEED_A_CRASH: &[&str] = &[
    "no-file-sync",
    "no-directory-sync",
    "parents-not-synced",
    "remove-before-rename",
    "persist-one-by-one",
];

/// One trial for each defect.
pub(crate) fn trials(vectors: &Arc<Vec<Vector>>) -> Vec<Trial> {
    let mut trials = of_the_queue(vectors);
    let of_the_store = offsets::QUIRKS
        .iter()
        .filter(|quirk| !NEED_A_CRASH.contains(&quirk.name));
    trials.extend(of_the_store.map(|quirk| {
        let vectors = Arc::clone(vectors);
        Trial::test(format!("power::offsets::{}", quirk.name), move || {
            is_noticed_by_offsets(quirk.name, &vectors).map_err(Failed::from)
        })
    }));
    trials
}

fn of_the_queue(vectors: &Arc<Vec<Vector>>) -> Vec<Trial> {
    let named = QUIRKS
        .iter()
        .filter(|quirk| !NEED_A_CRASH_OR_AN_ERROR.contains(&quirk.name));
    let of_the_handle = shared::QUIRKS
        .iter()
        .filter(|quirk| !NEED_A_MEETING.contains(&quirk.name));
    let of_the_handle = of_the_handle.map(|quirk| {
        let vectors = Arc::clone(vectors);
        Trial::test(format!("power::{}", quirk.name), move || {
            is_noticed_by_threads(quirk.name, &vectors).map_err(Failed::from)
        })
    });
    named
        .map(|quirk| {
            let vectors = Arc::clone(vectors);
            Trial::test(format!("power::{}", quirk.name), move || {
                is_noticed(quirk.name, &vectors).map_err(Failed::from)
            })
        })
        .chain(of_the_handle)
        .collect()
}

fn is_noticed_by_threads(quirk: &str, vectors: &[Vector]) -> Result<(), String> {
    let quirks = shared::Quirks::parse([quirk])?;
    let mut vectors = vectors.iter().filter(|one| one.stage == Stage::Threads);
    match vectors.find(|vector| run_shared(vector, &simulated(), quirks).is_err()) {
        Some(_) => Ok(()),
        None => Err("every vector passes with this defect".to_owned()),
    }
}

/// A vector of the clause that the defect is said to break fails.
fn is_noticed_by_offsets(quirk: &str, vectors: &[Vector]) -> Result<(), String> {
    let quirks = offsets::Quirks::parse([quirk])?;
    let info = offsets::QUIRKS.iter().find(|info| info.name == quirk);
    let clause = info.ok_or("there is such a quirk")?.clause;
    let mut vectors = vectors.iter().filter(|one| one.engine == "offsets");
    let shows = |vector: &&Vector| {
        vector.clauses.iter().any(|one| one == clause)
            && run_offsets(vector, &simulated(), quirks).is_err()
    };
    match vectors.find(shows) {
        Some(_) => Ok(()),
        None => Err(format!("every vector of {clause} passes with this defect")),
    }
}

fn is_noticed(quirk: &str, vectors: &[Vector]) -> Result<(), String> {
    let quirks = Quirks::parse([quirk])?;
    let fails = |vector: &&Vector| {
        // A defect may run into an assertion of the engine; that is noticed too.
        catch_unwind(AssertUnwindSafe(|| run(vector, &simulated(), quirks)))
            .map_or(true, |result| result.is_err())
    };
    let mut of_the_queue = vectors.iter().filter(|one| one.engine == "diskqueue");
    match of_the_queue.find(fails) {
        Some(_) => Ok(()),
        None => Err("every vector passes with this defect".to_owned()),
    }
}
