//! What opening decides from file, backup and temporary file, each whole, damaged or absent; that
//! nothing damaged is deleted; and damage that comes while the store is open.
#![expect(clippy::indexing_slicing, reason = "a wrong index is a failed test")]
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::support::{Disk, fixtures, open_on, options, queue, table};
use crashline::offsets::format::{Layout, Noted, encode};
use crashline::offsets::{Applied, Dialect, Error, Opened, Options, ReadFrom, Source, Table};
use crashline_sim::fault::{FaultFs, FaultPlan};
use crashline_sim::simfs::TreeEntry;
use std::sync::Arc;

fn noted(offset: i64) -> Vec<u8> {
    let table = table(&[(0, offset)]);
    encode(&table, Dialect::Go, Layout::Plain, Noted::Yes)
}

fn bare(offset: i64) -> Vec<u8> {
    let table = table(&[(0, offset)]);
    encode(&table, Dialect::Go, Layout::Plain, Noted::No)
}

/// What a file may be: absent, empty, torn, bare or noted.
const STATES: usize = 5;

fn state(which: usize, offset: i64) -> Option<Vec<u8>> {
    match which {
        0 => None,
        1 => Some(Vec::new()),
        2 => Some(bare(offset)[..20].to_vec()),
        3 => Some(bare(offset)),
        _ => Some(noted(offset)),
    }
}

/// The table of the engine's documentation, in other words.
fn expected(main: usize, backup: usize, temporary: usize) -> (Source, Option<i64>) {
    let is_whole = |state: usize| state >= 3;
    if is_whole(main) {
        (Source::Main, Some(1))
    } else if is_whole(temporary) {
        (Source::Temporary, Some(3))
    } else if is_whole(backup) {
        (Source::Backup, Some(2))
    } else if main == 0 && backup == 0 {
        (Source::New, None)
    } else {
        (Source::Lost, None)
    }
}

#[test]
fn opening_decides_by_the_table() {
    for which in 0..STATES.pow(3) {
        let (main, backup, temporary) = (which % 5, which / 5 % 5, which / 25);
        let files = [
            ("offset.json", state(main, 1)),
            ("offset.json.bak", state(backup, 2)),
            ("offset.json.tmp", state(temporary, 3)),
        ];
        let files: Vec<(&str, &[u8])> = files
            .iter()
            .filter_map(|(name, bytes)| Some((*name, bytes.as_deref()?)))
            .collect();
        let disk = Disk::with(&files);
        let (source, offset) = expected(main, backup, temporary);
        let what = format!("main {main}, backup {backup}, temporary {temporary}");
        let looked = disk.look_as(Options::default());
        let mut opened = disk.open();
        assert_eq!((looked.source, opened.source), (source, source), "{what}");
        let found = opened.store.read(&queue(0), ReadFrom::Memory).unwrap();
        assert_eq!(found, offset, "{what}");
        check_losses(&opened, (main, backup), &what);

        let read = opened.store.read(&queue(0), ReadFrom::MemoryThenStore);
        match source {
            Source::Lost => assert!(matches!(read, Err(Error::BothDamaged { .. })), "{what}"),
            Source::New | Source::Main | Source::Temporary | Source::Backup => {
                assert_eq!(read.unwrap(), offset, "{what}");
            }
        }
        opened.store.update(&queue(1), 8, false).unwrap();
        assert!(opened.store.persist(&[queue(1)]).unwrap().wrote, "{what}");
        assert_eq!(
            opened.store.read(&queue(2), ReadFrom::Store).unwrap(),
            None,
            "{what}"
        );
        let mut whole = table(&[(1, 8)]);
        whole.extend(offset.map(|offset| (queue(0), offset)));
        drop(opened);
        for disk in [disk.after_power_cut(), disk] {
            check_persisted(&disk, (source, main, backup), &whole, &what);
        }
    }
}

