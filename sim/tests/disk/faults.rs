//! Every kind of fault does what its text says, over the simulated disk and over a real one.
#![expect(
    clippy::disallowed_methods,
    reason = "short transfers are what is looked at"
)]

use crate::shown::contents_after;
use crashline::fs::{Fs, FsFile, OpenMode, RealFs, SyncKind, read_file, write_all_at};
use crashline_sim::fault::{Damage, FaultFs, FaultPlan, KINDS};
use crashline_sim::scenario::Fill;
use crashline_sim::simfs::SimFs;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::Arc;

const FILE: &str = "/a.dat";

fn plan(lines: &[&str]) -> FaultPlan {
    let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    FaultPlan::parse(&lines).unwrap()
}

fn faulty(lines: &[&str]) -> (SimFs, FaultFs) {
    let sim = SimFs::new();
    (sim.clone(), FaultFs::over_sim(sim, plan(lines)))
}

fn create(fs: &dyn Fs) -> Box<dyn FsFile> {
    fs.open(Path::new(FILE), OpenMode::Create, 0o600).unwrap()
}

fn errno<T: std::fmt::Debug>(result: io::Result<T>) -> i32 {
    result.unwrap_err().raw_os_error().unwrap()
}

fn kinds(fs: &FaultFs) -> Vec<&'static str> {
    fs.fired().iter().map(|fired| fired.kind).collect()
}

#[test]
fn every_kind_has_an_example_that_is_of_it() {
    let names: BTreeSet<&str> = KINDS.iter().map(|kind| kind.name).collect();
    assert_eq!(names.len(), KINDS.len(), "no kind is there twice");
    for kind in KINDS {
        if kind.name.starts_with("damage-") {
            let damage: Damage = kind.example.parse().unwrap();
            assert_eq!(damage.kind_name(), kind.name);
            continue;
        }
        let plan = plan(&[kind.example]);
        assert_eq!(plan.lines(), [kind.example]);
        if let Some(fault) = plan.faults.first() {
            assert_eq!(fault.kind_name(), kind.name);
        }
    }
}

#[test]
fn a_call_fails_when_its_turn_comes() {
    let (_, fs) = faulty(&["2-3 write_at on *.dat: EIO", "1 stat on *: EACCES"]);
    let file = create(&fs);
    file.write_at(0, b"one").unwrap();
    assert_eq!(errno(file.write_at(3, b"two")), 5);
    assert_eq!(errno(file.write_at(3, b"two")), 5);
    file.write_at(3, b"two").unwrap();
    assert_eq!(errno(fs.stat(Path::new(FILE))), 13);
    fs.stat(Path::new(FILE)).unwrap();
    assert_eq!(kinds(&fs), ["eio", "eio", "eacces"]);
    assert_eq!(fs.fired()[0].call, 3);
}

#[test]
fn a_full_disk_takes_some_bytes_and_then_none() {
    let (_, fs) = faulty(&["2 write_at on *: ENOSPC after 100 bytes"]);
    let file = create(&fs);
    file.write_at(0, &[1; 10]).unwrap();
    assert_eq!(errno(write_all_at(file.as_ref(), 10, &[2; 300])), 28);
    assert_eq!(file.size().unwrap(), 110);
    write_all_at(file.as_ref(), 110, &[2; 200]).unwrap();
    assert_eq!(kinds(&fs), ["enospc", "enospc"]);
}

#[test]
fn space_comes_back_at_a_call() {
    let (_, fs) = faulty(&["space: 8192 bytes from call 2 until call 6"]);
    let file = create(&fs);
    assert_eq!(file.write_at(0, &[1; 10_000]).unwrap(), 8192);
    assert_eq!(errno(file.write_at(8192, &[1; 10])), 28);
    file.write_at(100, &[2; 5000]).unwrap();
    assert_eq!(errno(file.write_at(8192, &[1; 10])), 28);
    file.write_at(8192, &[1; 10]).unwrap();
    assert_eq!(kinds(&fs), ["full-disk", "full-disk"]);
}

#[test]
fn a_quota_on_a_real_directory_counts_growth() {
    let directory = tempfile::tempdir().unwrap();
    let fs = FaultFs::over(Arc::new(RealFs), plan(&["quota: 100 bytes"]));
    let path = directory.path().join("a");
    let file = fs.open(&path, OpenMode::Create, 0o600).unwrap();
    assert_eq!(file.write_at(0, &[1; 150]).unwrap(), 100);
    assert_eq!(errno(file.write_at(100, &[1; 1])), 122);
    file.write_at(0, &[2; 50]).unwrap();
    fs.heal();
    file.write_at(100, &[1; 1]).unwrap();
    assert_eq!(kinds(&fs), ["full-quota"]);
}

