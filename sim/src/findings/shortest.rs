//! The shortest reproducer of a finding: shrunk as long as its key stays the same or gets milder.

use super::key::Key;
use crate::explore::{CheckError, Found, find_break, replay_for};
use crate::scenario::Scenario;
use crate::shrink::shrink;

/// Candidates that are run at most for one finding.
const TRIES_MAX: u32 = 120;

/// A finding with its reproducer.
#[derive(Debug, Clone)]
pub struct Finding {
    /// What it stands for.
    pub key: Key,
    /// Scenarios of the search that showed it.
    pub count: u64,
    /// The shortest one, with its crash spelled out and its timeline.
    pub found: Found,
}

/// Makes a finding's reproducer as short as can be found.
///
/// # Errors
/// When the scenario cannot be run.
pub fn shortest(key: &Key, count: u64, given: &Found) -> Result<Finding, CheckError> {
    let mut whole = given.scenario.clone();
    whole.crashes.clear();
    let inside = given.scenario.crashes.len() > 1;
    let broken = |candidate: &Scenario, simplest: bool| {
        let found = find_break(candidate, key.clause, inside, simplest).ok()??;
        // What turns out to need less to happen is shown the milder way.
        let shown = Key::of(&found);
        (shown == *key || shown.covers(key)).then_some(found)
    };
    let shrunk = shrink(&whole, TRIES_MAX, &mut |candidate| {
        broken(candidate, false).is_some()
    });
    // Alone, without its crash, the run may break it elsewhere first: then it is as it was found.
    let found = broken(&shrunk.scenario, true).or_else(|| broken(&shrunk.scenario, false));
    let mut found = found.unwrap_or_else(|| given.clone());
    found.timeline = replay_for(&found.scenario, Some(key.clause))?.timeline;
    Ok(Finding {
        key: Key::of(&found),
        count,
        found,
    })
}