/// What opening tells to be lost.
fn check_losses(opened: &Opened, (main, backup): (usize, usize), what: &str) {
    let losses = opened.losses.iter();
    let lost: Vec<&str> = losses.map(|loss| loss.file.to_str().unwrap()).collect();
    let is_main_lost = match opened.source {
        Source::New | Source::Main => false,
        Source::Temporary => main != 0,
        Source::Backup | Source::Lost => true,
    };
    let is_backup_lost = backup == 2 || backup == 1 && opened.source == Source::Lost;
    assert_eq!(lost.contains(&"offset.json"), is_main_lost, "{what}");
    assert_eq!(lost.contains(&"offset.json.bak"), is_backup_lost, "{what}");
}

/// After a persist the file is whole, and what was damaged is there under another name.
fn check_persisted(
    disk: &Disk,
    (source, main, backup): (Source, usize, usize),
    whole: &Table,
    what: &str,
) {
    let mut kept = Vec::new();
    if backup == 2 || backup == 1 && source == Source::Lost {
        kept.push(("offset.json.bak.bad", state(backup, 2)));
    }
    if matches!(main, 1 | 2) {
        kept.push(("offset.json.bad", state(main, 1)));
    }
    let names = disk.names();
    let bad = names.iter().filter(|name| name.contains(".bad")).count();
    assert_eq!(bad, kept.len(), "{what}");
    for (name, bytes) in &kept {
        assert_eq!(&disk.file(name), bytes, "{what}");
    }
    let opened = disk.open();
    assert_eq!(opened.source, Source::Main, "{what}");
    assert!(opened.losses.is_empty(), "{what}: {:?}", opened.losses);
    assert_eq!(opened.kept_aside, kept.len() as u64, "{what}");
    assert_eq!(opened.store.table().unwrap(), whole, "{what}");
}

#[test]
fn every_damage_of_a_noted_file_falls_back_to_the_backup() {
    let (main, backup) = (noted(10), noted(9));
    for at in 0..main.len() {
        let mut zeroed = main.clone();
        zeroed[at..].fill(0);
        let mut flipped = main.clone();
        flipped[at] ^= 1 << (at % 8);
        for bytes in [&main[..at], &zeroed, &flipped] {
            let disk = Disk::with(&[("offset.json", bytes), ("offset.json.bak", &backup)]);
            let mut opened = disk.open();
            assert_eq!(opened.source, Source::Backup, "{at}");
            assert_eq!(opened.losses.len(), 1);
            assert_eq!(opened.losses[0].offset, 0);
            assert_eq!(opened.losses[0].size, bytes.len() as u64);
            let read = opened.store.read(&queue(0), ReadFrom::Store);
            assert_eq!(read.unwrap(), Some(9));
            drop(opened);
            assert_eq!(
                disk.file("offset.json").unwrap(),
                bytes,
                "opening leaves it"
            );
            let mut store = disk.open().store;
            assert!(store.persist_all().unwrap().wrote);
            assert_eq!(disk.file("offset.json.bad").unwrap(), bytes);
            assert_eq!(
                disk.file("offset.json.bak").unwrap(),
                backup,
                "a good one stays"
            );
        }
    }
}

#[test]
fn every_damage_of_a_fixture_opens() {
    for fixture in fixtures() {
        let name = match fixture.dialect {
            Dialect::Go => "offset.json",
            Dialect::Java => "offsets.json",
        };
        let backup = format!("{name}.bak");
        for at in 0..fixture.bytes.len() {
            let mut flipped = fixture.bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            for bytes in [&fixture.bytes[..at], &flipped] {
                let disk = Disk::with(&[(name, bytes), (&backup, &fixture.bytes)]);
                let opened = disk.open_as(options(fixture.dialect)).unwrap();
                // What no note vouches for may have another digit or letter, nothing else.
                if opened.source == Source::Backup {
                    assert_eq!(opened.store.table().unwrap(), &fixture.table);
                } else {
                    assert_eq!(opened.store.table().unwrap().len(), fixture.table.len());
                }
            }
        }
    }
}

