//! What the flags can name: engines, profiles, quirks; the one place where the command line
//! asks the other modules what there is.

use crate::crash::PROFILES;
use crate::explore::ENGINES;
use crate::oracle::Asked;
use crate::replication::REPLICATION_QUIRKS;
use crate::subject::{MUTANTS, TOY_QUIRKS};

/// Part of a check that names no profile: the kindest disk, the commonest, and the gate.
const DEFAULT_PROFILES: &[&str] = &["strict-prefix", "ext4-ordered", "posix-min"];

/// An engine as the command line knows it.
#[derive(Debug, Clone)]
pub(super) struct KnownEngine {
    /// Its name.
    pub(super) name: String,
    /// What it is.
    pub(super) text: String,
    /// Part of a run that names no engine.
    pub(super) by_default: bool,
}

/// A disk profile as the command line knows it.
#[derive(Debug, Clone)]
pub(super) struct KnownProfile {
    /// Its name.
    pub(super) name: String,
    /// What it allows.
    pub(super) text: String,
    /// Part of a run that names no profile.
    pub(super) by_default: bool,
    /// Part of a full run: it keeps what it promises.
    pub(super) honest: bool,
    /// What an engine is held to on it.
    pub(super) asked: String,
}

/// How an engine is broken on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A known defect, put back at one place inside the engine.
    Quirk,
    /// Made up, around the engine.
    Mutant,
}

impl Kind {
    /// Its name in lists.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Quirk => "quirk",
            Self::Mutant => "mutant",
        }
    }
}

/// A defect that can be switched on.
#[derive(Debug, Clone)]
pub(super) struct KnownQuirk {
    /// Its name.
    pub(super) name: String,
    /// How it breaks the engine.
    pub(super) kind: Kind,
    /// The engine that has it.
    pub(super) engine: String,
    /// The clause that it breaks.
    pub(super) clause: String,
    /// The report that it comes from.
    pub(super) source: String,
    /// What it does.
    pub(super) text: String,
}

/// All of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    pub(super) engines: Vec<KnownEngine>,
    pub(super) profiles: Vec<KnownProfile>,
    pub(super) quirks: Vec<KnownQuirk>,
}

impl Known {
    /// The quirks of the engines that a check without arguments explores.
    pub(super) fn quirks_by_default(&self) -> impl Iterator<Item = &KnownQuirk> {
        self.quirks.iter().filter(|quirk| {
            let mut engines = self.engines.iter();
            engines.any(|engine| engine.name == quirk.engine && engine.by_default)
        })
    }
}

/// What there is.
pub(super) fn known() -> Known {
    let engines = ENGINES.iter().map(|engine| KnownEngine {
        name: engine.name.to_owned(),
        text: engine.text.to_owned(),
        by_default: engine.in_default_run,
    });
    let profiles = PROFILES.iter().map(|profile| KnownProfile {
        name: profile.name.to_owned(),
        text: profile.text.to_owned(),
        by_default: DEFAULT_PROFILES.contains(&profile.name),
        honest: profile.is_honest,
        asked: Asked::words(profile.syncs_keep).to_owned(),
    });
    Known {
        engines: engines.collect(),
        profiles: profiles.collect(),
        quirks: quirks(),
    }
}

fn quirks() -> Vec<KnownQuirk> {
    let of_the_queue = crashline::diskqueue::QUIRKS.iter().map(|quirk| KnownQuirk {
        name: quirk.name.to_owned(),
        kind: Kind::Quirk,
        engine: "diskqueue".to_owned(),
        clause: quirk.clause.to_owned(),
        source: quirk.source.to_owned(),
        text: quirk.text.to_owned(),
    });
    let of_the_log = crashline::seglog::QUIRKS.iter().map(|quirk| KnownQuirk {
        name: quirk.name.to_owned(),
        kind: Kind::Quirk,
        engine: "seglog".to_owned(),
        clause: quirk.clause.to_owned(),
        source: quirk.source.to_owned(),
        text: quirk.text.to_owned(),
    });
    let of_the_store = crashline::offsets::QUIRKS.iter().map(|quirk| KnownQuirk {
        name: quirk.name.to_owned(),
        kind: Kind::Quirk,
        engine: "offsets".to_owned(),
        clause: quirk.clause.to_owned(),
        source: quirk.source.to_owned(),
        text: quirk.text.to_owned(),
    });
    let of_the_toy = TOY_QUIRKS.iter().map(|(name, clause, text)| KnownQuirk {
        name: (*name).to_owned(),
        kind: Kind::Quirk,
        engine: "toylog".to_owned(),
        clause: (*clause).to_owned(),
        source: "made up".to_owned(),
        text: (*text).to_owned(),
    });
    let of_the_handle = crashline::shared::QUIRKS.iter().map(|quirk| KnownQuirk {
        name: quirk.name.to_owned(),
        kind: Kind::Quirk,
        engine: "shared-diskqueue".to_owned(),
        clause: quirk.clause.to_owned(),
        source: "made up".to_owned(),
        text: quirk.text.to_owned(),
    });
    let of_the_cluster = REPLICATION_QUIRKS.iter().map(|quirk| KnownQuirk {
        name: quirk.name.to_owned(),
        kind: Kind::Quirk,
        engine: "replication".to_owned(),
        clause: quirk.clause.to_owned(),
        source: "made up".to_owned(),
        text: quirk.text.to_owned(),
    });
    let mutants = MUTANTS.iter().map(|mutant| KnownQuirk {
        name: mutant.name.to_owned(),
        kind: Kind::Mutant,
        engine: "diskqueue".to_owned(),
        clause: mutant.clause.to_string(),
        source: "made up".to_owned(),
        text: mutant.text.to_owned(),
    });
    of_the_queue
        .chain(of_the_toy)
        .chain(of_the_handle)
        .chain(of_the_cluster)
        .chain(mutants)
        .chain(of_the_log)
        .chain(of_the_store)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Clause;

    #[test]
    fn names_are_plain_and_lead_somewhere() {
        let known = known();
        for quirk in &known.quirks {
            assert!(quirk.clause.parse::<Clause>().is_ok(), "{}", quirk.name);
            assert!(
                known
                    .engines
                    .iter()
                    .any(|engine| engine.name == quirk.engine)
            );
            assert!(!quirk.name.contains([' ', ',']), "{}", quirk.name);
            assert!(
                crate::explore::has_quirk(&quirk.engine, &quirk.name),
                "{}",
                quirk.name
            );
        }
        let defaults = known.profiles.iter().filter(|profile| profile.by_default);
        assert_eq!(defaults.count(), DEFAULT_PROFILES.len());
    }
}
