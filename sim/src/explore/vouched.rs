//! Whether a crash left whole what vouches for the messages: meta, sums, spare, lock; and cuts of
//! files and segments that were set aside, without which nothing tells that those bytes are none.
//!
//! Only asked on disks whose syncs keep nothing; see [`Asked`].

use super::record::QUEUE;
use crate::crash::Profile;
use crate::oracle::{Asked, Role, Violation, role};
use crate::scenario::CrashKind;
use crate::simfs::{EffectKind, Recording};
use std::collections::BTreeSet;

/// The files that vouch, and which effects of a recording change them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Vouching {
    inodes: BTreeSet<u32>,
    effects: BTreeSet<u32>,
}

impl Vouching {
    /// Those of a recording. Files keep their inodes: the recording of a recovery `goes_on` from
    /// those of the run before it.
    pub(crate) fn of(recording: &Recording, goes_on: Option<&Self>) -> Self {
        let mut vouching = Self {
            inodes: goes_on
                .map(|before| before.inodes.clone())
                .unwrap_or_default(),
            effects: BTreeSet::new(),
        };
        let kinds = || recording.effects().map(|effect| &effect.kind);
        let links = kinds().filter_map(EffectKind::link);
        let named = links
            .filter(|link| vouches(&link.name))
            .map(|link| link.inode);
        vouching.inodes.extend(named);
        let touching = (0..).zip(kinds()).filter(|(_, kind)| {
            let by_name = kind.name_cell().is_some_and(|(_, name)| vouches(name));
            let renamed = kind.link().filter(|link| link.renamed_from.is_some());
            let sets_aside = renamed.is_some_and(|link| is_aside(&link.name));
            let cuts = kind.size().is_some_and(|size| size.to < size.from);
            by_name
                || sets_aside
                || cuts
                || kind
                    .file()
                    .is_some_and(|file| vouching.inodes.contains(&file))
        });
        vouching.effects = touching.map(|(number, _)| number).collect();
        vouching
    }

    /// Whether all of it is there when these effects are lost.
    pub(crate) fn outlives(&self, lost: &[u32]) -> bool {
        !lost.iter().any(|number| self.effects.contains(number))
    }
}

/// Whether a violation counts on this disk, if what vouches is whole or not.
pub(crate) fn counts(
    profile: &Profile,
    kind: CrashKind,
    violation: &Violation,
    is_vouched: impl FnOnce() -> bool,
) -> bool {
    match Asked::of(violation.clause, kind, profile.syncs_keep) {
        Asked::Always => true,
        Asked::WhereVouched => is_vouched(),
        Asked::Never => false,
    }
}

fn vouches(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name);
    matches!(
        role(QUEUE, &name),
        Role::Meta | Role::Spare | Role::Sums(_) | Role::Lock
    )
}

/// What a recovery renamed to such a name is a segment whose sums are gone.
fn is_aside(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name);
    role(QUEUE, &name) == Role::Quarantine
}

#[cfg(test)]
mod tests {
    use crate::explore::{CheckPlan, first_finding};
    use crate::scenario::{Clause, RunKind};

    fn first(profile: &str, run: RunKind, quirk: Option<&str>) -> Option<Clause> {
        let plan = CheckPlan {
            engines: vec!["diskqueue".to_owned()],
            profiles: vec![profile.to_owned()],
            runs: vec![run],
            seed: 1,
            cases: None,
            budget: Some(60_000),
            shard: None,
            time_limit_ms: None,
            jobs: 1,
            full: false,
            quirks: quirk.map(str::to_owned).into_iter().collect(),
            with_dir_sync: false,
            violations_max: 1,
        };
        first_finding(&plan).unwrap().map(|found| found.clause)
    }

    #[test]
    fn on_disks_that_promise_little_the_engine_passes_and_broken_ones_do_not() {
        let (crashes, errors) = (RunKind::Crashes, RunKind::Errors);
        for (profile, run, quirk, clause) in [
            ("lying-disk", errors, "trust-the-tail", Clause::Q1),
            (
                "macos-fsync",
                crashes,
                "mutant-refuses-after-crash",
                Clause::C1,
            ),
            ("ext2-like", crashes, "empty-removes-first", Clause::Q7),
            ("ext4-noauto-da", crashes, "no-data-sync", Clause::Q3),
        ] {
            let found = first(profile, run, Some(quirk));
            assert_eq!(found, Some(clause), "{quirk} on {profile}");
            assert_eq!(first(profile, run, None), None, "{profile}");
        }
    }
}
