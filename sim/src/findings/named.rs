//! Defects that a shorter one hides from the search: each has a scenario of its own among the
//! regressions, which every check of its original runs, and the page too.

use crate::explore::{CheckError, Found, find_break, regressions, replay_for};
use crate::scenario::Clause;

/// A regression that an original fails.
#[derive(Debug, Clone, Copy)]
pub struct Named {
    /// The engine that it is about.
    pub engine: &'static str,
    /// The name of its file in `corpus/regressions`.
    pub name: &'static str,
    /// The clause that it breaks.
    pub clause: Clause,
    /// Where it is reported.
    pub place: &'static str,
    /// What happens.
    pub text: &'static str,
}

const fn named(
    name: &'static str,
    clause: Clause,
    place: &'static str,
    text: &'static str,
) -> Named {
    Named {
        engine: "original-diskqueue",
        name,
        clause,
        place,
        text,
    }
}

/// All of them.
pub const NAMED: &[Named] = &[
    named(
        "original-exact-fill",
        Clause::Q8,
        "nsqio/go-diskqueue#38, #30, #8",
        "messages that fill a segment exactly, with a reader that keeps up: every segment is put \
         aside",
    ),
    named(
        "original-older-meta",
        Clause::C7,
        "nsqio/go-diskqueue#28, what #31 left open",
        "a meta that lags by a whole segment: what the later segments hold is never delivered",
    ),
    named(
        "original-full-disk-hides-everything",
        Clause::Q2,
        "nsqio/nsq#938",
        "no meta could be written on a full disk: all messages are invisible after a restart",
    ),
    named(
        "original-limit-lowered",
        Clause::Q9,
        "none known",
        "a limit lowered between runs: stored messages above it cost the rest of their segment",
    ),
];

/// Shows a named defect again; `None` if the original no longer has it.
///
/// # Errors
/// When the scenario cannot be run.
///
/// # Panics
/// If there is no regression of this name, which a test excludes.
pub fn show(named: &Named) -> Result<Option<Found>, CheckError> {
    let all = regressions();
    let one = all.into_iter().find(|(name, _)| *name == named.name);
    let (_, scenario) = one.expect("every named defect is a regression");
    let Some(mut found) = find_break(&scenario, named.clause, false, true)? else {
        return Ok(None);
    };
    found.timeline = replay_for(&found.scenario, Some(named.clause))?.timeline;
    Ok(Some(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_defect_is_shown_and_every_scenario_of_an_original_is_named() {
        for named in NAMED {
            assert!(show(named).unwrap().is_some(), "{}", named.name);
        }
        let of_originals: Vec<&str> = regressions()
            .iter()
            .filter(|(_, scenario)| scenario.engine.starts_with("original-"))
            .map(|(name, _)| *name)
            .collect();
        let mut names: Vec<&str> = NAMED.iter().map(|named| named.name).collect();
        names.sort_unstable();
        assert_eq!(of_originals, names);
    }
}
