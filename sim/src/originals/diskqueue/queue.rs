//! The queue's state and the calls that the original's loop serves.

use super::files::Files;
use super::meta::{Meta, Place};
use super::record_reader::RecordReader;
use super::writing::Writer;
use crate::originals::steps::Steps;
use crate::originals::temporary::ignore;
use crashline::fs::Fs;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// How a queue is opened; signed, as in the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueOptions {
    /// A segment that would grow beyond this is rolled before the write.
    pub segment_bytes_max: i64,
    /// The smallest message accepted, and the smallest length believed on reading.
    pub message_bytes_min: i32,
    /// The largest message accepted, and the largest length believed on reading.
    pub message_bytes_max: i32,
    /// Calls between syncs.
    pub sync_every: i64,
}

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The size of the message is not within the limits.
    #[error("a message of {size} bytes is not within {min} to {max} bytes")]
    Size {
        /// Its size in bytes.
        size: i32,
        /// The smallest accepted.
        min: i32,
        /// The largest accepted.
        max: i32,
    },
    /// The filesystem failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The call took more steps than its bound; the queue must be dropped.
    #[error("cut off after {0} steps")]
    CutOff(u64),
}

/// What the loop still has to do before it serves the next call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unsettled {
    /// Nothing: it waits for a call.
    Nothing,
    /// One turn.
    Turn,
    /// To move on behind the message that was handed out, then one turn.
    Delivered,
}

/// An open queue. Dropping it writes nothing.
#[derive(Debug)]
pub struct Queue {
    pub(super) fs: Arc<dyn Fs>,
    pub(super) files: Files,
    pub(super) options: QueueOptions,
    /// Depth and the places up to which messages were read and written.
    pub(super) meta: Meta,
    /// Where reading goes on once the message read ahead is handed out.
    pub(super) next_read: Place,
    /// The message read ahead; what an earlier turn left, while no turn has read one.
    pub(super) ahead: Vec<u8>,
    /// There is something to hand out.
    pub(super) ready: bool,
    pub(super) reader: Option<RecordReader>,
    /// Where the segment being read is taken to be finished.
    pub(super) read_bytes_max: i64,
    pub(super) writer: Option<Writer>,
    pub(super) sync_owed: bool,
    /// Calls since the last sync was tried.
    pub(super) call_count: i64,
    pub(super) unsettled: Unsettled,
    pub(super) temporary_number: u64,
    pub(super) steps: Steps,
}

impl Queue {
    /// Opens the queue `name` in `directory`. Never fails: what cannot be loaded is taken for
    /// empty, or for as much as was loaded. The first turn is left to [`Queue::settle`].
    #[must_use]
    pub fn open(fs: Arc<dyn Fs>, directory: &Path, name: &OsString, options: QueueOptions) -> Self {
        let mut queue = Self {
            fs,
            files: Files::new(directory, name),
            options,
            meta: Meta::default(),
            next_read: Place::default(),
            ahead: Vec::new(),
            ready: false,
            reader: None,
            read_bytes_max: 0,
            writer: None,
            sync_owed: false,
            call_count: 0,
            unsettled: Unsettled::Turn,
            temporary_number: 0,
            steps: Steps::new(),
        };
        ignore(queue.load());
        queue
    }

    /// Takes the meta over. A write segment that is longer than the meta knows is left to the
    /// reader, and writing goes on in the next one, whatever that holds already.
    fn load(&mut self) -> io::Result<()> {
        self.meta.load(self.fs.as_ref(), &self.files)?;
        self.next_read = self.meta.read;
        let stat = self.fs.stat(&self.files.segment(self.meta.write.segment))?;
        if self.meta.write.position < signed(stat.size) {
            self.begin_segment();
        }
        Ok(())
    }

    /// Puts a message; the sync it may owe is left to the next turn.
    ///
    /// # Errors
    /// A size out of bounds, and the filesystem's errors; a sync that failed at a roll is not
    /// among them.
    pub fn put(&mut self, message: &[u8]) -> Result<(), QueueError> {
        self.serve()?;
        self.call_count = self.call_count.wrapping_add(1);
        self.write_record(message)
    }

    /// Hands out the message read ahead, or `None` where there is none. Moving on behind it, and
    /// removing a finished segment, is left to the next turn.
    ///
    /// # Errors
    /// Only [`QueueError::CutOff`].
    pub fn read(&mut self) -> Result<Option<&[u8]>, QueueError> {
        self.settle()?;
        if !self.ready {
            return Ok(None);
        }
        self.call_count = self.call_count.wrapping_add(1);
        self.unsettled = Unsettled::Delivered;
        Ok(Some(&self.ahead))
    }

    /// The depth as counted; it may be wrong, and below zero.
    ///
    /// # Errors
    /// Only [`QueueError::CutOff`].
    pub fn depth(&mut self) -> Result<i64, QueueError> {
        self.serve()?;
        Ok(self.meta.depth)
    }

    /// Removes the segments from the read one to the write one, and the meta.
    ///
    /// # Errors
    /// The last failed removal; the queue is empty nevertheless.
    pub fn empty(&mut self) -> Result<(), QueueError> {
        self.serve()?;
        let mut result = self.skip_to_next_segment();
        if let Err(error) = self.fs.remove_file(&self.files.meta())
            && error.kind() != io::ErrorKind::NotFound
        {
            result = Err(error);
        }
        self.call_count = 0;
        self.check_cut_off()?;
        Ok(result?)
    }

    /// The sync timer has fired: a sync is owed if there was a call since the last one.
    ///
    /// # Errors
    /// Only [`QueueError::CutOff`].
    pub fn timer_fired(&mut self) -> Result<(), QueueError> {
        self.serve()?;
        self.sync_owed |= self.call_count != 0;
        Ok(())
    }

    /// Closes the queue: writes the meta, but leaves the segment as it is, un-synced.
    ///
    /// # Errors
    /// The meta's.
    pub fn close(&mut self) -> Result<(), QueueError> {
        self.stop()?;
        Ok(self.sync()?)
    }

    /// What the original calls delete: stops the loop and removes nothing.
    ///
    /// # Errors
    /// Only [`QueueError::CutOff`].
    pub fn delete(&mut self) -> Result<(), QueueError> {
        self.stop()
    }

    fn stop(&mut self) -> Result<(), QueueError> {
        self.settle()?;
        self.reader = None;
        self.writer = None;
        Ok(())
    }

    /// Waits until the loop serves calls; it makes a turn after this one.
    fn serve(&mut self) -> Result<(), QueueError> {
        self.settle()?;
        self.unsettled = Unsettled::Turn;
        Ok(())
    }

    /// Counts a step; `false` once there were too many.
    pub(super) fn step(&mut self) -> bool {
        self.steps.take(self.fs.as_ref(), self.files.directory())
    }

    pub(super) fn check_cut_off(&self) -> Result<(), QueueError> {
        match self.steps.cut_off() {
            Some(steps) => Err(QueueError::CutOff(steps)),
            None => Ok(()),
        }
    }
}

/// A size as the original sees it.
pub(super) fn signed(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}
