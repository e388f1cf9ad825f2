//! [`DiskQueue`]: the operations, each in terms of the parts.

use super::error::{Applied, Error};
use super::meta::Meta;
use super::options::Options;
use super::owed::Owed;
use super::quirks::Quirk;
use super::reader::Reader;
use super::recovery::Reject;
use super::store::Store;
use super::writer::Writer;
use crate::fs::{BootId, FsFile, FsLock};
use std::collections::VecDeque;
use std::path::PathBuf;

/// What may be done with a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Full,
    ReadOnly,
    /// After close or delete.
    Gone,
}

/// A FIFO queue of messages in files. Dropping it writes nothing, as when its process dies: call
/// [`DiskQueue::close`].
#[derive(Debug)]
pub struct DiskQueue {
    pub(super) store: Store,
    pub(super) options: Options,
    pub(super) access: Access,
    pub(super) lock: Option<Box<dyn FsLock>>,
    pub(super) reader: Reader,
    pub(super) writer: Writer,
    pub(super) depth: u64,
    /// It was counted by lengths, whatever the sums say.
    pub(super) is_depth_counted: bool,
    /// Numbers of the segments there are, ascending.
    pub(super) segments: VecDeque<u64>,
    /// Segments that end before their files do, and where.
    pub(super) ends: Vec<(u64, u64)>,
    /// What recovery rejected and a full disk kept from being quarantined.
    pub(super) rejects: Vec<Reject>,
    /// Finished segments that are quarantined instead of removed.
    pub(super) kept: Vec<u64>,
    /// What open could not remove, for a later delete.
    pub(super) superfluous: Vec<PathBuf>,
    /// The segment to go on in, once nothing rejected is left.
    pub(super) new_segment: Option<u64>,
    pub(super) boot: Option<BootId>,
    /// The boot that metas name: not this one while something rejected is left.
    pub(super) noted_boot: Option<BootId>,
    pub(super) generation: u64,
    pub(super) spare: Option<Box<dyn FsFile>>,
    /// What the meta file says, as far as is known: its lines, and whether it says `closed`.
    pub(super) persisted: (Meta, bool),
    /// The meta file names this boot and `opened`, so that puts may follow it.
    pub(super) stamped: bool,
    /// The meta must be replaced before anything is written: it may name a place before which
    /// nothing may change any more.
    pub(super) meta_owed: bool,
    pub(super) owed: Owed,
}

impl DiskQueue {
    /// Puts a message at the end.
    ///
    /// # Errors
    /// [`Error::MessageSize`], or an IO error; the message was not put.
    pub fn put(&mut self, message: &[u8]) -> Result<(), Error> {
        self.put_batch(&[message])
            .map_err(|error| error.with_applied(Applied::Nothing))
    }

    /// Puts several messages at the end with as few writes as can be.
    ///
    /// # Errors
    /// [`Error::MessageSize`], and nothing was put; or an IO error, which tells how many leading
    /// messages were put.
    pub fn put_batch<M: AsRef<[u8]>>(&mut self, messages: &[M]) -> Result<(), Error> {
        if self.is_quick_put(messages) {
            return self.put_quickly(messages);
        }
        self.write_batch(messages)?;
        self.sync_owed_by_put();
        Ok(())
    }

    /// How the queue was opened.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Reads the next message into a buffer of its own; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Damage`] where damage was met: the next call goes on behind it. An IO error
    /// changes nothing.
    pub fn read(&mut self) -> Result<Option<Vec<u8>>, Error> {
        self.read_slice().map(|message| message.map(<[u8]>::to_vec))
    }

    /// Reads the next message without copying it.
    ///
    /// # Errors
    /// As [`DiskQueue::read`].
    pub fn read_slice(&mut self) -> Result<Option<&[u8]>, Error> {
        self.begin_reading()?;
        let located = match self.next_buffered() {
            Some(located) => located,
            None => match self.locate()? {
                Some(located) => located,
                None => return Ok(None),
            },
        };
        self.reader.pass(located);
        self.depth = self.depth.saturating_sub(1);
        if !self.options.quirks.has(Quirk::ReadsNeverSynced) {
            self.owed.count(1);
        }
        Ok(Some(self.reader.body(located, &self.writer)))
    }

    /// Reads the next message and hands it to `use_message` without copying it.
    ///
    /// # Errors
    /// As [`DiskQueue::read`].
    pub fn read_with<T>(
        &mut self,
        use_message: impl FnOnce(&[u8]) -> T,
    ) -> Result<Option<T>, Error> {
        Ok(self.read_slice()?.map(use_message))
    }

