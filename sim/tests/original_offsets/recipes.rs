//! The recipes of the known defects that were run on the original.

use super::support::{Disk, VERSIONS, file_with, open_on, queue, read};
use crashline::fs::Fs;
use crashline_sim::fault::{FaultFs, FaultPlan};
use crashline_sim::originals::offsets::Version;
use crashline_sim::simfs::TreeEntry;
use std::sync::Arc;

#[test]
fn without_a_file_neither_backup_nor_temporary_file_is_looked_at() {
    let whole = file_with(&[(0, 7)]);
    for version in VERSIONS {
        let disk = Disk::with(&[("offset.json.tmp", &whole), ("offset.json.bak", &whole)]);
        assert_eq!(read(&mut disk.open(version), 0), -1);
        for main in [Vec::new(), vec![0; whole.len()]] {
            let disk = Disk::with(&[("offset.json", &main), ("offset.json.bak", &whole)]);
            assert_eq!(read(&mut disk.open(version), 0), -1);
        }
    }
}

#[test]
fn a_crash_between_removing_and_renaming_loses_everything() {
    let disk = Disk::with(&[("offset.json", &file_with(&[(0, 7)]))]);
    let mut store = disk.open(Version::Head);
    store.update(&queue(0), 8, true);
    store.persist(&[queue(0)]);
    let effects = disk.0.recording().effects().count();
    let mut absent = 0;
    for point in 0..=u32::try_from(effects).expect("they are few") {
        let before = disk.0.at_effect(point).expect("there are so many effects");
        let mut store = Disk(before).open(Version::Head);
        match read(&mut store, 0) {
            -1 => absent += 1,
            offset => assert!(offset == 7 || offset == 8),
        }
    }
    assert_eq!(absent, 1, "a kill at this moment");
}

#[test]
fn a_damaged_file_is_an_empty_table_and_the_next_persist_wipes_it() {
    let whole = file_with(&[(0, 7)]);
    let torn = &whole[..whole.len() - 5];
    for version in VERSIONS {
        let disk = Disk::with(&[("offset.json", torn), ("offset.json.bak", &whole)]);
        let mut store = disk.open(version);
        store.update(&queue(1), 3, false);
        store.persist(&[queue(1)]);
        assert_eq!(read(&mut store, 0), -1);
        assert_eq!(disk.file("offset.json"), Some(file_with(&[(1, 3)])));
        assert_eq!(disk.file("offset.json.bak"), Some(Vec::new()));
    }
}

#[test]
fn one_bad_entry_empties_the_whole_table() {
    let text = String::from_utf8(file_with(&[(0, 7), (1, 8)])).expect("it is text");
    for damaged in [
        text.replace(":7,", ":9223372036854775808,"),
        text.replace(":7,", ":7,\"bad\":7,"),
        text.replace(":8}}", ":8}}garbage}"),
        text.replace(":7,", ":7.5,"),
        "{\"offsetTable\":null}".to_owned(),
        "{}".to_owned(),
        "null".to_owned(),
    ] {
        let disk = Disk::with(&[("offset.json", damaged.as_bytes())]);
        for version in VERSIONS {
            let mut store = disk.open(version);
            assert_eq!(
                (read(&mut store, 0), read(&mut store, 1)),
                (-1, -1),
                "{damaged}"
            );
        }
    }
}

#[test]
fn what_the_original_takes_all_the_same() {
    let text = String::from_utf8(file_with(&[(0, 7)])).expect("it is text");
    for taken in [
        text.replace("offsetTable", "OFFSETTABLE"),
        text.replace("brokerName", "brokername"),
        text.replace(
            "{\"offsetTable\"",
            "{\"note\":[{\"a\":-1.5e3},null,true],\"offsetTable\"",
        ),
        format!(" {text}\n"),
        format!("{text}\0anything"),
        text.replace(":7}", ":6}").replacen(":6}", ":7}", 1),
    ] {
        let disk = Disk::with(&[("offset.json", taken.as_bytes())]);
        assert_eq!(read(&mut disk.open(Version::Head), 0), 7, "{taken}");
    }
}

#[test]
fn the_backup_is_always_empty_and_looked_for_at_a_wrong_path() {
    for version in VERSIONS {
        let disk = Disk::empty();
        let mut store = disk.open(version);
        for offset in [7, 8] {
            store.update(&queue(0), offset, false);
            store.persist(&[queue(0)]);
        }
        assert_eq!(disk.file("offset.json"), Some(file_with(&[(0, 8)])));
        assert_eq!(disk.file("offset.json.bak"), Some(Vec::new()));

        let disk = Disk::with(&[("offset.json.bak", &file_with(&[(0, 7)]))]);
        let directory = Disk::path("offset.json");
        let placed = disk.0.place(&directory, &TreeEntry::Directory);
        placed.expect("there is nothing of that name");
        assert_eq!(read(&mut disk.open(version), 0), -1);
    }
}

#[test]
fn a_full_disk_is_not_told_and_costs_descriptors() {
    let whole = file_with(&[(0, 7)]);
    let disk = Disk::with(&[("offset.json", &whole)]);
    let plan = FaultPlan::parse(&["1- write_at on *: ENOSPC".to_owned()]).expect("it is a plan");
    let fs: Arc<dyn Fs> = Arc::new(FaultFs::over_sim(disk.0.clone(), plan));
    let mut store = open_on(fs, Version::Head);
    store.update(&queue(0), 9, false);
    for _ in 0..5 {
        store.persist(&[queue(0)]);
    }
    assert_eq!(store.leaked_count(), 5);
    assert_eq!(disk.file("offset.json"), Some(whole));
    assert_eq!(disk.file("offset.json.tmp"), Some(Vec::new()));
}

#[test]
fn a_failed_read_is_no_offset() {
    let disk = Disk::with(&[("offset.json", &file_with(&[(0, 7)]))]);
    let plan = FaultPlan::parse(&["1 read_at on *: EIO".to_owned()]).expect("it is a plan");
    let fs: Arc<dyn Fs> = Arc::new(FaultFs::over_sim(disk.0.clone(), plan));
    let mut store = open_on(fs, Version::Head);
    assert_eq!(store.leaked_count(), 1);
    assert_eq!(
        store.read(&queue(0), crashline_sim::scenario::ReadFrom::Memory),
        -1
    );
    assert_eq!(read(&mut store, 0), 7, "asked again it reads the file");
}

#[test]
fn whatever_set_is_passed_the_whole_table_is_written() {
    for version in VERSIONS {
        let disk = Disk::empty();
        let mut store = disk.open(version);
        store.update(&queue(0), 7, false);
        store.update(&queue(1), 8, false);
        store.persist(&[]);
        assert_eq!(disk.file("offset.json"), None);
        store.persist(&[queue(5)]);
        store.remove(&queue(0));
        store.persist(&[queue(1)]);
        assert_eq!(disk.file("offset.json"), Some(file_with(&[(0, 7), (1, 8)])));
        assert_eq!(read(&mut store, 0), 7);
    }
}

#[test]
fn minus_one_in_the_file_reads_as_absent() {
    let disk = Disk::with(&[("offset.json", &file_with(&[(0, -1)]))]);
    for version in VERSIONS {
        let mut store = disk.open(version);
        assert_eq!(read(&mut store, 0), read(&mut store, 9));
    }
}
