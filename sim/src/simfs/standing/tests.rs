//! Equal disks have equal hashes, however they came about, and others have not.

use super::*;
use crashline::fs::{Fs, OpenMode, read_up_to, write_all_at};
use std::path::PathBuf;

/// Numbers in some order; the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % end
    }
}

fn path(number: u64) -> PathBuf {
    PathBuf::from(format!("/data/{number}"))
}

/// A call on one of a few files; what fails changes nothing.
fn call(fs: &SimFs, draw: &mut Draw) {
    let (file, other) = (path(draw.below(4)), path(draw.below(4)));
    match draw.below(8) {
        0 => drop(fs.remove_file(&file)),
        1 => drop(fs.rename(&file, &other)),
        2 => drop(fs.open(&file, OpenMode::Truncate, 0o600)),
        3 | 4 => {
            if let Ok(file) = fs.open(&file, OpenMode::Write, 0o600) {
                file.set_size(draw.below(70_000)).unwrap();
            }
        }
        _ => {
            let file = fs.open(&file, OpenMode::Create, 0o600).unwrap();
            let byte = u8::try_from(draw.below(256)).unwrap();
            let bytes = vec![byte; usize::try_from(draw.below(3_000)).unwrap()];
            write_all_at(file.as_ref(), draw.below(40_000), &bytes).unwrap();
        }
    }
}

#[test]
fn the_same_tree_has_the_same_hash_however_it_was_made() {
    let mut draw = Draw(1);
    let mut trees = std::collections::BTreeMap::new();
    for _ in 0..30 {
        let fs = SimFs::new();
        fs.create_dir(&PathBuf::from("/data")).unwrap();
        for round in 0..30 {
            call(&fs, &mut draw);
            let anew = SimFs::from_tree(&fs.tree()).unwrap();
            let standing = fs.standing(|_| false);
            assert_eq!(standing, anew.standing(|_| false), "{round}");
            let tree = *trees.entry(standing).or_insert_with(|| fs.tree_hash());
            assert_eq!(tree, fs.tree_hash(), "another tree has another hash");
            if draw.below(5) == 0 {
                fs.settle();
            }
        }
    }
}

#[test]
fn what_is_set_aside_counts_by_name_and_size_until_it_is_read() {
    let disk = |bytes: &[u8], aside: &[u8]| {
        let fs = SimFs::new();
        for (name, bytes) in [("/a", bytes), ("/a.bad", aside)] {
            let path = PathBuf::from(name);
            let file = fs.open(&path, OpenMode::CreateNew, 0o600).unwrap();
            write_all_at(file.as_ref(), 0, bytes).unwrap();
        }
        fs
    };
    let is_aside = |name: &[u8]| name.ends_with(b".bad");
    let all = [(b"one", b"xx"), (b"one", b"yy"), (b"two", b"xx")];
    let [one, same, other] = all.map(|(bytes, aside)| disk(bytes, aside));
    assert_eq!(one.standing(is_aside), same.standing(is_aside));
    assert_ne!(one.standing(is_aside), other.standing(is_aside));
    assert_ne!(one.standing(|_| false), same.standing(|_| false));
    assert_ne!(
        one.standing(is_aside),
        disk(b"one", b"x").standing(is_aside)
    );
    for (name, is_it) in [("/a", false), ("/a.bad", true)] {
        let file = one
            .open(&PathBuf::from(name), OpenMode::Read, 0o600)
            .unwrap();
        read_up_to(file.as_ref(), 0, &mut [0; 2]).unwrap();
        assert_eq!(one.was_aside_read(), is_it, "{name}");
    }
}

#[test]
fn what_a_process_could_find_besides_is_not_hashed() {
    let fs = SimFs::new();
    let lock = fs.try_lock(&PathBuf::from("/lock"), 0o600).unwrap();
    assert_eq!(fs.standing(|_| false), None);
    drop(lock);
    assert!(fs.standing(|_| false).is_some());
    fs.set_read_only(true);
    assert_eq!(fs.standing(|_| false), None);
    fs.set_read_only(false);
    fs.set_free_space(8192);
    assert_eq!(fs.standing(|_| false), None);
}
