//! A disk with the files of one store, and short ways to open and ask a twin.

use crashline::fs::Fs;
use crashline_sim::originals::offsets::{OffsetStore, Version};
use crashline_sim::scenario::{
    OffsetOp, OffsetOptions, OffsetQueue, OffsetReply, OffsetTable, ReadFrom,
};
use crashline_sim::simfs::{SimFs, TreeEntry};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(super) const VERSIONS: [Version; 2] = [Version::Head, Version::Seed];

pub(super) fn queue(queue_id: i32) -> OffsetQueue {
    OffsetQueue {
        topic: "orders".to_owned(),
        broker: "broker-a".to_owned(),
        queue_id,
    }
}

/// A file as the original writes it.
pub(super) fn file_with(offsets: &[(i32, i64)]) -> Vec<u8> {
    let entry = |(number, offset): &(i32, i64)| {
        let key =
            format!(r#"{{\"topic\":\"orders\",\"brokerName\":\"broker-a\",\"queueId\":{number}}}"#);
        format!("\"{key}\":{offset}")
    };
    let entries: Vec<String> = offsets.iter().map(entry).collect();
    format!("{{\"offsetTable\":{{{}}}}}", entries.join(",")).into_bytes()
}

/// A disk with a store's directory.
pub(super) struct Disk(pub(super) SimFs);

impl Disk {
    pub(super) fn empty() -> Self {
        let root = (PathBuf::from("/data"), TreeEntry::Directory);
        Self(SimFs::from_tree(&[root]).expect("it is a tree"))
    }

    pub(super) fn with(files: &[(&str, &[u8])]) -> Self {
        let directory = Self::path("");
        let mut parents: Vec<&Path> = directory.ancestors().collect();
        parents.pop();
        parents.reverse();
        let entries = parents.into_iter();
        let mut tree: Vec<(PathBuf, TreeEntry)> = entries
            .map(|path| (path.to_owned(), TreeEntry::Directory))
            .collect();
        for (name, bytes) in files {
            tree.push((Self::path(name), TreeEntry::File(bytes.to_vec())));
        }
        Self(SimFs::from_tree(&tree).expect("it is a tree"))
    }

    pub(super) fn path(name: &str) -> PathBuf {
        let OffsetOptions { client, group, .. } = OffsetOptions::default();
        let directory = Path::new("/data").join(client).join(group);
        if name.is_empty() {
            directory
        } else {
            directory.join(name)
        }
    }

    pub(super) fn file(&self, name: &str) -> Option<Vec<u8>> {
        match self.0.entry(&Self::path(name))? {
            TreeEntry::File(bytes) => Some(bytes),
            TreeEntry::Directory | TreeEntry::Special => None,
        }
    }

    pub(super) fn open(&self, version: Version) -> OffsetStore {
        open_on(Arc::new(self.0.clone()), version)
    }
}

pub(super) fn open_on(fs: Arc<dyn Fs>, version: Version) -> OffsetStore {
    let options = OffsetOptions::default();
    OffsetStore::open(fs, Path::new("/data"), &options, version)
}

/// What a read from memory, then from the store answers.
pub(super) fn read(store: &mut OffsetStore, number: i32) -> i64 {
    store.read(&queue(number), ReadFrom::MemoryThenStore)
}

/// What the version at 2173d07 tells of a topic.
pub(super) fn table_of(store: &mut OffsetStore, topic: &str) -> OffsetTable {
    let topic = topic.to_owned();
    match store.apply(&OffsetOp::Offsets { topic }).result {
        Ok(OffsetReply::Offsets(offsets)) => offsets.into_iter().collect(),
        other => panic!("{other:?}"),
    }
}
