//! What these tests share: the fixtures, a disk, and short ways to open a store.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "fixtures are real files, and a failed unwrap is a failed test"
)]

use crashline::fs::Fs;
use crashline::offsets::{Dialect, Error, MessageQueue, OffsetStore, Opened, Options, Table};
use crashline_sim::crash::{profile, worst};
use crashline_sim::simfs::{SimFs, TreeEntry};
use serde::Deserialize;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) const ROOT: &str = "/data";
const CLIENT: &str = "10.0.0.1@7";
const GROUP: &str = "g";

#[derive(Debug, Deserialize)]
struct ExpectedOffset {
    topic: String,
    #[serde(rename = "brokerName")]
    broker: String,
    #[serde(rename = "queueId")]
    queue_id: i32,
    offset: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Expected {
    main: Option<String>,
    offsets: Vec<ExpectedOffset>,
    backup: Option<String>,
    backup_offsets: Option<Vec<ExpectedOffset>>,
}

/// One file that an original wrote, and what it holds.
#[derive(Debug)]
pub(super) struct Fixture {
    pub(super) title: String,
    pub(super) dialect: Dialect,
    pub(super) bytes: Vec<u8>,
    pub(super) table: Table,
}

/// All files that an original wrote.
pub(super) fn fixtures() -> Vec<Fixture> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut fixtures = Vec::new();
    for title in [
        "rocketmq-go",
        "rocketmq-java-4.9.8",
        "rocketmq-java-5.3.1",
        "rocketmq-java-plain",
    ] {
        let description = std::fs::read(folder.join(format!("{title}.expected.json"))).unwrap();
        let expected: Expected = serde_json::from_slice(&description).unwrap();
        let main = expected.main.unwrap_or_else(|| "offset.json".to_owned());
        let mut add = |name: &str, offsets: Vec<ExpectedOffset>| {
            fixtures.push(Fixture {
                title: format!("{title}/{name}"),
                dialect: match title {
                    "rocketmq-go" => Dialect::Go,
                    _ => Dialect::Java,
                },
                bytes: std::fs::read(folder.join(title).join(name)).unwrap(),
                table: table_of(offsets),
            });
        };
        add(&main, expected.offsets);
        if let (Some(backup), Some(offsets)) = (expected.backup, expected.backup_offsets) {
            add(&backup, offsets);
        }
    }
    assert_eq!(fixtures.len(), 6, "all files are there");
    fixtures
}

fn table_of(offsets: Vec<ExpectedOffset>) -> Table {
    let offsets = offsets.into_iter();
    offsets
        .map(|one| {
            let queue = MessageQueue::new(one.topic, one.broker, one.queue_id);
            (queue, one.offset)
        })
        .collect()
}

/// Queue of this number.
pub(super) fn queue(number: i32) -> MessageQueue {
    MessageQueue::new("orders", "broker-a", number)
}

/// A table of these offsets by queue.
pub(super) fn table(offsets: &[(i32, i64)]) -> Table {
    offsets
        .iter()
        .map(|(number, offset)| (queue(*number), *offset))
        .collect()
}

/// The options of a dialect.
pub(super) fn options(dialect: Dialect) -> Options {
    Options {
        dialect,
        ..Options::default()
    }
}

/// Files in the store's directory, on the simulated disk.
pub(super) struct Disk(pub(super) SimFs);

impl Disk {
    /// Nothing but the root.
    pub(super) fn empty() -> Self {
        let tree = [(PathBuf::from(ROOT), TreeEntry::Directory)];
        Self(SimFs::from_tree(&tree).unwrap())
    }

    /// The store's directory with these files.
    pub(super) fn with(files: &[(&str, &[u8])]) -> Self {
        let mut tree = Vec::new();
        let directory = Self::path("");
        let parents: Vec<&Path> = directory.ancestors().collect();
        for parent in parents.into_iter().rev().skip(1) {
            tree.push((parent.to_owned(), TreeEntry::Directory));
        }
        for (name, bytes) in files {
            tree.push((Self::path(name), TreeEntry::File(bytes.to_vec())));
        }
        Self(SimFs::from_tree(&tree).unwrap())
    }

    pub(super) fn fs(&self) -> Arc<dyn Fs> {
        Arc::new(self.0.clone())
    }

    pub(super) fn path(name: &str) -> PathBuf {
        let directory = Path::new(ROOT).join(CLIENT).join(GROUP);
        if name.is_empty() {
            directory
        } else {
            directory.join(name)
        }
    }

    pub(super) fn open_as(&self, options: Options) -> Result<Opened, Error> {
        open_on(self.fs(), options)
    }

    pub(super) fn open(&self) -> Opened {
        self.open_as(Options::default()).unwrap()
    }

    pub(super) fn look_as(&self, options: Options) -> Opened {
        let (client, group) = (OsStr::new(CLIENT), OsStr::new(GROUP));
        OffsetStore::open_read_only(self.fs(), Path::new(ROOT), client, group, options).unwrap()
    }

    /// A store that was opened without losses.
    pub(super) fn store(&self) -> OffsetStore {
        let opened = self.open();
        assert!(opened.losses.is_empty(), "{:?}", opened.losses);
        opened.store
    }

    /// The disk as the power cut leaves it that keeps the least.
    pub(super) fn after_power_cut(&self) -> Self {
        Self(worst(&self.0.recording(), profile("posix-min").unwrap()))
    }

    /// The bytes of a file, if it is there.
    pub(super) fn file(&self, name: &str) -> Option<Vec<u8>> {
        match self.0.entry(&Self::path(name))? {
            TreeEntry::File(bytes) => Some(bytes),
            TreeEntry::Directory | TreeEntry::Special => None,
        }
    }

    pub(super) fn place(&self, name: &str, bytes: &[u8]) {
        let entry = TreeEntry::File(bytes.to_vec());
        self.0.place(&Self::path(name), &entry).unwrap();
    }

    pub(super) fn erase(&self, name: &str) {
        self.0.erase(&Self::path(name)).unwrap();
    }

    /// All names below the root, and what they stand for.
    pub(super) fn tree(&self) -> Vec<(PathBuf, TreeEntry)> {
        self.0.tree()
    }

    /// The names in the store's directory, without the lock.
    pub(super) fn names(&self) -> Vec<String> {
        let directory = Self::path("");
        let tree = self.0.tree().into_iter();
        let inside = tree.filter(|(path, _)| path.parent() == Some(&directory));
        inside
            .map(|(path, _)| path.file_name().unwrap().to_str().unwrap().to_owned())
            .filter(|name| name != "offsets.lock")
            .collect()
    }
}

/// Opens the store on any filesystem.
pub(super) fn open_on(fs: Arc<dyn Fs>, options: Options) -> Result<Opened, Error> {
    let (client, group) = (OsStr::new(CLIENT), OsStr::new(GROUP));
    OffsetStore::open(fs, Path::new(ROOT), client, group, options)
}
