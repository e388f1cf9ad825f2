//! What these tests share: directories, and short ways to open and drain a queue.
#![expect(clippy::indexing_slicing, reason = "a wrong index is a failed test")]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests prepare real directories, and a failed unwrap is a failed test"
)]

use base64::{Engine, prelude::BASE64_STANDARD};
use crashline::diskqueue::{DiskQueue, Error, Loss, Opened, Options};
use crashline::fs::{Fs, RealFs};
use crashline_sim::crash::{profile, worst};
use crashline_sim::simfs::{SimFs, TreeEntry};
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

/// Files by name.
pub(super) type Files = Vec<(String, Vec<u8>)>;

/// A directory that an original left.
#[derive(Debug)]
pub(super) struct Fixture {
    pub(super) title: String,
    pub(super) expected: Expected,
    pub(super) files: Files,
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

const SIMULATED: &str = "/data";

/// A directory on the simulated disk.
pub(super) struct Disk(SimFs);

impl Disk {
    pub(super) fn with(files: &Files) -> Self {
        let mut tree = vec![(PathBuf::from(SIMULATED), TreeEntry::Directory)];
        for (name, bytes) in files {
            let path = Path::new(SIMULATED).join(name);
            tree.push((path, TreeEntry::File(bytes.clone())));
        }
        Self(SimFs::from_tree(&tree).unwrap())
    }

    pub(super) fn directory() -> &'static Path {
        Path::new(SIMULATED)
    }

    /// The same disk: what is done to it is done to this one.
    pub(super) fn sim(&self) -> SimFs {
        self.0.clone()
    }

    pub(super) fn open(&self, queue: &str, options: Options) -> Result<Opened, Error> {
        let fs: Arc<dyn Fs> = Arc::new(self.0.clone());
        DiskQueue::open(fs, Path::new(SIMULATED), OsStr::new(queue), options)
    }

    /// Opens, drains, closes, and checks that the depth was right up to the losses.
    pub(super) fn open_and_drain(
        &self,
        queue: &str,
        options: Options,
    ) -> (Vec<Vec<u8>>, Vec<Loss>) {
        let Opened {
            mut queue,
            mut losses,
        } = self.open(queue, options).unwrap();
        let depth = queue.depth().unwrap();
        let (messages, met) = drain(&mut queue);
        if met.is_empty() {
            assert_eq!(depth, messages.len() as u64, "the depth: {losses:?}");
        }
        assert_eq!(queue.depth().unwrap(), 0, "{met:?}");
        queue.close().unwrap();
        losses.extend(met);
        (messages, losses)
    }

    /// The disk as the power cut leaves it that keeps the least.
    pub(super) fn after_power_cut(&self) -> Self {
        Self(worst(&self.0.recording(), profile("posix-min").unwrap()))
    }

    /// The bytes of a file, if it is there.
    pub(super) fn file(&self, name: &str) -> Option<Vec<u8>> {
        match self.0.entry(&Path::new(SIMULATED).join(name))? {
            TreeEntry::File(bytes) => Some(bytes),
            TreeEntry::Directory | TreeEntry::Special => None,
        }
    }

    /// All files there are now.
    pub(super) fn files(&self) -> Files {
        let name_of = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        let tree = self.0.tree().into_iter();
        tree.filter_map(|(path, entry)| match entry {
            TreeEntry::File(bytes) => Some((name_of(path), bytes)),
            TreeEntry::Directory | TreeEntry::Special => None,
        })
        .collect()
    }
}

/// The names of a queue's segments, in order.
pub(super) fn segment_names(files: &Files, queue: &str) -> Vec<String> {
    let names = files.iter().map(|(name, _)| name.clone());
    let is_segment = |name: &String| {
        let rest = name.strip_prefix(&format!("{queue}.diskqueue."));
        rest.is_some_and(|rest| rest.ends_with(".dat") && rest != "meta.dat")
    };
    names.filter(is_segment).collect()
}

/// All records of a queue's segments: segment and offset, and the body. Read without the engine.
pub(super) fn records(files: &Files, queue: &str) -> Vec<((String, usize), Vec<u8>)> {
    let mut records = Vec::new();
    for name in segment_names(files, queue) {
        let bytes = &files.iter().find(|file| file.0 == name).unwrap().1;
        let mut offset = 0;
        while let Some(header) = bytes[offset..].first_chunk::<4>() {
            let end = offset + 4 + u32::from_be_bytes(*header) as usize;
            let body = bytes[offset + 4..end].to_vec();
            records.push(((name.clone(), offset), body));
            offset = end;
        }
    }
    records
}
