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
    Report {
        engine: "original-seglog",
        place: "youzan/nsq cbcffa0f, 93e28d01, cff7513e, 36eb9563",
        clauses: &[Clause::C1, Clause::L2],
        ways: &[Way::PowerCut, Way::ErrorThenKill, Way::ErrorThenPowerCut],
    },
    Report {
        engine: "original-seglog",
        place: "youzan/nsq 5d85f23b, 37a3f6f7, 03d262a9; 78112031, 7085f8a4",
        clauses: &[Clause::L10],
        ways: &[],
    },
    Report {
        engine: "original-seglog",
        place: "youzan/nsq 78112031, e6cdcc3e, 7085f8a4, 76b9b9d0",
        clauses: &[Clause::L5],
        ways: &[],
    },
    Report {
        engine: "original-seglog",
        place: "youzan/nsq 45e1a2f1, 351dc602",
        clauses: &[Clause::L6],
        ways: &[Way::Damage],
    },
    Report {
        engine: "original-seglog",
        place: "youzan/nsq 51f0cdf2, 8db463b9, 55b1b9ec; 602537ce, cd184248",
        clauses: &[Clause::L8],
        ways: &[],
    },
    Report {
        engine: "original-seglog",
        place: "youzan/nsq f36cbb43, 88f5dcf2",
        clauses: &[Clause::L7],
        ways: &[Way::Running],
    },
    Report {
        engine: "original-seglog",
        place: "youzan/nsq 0e65122f",
        clauses: &[Clause::C6],
        ways: &[],
    },
    Report {
        engine: "original-offsets",
        place: "apache/rocketmq#5905, #9412, #9705",
        clauses: &[Clause::O2],
        ways: &[
            Way::Kill,
            Way::PowerCut,
            Way::ErrorThenKill,
            Way::ErrorThenPowerCut,
        ],
    },
    Report {
        engine: "original-offsets",
        place: "alibaba/rocketmq#269, #83; apache/rocketmq#10518",
        clauses: &[Clause::C7, Clause::O6],
        ways: &[Way::Damage],
    },
    Report {
        engine: "original-offsets",
        place: "apache/rocketmq-client-go#572",
        clauses: &[Clause::O5],
        ways: &[],
    },
    Report {
        engine: "original-offsets-seed",
        place: "apache/rocketmq#5905, #9412, #9705",
        clauses: &[Clause::O2],
        ways: &[
            Way::Kill,
            Way::PowerCut,
            Way::ErrorThenKill,
            Way::ErrorThenPowerCut,
        ],
    },
    Report {
        engine: "original-offsets-seed",
        place: "alibaba/rocketmq#269, #83; apache/rocketmq#10518",
        clauses: &[Clause::C7, Clause::O6],
        ways: &[Way::Damage],
    },
    Report {
        engine: "original-offsets-seed",
        place: "apache/rocketmq-client-go#572",
        clauses: &[Clause::O5],
        ways: &[],
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
