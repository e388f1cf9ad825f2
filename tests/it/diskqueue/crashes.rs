//! Short fixed explorations: crashes, errors and damage. The gate makes longer ones.

use super::support::Disk;
use crashline::diskqueue::{LossKind, Options};
use crashline_sim::explore::{ExploreLimits, explore};
use crashline_sim::generate::{sequence, small_tier};
use crashline_sim::scenario::{RunKind, Scenario};

/// Explores them all; returns how many images were recovered.
fn check(scenarios: impl Iterator<Item = Scenario>, depth: u8) -> u64 {
    let limits = ExploreLimits {
        depth,
        ..ExploreLimits::default()
    };
    let mut recovered = 0;
    for scenario in scenarios {
        let explored = explore(&scenario, &limits).expect("the scenario makes sense");
        assert_eq!(explored.unknown, None);
        if let Some((clause, (violation, _))) = explored.broken.first_key_value() {
            panic!("{clause}: {violation:#?}\nin {scenario:#?}");
        }
        recovered += explored.states_recovered;
    }
    recovered
}

fn generated(run: RunKind, profile: &str, count: u64) -> impl Iterator<Item = Scenario> {
    (0..count).map(move |index| sequence("diskqueue", 7, index, run, profile))
}

#[test]
fn all_scenarios_of_one_operation_and_some_of_two() {
    let scenarios = small_tier("diskqueue", "posix-min", 2).step_by(5);
    assert!(check(scenarios, 1) > 1000);
}

#[test]
fn some_longer_scenarios() {
    for profile in ["posix-min", "ext4-ordered", "strict-prefix"] {
        let recovered = check(generated(RunKind::Crashes, profile, 5), 0);
        assert!(recovered > 100, "{profile}: {recovered}");
    }
}

/// Nothing may be unsynced for good: whatever comes later would be in doubt with it and without.
#[test]
fn the_seal_of_a_segment_is_durable_also_after_a_sync() {
    let options = Options {
        segment_bytes_max: 20,
        ..Options::default()
    };
    for syncs in [false, true] {
        let disk = Disk::with(&Vec::new());
        let mut queue = disk.open("q", options).expect("it is empty").queue;
        queue.put(b"0123456789").expect("there is room");
        if syncs {
            queue.sync().expect("the disk works");
        }
        let sums = |disk: &Disk| disk.file("q.diskqueue.000000.sums");
        let unsealed = sums(&disk);
        queue.put(b"0123456789").expect("there is room");
        let sealed = sums(&disk);
        assert!(sealed > unsealed);
        assert_eq!(sums(&disk.after_power_cut()), sealed, "{syncs}");
    }
}

/// What an open rejected and kept aside was never promised: the next one has nothing to tell.
#[test]
fn what_was_rejected_is_no_damage_to_later_opens() {
    let options = Options {
        segment_bytes_max: 30,
        ..Options::default()
    };
    let disk = Disk::with(&Vec::new());
    let mut queue = disk.open("q", options).expect("it is empty").queue;
    for number in [1, 2] {
        queue.put(&[number; 28]).expect("there is room");
    }
    let mut files = disk.files();
    let torn = files
        .iter_mut()
        .find(|(name, _)| name == "q.diskqueue.000001.dat");
    torn.expect("the queue rolled").1.truncate(10);
    let disk = Disk::with(&files);
    let mut opened = disk.open("q", options).expect("a torn tail is none");
    assert_eq!(opened.losses.len(), 1, "{:?}", opened.losses);
    assert_eq!(opened.losses[0].kind, LossKind::Rejected);
    opened.queue.put(&[3; 28]).expect("there is room");
    opened.queue.close().expect("the disk works");
    let (messages, losses) = disk.open_and_drain("q", options);
    assert_eq!(losses, []);
    assert_eq!(messages, [[1; 28], [3; 28]]);
}
