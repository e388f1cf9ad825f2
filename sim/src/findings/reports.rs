//! What the public knows of the originals' defects. Source: the trackers named in each line.

use super::key::{Key, Way};
use crate::scenario::Clause;

/// A public report, or several of one defect.
#[derive(Debug, Clone, Copy)]
pub struct Report {
    /// The engine that it is about.
    pub engine: &'static str,
    /// Where it can be read.
    pub place: &'static str,
    /// The clauses under which the defect shows.
    pub clauses: &'static [Clause],
    /// The kinds of run that show it; empty for any.
    pub ways: &'static [Way],
}

/// All that are known.
pub const REPORTS: &[Report] = &[
    Report {
        engine: "original-diskqueue",
        place: "nsqio/nsq#938, #1275, #1231",
        clauses: &[Clause::C8],
        ways: &[],
    },
    Report {
        engine: "original-diskqueue",
        place: "nsqio/go-diskqueue#42, #38; nsqio/nsq#1491, #1514",
        clauses: &[Clause::Q8],
        ways: &[Way::Running, Way::Kill],
    },
    Report {
        engine: "original-diskqueue",
        place: "nsqio/go-diskqueue#1",
        clauses: &[Clause::C12, Clause::Q1, Clause::Q8],
        ways: &[Way::Error, Way::ErrorThenKill],
    },
    Report {
        engine: "original-diskqueue",
        place: "nsqio/go-diskqueue#28, mended in part by #31",
        clauses: &[Clause::Q2, Clause::Q4],
        ways: &[Way::Kill],
    },
    Report {
        engine: "original-diskqueue",
        place: "nsqio/nsq#203, #246, #1187; nsqio/go-diskqueue#29",
        clauses: &[Clause::Q5],
        ways: &[],
    },
    Report {
        engine: "original-diskqueue",
        place: "nsqio/nsq#471, #598",
        clauses: &[Clause::C7],
        ways: &[Way::Damage],
    },
];

/// Where a finding was reported, as far as is known.
pub(super) fn known_as(engine: &str, key: &Key) -> Option<&'static str> {
    let fits = |report: &&Report| {
        report.engine == engine
            && report.clauses.contains(&key.clause)
            && (report.ways.is_empty() || report.ways.contains(&key.way))
    };
    REPORTS.iter().find(fits).map(|report| report.place)
}
