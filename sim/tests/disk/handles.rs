//! Handles follow files and die with their process; limits hold.
#![expect(
    clippy::disallowed_methods,
    reason = "single transfers are what is looked at"
)]

use crashline::fs::{Fs, FsFile, OpenMode, SyncKind, read_file};
use crashline_sim::simfs::{SimFs, TreeEntry};
use std::path::Path;

fn path(text: &str) -> &Path {
    Path::new(text)
}

#[test]
fn a_handle_follows_its_file() {
    let fs = SimFs::new();
    let file = fs.open_file(path("/a"), OpenMode::Create).unwrap();
    file.write_at(0, b"one").unwrap();
    fs.rename(path("/a"), path("/b")).unwrap();
    file.write_at(3, b"two").unwrap();
    assert_eq!(read_file(&fs, path("/b"), 99).unwrap(), b"onetwo");
    fs.remove_file(path("/b")).unwrap();
    let new = fs.open_file(path("/b"), OpenMode::Create).unwrap();
    file.write_at(0, b"ONE").unwrap();
    assert_eq!(new.size().unwrap(), 0);
    let mut buffer = [0; 9];
    assert_eq!(file.read_at(0, &mut buffer).unwrap(), 6);
    assert_eq!(&buffer[..6], b"ONEtwo");
}

#[test]
fn a_killed_process_has_no_handles_and_no_locks() {
    let fs = SimFs::new();
    let file = fs.open_file(path("/a"), OpenMode::Create).unwrap();
    file.write_at(0, b"kept").unwrap();
    let lock = fs.try_lock(path("/lock"), 0o600).unwrap();
    fs.try_lock(path("/lock"), 0o600).unwrap_err();
    fs.kill();
    file.write_at(0, b"lost").unwrap_err();
    file.read_at(0, &mut [0; 4]).unwrap_err();
    file.sync(SyncKind::All).unwrap_err();
    file.size().unwrap_err();
    file.set_size(0).unwrap_err();
    assert_eq!(read_file(&fs, path("/a"), 99).unwrap(), b"kept");
    let new_lock = fs.try_lock(path("/lock"), 0o600).unwrap();
    drop(lock);
    fs.try_lock(path("/lock"), 0o600).unwrap_err();
    drop(new_lock);
    fs.try_lock(path("/lock"), 0o600).unwrap();
}

#[test]
fn an_operation_beyond_its_bound_is_cut_off() {
    let fs = SimFs::new();
    fs.set_call_limit(Some(2));
    fs.create_dir(path("/d")).unwrap();
    fs.stat(path("/d")).unwrap();
    assert!(!fs.cut_off());
    fs.stat(path("/d")).unwrap_err();
    assert!(fs.cut_off());
    assert_eq!(fs.call_count(), 2);
    let goes_on = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        loop {
            fs.stat(path("/d")).unwrap_err();
        }
    }));
    assert!(goes_on.is_err(), "a loop over failing calls ends");
    fs.set_call_limit(None);
    fs.stat(path("/d")).unwrap();
}

#[test]
fn space_counts_blocks_and_comes_back() {
    let fs = SimFs::new();
    fs.set_capacity(Some(3 * 4096));
    let file = fs.open_file(path("/a"), OpenMode::Create).unwrap();
    file.write_at(0, &[1; 4096]).unwrap();
    assert_eq!(file.write_at(4096, &[1; 10_000]).unwrap(), 8192);
    let full = file.write_at(12_288, &[1]).unwrap_err();
    assert_eq!(full.kind(), std::io::ErrorKind::StorageFull);
    file.write_at(100, &[2; 8000]).unwrap();
    fs.open_file(path("/b"), OpenMode::Create).unwrap();
    file.set_size(8192).unwrap();
    file.write_at(8192, &[1]).unwrap();
    fs.remove_file(path("/a")).unwrap();
    let other = fs.open_file(path("/b"), OpenMode::Write).unwrap();
    other.write_at(0, &[1]).unwrap_err();
    drop(file);
    other.write_at(0, &[1; 12_288]).unwrap();
    fs.set_names_need_space(true);
    fs.open_file(path("/c"), OpenMode::Create).unwrap_err();
}

#[test]
fn special_files_are_seen_and_never_opened() {
    let fs = SimFs::from_tree(&[
        (path("/d").to_path_buf(), TreeEntry::Directory),
        (path("/d/fifo").to_path_buf(), TreeEntry::Special),
        (
            path("/d/file").to_path_buf(),
            TreeEntry::File(b"x".to_vec()),
        ),
    ])
    .unwrap();
    let error = fs.open(path("/d/fifo"), OpenMode::Read, 0).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
    assert_eq!(fs.tree().len(), 3);
    assert!(fs.recording().log().is_empty(), "it is all durable");
}

#[test]
fn calls_are_recorded_when_asked_for() {
    let fs = SimFs::new();
    fs.set_call_log(true);
    let file = fs.open_file(path("/a"), OpenMode::Create).unwrap();
    file.write_at(7, b"bytes").unwrap();
    fs.rename(path("/a"), path("/b")).unwrap();
    file.sync(SyncKind::Data).unwrap();
    fs.stat(path("/a")).unwrap_err();
    let calls: Vec<String> = fs.calls().iter().map(ToString::to_string).collect();
    assert_eq!(
        calls,
        [
            "open /a",
            "write_at /a at 7 5 bytes",
            "rename /a to /b",
            "sync_data /b",
            "stat /a: No such file or directory (os error 2)",
        ]
    );
}
