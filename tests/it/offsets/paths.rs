//! Parts of the path: no name leads out of the root, and names like the store's own disturb none.

use super::support::{Disk, ROOT, queue, table};
use crashline::offsets::{Error, OffsetStore, Options};
use crashline_sim::simfs::TreeEntry;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

fn open(disk: &Disk, client: &OsStr, group: &OsStr) -> Result<OffsetStore, Error> {
    let opened = OffsetStore::open(
        disk.fs(),
        Path::new(ROOT),
        client,
        group,
        Options::default(),
    );
    opened.map(|opened| opened.store)
}

#[test]
fn bad_parts_are_refused_and_change_nothing() {
    let long = "x".repeat(256);
    let disk = Disk::empty();
    let before = disk.tree();
    for bad in ["", ".", "..", "a/b", "../x", "/etc", "x/", "a\0b", &long] {
        for (client, group) in [(bad, "g"), ("c", bad)] {
            let refused = open(&disk, OsStr::new(client), OsStr::new(group));
            assert!(
                matches!(refused, Err(Error::Refused { .. })),
                "{client:?} {group:?}"
            );
        }
    }
    assert_eq!(disk.tree(), before);
}

#[test]
fn any_other_part_is_a_directory_of_its_own() {
    let disk = Disk::empty();
    let long = "x".repeat(255);
    let parts = [
        "10.0.0.1@77",
        "::1%eth0",
        "%s%n",
        "...",
        " ",
        "\u{7ec4}",
        "offset.json",
        &long,
    ];
    let mut parts: Vec<OsString> = parts.iter().map(OsString::from).collect();
    parts.push(OsString::from_vec(vec![0xff, b'%', 0xfe]));
    let mut stores = Vec::new();
    for client in &parts {
        for group in &parts {
            let mut store = open(&disk, client, group).unwrap();
            let number = i32::try_from(stores.len()).unwrap();
            store.update(&queue(number), 1, false).unwrap();
            store.persist_all().unwrap();
            stores.push(store);
        }
    }
    for (path, _) in disk.tree() {
        assert!(path.starts_with(ROOT), "{}", path.display());
    }
    drop(stores);
    let cut = disk.after_power_cut();
    let mut number = 0;
    for client in &parts {
        for group in &parts {
            let store = open(&cut, client, group).unwrap();
            assert_eq!(store.table().unwrap(), &table(&[(number, 1)]));
            number += 1;
        }
    }
}

#[test]
fn a_directory_is_not_reached_through_something_else() {
    for entry in [TreeEntry::Special, TreeEntry::File(Vec::new())] {
        let disk = Disk::empty();
        disk.0.place(&Path::new(ROOT).join("c"), &entry).unwrap();
        let opened = open(&disk, OsStr::new("c"), OsStr::new("g"));
        assert!(matches!(opened, Err(Error::Io { .. })), "{opened:?}");
    }
    let disk = Disk::empty();
    let elsewhere = Path::new("/nowhere");
    let part = OsStr::new("c");
    let opened = OffsetStore::open(disk.fs(), elsewhere, part, part, Options::default());
    assert!(
        matches!(opened, Err(Error::Io { .. })),
        "the root must exist"
    );
}

#[test]
fn files_of_others_are_left_alone() {
    let strange = [
        "offset.json.tmp2",
        "offset.json.bad.01",
        "offset.json~",
        "offsets.json",
        "offsets.json.tmp",
        ".offset.json",
    ];
    let files: Vec<(&str, &[u8])> = strange
        .iter()
        .map(|name| (*name, b"x".as_slice()))
        .collect();
    let disk = Disk::with(&files);
    let mut store = disk.store();
    store.update(&queue(0), 1, false).unwrap();
    store.persist_all().unwrap();
    store.close().unwrap();
    for name in strange {
        assert_eq!(disk.file(name).unwrap(), b"x", "{name}");
    }
}
