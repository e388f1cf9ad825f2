//! The fixture of the real client, and where its two versions differ.

use super::support::{Disk, VERSIONS, file_with, queue, read, table_of};
use crashline_sim::originals::offsets::Version;
use crashline_sim::scenario::{FailureKind, OffsetOp, OffsetQueue, OffsetTable, ReadFrom};

const FILE: &[u8] = include_bytes!("../../../tests/fixtures/rocketmq-go/offset.json");
const EXPECTED: &str = include_str!("../../../tests/fixtures/rocketmq-go.expected.json");

fn expected() -> OffsetTable {
    let text: serde_json::Value = serde_json::from_str(EXPECTED).expect("it is JSON");
    let offsets = text
        .get("Offsets")
        .and_then(|list| list.as_array())
        .expect("it is a list");
    offsets
        .iter()
        .map(|one| {
            let text = |name: &str| one[name].as_str().expect("it is a string").to_owned();
            let number = one["queueId"].as_i64().expect("it is a number");
            let queue = OffsetQueue {
                topic: text("topic"),
                broker: text("brokerName"),
                queue_id: i32::try_from(number).expect("it is small"),
            };
            (queue, one["offset"].as_i64().expect("it is a number"))
        })
        .collect()
}

/// The entries of a file: their order is random in the original.
fn entries(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8(bytes.to_vec()).expect("it is text");
    let text = text
        .trim_end_matches("}}")
        .replace("{\"offsetTable\":{", "");
    let mut entries: Vec<String> = text.split(",\"{").map(str::to_owned).collect();
    for entry in &mut entries {
        *entry = entry.trim_start_matches("\"{").to_owned();
    }
    entries.sort();
    entries
}

#[test]
fn the_fixture_is_read_and_written_back() {
    let expected = expected();
    assert_eq!(expected.len(), 7);
    for version in VERSIONS {
        let disk = Disk::with(&[("offset.json", FILE)]);
        let mut store = disk.open(version);
        for (queue, offset) in &expected {
            assert_eq!(store.read(queue, ReadFrom::Memory), *offset);
        }
        store.persist(&[queue(0)]);
        let written = disk.file("offset.json").expect("it was persisted");
        assert_eq!(written.len(), FILE.len());
        assert_eq!(entries(&written), entries(FILE));
    }
    let mut store = Disk::with(&[("offset.json", FILE)]).open(Version::Head);
    let mut of_topic = expected;
    of_topic.retain(|queue, _| queue.topic == "orders");
    assert_eq!(table_of(&mut store, "orders"), of_topic);
}

#[test]
fn a_load_adds_to_the_table_or_replaces_it() {
    for version in VERSIONS {
        let disk = Disk::with(&[("offset.json", &file_with(&[(0, 7)]))]);
        let mut store = disk.open(version);
        store.update(&queue(0), 9, false);
        store.update(&queue(1), 5, false);
        // Either way a read from the store lowers what is known of every queue.
        assert_eq!(store.read(&queue(2), ReadFrom::Store), -1);
        assert_eq!(store.read(&queue(0), ReadFrom::Memory), 7);
        let other = match version {
            Version::Head => 5,
            Version::Seed => -1,
        };
        assert_eq!(read(&mut store, 1), other);
    }
}

#[test]
fn only_one_version_tells_of_a_topic() {
    let topic = "orders".to_owned();
    let outcome = Disk::empty()
        .open(Version::Seed)
        .apply(&OffsetOp::Offsets { topic });
    let failure = outcome.result.expect_err("it has no such call");
    assert_eq!(failure.kind, FailureKind::Unsupported);
    assert_eq!(
        table_of(&mut Disk::empty().open(Version::Head), "orders").len(),
        0
    );
}

#[test]
fn updates_take_any_number() {
    let mut store = Disk::empty().open(Version::Head);
    for (offset, increase_only, expected) in
        [(5, true, 5), (3, true, 5), (3, false, 3), (-7, false, -7)]
    {
        store.update(&queue(0), offset, increase_only);
        assert_eq!(store.read(&queue(0), ReadFrom::Memory), expected);
    }
}
