//! Each quirk does what the table of quirks says, and nothing of it happens without the quirk.
#![expect(clippy::indexing_slicing, reason = "a wrong index is a failed test")]
#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::support::{Disk, ROOT, fixtures, open_on, queue, table};
use crashline::offsets::format::{Layout, Noted, encode};
use crashline::offsets::{Dialect, OffsetStore, Options, QUIRKS, Quirk, Quirks, ReadFrom, Source};
use crashline_sim::crash::{Image, Limits, Point, State, Visitor, profile, walk};
use crashline_sim::fault::{FaultFs, FaultPlan};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

fn file(offsets: &[(i32, i64)]) -> Vec<u8> {
    encode(&table(offsets), Dialect::Go, Layout::Plain, Noted::Yes)
}

fn store(disk: &Disk, options: Options) -> OffsetStore {
    disk.open_as(options).unwrap().store
}

fn persist(store: &mut OffsetStore, number: i32, offset: i64) -> bool {
    store.update(&queue(number), offset, false).unwrap();
    store.persist(&[queue(number)]).is_ok()
}

/// Opens with a fault, without it if that fails.
fn with_fault(disk: &Disk, options: Options, line: &str) -> OffsetStore {
    let plan = FaultPlan::parse(&[line.to_owned()]).unwrap();
    let faults = FaultFs::over_sim(disk.0.clone(), FaultPlan::default());
    let store = open_on(Arc::new(faults.clone()), options).unwrap().store;
    faults.start(plan);
    store
}

/// Looks for what no crash may leave: damage, or another snapshot than these.
struct Broken(Vec<i64>, bool);

impl Visitor for Broken {
    fn image(&mut self, image: &Image<'_>) -> u32 {
        let opened = Disk(image.mount()).look_as(Options::default());
        let offset = opened.store.table().unwrap().get(&queue(0)).copied();
        u32::from(!opened.losses.is_empty() || !self.0.contains(&offset.unwrap_or(-1)))
    }

    fn state(&mut self, point: &Point, _: &State<'_>, outcome: u32) {
        // Before the first persist was acknowledged there may be nothing.
        self.1 |= outcome == 1 && point.marks >= 1;
    }
}

fn crashes_break(options: Options) -> bool {
    let disk = Disk::empty();
    let mut store = store(&disk, options);
    persist(&mut store, 0, 5);
    disk.0.mark(1);
    persist(&mut store, 0, 6);
    let mut broken = Broken(vec![5, 6], false);
    let recording = disk.0.recording();
    let profile = profile("posix-min").unwrap();
    walk(&recording, profile, &Limits::default(), 7, &mut broken);
    broken.1
}

/// Whether what the quirk does is seen.
fn shows(quirk: Quirk, options: Options) -> bool {
    match quirk {
        Quirk::NoFileSync
        | Quirk::NoDirectorySync
        | Quirk::ParentsNotSynced
        | Quirk::RemoveBeforeRename => crashes_break(options),
        Quirk::AbsentMainIsNew
        | Quirk::DamageIsEmpty
        | Quirk::DamageNotKept
        | Quirk::BackupEmpty
        | Quirk::BackupWrongPath
        | Quirk::BackupUnchecked
        | Quirk::NotAsciiIsAbsent
        | Quirk::NoteUnchecked
        | Quirk::TemporaryLeft => shows_in_files(quirk, options),
        Quirk::PersistErrorLost
        | Quirk::PersistGivesUp
        | Quirk::PersistDropsOthers
        | Quirk::PersistWritesAll
        | Quirk::PersistOneByOne
        | Quirk::FirstPersistFails
        | Quirk::SyncErrorIgnored
        | Quirk::RemoveDoesNothing => shows_in_persists(quirk, options),
        Quirk::IncreaseOnlyIgnored
        | Quirk::StoreNeverRead
        | Quirk::StoreReadMergesAll
        | Quirk::StoreReadReplacesAll
        | Quirk::StoreReadLowers
        | Quirk::ErrorIsAbsent
        | Quirk::PathUnchecked
        | Quirk::NoLock => shows_in_answers(quirk, options),
    }
}

fn shows_in_files(quirk: Quirk, options: Options) -> bool {
    let whole = file(&[(0, 7)]);
    let torn = &whole[..30];
    let damaged = Disk::with(&[("offset.json", torn), ("offset.json.bak", &whole)]);
    if quirk == Quirk::AbsentMainIsNew {
        let disk = Disk::with(&[("offset.json.bak", &whole)]);
        return disk.look_as(options).source == Source::New;
    }
    if quirk == Quirk::DamageIsEmpty {
        return damaged.look_as(options).source == Source::Main;
    }
    if quirk == Quirk::BackupWrongPath {
        return damaged.look_as(options).source == Source::Lost;
    }
    if quirk == Quirk::DamageNotKept {
        assert!(persist(&mut store(&damaged, options), 0, 8));
        return damaged.file("offset.json.bad").is_none();
    }
    if quirk == Quirk::BackupUnchecked {
        assert!(persist(&mut store(&damaged, options), 0, 8));
        return damaged.file("offset.json.bak").unwrap() == torn;
    }
    if quirk == Quirk::BackupEmpty {
        let disk = Disk::with(&[("offset.json", &whole)]);
        assert!(persist(&mut store(&disk, options), 0, 8));
        return disk.file("offset.json.bak").unwrap().is_empty();
    }
    if quirk == Quirk::NotAsciiIsAbsent {
        let fixture = fixtures().swap_remove(0);
        let disk = Disk::with(&[("offset.json", &fixture.bytes)]);
        return disk.look_as(options).source == Source::New;
    }
    if quirk == Quirk::NoteUnchecked {
        let text = String::from_utf8(whole.clone())
            .unwrap()
            .replace(":7}", ":6}");
        let disk = Disk::with(&[("offset.json", text.as_bytes())]);
        return disk.look_as(options).source == Source::Main;
    }
    if quirk == Quirk::TemporaryLeft {
        let disk = Disk::with(&[("offset.json", &whole), ("offset.json.tmp", torn)]);
        drop(store(&disk, options));
        return disk.file("offset.json.tmp").is_some();
    }
    unreachable!("{quirk:?} is shown elsewhere")
}

