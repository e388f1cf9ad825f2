//! A root with a store in it, and what all stages do with one.

use super::super::run::{Disk, lay_out};
use super::super::stages::Lost;
use super::super::vector::{Name, StoreOptions, TableEntry, Vector, VectorOptions};
use crate::fault::{FaultFs, FaultPlan};
use crate::scenario::OffsetDialect;
use crashline::fs::Fs;
use crashline::offsets::{
    Dialect, Error, Loss, MessageQueue, OffsetStore, Opened, Options, Quirks, Table,
};
use std::path::PathBuf;
use std::sync::Arc;

/// The engine whose vectors these are.
pub(in super::super) const ENGINE: &str = "offsets";

/// A store's place, and how it is opened.
#[derive(Debug)]
pub(super) struct Bench {
    pub(super) fs: Arc<dyn Fs>,
    /// Goes wrong when a step says so.
    pub(super) faults: FaultFs,
    pub(super) root: PathBuf,
    pub(super) options: StoreOptions,
    quirks: Quirks,
}

impl Bench {
    /// The root of a vector. The store's directory is there if the vector says what is in it.
    pub(super) fn new(vector: &Vector, disk: &Disk, quirks: Quirks) -> Result<Self, String> {
        let Some(VectorOptions::Store(options)) = vector.options.clone() else {
            return Err("it has no options of an offset store".to_owned());
        };
        let faults = FaultFs::over(Arc::clone(&disk.fs), FaultPlan::default());
        let bench = Self {
            fs: Arc::new(faults.clone()),
            faults,
            root: disk.directory.clone(),
            options,
            quirks,
        };
        if let Some(files) = &vector.files {
            let directory = bench.directory();
            for made in [bench.root.join(bench.options.client.to_os()), directory] {
                bench.fs.create_dir(&made).map_err(words)?;
            }
            lay_out(bench.fs.as_ref(), &bench.directory(), files)?;
        }
        Ok(bench)
    }

    /// The store's directory: each of its names is one of the path, byte for byte.
    pub(super) fn directory(&self) -> PathBuf {
        let StoreOptions { client, group, .. } = &self.options;
        self.root.join(client.to_os()).join(group.to_os())
    }

    pub(super) fn open(&self, options: &StoreOptions) -> Result<Opened, Error> {
        let (client, group) = (options.client.to_os(), options.group.to_os());
        let (fs, engine_options) = (Arc::clone(&self.fs), self.engine_options(options));
        OffsetStore::open(fs, &self.root, &client, &group, engine_options)
    }

    pub(super) fn look(&self, options: &StoreOptions) -> Result<Opened, Error> {
        let (client, group) = (options.client.to_os(), options.group.to_os());
        let (fs, engine_options) = (Arc::clone(&self.fs), self.engine_options(options));
        OffsetStore::open_read_only(fs, &self.root, &client, &group, engine_options)
    }

    fn engine_options(&self, options: &StoreOptions) -> Options {
        Options {
            dialect: dialect(options.dialect),
            quirks: self.quirks,
            ..Options::default()
        }
    }
}

/// A dialect as the engine has it.
pub(super) fn dialect(dialect: OffsetDialect) -> Dialect {
    match dialect {
        OffsetDialect::Go => Dialect::Go,
        OffsetDialect::Java => Dialect::Java,
    }
}

/// A table as the engine has it.
pub(super) fn table_of(entries: &[TableEntry]) -> Table {
    let entries = entries.iter();
    entries
        .map(|TableEntry(topic, broker, queue_id, offset)| {
            let queue = MessageQueue::new(topic.as_str(), broker.as_str(), *queue_id);
            (queue, *offset)
        })
        .collect()
}

/// A table as vectors tell it.
pub(super) fn told_table(table: &Table) -> Vec<TableEntry> {
    let entry = |(queue, offset): (&MessageQueue, &i64)| {
        let MessageQueue {
            topic,
            broker,
            queue_id,
        } = queue.clone();
        TableEntry(topic, broker, queue_id, *offset)
    };
    table.iter().map(entry).collect()
}

/// Losses as vectors tell them.
pub(super) fn told_losses(losses: &[Loss]) -> Vec<Lost> {
    let told = |loss: &Loss| Lost {
        file: Name::of(&loss.file),
        offset: loss.offset,
        size: loss.size,
        messages: loss.messages,
    };
    losses.iter().map(told).collect()
}

/// An error in words.
pub(super) fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}
