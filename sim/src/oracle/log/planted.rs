//! What lay in the directory before a log and must stay as it is: C8, C9, C14.

use super::names::{LogRole, log_role};
use crate::oracle::Staying;
use crate::oracle::directory::staying_by;
use crate::scenario::{Clause, Planted};

/// What of the planted must stay beside a log; the rest is what the log starts from. What was
/// rolled back goes with a log that is deleted.
#[must_use]
pub fn log_staying<'p>(log: &str, planted: &'p [Planted], is_deleted: bool) -> Staying<'p> {
    let mut staying = staying_by(planted, |name| clause_of(log_role(log, name)));
    staying.retain(|(one, _)| !is_deleted || log_role(log, &one.name) != LogRole::RolledBack);
    staying
}

/// The clause that says of what has a role that it must stay.
fn clause_of(role: LogRole) -> Clause {
    match role {
        LogRole::Quarantine | LogRole::RolledBack => Clause::C8,
        LogRole::Foreign | LogRole::Unknown => Clause::C9,
        LogRole::Segment(_)
        | LogRole::Sidecar(_)
        | LogRole::Sums(_)
        | LogRole::Meta
        | LogRole::Side
        | LogRole::Lock
        | LogRole::Temporary => Clause::C14,
    }
}
