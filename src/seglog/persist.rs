//! What the metas say of the log as it is, and the files that are derived from it: the start meta
//! and the sidecars.

use super::error::{Applied, Error};
use super::metas::Content;
use super::position::Position;
use super::sidecar::{self, Sidecar};
use super::start_meta;
use super::store::Store;
use super::writer::{LogWriter, Tail};
use super::writer_meta::WriterState;
use crate::fs::{OpenMode, ReplaceStep, SyncKind, replace_file, write_all_at};

impl LogWriter {
    /// What a meta of now says.
    pub(super) fn content(&self) -> Content {
        let durable = self.segment.durable();
        let flushed = match self.read_end.offset < durable.offset {
            true => durable,
            false => self.read_end,
        };
        let state = match (&self.tail, self.moving_from) {
            (_, Some(_)) => WriterState::Moving,
            (Tail::Clear, None) => WriterState::Opened,
            (Tail::Rejected(_) | Tail::Cut(_), None) => WriterState::Cutting,
        };
        Content {
            boot: self.boot,
            generation: self.generations.current(),
            life: self.generations.life(),
            state,
            flushed,
            durable,
            sums_bytes: self.segment.durable_sums,
            start: self.moving_from.unwrap_or(self.start),
        }
    }

    /// Makes the metas say what is; with `durable`, durably.
    pub(super) fn persist(&mut self, durable: bool) -> Result<(), Error> {
        let content = self.content();
        if self.metas.keeps(&content) {
            return Ok(());
        }
        self.metas.write(&self.store, &content, durable)
    }

    /// Lets readers read everything, all of which was synced, and makes the metas say so durably;
    /// returns the end. Where that fails, readers read it all the same.
    pub(super) fn show_all(&mut self) -> Result<Position, Error> {
        let end = self.segment.end();
        self.read_end = end;
        self.persist(true)
            .map_err(|error| error.with_applied(Applied::Everything))?;
        Ok(end)
    }

    /// Makes the metas say that the log is closed.
    pub(super) fn persist_closed(&mut self) -> Result<(), Error> {
        let mut content = self.content();
        content.state = match content.state {
            WriterState::Moving => WriterState::Moving,
            WriterState::Opened | WriterState::Cutting | WriterState::Closed => WriterState::Closed,
        };
        self.metas.write(&self.store, &content, true)
    }

    /// Replaces the start meta, which an original goes by. Its name is durable after the next sync
    /// of the directory.
    pub(super) fn write_start(&self) -> Result<(), Error> {
        let bytes = start_meta::encode(&self.start, self.generations.current());
        let spare = self.store.paths.start_spare();
        let target = self.store.paths.start_meta();
        let aside = self.store.open(&spare, OpenMode::Truncate)?;
        let fs = self.store.fs.as_ref();
        replace_file(fs, aside.as_ref(), &spare, &target, &bytes).map_err(|(step, error)| {
            let operation = match step {
                ReplaceStep::Write => "write",
                ReplaceStep::Sync => "sync",
                ReplaceStep::Rename => "rename",
            };
            Error::io(operation, &spare, error)
        })
    }
}

/// Writes the sidecar of a finished segment.
pub(super) fn write_sidecar(store: &Store, number: u64, told: &Sidecar) -> Result<(), Error> {
    let path = store.paths.sidecar(number);
    let file = store.open(&path, OpenMode::Truncate)?;
    write_all_at(file.as_ref(), 0, &sidecar::encode(told))
        .and_then(|()| file.sync(SyncKind::Data))
        .map_err(|error| Error::io("write", &path, error))
}
