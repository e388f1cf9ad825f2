//! Which quirks an engine has. A scenario that names another one is refused wherever it is run: a
//! defect that is not put back would be shown to be mended.

use super::error::CheckError;
use crate::replication::REPLICATION_QUIRKS;
use crate::scenario::Scenario;
use crate::subject::{MUTANTS, TOY_QUIRKS};

/// Refuses a scenario with a quirk that its engine does not have.
pub(crate) fn refuse_unknown_quirks(scenario: &Scenario) -> Result<(), CheckError> {
    let engine = scenario.engine.as_str();
    let unknown = scenario.quirks.iter().find(|name| !has_quirk(engine, name));
    unknown.map_or(Ok(()), |name| {
        let words = format!("the engine `{engine}` has no quirk `{name}`");
        Err(CheckError::Usage(words))
    })
}

/// Whether the engine has a quirk, or a mutant, of this name. A twin has none.
pub(crate) fn has_quirk(engine: &str, name: &str) -> bool {
    match engine {
        "diskqueue" => {
            let mut mutants = MUTANTS.iter();
            let mut quirks = crashline::diskqueue::QUIRKS.iter();
            quirks.any(|quirk| quirk.name == name) || mutants.any(|mutant| mutant.name == name)
        }
        "seglog" => {
            let mut quirks = crashline::seglog::QUIRKS.iter();
            quirks.any(|quirk| quirk.name == name)
        }
        "offsets" => {
            let mut quirks = crashline::offsets::QUIRKS.iter();
            quirks.any(|quirk| quirk.name == name)
        }
        "shared-diskqueue" => {
            let mut quirks = crashline::shared::QUIRKS.iter();
            quirks.any(|quirk| quirk.name == name)
        }
        "toylog" => TOY_QUIRKS.iter().any(|(known, _, _)| *known == name),
        "replication" => REPLICATION_QUIRKS.iter().any(|quirk| quirk.name == name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::{ExploreLimits, explore, find_break, replay};
    use crate::scenario::{Clause, RunKind};

    #[test]
    fn a_quirk_that_the_engine_does_not_have_is_refused_however_it_is_run() {
        for (engine, quirk, run) in [
            ("toylog", "nope", RunKind::Crashes),
            ("diskqueue", "toy-sync-does-nothing", RunKind::Crashes),
            ("original-diskqueue", "names-not-synced", RunKind::Crashes),
            ("shared-diskqueue", "nope", RunKind::Orders),
        ] {
            let mut scenario = Scenario::bare(engine, "posix-min", run, 1);
            scenario.quirks.push(quirk.to_owned());
            let words = format!("the engine `{engine}` has no quirk `{quirk}`");
            let refused = CheckError::Usage(words);
            let explored = explore(&scenario, &ExploreLimits::default());
            assert_eq!(explored.unwrap_err(), refused);
            assert_eq!(replay(&scenario).unwrap_err(), refused);
            for clause in [Clause::Q1, Clause::Q13] {
                let found = find_break(&scenario, clause, false, true);
                assert_eq!(found.unwrap_err(), refused);
            }
        }
    }

    #[test]
    fn a_quirk_of_its_own_is_none_to_refuse() {
        let mut scenario = Scenario::bare("toylog", "posix-min", RunKind::Crashes, 1);
        scenario.quirks.push("toy-sync-does-nothing".to_owned());
        assert_eq!(refuse_unknown_quirks(&scenario), Ok(()));
    }
}