#[test]
fn both_damaged_lasts_until_something_is_persisted() {
    let disk = Disk::with(&[("offset.json", b"{"), ("offset.json.bak", b"x")]);
    let mut store = disk.open().store;
    assert_eq!(store.close().unwrap(), Vec::new());
    assert_eq!(
        disk.names(),
        ["offset.json", "offset.json.bak"],
        "closing changes nothing"
    );

    let mut opened = disk.open();
    assert_eq!(opened.losses.len(), 2);
    let store = &mut opened.store;
    for _ in 0..2 {
        let Err(Error::BothDamaged { losses }) = store.read(&queue(0), ReadFrom::Store) else {
            panic!("it cannot be known");
        };
        assert!(losses.is_empty(), "they were told by open");
    }
    assert!(
        !store.persist(&[queue(0)]).unwrap().wrote,
        "there is nothing to persist"
    );
    store.update(&queue(0), 4, true).unwrap();
    assert_eq!(
        store.read(&queue(0), ReadFrom::MemoryThenStore).unwrap(),
        Some(4)
    );
    assert!(store.persist(&[queue(0)]).unwrap().wrote);
    assert_eq!(
        store.read(&queue(1), ReadFrom::MemoryThenStore).unwrap(),
        None
    );
    assert_eq!(disk.file("offset.json.bad").unwrap(), b"{");
    assert_eq!(disk.file("offset.json.bak.bad").unwrap(), b"x");
}

#[test]
fn damage_while_the_store_is_open() {
    let disk = Disk::empty();
    let mut store = disk.store();
    for (number, offset) in [(0, 5), (1, 6)] {
        store.update(&queue(number), offset, false).unwrap();
        store.persist(&[queue(number)]).unwrap();
    }
    disk.place("offset.json", b"torn");
    // The backup is older; it is told of once, and does not lower what the table knows.
    let Err(Error::Damage { losses }) = store.read(&queue(1), ReadFrom::Store) else {
        panic!("damage is told of");
    };
    assert_eq!((losses.len(), losses[0].size), (1, 4));
    assert_eq!(store.read(&queue(1), ReadFrom::Store).unwrap(), None);
    assert_eq!(store.read(&queue(1), ReadFrom::Memory).unwrap(), Some(6));
    // The other queue's offset is what was persisted last, not what the backup says.
    store.update(&queue(0), 9, false).unwrap();
    let persisted = store.persist(&[queue(0)]).unwrap();
    assert_eq!((persisted.wrote, persisted.losses.len()), (true, 0));
    assert_eq!(store.read(&queue(1), ReadFrom::Store).unwrap(), Some(6));
    assert_eq!(disk.file("offset.json.bad").unwrap(), b"torn");

    // Names of what is kept aside are never used again.
    disk.place("offset.json", b"again");
    let persisted = store.persist(&[queue(0)]).unwrap();
    assert_eq!(persisted.losses.len(), 1);
    assert_eq!(disk.file("offset.json.bad").unwrap(), b"torn");
    assert_eq!(disk.file("offset.json.bad.1").unwrap(), b"again");
    disk.erase("offset.json");
    assert!(
        store.persist_all().unwrap().wrote,
        "an absent file is written again"
    );
    drop(store);
    assert_eq!(disk.store().table().unwrap(), &table(&[(0, 9), (1, 6)]));
}

