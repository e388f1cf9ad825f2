//! [`OffsetStore`]: the table in memory and its operations.

use super::error::{Error, Loss};
use super::files::Files;
use super::message_queue::{MessageQueue, Table};
use super::options::Options;
use super::quirks::Quirk;
use super::survey::{Source, Survey};
use crate::fs::FsLock;
use std::collections::BTreeSet;
use std::ffi::OsString;

/// Where a read looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReadFrom {
    /// The table.
    Memory,
    /// The file.
    Store,
    /// The table; the file if the table has none.
    MemoryThenStore,
}

/// What may be done with a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Full,
    ReadOnly,
    Closed,
}

/// The offsets of one group of consumers, in memory and in a file.
#[derive(Debug)]
pub struct OffsetStore {
    pub(super) files: Files,
    pub(super) options: Options,
    pub(super) access: Access,
    /// Held until the store is closed.
    pub(super) lock: Option<Box<dyn FsLock>>,
    pub(super) table: Table,
    /// What the file holds, as far as this store read or wrote it.
    pub(super) stored: Table,
    /// Whether that is durable.
    pub(super) is_durable: bool,
    /// Whether file and backup were both damaged and nothing was persisted since.
    pub(super) is_lost: bool,
    /// Files whose damage was reported and is still there.
    pub(super) reported: BTreeSet<OsString>,
}

impl OffsetStore {
    /// The offset of a queue; `None` says that it has none.
    ///
    /// A read from the file looks at that file as it is now. It raises the table's offset of this
    /// queue if the file's is higher, and changes nothing else.
    ///
    /// # Errors
    /// [`Error::Damage`] once for newly met damage, then the read goes on with the backup;
    /// [`Error::BothDamaged`] where it cannot be known whether the queue has an offset; an IO
    /// error; [`Error::Closed`]. None of them says that there is no offset.
    pub fn read(&mut self, queue: &MessageQueue, from: ReadFrom) -> Result<Option<i64>, Error> {
        self.check_open()?;
        let known = self.table.get(queue).copied();
        let is_known = match from {
            ReadFrom::Memory => true,
            ReadFrom::Store => false,
            ReadFrom::MemoryThenStore => {
                known.is_some() || self.options.quirks.has(Quirk::StoreNeverRead)
            }
        };
        if is_known {
            return Ok(known);
        }
        match self.read_store(queue) {
            Err(_) if self.options.quirks.has(Quirk::ErrorIsAbsent) => Ok(None),
            read => read,
        }
    }

    fn read_store(&mut self, queue: &MessageQueue) -> Result<Option<i64>, Error> {
        let survey = Survey::take(&self.files)?;
        let losses = self.unreported(&survey);
        if survey.source == Source::Lost {
            return Err(Error::BothDamaged { losses });
        }
        if !losses.is_empty() {
            return Err(Error::Damage { losses });
        }
        let table = offsets_of(&survey.table);
        let found = table.get(queue).copied();
        if self.options.quirks.has(Quirk::StoreReadReplacesAll) {
            self.table = table;
        } else if self.options.quirks.has(Quirk::StoreReadMergesAll) {
            self.table.extend(table);
        } else if let Some(offset) = found {
            let increase_only = !self.options.quirks.has(Quirk::StoreReadLowers);
            self.set(queue, offset, increase_only);
        }
        Ok(found)
    }

    /// Sets the offset of a queue in the table; with `increase_only` it is never lowered.
    ///
    /// # Errors
    /// [`Error::Refused`] for a negative offset, [`Error::ReadOnly`], [`Error::Closed`].
    pub fn update(
        &mut self,
        queue: &MessageQueue,
        offset: i64,
        increase_only: bool,
    ) -> Result<(), Error> {
        self.check_writable()?;
        if offset < 0 {
            return Err(Error::Refused {
                reason: "an offset is not negative",
            });
        }
        let is_ignored = self.options.quirks.has(Quirk::IncreaseOnlyIgnored);
        self.set(queue, offset, increase_only && !is_ignored);
        Ok(())
    }

    fn set(&mut self, queue: &MessageQueue, offset: i64, increase_only: bool) {
        match self.table.get_mut(queue) {
            Some(known) if increase_only => *known = offset.max(*known),
            Some(known) => *known = offset,
            None => {
                self.table.insert(queue.clone(), offset);
            }
        }
    }

    /// Takes a queue out of the table and says what offset it had. The file keeps it until the
    /// whole table is persisted.
    ///
    /// # Errors
    /// [`Error::ReadOnly`], [`Error::Closed`].
    pub fn remove(&mut self, queue: &MessageQueue) -> Result<Option<i64>, Error> {
        self.check_writable()?;
        if self.options.quirks.has(Quirk::RemoveDoesNothing) {
            return Ok(self.table.get(queue).copied());
        }
        Ok(self.table.remove(queue))
    }

    /// The table's offsets of one topic, in the order of their queues.
    ///
    /// # Errors
    /// [`Error::Closed`].
    pub fn offsets(&self, topic: &str) -> Result<Table, Error> {
        self.check_open()?;
        let of_topic = self.table.iter().filter(|(queue, _)| queue.topic == topic);
        Ok(of_topic
            .map(|(queue, offset)| (queue.clone(), *offset))
            .collect())
    }

    /// The whole table.
    ///
    /// # Errors
    /// [`Error::Closed`].
    pub fn table(&self) -> Result<&Table, Error> {
        self.check_open()?;
        Ok(&self.table)
    }

    /// Persists the whole table and gives the store back. A store that found file and backup
    /// damaged, and that holds nothing, leaves them as they are.
    ///
    /// # Errors
    /// As [`OffsetStore::persist_all`]; the store stays open then. Closing it again is
    /// [`Error::Closed`].
    pub fn close(&mut self) -> Result<Vec<Loss>, Error> {
        self.check_open()?;
        let losses = match self.access {
            Access::Full if !(self.is_lost && self.table.is_empty()) => self.persist_all()?.losses,
            Access::Full | Access::ReadOnly | Access::Closed => Vec::new(),
        };
        self.access = Access::Closed;
        self.lock = None;
        Ok(losses)
    }

    /// The losses that nobody was told of yet; from now on they count as told.
    pub(super) fn unreported(&mut self, survey: &Survey) -> Vec<Loss> {
        let losses = survey.losses.iter();
        let files: BTreeSet<OsString> = losses.map(|loss| loss.file.clone()).collect();
        let reported = std::mem::replace(&mut self.reported, files);
        let is_new = |loss: &&Loss| !reported.contains(&loss.file);
        survey.losses.iter().filter(is_new).cloned().collect()
    }

    pub(super) fn check_open(&self) -> Result<(), Error> {
        match self.access {
            Access::Full | Access::ReadOnly => Ok(()),
            Access::Closed => Err(Error::Closed),
        }
    }

    pub(super) fn check_writable(&self) -> Result<(), Error> {
        match self.access {
            Access::Full => Ok(()),
            Access::ReadOnly => Err(Error::ReadOnly),
            Access::Closed => Err(Error::Closed),
        }
    }
}

/// The entries that are offsets: a negative one, which only an original writes, stands for none.
pub(super) fn offsets_of(table: &Table) -> Table {
    let offsets = table.iter().filter(|(_, offset)| **offset >= 0);
    offsets
        .map(|(queue, offset)| (queue.clone(), *offset))
        .collect()
}