#[test]
fn transfers_are_short_and_interrupted() {
    let (_, fs) = faulty(&[
        "1 write_at on *: short 1 bytes",
        "2 write_at on *: EINTR",
        "1 read_at on *: short 2 bytes",
    ]);
    let file = create(&fs);
    write_all_at(file.as_ref(), 0, b"whole").unwrap();
    let mut buffer = [0; 8];
    assert_eq!(file.read_at(0, &mut buffer).unwrap(), 2);
    assert_eq!(file.read_at(0, &mut buffer).unwrap(), 5);
    assert_eq!(kinds(&fs), ["short-write", "eintr", "short-read"]);
}

#[test]
fn a_read_only_disk_still_reads() {
    let (_, fs) = faulty(&["3- any on *: EROFS"]);
    let file = create(&fs);
    file.write_at(0, b"x").unwrap();
    assert_eq!(errno(file.write_at(0, b"x")), 30);
    assert_eq!(errno(fs.remove_file(Path::new(FILE))), 30);
    assert_eq!(read_file(&fs, Path::new(FILE), 9).unwrap(), b"x");
    fs.heal();
    fs.remove_file(Path::new(FILE)).unwrap();
}

/// Writes, fails a sync, syncs again, and looks at what a power cut may leave.
fn after_failed_sync(line: &str, rewrite: bool) -> (Vec<u8>, BTreeSet<Vec<u8>>) {
    let (sim, fs) = faulty(&[line]);
    let file = create(&fs);
    fs.sync_dir(Path::new("/")).unwrap();
    file.write_at(0, &[1; 4]).unwrap();
    assert_eq!(errno(file.sync(SyncKind::All)), 5);
    if rewrite {
        file.write_at(0, &[1; 4]).unwrap();
    }
    file.sync(SyncKind::All).unwrap();
    let cached = read_file(&fs, Path::new(FILE), 9).unwrap();
    (
        cached,
        contents_after(&sim, "posix-min", &[Fill::Zeros], FILE),
    )
}

#[test]
fn a_later_sync_does_not_cover_what_a_failed_one_gave_up() {
    let lost = BTreeSet::from([vec![0; 4], vec![1; 4]]);
    let kept = BTreeSet::from([vec![1; 4]]);
    let (cached, left) = after_failed_sync("1 sync on *: EIO, clean", false);
    assert_eq!((cached, left), (vec![1; 4], lost));
    let (_, left) = after_failed_sync("1 sync on *: EIO, clean", true);
    assert_eq!(left, kept, "written again, it is covered");
}

#[test]
fn a_reverted_cache_has_only_what_was_durable() {
    let (cached, left) = after_failed_sync("1 sync on *: EIO, reverted", false);
    assert_eq!((cached, left), (vec![], BTreeSet::from([vec![]])));
    let (cached, left) = after_failed_sync("1 sync on *: EIO, reverted", true);
    assert_eq!((cached, left), (vec![1; 4], BTreeSet::from([vec![1; 4]])));
}

#[test]
fn a_late_error_comes_at_the_next_sync() {
    let (sim, fs) = faulty(&["1 sync on *: EIO, next"]);
    let file = create(&fs);
    fs.sync_dir(Path::new("/")).unwrap();
    file.write_at(0, &[1; 512]).unwrap();
    file.sync(SyncKind::All).unwrap();
    file.write_at(512, &[2; 512]).unwrap();
    assert_eq!(errno(file.sync(SyncKind::All)), 5);
    file.sync(SyncKind::All).unwrap();
    let left = contents_after(&sim, "posix-min", &[Fill::Zeros], FILE);
    let whole = [vec![1; 512], vec![2; 512]].concat();
    let holed = [vec![1; 512], vec![0; 512]].concat();
    assert_eq!(left, BTreeSet::from([whole, holed]));
}