#[test]
fn what_is_no_file_is_neither_opened_nor_replaced() {
    for entry in [TreeEntry::Special, TreeEntry::Directory] {
        let disk = Disk::with(&[("offset.json.bak", &noted(2))]);
        disk.0.place(&Disk::path("offset.json"), &entry).unwrap();
        let mut opened = disk.open();
        assert_eq!(opened.source, Source::Backup);
        assert_eq!(opened.losses.len(), 1);
        opened.store.update(&queue(1), 1, false).unwrap();
        let refused = opened.store.persist_all();
        assert!(matches!(refused, Err(Error::Refused { .. })), "{refused:?}");
        assert_eq!(
            disk.0.entry(&Disk::path("offset.json")),
            Some(entry.clone())
        );

        let disk = Disk::with(&[("offset.json", &noted(2))]);
        disk.0
            .place(&Disk::path("offset.json.bak"), &entry)
            .unwrap();
        let mut store = disk.open().store;
        store.update(&queue(0), 5, false).unwrap();
        assert!(store.persist_all().unwrap().wrote);
        assert_eq!(disk.0.entry(&Disk::path("offset.json.bak")), Some(entry));
    }
}

#[test]
fn a_temporary_file_whose_sync_failed_is_written_again() {
    let disk = Disk::empty();
    // What a failed attempt left can neither be blanked nor removed.
    let lines = [
        "1 sync on *.tmp: EIO, clean",
        "2 write_at on *.tmp: EIO",
        "1 remove_file on *.tmp: EIO",
    ];
    let plan = FaultPlan::parse(&lines.map(str::to_owned)).unwrap();
    let fs = Arc::new(FaultFs::over_sim(disk.0.clone(), plan));
    let mut store = open_on(fs, Options::default()).unwrap().store;
    store.update(&queue(0), 7, false).unwrap();
    store.persist_all().unwrap_err();
    drop(store);
    assert_eq!(disk.names(), ["offset.json.tmp"]);

    // The page cache has all of it, and another sync would succeed without writing it.
    let opened = disk.open();
    assert_eq!(opened.source, Source::Temporary);
    assert_eq!(opened.store.table().unwrap(), &table(&[(0, 7)]));
    let opened = disk.after_power_cut().open();
    assert!(opened.losses.is_empty(), "{:?}", opened.losses);
    assert_eq!(opened.store.table().unwrap(), &table(&[(0, 7)]));
}

#[test]
fn what_a_failed_attempt_left_and_cannot_be_removed_is_blank() {
    let disk = Disk::empty();
    let lines = ["1 rename on *.tmp: EIO", "1 remove_file on *.tmp: EIO"];
    let plan = FaultPlan::parse(&lines.map(str::to_owned)).unwrap();
    let fs = Arc::new(FaultFs::over_sim(disk.0.clone(), plan));
    let mut store = open_on(fs, Options::default()).unwrap().store;
    store.update(&queue(0), 7, false).unwrap();
    let failed = store.persist_all().unwrap_err();
    assert_eq!(failed.applied(), Applied::Nothing);
    drop(store);
    assert_eq!(disk.names(), ["offset.json.tmp"]);
    let opened = disk.after_power_cut().open();
    assert_eq!(opened.source, Source::New);
    assert!(opened.losses.is_empty(), "{:?}", opened.losses);
}

#[test]
fn a_negative_number_of_an_original_is_no_offset() {
    let written = table(&[(0, -1), (1, 4), (2, i64::MIN)]);
    let bytes = encode(&written, Dialect::Go, Layout::Plain, Noted::No);
    let disk = Disk::with(&[("offset.json", &bytes)]);
    let mut store = disk.store();
    assert_eq!(store.table().unwrap(), &table(&[(1, 4)]));
    for from in [ReadFrom::Memory, ReadFrom::Store, ReadFrom::MemoryThenStore] {
        assert_eq!(store.read(&queue(0), from).unwrap(), None);
    }
    store.update(&queue(1), 5, false).unwrap();
    store.persist_all().unwrap();
    let expected = encode(&table(&[(1, 5)]), Dialect::Go, Layout::Plain, Noted::Yes);
    assert_eq!(disk.file("offset.json").unwrap(), expected);
    let too_large = String::from_utf8(bare(7))
        .unwrap()
        .replace(":7}", ":9223372036854775808}");
    let disk = Disk::with(&[("offset.json", too_large.as_bytes())]);
    assert_eq!(disk.open().source, Source::Lost);
}
