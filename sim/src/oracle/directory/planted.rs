//! What lay in the directory before the queue, is none of its own or was kept aside: C8, C9, C14.

use super::{FileSeen, Role, role};
use crate::oracle::{Finding, What};
use crate::scenario::{Clause, Planted, PlantedKind};

/// Whether what was planted must stay as it is; else it is what the queue starts from.
#[must_use]
pub fn must_stay(queue: &str, planted: &Planted) -> bool {
    let role = role(queue, &planted.name);
    let is_own = !matches!(role, Role::Foreign | Role::Unknown | Role::Quarantine);
    !is_own || planted.kind != PlantedKind::File
}

/// Whether the bytes of the file of this name are needed for judging, `with_quarantine` those of
/// what was kept aside too.
#[must_use]
pub fn is_looked_into(planted: &[Planted], name: &[u8], with_quarantine: bool) -> bool {
    // `FILE.bad` and `FILE.bad.N`.
    let mut endings = name.rsplit(|byte| *byte == b'.').take(2);
    with_quarantine && endings.any(|ending| ending == b"bad")
        || planted
            .iter()
            .any(|planted| planted.name.as_bytes() == name)
}

/// The clause that says of a name that must stay that it must.
#[must_use]
pub fn clause_of_planted(queue: &str, name: &str) -> Clause {
    match role(queue, name) {
        Role::Quarantine => Clause::C8,
        Role::Foreign | Role::Unknown => Clause::C9,
        Role::Segment(_)
        | Role::Meta
        | Role::TemporaryMeta
        | Role::Spare
        | Role::Sums(_)
        | Role::Lock => Clause::C14,
    }
}

/// The first that did not stay as it was.
pub(super) fn check_planted(
    queue: &str,
    files: &[FileSeen<'_>],
    planted: &[Planted],
) -> Option<Finding> {
    let mut staying = planted.iter().filter(|one| must_stay(queue, one));
    staying.find_map(|planted| {
        let seen = files.iter().find(|seen| seen.name == planted.name);
        let clause = clause_of_planted(queue, &planted.name);
        let rule = match seen {
            None => "was there before the queue, is none of its files, and is gone",
            Some(seen) if !is_same(seen, planted) => {
                "was there before the queue, is none of its files, and was changed"
            }
            Some(_) => return None,
        };
        Some(Finding {
            clause,
            what: What::File(planted.name.clone(), rule),
        })
    })
}

fn is_same(seen: &FileSeen<'_>, planted: &Planted) -> bool {
    let same_bytes = seen
        .bytes
        .is_none_or(|bytes| bytes == planted.text.as_bytes());
    planted.kind != PlantedKind::File || (seen.size == planted.text.len() as u64 && same_bytes)
}
