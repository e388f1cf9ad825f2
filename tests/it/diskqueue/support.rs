//! What these tests share: directories, and short ways to open and drain a queue.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests prepare real directories, and a failed unwrap is a failed test"
)]

use base64::{Engine, prelude::BASE64_STANDARD};
use crashline::diskqueue::{DiskQueue, Error, Loss, Opened, Options};
use crashline::fs::{Fs, RealFs};
use serde::Deserialize;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a fixture's description says.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Expected {
    pub(super) name: String,
    pub(super) max_bytes_per_file: u64,
    pub(super) max_msg_size: u32,
    unread: Option<Vec<String>>,
    pub(super) read_before: Option<usize>,
    pub(super) depth: Option<i64>,
}

impl Expected {
    pub(super) fn unread(&self) -> Vec<Vec<u8>> {
        let texts = self.unread.iter().flatten();
        texts
            .map(|text| BASE64_STANDARD.decode(text).unwrap())
            .collect()
    }

    pub(super) fn options(&self) -> Options {
        Options {
            segment_bytes_max: self.max_bytes_per_file,
            message_bytes_max: self.max_msg_size,
            ..Options::default()
        }
    }
}

/// A directory that an original left.
#[derive(Debug)]
pub(super) struct Fixture {
    pub(super) title: String,
    pub(super) expected: Expected,
    pub(super) files: Vec<(String, Vec<u8>)>,
}

/// All directories that the original of this engine left.
pub(super) fn fixtures() -> Vec<Fixture> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut fixtures = Vec::new();
    for path in paths_in(&folder) {
        let title = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !path.is_dir() || !title.starts_with("nsqio-") {
            continue;
        }
        let expected = std::fs::read(folder.join(format!("{title}.expected.json"))).unwrap();
        fixtures.push(Fixture {
            title,
            expected: serde_json::from_slice(&expected).unwrap(),
            files: files_in(&path),
        });
    }
    assert_eq!(fixtures.len(), 6, "all fixtures are there");
    fixtures
}

fn paths_in(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// All files of a directory, sorted by name.
pub(super) fn files_in(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let name_of = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    paths_in(directory)
        .iter()
        .map(|path| (name_of(path), std::fs::read(path).unwrap()))
        .collect()
}

/// The names of a directory's files, sorted.
pub(super) fn names_in(directory: &Path) -> Vec<String> {
    files_in(directory)
        .into_iter()
        .map(|(name, _)| name)
        .collect()
}

/// A real directory with these files.
pub(super) fn directory_with(files: &[(String, Vec<u8>)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(directory.path().join(name), bytes).unwrap();
    }
    directory
}

/// Opens a queue of a real directory.
pub(super) fn open(directory: &Path, name: &str, options: Options) -> Result<Opened, Error> {
    let fs: Arc<dyn Fs> = Arc::new(RealFs);
    DiskQueue::open(fs, directory, OsStr::new(name), options)
}

/// Reads to the end, going on behind damage.
pub(super) fn drain(queue: &mut DiskQueue) -> (Vec<Vec<u8>>, Vec<Loss>) {
    let mut messages = Vec::new();
    let mut losses = Vec::new();
    loop {
        match queue.read() {
            Ok(Some(message)) => messages.push(message),
            Ok(None) => return (messages, losses),
            Err(Error::Damage { losses: met }) => losses.extend(met),
            Err(error) => panic!("draining failed: {error}"),
        }
        let left = queue.depth().unwrap();
        assert!(left < 1_000_000, "the depth never runs below zero: {left}");
    }
}