fn shows_in_persists(quirk: Quirk, options: Options) -> bool {
    let disk = Disk::with(&[("offset.json", &file(&[(0, 7), (1, 7)]))]);
    let found = |disk: &Disk| {
        disk.look_as(Options::default())
            .store
            .table()
            .unwrap()
            .clone()
    };
    if quirk == Quirk::PersistErrorLost {
        let mut store = with_fault(&disk, options, "1- write_at on *: ENOSPC");
        return persist(&mut store, 0, 8);
    }
    if quirk == Quirk::SyncErrorIgnored {
        let mut store = with_fault(&disk, options, "1- sync on *: EIO");
        return persist(&mut store, 0, 8);
    }
    if quirk == Quirk::PersistOneByOne {
        // Of two replaced files each, the backup and the file itself.
        let mut store = with_fault(&disk, options, "3 rename on *: EIO");
        store.update(&queue(0), 8, false).unwrap();
        store.update(&queue(1), 8, false).unwrap();
        let failed = store.persist_all().is_err();
        return failed && found(&disk) == table(&[(0, 8), (1, 7)]);
    }
    if quirk == Quirk::PersistGivesUp {
        let disk = Disk::with(&[("offset.json", b"{"), ("offset.json.bak", b"{")]);
        return !persist(&mut store(&disk, options), 0, 8);
    }
    if quirk == Quirk::FirstPersistFails {
        return !persist(&mut store(&Disk::empty(), options), 0, 8);
    }
    if quirk == Quirk::PersistDropsOthers {
        assert!(persist(&mut store(&disk, options), 0, 8));
        return found(&disk) == table(&[(0, 8)]);
    }
    if quirk == Quirk::PersistWritesAll {
        let mut store = store(&disk, options);
        store.update(&queue(1), 9, false).unwrap();
        assert!(persist(&mut store, 0, 8));
        return found(&disk) == table(&[(0, 8), (1, 9)]);
    }
    if quirk == Quirk::RemoveDoesNothing {
        let mut store = store(&disk, options);
        store.remove(&queue(1)).unwrap();
        store.persist_all().unwrap();
        return found(&disk).len() == 2;
    }
    unreachable!("{quirk:?} is shown elsewhere")
}

fn shows_in_answers(quirk: Quirk, options: Options) -> bool {
    let disk = Disk::with(&[("offset.json", &file(&[(0, 7), (1, 7)]))]);
    if quirk == Quirk::ErrorIsAbsent {
        let mut store = with_fault(&disk, options, "1- read_at on *: EIO");
        return store.read(&queue(0), ReadFrom::Store).is_ok();
    }
    let mut store = store(&disk, options);
    store.update(&queue(0), 9, false).unwrap();
    if quirk == Quirk::IncreaseOnlyIgnored {
        store.update(&queue(0), 3, true).unwrap();
        return store.read(&queue(0), ReadFrom::Memory).unwrap() == Some(3);
    }
    if quirk == Quirk::StoreNeverRead {
        store.remove(&queue(0)).unwrap();
        return store
            .read(&queue(0), ReadFrom::MemoryThenStore)
            .unwrap()
            .is_none();
    }
    if matches!(quirk, Quirk::StoreReadMergesAll | Quirk::StoreReadLowers) {
        let asked = i32::from(quirk == Quirk::StoreReadMergesAll);
        store.read(&queue(asked), ReadFrom::Store).unwrap();
        return store.read(&queue(0), ReadFrom::Memory).unwrap() == Some(7);
    }
    if quirk == Quirk::StoreReadReplacesAll {
        store.update(&queue(2), 3, false).unwrap();
        store.read(&queue(1), ReadFrom::Store).unwrap();
        return store.read(&queue(2), ReadFrom::Memory).unwrap().is_none();
    }
    if quirk == Quirk::PathUnchecked {
        let (root, up) = (Path::new(ROOT), OsStr::new(".."));
        return OffsetStore::open(disk.fs(), root, up, OsStr::new("g"), options).is_ok();
    }
    if quirk == Quirk::NoLock {
        return disk.open_as(options).is_ok();
    }
    unreachable!("{quirk:?} is shown elsewhere")
}

#[test]
fn each_quirk_shows_and_only_with_its_switch() {
    for info in QUIRKS {
        let quirky = Options {
            quirks: Quirks::default().with(info.quirk),
            ..Options::default()
        };
        assert!(shows(info.quirk, quirky), "{} shows", info.name);
        assert!(
            !shows(info.quirk, Options::default()),
            "{} is off",
            info.name
        );
    }
}
