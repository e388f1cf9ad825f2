//! Damage runs of an offset store: what a damaged file may cost (C7, O5).
//!
//! A damaged file falls back to the backup, which is an older snapshot of the run; a damaged
//! backup does not hurt a good file; where both are damaged an error says so, and the store stays
//! usable. Whatever is not what was persisted last is reported.

use super::history::{OffsetHistory, Snapshot};
use crate::oracle::Violation;
use crate::scenario::{Clause, FailureKind, OffsetOutcome, OffsetQueue, OffsetTable};

/// Files of the store's directory by name, with their bytes.
pub type OffsetFiles = Vec<(String, Vec<u8>)>;

/// A store that was closed cleanly, and what was done to its files.
#[derive(Debug, Clone, Copy)]
pub struct OffsetDamage<'d> {
    /// The run until then.
    pub history: &'d OffsetHistory,
    /// What was persisted last.
    pub last: &'d OffsetTable,
    /// The files before.
    pub before: &'d [(String, Vec<u8>)],
    /// The files after.
    pub after: &'d [(String, Vec<u8>)],
    /// Whole older copies were put in place: they are as good as they ever were.
    pub is_older: bool,
}

/// Which files are not what they were.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hit {
    main: bool,
    backup: bool,
}

impl OffsetDamage<'_> {
    fn hit(&self) -> Hit {
        let bytes = |files: &[(String, Vec<u8>)], is_it: fn(&str) -> bool| {
            files
                .iter()
                .find(|(name, _)| is_it(name))
                .map(|(_, bytes)| bytes.clone())
        };
        let differs =
            |is_it: fn(&str) -> bool| bytes(self.before, is_it) != bytes(self.after, is_it);
        Hit {
            main: differs(is_main),
            backup: differs(is_backup),
        }
    }

    /// Judges the open after the damage; `table` is what the store holds in memory then.
    #[must_use]
    pub fn opened(
        &self,
        outcome: &OffsetOutcome,
        table: Option<&OffsetTable>,
    ) -> Option<Violation> {
        if let Err(failure) = &outcome.result {
            let clause = match failure.kind {
                FailureKind::Panic | FailureKind::CutOff => Clause::C3,
                FailureKind::Io(_)
                | FailureKind::Refused
                | FailureKind::Locked
                | FailureKind::Closed
                | FailureKind::Damage
                | FailureKind::Foreign
                | FailureKind::Unsupported => Clause::O5,
            };
            let words = format!("the open failed after damage: {}", failure.message);
            return Some(broken(clause, words));
        }
        let Some(table) = table else {
            return Some(broken(
                Clause::C1,
                "the store is closed after its open".to_owned(),
            ));
        };
        let hit = self.hit();
        let (came, last) = (
            self.history.in_order(table),
            self.history.in_order(self.last),
        );
        let is_told = !outcome.losses.is_empty();
        if !hit.main {
            let what = match hit.backup {
                true => "a damaged backup hurt the file",
                false => "nothing that matters was damaged, and something else came",
            };
            return (came != last).then(|| broken(Clause::O5, what.to_owned()));
        }
        if came == last {
            return None;
        }
        let queues = self.history.queues().iter();
        let mut differing = queues.zip(came.iter().zip(&last));
        let is_plain = |(queue, (one, other)): (&OffsetQueue, (&Option<i64>, &Option<i64>))| {
            one == other || !queue.topic.is_ascii()
        };
        if !self.history.snapshots.contains(&came) && differing.all(is_plain) {
            let words = "queues whose names are not plain did not come back".to_owned();
            return Some(broken(Clause::O6, words));
        }
        self.fallen_back(&came, is_told, hit)
    }

    /// The file is damaged, and something else came than it held.
    fn fallen_back(&self, came: &Snapshot, is_told: bool, hit: Hit) -> Option<Violation> {
        let is_empty = came.iter().all(Option::is_none);
        let is_true_once = self.history.snapshots.contains(came);
        if !is_empty && !is_true_once {
            let words = "what came after damage was never persisted".to_owned();
            return Some(broken(Clause::O5, words));
        }
        let has_backup = self
            .before
            .iter()
            .any(|(name, bytes)| is_backup(name) && !bytes.is_empty());
        let is_good = has_backup && !hit.backup;
        // An older copy of the file is whole, and may be one of a table without queues.
        let is_explained = is_true_once && (is_told || self.is_older);
        if is_empty && is_good && !is_explained {
            let words = "the file is damaged, and its good backup was not taken".to_owned();
            return Some(broken(Clause::O5, words));
        }
        let is_hollow = |(name, bytes): &(String, Vec<u8>)| is_backup(name) && bytes.is_empty();
        if self.before.iter().any(is_hollow) && !self.is_older {
            let words = "the file is damaged, and its backup is empty".to_owned();
            return Some(broken(Clause::O5, words));
        }
        // Without a backup a file that is gone is a first start.
        let is_left = |is_it: fn(&str) -> bool| self.after.iter().any(|(name, _)| is_it(name));
        let can_tell = !self.is_older && (is_left(is_main) || is_left(is_backup));
        (can_tell && !is_told).then(|| match is_empty {
            true => {
                let words = "the file is damaged, and was taken for one without offsets";
                broken(Clause::O5, words.to_owned())
            }
            false => {
                let words = "the file is damaged, and nothing was reported";
                broken(Clause::C7, words.to_owned())
            }
        })
    }

    /// Judges the files after the next persist: every damaged one that is still there is kept
    /// aside.
    #[must_use]
    pub fn kept(&self, now: &[(String, Vec<u8>)]) -> Option<Violation> {
        if self.is_older {
            return None;
        }
        let lost = |(name, bytes): &&(String, Vec<u8>)| {
            let was = self.before.iter().find(|(before, _)| before == name);
            let is_damaged = was.is_some_and(|(_, before)| before != bytes);
            let matters = is_main(name) || is_backup(name);
            let is_kept = now.iter().any(|(_, kept)| kept == bytes);
            matters && is_damaged && !bytes.is_empty() && !is_kept
        };
        let damaged = self.after.iter().find(|(name, _)| is_main(name));
        let damaged = damaged.filter(|_| self.hit().main);
        let is_copy = |(name, bytes): &(String, Vec<u8>)| {
            is_backup(name) && damaged.is_some_and(|(_, damaged)| damaged == bytes)
        };
        if now.iter().any(is_copy) {
            let words = "the damaged file became the backup".to_owned();
            return Some(broken(Clause::O5, words));
        }
        let (name, bytes) = self.after.iter().find(lost)?;
        let size = bytes.len();
        let words = format!("the {size} damaged bytes of `{name}` were not kept aside");
        Some(broken(Clause::O5, words))
    }
}

fn is_main(name: &str) -> bool {
    matches!(name, "offset.json" | "offsets.json")
}

fn is_backup(name: &str) -> bool {
    name.ends_with(".json.bak")
}

fn broken(clause: Clause, evidence: String) -> Violation {
    let step = None;
    Violation {
        clause,
        evidence,
        step,
    }
}
