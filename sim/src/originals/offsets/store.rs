//! The store's state and its calls.

use super::files::{Leaked, read_all, write_to_file};
use super::table_json::{decode, encode};
use crate::originals::temporary::ignore;
use crate::scenario::{OffsetOptions, OffsetQueue, OffsetTable, ReadFrom};
use crashline::fs::Fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What "no offset" and every failure are told as.
const NO_OFFSET: i64 = -1;

/// Which state of the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Version {
    /// At 2173d07: a load adds to the table.
    Head,
    /// Before: a load replaces the table, and nobody can ask for the offsets of a topic.
    Seed,
}

/// An open store. Dropping it writes nothing.
#[derive(Debug)]
pub struct OffsetStore {
    fs: Arc<dyn Fs>,
    version: Version,
    path: PathBuf,
    table: OffsetTable,
    leaked: Leaked,
}

impl OffsetStore {
    /// Opens a store, which loads its file. Parts of the path are joined as they are. That the
    /// file cannot be loaded is told to nobody.
    #[must_use]
    pub fn open(fs: Arc<dyn Fs>, root: &Path, options: &OffsetOptions, version: Version) -> Self {
        let directory = root.join(&options.client).join(&options.group);
        let mut store = Self {
            fs,
            version,
            path: directory.join("offset.json"),
            table: OffsetTable::new(),
            leaked: Leaked::new(),
        };
        store.load();
        store
    }

    /// Loads the file. Without one nothing is done; if it cannot be read a backup is looked for,
    /// under a name that cannot be; if it cannot be parsed nothing is done.
    fn load(&mut self) {
        let fs = self.fs.as_ref();
        let mut read = read_all(fs, &self.path, &mut self.leaked);
        match &read {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(_) => read = read_all(fs, &self.path.join(".bak"), &mut self.leaked),
        }
        let Ok(bytes) = read else {
            return;
        };
        let Ok(table) = decode(&bytes) else {
            return;
        };
        match self.version {
            Version::Head => self.table.extend(table),
            Version::Seed => self.table = table,
        }
    }

    /// The offset of a queue; -1 stands for none and for every failure.
    pub fn read(&mut self, queue: &OffsetQueue, from: ReadFrom) -> i64 {
        let known = self.in_memory(queue);
        let is_memory = from == ReadFrom::Memory;
        if from != ReadFrom::Store && (known >= 0 || known == NO_OFFSET && is_memory) {
            return known;
        }
        self.load();
        self.in_memory(queue)
    }

    fn in_memory(&self, queue: &OffsetQueue) -> i64 {
        self.table.get(queue).copied().unwrap_or(NO_OFFSET)
    }

    /// Sets the offset of a queue; any number is one.
    pub fn update(&mut self, queue: &OffsetQueue, offset: i64, increase_only: bool) {
        match self.table.get_mut(queue) {
            Some(known) if increase_only && *known >= offset => {}
            Some(known) => *known = offset,
            None => drop(self.table.insert(queue.clone(), offset)),
        }
    }

    /// Writes the whole table, if there is at least one queue to persist, whichever. That it
    /// failed is told to nobody.
    pub fn persist(&mut self, queues: &[OffsetQueue]) {
        if queues.is_empty() {
            return;
        }
        let bytes = encode(&self.table);
        let fs = self.fs.as_ref();
        ignore(write_to_file(fs, &self.path, &bytes, &mut self.leaked));
    }

    /// Does nothing.
    pub fn remove(&mut self, _queue: &OffsetQueue) {}

    /// The offsets of a topic; the version before does not have this call.
    #[must_use]
    pub fn offsets(&self, topic: &str) -> Option<Vec<(OffsetQueue, i64)>> {
        let of_topic = self.table.iter().filter(|(queue, _)| queue.topic == topic);
        match self.version {
            Version::Head => Some(
                of_topic
                    .map(|(queue, offset)| (queue.clone(), *offset))
                    .collect(),
            ),
            Version::Seed => None,
        }
    }

    /// The queues of the table: what a caller passes to persist all of them.
    #[must_use]
    pub fn queues(&self) -> Vec<OffsetQueue> {
        self.table.keys().cloned().collect()
    }

    /// The table in memory.
    #[must_use]
    pub fn table(&self) -> OffsetTable {
        self.table.clone()
    }

    /// How many descriptors it holds that it will never close.
    #[must_use]
    pub fn leaked_count(&self) -> usize {
        self.leaked.len()
    }
}
