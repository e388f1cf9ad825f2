//! The operations one by one, on undamaged files.

use super::support::{Disk, fixtures, options, queue, table};
use crashline::fs::{Fs, OpenMode, RealFs};
use crashline::offsets::format::{Layout, Noted, encode, parse};
use crashline::offsets::{
    Dialect, Error, LockPolicy, MessageQueue, OffsetStore, Options, ReadFrom, Source,
};
use std::ffi::OsStr;
use std::sync::Arc;

#[test]
fn updates_set_or_raise() {
    let disk = Disk::empty();
    let mut store = disk.store();
    for (offset, increase_only, expected) in [
        (5, true, 5),
        (7, true, 7),
        (6, true, 7),
        (6, false, 6),
        (6, true, 6),
        (0, false, 0),
    ] {
        store.update(&queue(0), offset, increase_only).unwrap();
        assert_eq!(
            store.read(&queue(0), ReadFrom::Memory).unwrap(),
            Some(expected)
        );
    }
    for offset in [-1, i64::MIN] {
        let refused = store.update(&queue(0), offset, false);
        assert!(matches!(refused, Err(Error::Refused { .. })));
    }
    store.update(&queue(0), i64::MAX, true).unwrap();
    store.persist_all().unwrap();
    assert_eq!(
        disk.after_power_cut().store().table().unwrap(),
        &table(&[(0, i64::MAX)])
    );
}

#[test]
fn the_three_reads() {
    let disk = Disk::empty();
    let mut store = disk.store();
    store.update(&queue(0), 5, false).unwrap();
    store.update(&queue(1), 6, false).unwrap();
    store.persist_all().unwrap();
    store.update(&queue(0), 3, false).unwrap();
    store.update(&queue(2), 9, false).unwrap();
    store.remove(&queue(1)).unwrap();
    let mut read = |number, from| store.read(&queue(number), from).unwrap();
    assert_eq!(read(0, ReadFrom::Memory), Some(3));
    assert_eq!(read(0, ReadFrom::MemoryThenStore), Some(3));
    assert_eq!(read(1, ReadFrom::Memory), None);
    assert_eq!(read(2, ReadFrom::Store), None, "the table is not asked");
    assert_eq!(read(2, ReadFrom::Memory), Some(9), "and stays as it is");
    assert_eq!(read(0, ReadFrom::Store), Some(5));
    assert_eq!(read(0, ReadFrom::Memory), Some(5), "the file's is higher");
    assert_eq!(
        read(1, ReadFrom::Memory),
        None,
        "only the queue that was read"
    );
    assert_eq!(read(1, ReadFrom::MemoryThenStore), Some(6));
    assert_eq!(read(1, ReadFrom::Memory), Some(6));
    store.update(&queue(0), 8, false).unwrap();
    assert_eq!(store.read(&queue(0), ReadFrom::Store).unwrap(), Some(5));
    assert_eq!(
        store.read(&queue(0), ReadFrom::Memory).unwrap(),
        Some(8),
        "never lowered"
    );
}

#[test]
fn persists_write_what_they_are_asked_to() {
    let disk = Disk::empty();
    let mut store = disk.store();
    let file = |disk: &Disk| disk.after_power_cut().look_as(Options::default());
    assert!(!store.persist_all().unwrap().wrote, "there is nothing");
    assert_eq!(disk.names(), Vec::<String>::new());
    for number in 0..3 {
        store.update(&queue(number), 10, false).unwrap();
    }
    assert!(!store.persist(&[]).unwrap().wrote);
    assert!(!store.persist(&[queue(7)]).unwrap().wrote);
    assert!(store.persist(&[queue(0), queue(7)]).unwrap().wrote);
    assert_eq!(file(&disk).store.table().unwrap(), &table(&[(0, 10)]));
    assert!(store.persist(&[queue(2)]).unwrap().wrote);
    assert_eq!(
        file(&disk).store.table().unwrap(),
        &table(&[(0, 10), (2, 10)])
    );
    assert!(
        !store.persist(&[queue(2), queue(0)]).unwrap().wrote,
        "it holds them already"
    );
    assert_eq!(store.remove(&queue(0)).unwrap(), Some(10));
    assert_eq!(store.remove(&queue(0)).unwrap(), None);
    assert!(
        !store.persist(&[queue(0)]).unwrap().wrote,
        "other keys are kept"
    );
    assert_eq!(
        file(&disk).store.table().unwrap(),
        &table(&[(0, 10), (2, 10)])
    );
    assert!(store.persist_all().unwrap().wrote);
    assert_eq!(
        file(&disk).store.table().unwrap(),
        &table(&[(1, 10), (2, 10)])
    );
    assert!(!store.persist_all().unwrap().wrote);
    assert_eq!(disk.names(), ["offset.json", "offset.json.bak"]);
}

#[test]
fn the_backup_is_the_file_before() {
    let disk = Disk::empty();
    let mut store = disk.store();
    for offset in 1..4 {
        store.update(&queue(0), offset, false).unwrap();
        store.persist_all().unwrap();
        let backup = disk.file("offset.json.bak");
        let before = backup.map(|bytes| parse(&bytes).unwrap().table);
        let expected = (offset > 1).then(|| table(&[(0, offset - 1)]));
        assert_eq!(before, expected);
    }
}

