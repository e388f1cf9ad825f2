//! What the public knows of the originals' defects. Source: the trackers named in each line.

use super::key::{Key, Way};
use crate::scenario::Clause;

/// A public report, or several of one defect.
#[derive(Debug, Clone, Copy)]
pub struct Report {
    /// The engines that it is about.
    pub engines: &'static [&'static str],
    /// Where it can be read.
    pub place: &'static str,
    /// The clauses under which the defect shows.
    pub clauses: &'static [Clause],
    /// The kinds of run that show it; empty for any.
    pub ways: &'static [Way],
    /// What the evidence of one that shows it says: several defects may break one clause.
    pub evidence: &'static str,
}

const DISKQUEUE: &[&str] = &["original-diskqueue"];
const SEGLOG: &[&str] = &["original-seglog"];
const OFFSETS: &[&str] = &["original-offsets", "original-offsets-seed"];

/// All that are known.
pub const REPORTS: &[Report] = &[
    Report {
        engines: DISKQUEUE,
        place: "nsqio/nsq#938, #1275, #1231",
        clauses: &[Clause::C8],
        ways: &[],
        evidence: "",
    },
    Report {
        engines: DISKQUEUE,
        place: "nsqio/go-diskqueue#42, #38; nsqio/nsq#1491, #1514",
        clauses: &[Clause::Q8],
        ways: &[Way::Running, Way::Kill],
        evidence: "",
    },
    Report {
        engines: DISKQUEUE,
        place: "nsqio/go-diskqueue#1",
        clauses: &[Clause::C12, Clause::Q1, Clause::Q8],
        ways: &[Way::Error, Way::ErrorThenKill],
        evidence: "",
    },
    Report {
        engines: DISKQUEUE,
        place: "nsqio/go-diskqueue#28, mended in part by #31",
        clauses: &[Clause::Q2, Clause::Q4],
        ways: &[Way::Kill],
        evidence: "",
    },
    Report {
        engines: DISKQUEUE,
        place: "nsqio/nsq#203, #246, #1187; nsqio/go-diskqueue#29",
        clauses: &[Clause::Q5],
        ways: &[],
        evidence: "",
    },
    Report {
        engines: DISKQUEUE,
        place: "nsqio/nsq#471, #598",
        clauses: &[Clause::C7],
        ways: &[Way::Damage],
        evidence: "",
    },
    Report {
        engines: SEGLOG,
        place: "youzan/nsq cbcffa0f, 93e28d01, cff7513e, 36eb9563",
        clauses: &[Clause::C1, Clause::C6, Clause::L10],
        ways: &[],
        evidence: ": the meta does not fit its format",
    },
    Report {
        engines: SEGLOG,
        place: "youzan/nsq cbcffa0f, 93e28d01, cff7513e, 36eb9563",
        clauses: &[Clause::L10],
        ways: &[],
        evidence: "the open failed after the damage: the meta is not ended as it should be",
    },
    Report {
        engines: OFFSETS,
        place: "apache/rocketmq#5905, #9412, #9705",
        clauses: &[Clause::O1, Clause::O2],
        ways: &[Way::PowerCut],
        evidence: "nothing came back",
    },
];

/// Where a finding was reported, as far as is known.
pub(super) fn known_as(engine: &str, key: &Key, evidence: &str) -> Option<&'static str> {
    let fits = |report: &&Report| {
        report.engines.contains(&engine)
            && evidence.contains(report.evidence)
            && report.clauses.contains(&key.clause)
            && (report.ways.is_empty() || report.ways.contains(&key.way))
    };
    REPORTS.iter().find(fits).map(|report| report.place)
}
