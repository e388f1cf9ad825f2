//! A violation made small and told: what `shrink` does, and `check` with everything it finds.

use super::failure::Failure;
use crate::explore::{self, Found};
use crate::scenario::Scenario;
use crate::shrink::shrink as search;

/// The smallest violation of the same clause that at most `tries_max` candidates show, with its
/// timeline, and how many candidates were run. Once `stop` says so, no further one is run.
pub(super) fn smaller(
    given: &Found,
    tries_max: u32,
    stop: &dyn Fn() -> bool,
) -> Result<(Found, u32), Failure> {
    let mut whole = given.scenario.clone();
    // The crash names places in the recording of the longer run; each candidate finds its own.
    whole.crashes.clear();
    let (clause, inside) = (given.clause, given.scenario.crashes.len() > 1);
    let mut fails = |candidate: &Scenario| {
        let broken = || explore::find_break(candidate, clause, inside, false);
        !stop() && broken().is_ok_and(|shown| shown.is_some())
    };
    let shrunk = search(&whole, tries_max, &mut fails);
    if let Some(shown) = explore::find_break(&shrunk.scenario, clause, inside, true)?
        && let Some(mut found) = explore::replay_for(&shown.scenario, Some(clause))?.found
        && found.clause == clause
    {
        found.profile.clone_from(&given.profile);
        return Ok((found, shrunk.tries));
    }
    // Alone, without its crash, the run breaks another clause first: it is shown as it was found.
    let mut shown = given.clone();
    shown.timeline = explore::replay_for(&given.scenario, Some(clause))?.timeline;
    Ok((shown, shrunk.tries))
}