    /// Shows the message that the next read returns; `None` if there is none.
    ///
    /// # Errors
    /// As [`DiskQueue::read`].
    pub fn peek(&mut self) -> Result<Option<&[u8]>, Error> {
        self.begin_reading()?;
        let Some(located) = self.locate()? else {
            return Ok(None);
        };
        Ok(Some(self.reader.body(located, &self.writer)))
    }

    /// How many messages will still be delivered, unless damage is met.
    ///
    /// # Errors
    /// [`Error::Closed`].
    pub fn depth(&mut self) -> Result<u64, Error> {
        self.begin_reading()?;
        Ok(self.depth)
    }

    /// Makes everything durable that was put and read so far.
    ///
    /// # Errors
    /// An IO error, or that of an earlier owed sync that reached nobody yet: no promise is made.
    pub fn sync(&mut self) -> Result<(), Error> {
        match self.access {
            Access::Full => {}
            // Nothing is ever unsynced.
            Access::ReadOnly => return Ok(()),
            Access::Gone => return Err(Error::Closed),
        }
        let unreported = self.owed.take_error();
        self.sync_all()?;
        unreported.map_or(Ok(()), Err)
    }

    /// Tells the time, in milliseconds since any start; it may stand or jump. Syncs what has been
    /// unsynced for the sync timeout; a failure of that reaches the next sync or close.
    ///
    /// # Errors
    /// [`Error::Closed`].
    pub fn tick(&mut self, now_ms: u64) -> Result<(), Error> {
        self.begin_reading()?;
        if self.access == Access::ReadOnly {
            return Ok(());
        }
        let is_clean = !self.is_dirty();
        if self
            .owed
            .is_timed_out(now_ms, self.options.sync_timeout_ms, is_clean)
        {
            self.attempt_sync();
        }
        Ok(())
    }

    /// Makes everything durable and closes the queue, so that opening it gives exactly this state.
    /// After an error it is still open.
    ///
    /// # Errors
    /// As [`DiskQueue::sync`].
    pub fn close(&mut self) -> Result<(), Error> {
        match self.access {
            Access::Gone => return Err(Error::Closed),
            Access::ReadOnly => {}
            Access::Full => {
                let unreported = self.owed.take_error();
                self.discharge()?;
                self.flush_writer()?;
                if self.is_dirty() || !self.persisted.1 {
                    // An unreported error leaves the queue open, so the meta must not say closed.
                    self.persist(unreported.is_none())?;
                }
                unreported.map_or(Ok(()), Err)?;
            }
        }
        self.let_go();
        Ok(())
    }

    /// Lets go of all files and of the lock.
    pub(super) fn let_go(&mut self) {
        self.access = Access::Gone;
        self.reader.close();
        self.writer.begin(self.writer.position().segment);
        self.spare = None;
        self.lock = None;
    }

    pub(super) fn check_writable(&self) -> Result<(), Error> {
        match self.access {
            Access::Full => Ok(()),
            Access::ReadOnly => Err(Error::ReadOnly),
            Access::Gone => Err(Error::Closed),
        }
    }

    /// What every writing operation begins with.
    #[inline]
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        self.check_writable()?;
        self.sync_if_owed();
        Ok(())
    }

    #[inline]
    fn begin_reading(&mut self) -> Result<(), Error> {
        if self.access == Access::Gone {
            return Err(Error::Closed);
        }
        self.sync_if_owed();
        Ok(())
    }

    #[inline]
    pub(super) fn sync_if_owed(&mut self) {
        if self.owed.is_due(self.options.sync_every) && self.access == Access::Full {
            self.attempt_sync();
        }
    }

    /// Does an owed sync; its error waits for the next sync or close.
    fn attempt_sync(&mut self) {
        if let Err(error) = self.sync_all()
            && !self.options.quirks.has(Quirk::OwedErrorLost)
        {
            self.owed.keep_error(error);
        }
    }

    /// Makes everything durable.
    pub(super) fn sync_all(&mut self) -> Result<(), Error> {
        self.flush_writer()?;
        if self.is_dirty() {
            self.persist(false)?;
        }
        self.owed.clear();
        Ok(())
    }

    /// Makes what was put durable. What was located in memory is looked for in its segment from
    /// now on.
    pub(super) fn flush_writer(&mut self) -> Result<(), Error> {
        self.writer.flush(&mut self.store)?;
        self.reader.forget_memory();
        Ok(())
    }

    /// Whether the files say anything else than what is.
    fn is_dirty(&self) -> bool {
        self.meta_owed || self.writer.is_dirty() || self.persisted.0 != self.meta_now()
    }

    /// What a meta of now says.
    pub(super) fn meta_now(&self) -> Meta {
        Meta {
            depth: i64::try_from(self.depth).unwrap_or(i64::MAX),
            read: self.reader.position(),
            write: self.writer.position(),
        }
    }
}
