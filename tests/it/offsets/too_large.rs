//! Files that are too large to be held: they are damaged, and a whole one beside them counts.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "only a real file has holes, and a failed unwrap is a failed test"
)]

use super::support::table;
use crashline::fs::RealFs;
use crashline::offsets::format::{BYTES_MAX, Layout, Noted, encode};
use crashline::offsets::{Dialect, OffsetStore, Opened, Options, Source};
use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

const SIZE: u64 = BYTES_MAX as u64 + 1;

fn open(root: &Path) -> Opened {
    let (fs, group) = (Arc::new(RealFs), OsStr::new("g"));
    OffsetStore::open(fs, root, OsStr::new("c"), group, Options::default()).unwrap()
}

/// A store whose file `large` is too large, and whose file `whole` is not.
fn store(large: &str, whole: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let options = Options::default();
    let main = match options.dialect {
        Dialect::Go => "offset.json",
        Dialect::Java => "offsets.json",
    };
    let group = folder.path().join("c/g");
    std::fs::create_dir_all(&group).unwrap();
    let file = File::create(group.join(format!("{main}{large}"))).unwrap();
    file.set_len(SIZE).unwrap();
    let bytes = encode(
        &table(&[(0, 7)]),
        options.dialect,
        Layout::Plain,
        Noted::Yes,
    );
    std::fs::write(group.join(format!("{main}{whole}")), bytes).unwrap();
    folder
}

#[test]
fn the_backup_of_a_file_that_is_too_large_is_used_and_the_file_reported() {
    let folder = store("", ".bak");
    let opened = open(folder.path());
    assert_eq!(opened.source, Source::Backup);
    assert_eq!(*opened.store.table().unwrap(), table(&[(0, 7)]));
    let sizes: Vec<u64> = opened.losses.iter().map(|loss| loss.size).collect();
    assert_eq!(sizes, [SIZE]);
}

#[test]
fn a_backup_that_is_too_large_is_reported() {
    let folder = store(".bak", "");
    let opened = open(folder.path());
    assert_eq!(opened.source, Source::Main);
    let sizes: Vec<u64> = opened.losses.iter().map(|loss| loss.size).collect();
    assert_eq!(sizes, [SIZE]);
}