#[test]
fn bad_sectors_read_again_once_rewritten() {
    let (_, fs) = faulty(&["1 read_at on *: bad sectors 1-1"]);
    let file = create(&fs);
    file.write_at(0, &[7; 1500]).unwrap();
    let mut buffer = [0; 1500];
    assert_eq!(file.read_at(0, &mut buffer).unwrap(), 512);
    assert_eq!(errno(file.read_at(600, &mut buffer)), 5);
    assert_eq!(file.read_at(1024, &mut buffer).unwrap(), 476);
    assert_eq!(errno(file.write_at(600, &[8; 10])), 5);
    file.write_at(512, &[8; 512]).unwrap();
    assert_eq!(file.read_at(0, &mut buffer).unwrap(), 1500);
    assert_eq!(fs.damaged()[0].start..fs.damaged()[0].end, 512..1024);
}

#[test]
fn a_flipped_bit_stays_flipped() {
    let (_, fs) = faulty(&["1 read_at on *: bit flip"]);
    let file = create(&fs);
    file.write_at(0, &[0; 1000]).unwrap();
    let mut first = [0; 1000];
    file.read_at(0, &mut first).unwrap();
    let mut again = [0; 1000];
    file.read_at(0, &mut again).unwrap();
    assert_eq!(first, again);
    let ones: u32 = first.iter().map(|byte| byte.count_ones()).sum();
    let at = first.iter().position(|byte| *byte != 0).unwrap();
    assert_eq!((ones, fs.damaged()[0].start), (1, at as u64));
    file.write_at(at as u64, &[0]).unwrap();
    file.read_at(0, &mut again).unwrap();
    assert_eq!(again, [0; 1000]);
}

#[test]
fn a_misdirected_write_lands_elsewhere() {
    let (_, fs) = faulty(&["2 write_at on *: misdirected by 512 bytes"]);
    let file = create(&fs);
    file.write_at(0, &[1; 4]).unwrap();
    assert_eq!(file.write_at(0, &[2; 4]).unwrap(), 4);
    let mut expected = vec![0; 516];
    expected[..4].fill(1);
    expected[512..].fill(2);
    assert_eq!(read_file(&fs, Path::new(FILE), 999).unwrap(), expected);
    assert_eq!(fs.damaged().len(), 2);
}

#[test]
fn an_unknown_boot_has_no_name() {
    let (_, fs) = faulty(&["boot_id: unknown"]);
    assert_eq!(fs.boot_id(), None);
    fs.heal();
    assert!(fs.boot_id().is_some());
}

#[test]
fn damage_was_always_there() {
    let sim = SimFs::new();
    let file = sim.open_file(Path::new(FILE), OpenMode::Create).unwrap();
    file.write_at(0, b"first").unwrap();
    let early = sim.effect_count();
    file.write_at(0, b"other bytes").unwrap();
    let directory = Path::new("/");
    let damage = |text: &str| text.parse::<Damage>().unwrap();
    damage("cut at 3 in b.dat")
        .apply(&sim, directory)
        .unwrap_err();
    damage("flip bit 0 of byte 99 in a.dat")
        .apply(&sim, directory)
        .unwrap_err();
    let older = format!("older as of effect {early} in a.dat");
    let touched = damage(&older).apply(&sim, directory).unwrap();
    assert_eq!((touched.start, touched.end), (0, 11));
    assert_eq!(read_file(&sim, Path::new(FILE), 99).unwrap(), b"first");
    damage("flip bit 0 of byte 1 in a.dat")
        .apply(&sim, directory)
        .unwrap();
    damage("append 3 zeros in a.dat")
        .apply(&sim, directory)
        .unwrap();
    damage("zeros from 4 to 5 in a.dat")
        .apply(&sim, directory)
        .unwrap();
    let left = contents_after(&sim, "posix-min", &[Fill::Zeros], FILE);
    assert_eq!(left, BTreeSet::from([b"fhrs\0\0\0\0".to_vec()]));
    damage("remove a.dat").apply(&sim, directory).unwrap();
    assert!(sim.tree().is_empty());
}

#[test]
fn plain_bytes_are_damaged_alike() {
    let mut files = vec![(b"a".to_vec(), b"abc".to_vec()), (b"b".to_vec(), vec![1])];
    let damage = |text: &str| text.parse::<Damage>().unwrap();
    damage("flip bit 1 of byte 0 in a")
        .apply_to_files(&mut files)
        .unwrap();
    damage("cut at 2 in a").apply_to_files(&mut files).unwrap();
    damage("remove b").apply_to_files(&mut files).unwrap();
    damage("older as of effect 1 in a")
        .apply_to_files(&mut files)
        .unwrap_err();
    assert_eq!(files, [(b"a".to_vec(), b"cb".to_vec())]);
}
