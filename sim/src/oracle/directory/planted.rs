//! What lay in the directory before a queue or log, is none of its own or was kept aside: C8, C9,
//! C14.

use super::{FileSeen, Role, role};
use crate::oracle::{Finding, What};
use crate::scenario::{Clause, Planted, PlantedKind};

/// What must stay as it was planted, and the clause that says so.
pub type Staying<'p> = Vec<(&'p Planted, Clause)>;

/// What of the planted must stay beside a queue; the rest is what the queue starts from.
#[must_use]
pub fn staying<'p>(queue: &str, planted: &'p [Planted]) -> Staying<'p> {
    staying_by(planted, |name| clause_of(role(queue, name)))
}

/// What of the planted must stay by the clauses of names: C14 is that of a name of its own, which
/// must not stand for anything but a file.
pub(in crate::oracle) fn staying_by(
    planted: &[Planted],
    clause_of: impl Fn(&str) -> Clause,
) -> Staying<'_> {
    let all = planted.iter().filter_map(|one| {
        let clause = clause_of(&one.name);
        (clause != Clause::C14 || one.kind != PlantedKind::File).then_some((one, clause))
    });
    all.collect()
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

/// The clause that says of what has a role that it must stay.
fn clause_of(role: Role) -> Clause {
    match role {
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
pub(in crate::oracle) fn check_staying(
    files: &[FileSeen<'_>],
    staying: &Staying<'_>,
) -> Option<Finding> {
    staying.iter().find_map(|(planted, clause)| {
        let seen = files.iter().find(|seen| seen.name == planted.name);
        let rule = match seen {
            None => "was there before, is none of its files, and is gone",
            Some(seen) if !is_same(seen, planted) => {
                "was there before, is none of its files, and was changed"
            }
            Some(_) => return None,
        };
        Some(Finding {
            clause: *clause,
            what: What::File(planted.name.clone(), rule),
        })
    })
}

/// The files that are not planted ones.
pub(in crate::oracle) fn beside_staying<'f, 'n>(
    files: &'f [FileSeen<'n>],
    staying: &Staying<'_>,
) -> Vec<&'f FileSeen<'n>> {
    let is_own = |file: &&FileSeen<'_>| staying.iter().all(|(one, _)| one.name != file.name);
    files.iter().filter(is_own).collect()
}

fn is_same(seen: &FileSeen<'_>, planted: &Planted) -> bool {
    let same_bytes = seen
        .bytes
        .is_none_or(|bytes| bytes == planted.text.as_bytes());
    planted.kind != PlantedKind::File || (seen.size == planted.text.len() as u64 && same_bytes)
}