#[test]
fn offsets_of_a_topic() {
    let disk = Disk::empty();
    let mut store = disk.store();
    let other = MessageQueue::new("orders2", "broker-a", 0);
    store.update(&other, 1, false).unwrap();
    for number in [2, 0] {
        store.update(&queue(number), 4, false).unwrap();
    }
    assert_eq!(store.offsets("orders").unwrap(), table(&[(0, 4), (2, 4)]));
    assert_eq!(store.offsets("order").unwrap().len(), 0);
}

#[test]
fn a_closed_store_is_closed_and_its_state_is_durable() {
    let disk = Disk::empty();
    let mut store = disk.store();
    store.update(&queue(0), 5, false).unwrap();
    assert!(matches!(
        disk.open_as(Options::default()),
        Err(Error::Locked { .. })
    ));
    store.close().unwrap();
    assert!(matches!(store.close(), Err(Error::Closed)));
    assert!(matches!(
        store.update(&queue(0), 1, false),
        Err(Error::Closed)
    ));
    assert!(matches!(
        store.read(&queue(0), ReadFrom::Memory),
        Err(Error::Closed)
    ));
    assert!(matches!(store.persist_all(), Err(Error::Closed)));
    assert!(matches!(store.offsets("orders"), Err(Error::Closed)));
    let again = disk.after_power_cut().store();
    assert_eq!(again.table().unwrap(), &table(&[(0, 5)]));
    assert_eq!(disk.store().table().unwrap(), again.table().unwrap());
}

#[test]
fn a_lock_goes_with_its_holder_and_no_policy_waives_a_held_one() {
    let disk = Disk::empty();
    let store = disk.store();
    let waived = Options {
        lock: LockPolicy::WaivedWhereUnsupported,
        ..Options::default()
    };
    for options in [waived, options(Dialect::Java)] {
        let refused = disk.open_as(options);
        assert!(matches!(refused, Err(Error::Locked { .. })), "{refused:?}");
    }
    drop(store);
    assert!(disk.open_as(waived).is_ok());
}

#[test]
fn a_store_open_for_reading_only() {
    let disk = Disk::empty();
    let before = disk.tree();
    let opened = disk.look_as(Options::default());
    assert_eq!(opened.source, Source::New);
    assert_eq!(disk.tree(), before);
    let mut writer = disk.store();
    writer.update(&queue(0), 5, false).unwrap();
    writer.persist_all().unwrap();
    let mut reader = disk.look_as(Options::default()).store;
    assert_eq!(reader.read(&queue(0), ReadFrom::Memory).unwrap(), Some(5));
    writer.update(&queue(0), 6, false).unwrap();
    writer.persist_all().unwrap();
    assert_eq!(reader.read(&queue(0), ReadFrom::Store).unwrap(), Some(6));
    assert!(matches!(
        reader.update(&queue(0), 7, false),
        Err(Error::ReadOnly)
    ));
    assert!(matches!(reader.remove(&queue(0)), Err(Error::ReadOnly)));
    assert!(matches!(reader.persist(&[queue(0)]), Err(Error::ReadOnly)));
    assert!(matches!(reader.persist_all(), Err(Error::ReadOnly)));
    reader.close().unwrap();
    assert!(matches!(reader.table(), Err(Error::Closed)));
}

#[test]
fn each_dialect_has_its_file_and_reads_the_other_s_keys() {
    let go = encode(&table(&[(0, 3)]), Dialect::Go, Layout::Plain, Noted::No);
    let disk = Disk::with(&[("offsets.json", &go)]);
    let mut store = disk.open_as(options(Dialect::Java)).unwrap().store;
    store.update(&queue(1), 4, false).unwrap();
    store.persist_all().unwrap();
    let written = encode(
        &table(&[(0, 3), (1, 4)]),
        Dialect::Java,
        Layout::Indented,
        Noted::Yes,
    );
    assert_eq!(disk.file("offsets.json").unwrap(), written);
    drop(store);
    assert_eq!(
        disk.open().source,
        Source::New,
        "the Go client's file is another one"
    );
}

#[test]
fn real_files() {
    for fixture in fixtures() {
        let root = tempfile::tempdir().unwrap();
        let (client, group) = (OsStr::new("::1%eth0@\u{e9}"), OsStr::new("%RETRY%g"));
        let options = options(fixture.dialect);
        let open =
            || OffsetStore::open(Arc::new(RealFs), root.path(), client, group, options).unwrap();
        let mut store = open().store;
        for (queue, offset) in &fixture.table {
            store.update(queue, *offset, true).unwrap();
        }
        store.close().unwrap();
        let opened = open();
        assert_eq!(opened.source, Source::Main);
        assert_eq!(opened.store.table().unwrap(), &fixture.table);
    }
}

/// What a file takes in memory is bounded, whatever its size says (C3); it is left as it is.
#[test]
fn a_file_of_a_terabyte_is_damaged_and_stays() {
    let root = tempfile::tempdir().unwrap();
    let (client, group) = (OsStr::new("client"), OsStr::new("group"));
    let open = || {
        OffsetStore::open(
            Arc::new(RealFs),
            root.path(),
            client,
            group,
            Options::default(),
        )
    };
    drop(open().unwrap());
    let path = root.path().join("client/group/offset.json");
    let file = RealFs.open(&path, OpenMode::Create, 0o600).unwrap();
    file.set_size(1 << 40).unwrap();
    let opened = open().unwrap();
    assert_eq!(opened.source, Source::Lost);
    assert_eq!(opened.losses.first().unwrap().size, 1 << 40);
    assert_eq!(RealFs.stat(&path).unwrap().size, 1 << 40);
}
