//! What damage shows of logs: the original's known defects, each from the files that its report
//! states, are found on the twin and not on the hardened engine.

use crashline_sim::explore::{ExploreLimits, explore};
use crashline_sim::scenario::{
    Clause, CleanTarget, FORMAT, FifoOptions, LogOp, LogOptions, LogPosition, LogProgram, ReaderOp,
    RunKind, Scenario, WriterOp,
};
use std::collections::BTreeMap;

/// Eleven messages of 46 bytes, two in a segment, of which the reader confirms the first eight; the
/// first three segments are removed where `is_cleaned`.
fn steps(is_cleaned: bool) -> Vec<LogOp> {
    let writer = LogOp::Writer;
    let reader = |op| LogOp::Reader("a".to_owned(), op);
    let mut steps = vec![writer(WriterOp::Open), reader(ReaderOp::Open)];
    steps.extend((0..11).map(|_| writer(WriterOp::Put { size: 46 })));
    steps.push(writer(WriterOp::Flush { fsync: true }));
    steps.push(reader(ReaderOp::UpdateQueueEnd {
        end: LogPosition::SHOWN,
        force: false,
    }));
    steps.extend((0..8).map(|_| reader(ReaderOp::TryReadOne)));
    steps.push(reader(ReaderOp::ConfirmRead {
        offset: -1,
        count: 0,
    }));
    steps.push(reader(ReaderOp::Close));
    if is_cleaned {
        steps.push(writer(WriterOp::CleanOldData {
            target: CleanTarget::Position(LogPosition::from([3, 0, 300, 6])),
            dry_run: false,
            offset_max: 0,
        }));
    }
    steps.push(writer(WriterOp::Close));
    steps
}

fn scenario(engine: &str, is_cleaned: bool, damage: &[&str]) -> Scenario {
    Scenario {
        format: FORMAT,
        engine: engine.to_owned(),
        options: FifoOptions::default(),
        quirks: Vec::new(),
        profile: "strict-prefix".to_owned(),
        run: RunKind::Damage,
        with_dir_sync: false,
        seed: 1,
        planted: Vec::new(),
        steps: Vec::new(),
        log: Some(LogProgram {
            options: LogOptions {
                segment_bytes_max: 100,
                ..LogOptions::default()
            },
            steps: steps(is_cleaned),
        }),
        offsets: None,
        cluster: None,
        faults: Vec::new(),
        damage: damage.iter().map(|line| (*line).to_owned()).collect(),
        crashes: Vec::new(),
    }
}

fn broken(engine: &str, is_cleaned: bool, damage: &[&str]) -> BTreeMap<Clause, String> {
    let scenario = scenario(engine, is_cleaned, damage);
    let explored = explore(&scenario, &ExploreLimits::default()).expect("it can be run");
    assert_eq!(explored.unknown, None, "{engine} {damage:?}");
    assert_eq!(explored.states_judged, 1, "{engine} {damage:?}");
    let evidence = explored.broken.into_iter();
    evidence
        .map(|(clause, (violation, _))| (clause, violation.evidence))
        .collect()
}

/// Known defects: torn metas of a reader (2), of the writer (14), of the start (20), torn sidecars
/// (21). The damage to the log, cleaned or not, the clause that the twin breaks, and what shows it.
const KNOWN: &[(bool, &[&str], Clause, &str)] = &[
    (
        false,
        &["cut at 0 in log:a.diskqueue.meta.v2.reader.dat"],
        Clause::L10,
        "reader a was at offset 400 ",
    ),
    (
        false,
        &["remove log:a.diskqueue.meta.v2.reader.dat"],
        Clause::L10,
        "reader a was at offset 400 ",
    ),
    (
        false,
        &["cut at 0 in log.diskqueue.meta.writer.dat"],
        Clause::L10,
        "the open failed",
    ),
    (
        false,
        &["remove log.diskqueue.meta.writer.dat"],
        Clause::L10,
        "the log lay between",
    ),
    (
        true,
        &[
            "cut at 0 in log.diskqueue.meta.extra.dat",
            "remove log.diskqueue.000002.dat.offsetmeta.dat",
        ],
        Clause::L10,
        "the log lay between",
    ),
    (
        true,
        &[
            "cut at 0 in log.diskqueue.meta.extra.dat",
            "cut at 0 in log.diskqueue.000002.dat.offsetmeta.dat",
        ],
        Clause::L10,
        "the open failed",
    ),
    (
        false,
        &["cut at 0 in log.diskqueue.000002.dat.offsetmeta.dat"],
        Clause::L6,
        "a try of retention failed",
    ),
];

#[test]
fn known_defects_of_metas_are_shown_on_the_twin_and_not_on_the_engine() {
    for (is_cleaned, damage, clause, evidence) in KNOWN {
        let twin = broken("original-seglog", *is_cleaned, damage);
        let found: Vec<_> = twin.iter().collect();
        let [(found, words)] = found.as_slice() else {
            panic!("{damage:?}: {twin:?}");
        };
        assert_eq!(*found, clause, "{damage:?}: {words}");
        assert!(words.starts_with(evidence), "{damage:?}: {words}");
        let engine = broken("seglog", *is_cleaned, damage);
        assert_eq!(engine, BTreeMap::new(), "{damage:?}");
    }
}

#[test]
fn damaged_records_cost_the_engine_no_more_than_themselves() {
    for damage in [
        "flip bit 3 of byte 0 in log.diskqueue.000001.dat",
        "flip bit 3 of byte 60 in log.diskqueue.000001.dat",
        "cut at 50 in log.diskqueue.000001.dat",
        "cut at 30 in log.diskqueue.000004.dat",
        "append 20 zeros in log.diskqueue.000003.dat",
        "zeros from 0 to 100 in log.diskqueue.000000.dat",
        "remove log.diskqueue.000000.dat",
        "remove log.diskqueue.000003.dat",
        "remove log.diskqueue.000004.dat",
        "cut at 30 in log.diskqueue.000005.dat",
        "flip bit 0 of byte 20 in log.diskqueue.000005.dat",
        "append 9 zeros in log.diskqueue.000005.dat",
        "remove log.diskqueue.000005.dat",
    ] {
        let engine = broken("seglog", false, &[damage]);
        assert_eq!(engine, BTreeMap::new(), "{damage}");
    }
}
