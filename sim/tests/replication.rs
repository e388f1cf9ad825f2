//! The engine `replication`: replicas that keep the contract break nothing, and every defect of
//! replication is found under its clause, made smaller, and shown on one timeline.

use crashline_sim::explore::{CheckPlan, CheckReport, Entry, Found, check, find_break, replay_for};
use crashline_sim::replication::REPLICATION_QUIRKS;
use crashline_sim::scenario::{Clause, ClusterStep, RunKind, Scenario};
use crashline_sim::shrink::shrink;
use std::sync::atomic::AtomicBool;

/// Scenarios of all lanes together.
const CASES: u64 = 120;

fn checked(quirks: &[&str], seed: u64) -> CheckReport {
    checked_on("posix-min", quirks, seed)
}

fn checked_on(profile: &str, quirks: &[&str], seed: u64) -> CheckReport {
    let plan = CheckPlan {
        engines: vec!["replication".to_owned()],
        profiles: vec![profile.to_owned()],
        runs: vec![RunKind::Crashes, RunKind::Errors],
        seed,
        cases: Some(CASES),
        budget: None,
        shard: None,
        time_limit_ms: None,
        jobs: 2,
        full: false,
        quirks: quirks.iter().map(|name| (*name).to_owned()).collect(),
        with_dir_sync: false,
        violations_max: 5,
    };
    check(&plan, &|_| (), &AtomicBool::new(false)).expect("the plan can be run")
}

fn found(report: &CheckReport, clause: Clause) -> Option<&Found> {
    report.found.iter().find(|found| found.clause == clause)
}

#[test]
fn without_a_defect_nothing_is_broken_and_twice_is_the_same() {
    let [one, other] = [checked(&[], 5), checked(&[], 5)];
    let broken: Vec<&str> = one.found.iter().map(|found| &*found.evidence).collect();
    assert!(broken.is_empty(), "{broken:?}");
    assert!(one.digest.is_some());
    assert_eq!(one.digest, other.digest);
    assert_ne!(one.digest, checked(&[], 6).digest);
}

/// A disk that forgets what was synced takes from a replica what no protocol gives back.
#[test]
fn disks_that_keep_nothing_make_no_false_alarm() {
    for profile in ["macos-fsync", "lying-disk"] {
        for seed in 1..4 {
            let report = checked_on(profile, &[], seed);
            let broken: Vec<&str> = report.found.iter().map(|found| &*found.evidence).collect();
            assert!(broken.is_empty(), "{profile}, seed {seed}: {broken:?}");
        }
    }
}

#[test]
fn every_defect_is_found_under_its_clause() {
    for quirk in REPLICATION_QUIRKS {
        let report = checked(&[quirk.name], 1);
        let clause: Clause = quirk.clause.parse().unwrap();
        let all: Vec<Clause> = report.found.iter().map(|found| found.clause).collect();
        assert!(all.contains(&clause), "{}: {all:?}", quirk.name);
    }
}

#[test]
fn a_finding_is_made_smaller_and_shows_all_hosts() {
    let report = checked(&["replication-ack-alone"], 1);
    let found = found(&report, Clause::R2).expect("a message is lost");
    let still = |scenario: &Scenario| {
        let break_of = find_break(scenario, Clause::R2, true, false);
        break_of.is_ok_and(|found| found.is_some())
    };
    let shrunk = shrink(&found.scenario, 2_000, &mut |scenario| still(scenario));
    let steps = &shrunk.scenario.cluster.as_ref().unwrap().steps;
    assert!(steps.len() <= 12, "{} steps: {steps:?}", steps.len());
    let puts = steps
        .iter()
        .filter(|step| matches!(step, ClusterStep::Put { .. }));
    assert_eq!(puts.count(), 1);
    let again = Scenario::parse(&shrunk.scenario.to_text()).unwrap();
    let shown = replay_for(&again, Some(Clause::R2)).unwrap();
    assert!(shown.found.is_some());
    let notes = shown.timeline.entries.iter().filter_map(|entry| {
        if let Entry::Note(words) = entry {
            return Some(words.as_str());
        }
        None
    });
    let notes: Vec<&str> = notes.collect();
    for host in ["h0 ", "h1 ", "h2 "] {
        assert!(notes.iter().any(|words| words.contains(host)), "{notes:?}");
    }
}
