//! One turn of the original's loop, up to the place where it waits for a call.

use super::meta::PERMISSIONS;
use super::queue::{Queue, QueueError, Unsettled, signed};
use super::record_reader::RecordReader;
use crate::originals::temporary::ignore;
use crashline::fs::OpenMode;
use std::io;

impl Queue {
    /// Does what the last call left undone: moves on behind a message that was handed out, does
    /// the sync that is owed, reads one message ahead. Does nothing where all of it is done.
    ///
    /// Failed syncs and removals are passed over in silence. A segment that cannot be read, for
    /// whatever reason, is put aside as bad.
    ///
    /// # Errors
    /// Only [`QueueError::CutOff`].
    pub fn settle(&mut self) -> Result<(), QueueError> {
        self.steps.begin();
        if self.unsettled == Unsettled::Delivered {
            self.move_forward();
        }
        while self.unsettled != Unsettled::Nothing && self.step() {
            self.turn();
        }
        self.check_cut_off()
    }

    fn turn(&mut self) {
        // The count is compared, not the excess: a step over `sync_every` would never sync.
        self.sync_owed |= self.call_count == self.options.sync_every;
        if self.sync_owed {
            ignore(self.sync());
            self.call_count = 0;
        }
        let (read, write) = (self.meta.read, self.meta.write);
        self.ready = read.segment < write.segment || read.position < write.position;
        // Positions alone are compared: after the only message of a segment both are 0, and it is
        // read again; after a meta that was taken over in part they differ with nothing read.
        if self.ready && self.next_read.position == read.position && self.read_record().is_err() {
            self.ahead = Vec::new();
            self.put_aside();
            return;
        }
        self.unsettled = Unsettled::Nothing;
    }

    /// Reads the record at the read place into `ahead`.
    fn read_record(&mut self) -> io::Result<()> {
        let mut reader = match self.reader.take() {
            Some(reader) => reader,
            None => self.open_reader()?,
        };
        let mut length = [0; 4];
        reader.read_exact(&mut length)?;
        let size = i32::from_be_bytes(length);
        if size < self.options.message_bytes_min || size > self.options.message_bytes_max {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let bytes = usize::try_from(size).map_err(|_| io::ErrorKind::InvalidData)?;
        if bytes > self.ahead.capacity() {
            // Zeroed by the system as it is touched: a false length costs no memory.
            self.ahead = vec![0; bytes];
        } else {
            self.ahead.resize(bytes, 0);
        }
        reader.read_exact(&mut self.ahead)?;
        let end = i64::from(size.wrapping_add(4));
        self.next_read = self.meta.read;
        self.next_read.position = self.next_read.position.wrapping_add(end);
        // Whether a segment is finished is asked only here, behind a message.
        if self.meta.read.segment < self.meta.write.segment
            && self.next_read.position >= self.read_bytes_max
        {
            self.next_read.segment = self.next_read.segment.wrapping_add(1);
            self.next_read.position = 0;
        } else {
            self.reader = Some(reader);
        }
        Ok(())
    }

    fn open_reader(&mut self) -> io::Result<RecordReader> {
        let path = self.files.segment(self.meta.read.segment);
        let file = self.fs.open(&path, OpenMode::Read, PERMISSIONS)?;
        let offset = u64::try_from(self.meta.read.position).unwrap_or(0);
        let reader = RecordReader::new(file, offset);
        self.read_bytes_max = self.options.segment_bytes_max;
        if self.meta.read.segment < self.meta.write.segment
            && let Ok(size) = reader.size()
        {
            self.read_bytes_max = signed(size);
        }
        Ok(reader)
    }

    /// Moves on behind the message that was handed out; a segment that was left is removed at
    /// once, before the meta that no longer names it is written.
    fn move_forward(&mut self) {
        self.unsettled = Unsettled::Turn;
        let left = self.meta.read.segment;
        self.meta.read = self.next_read;
        self.meta.depth = self.meta.depth.wrapping_sub(1);
        if left != self.meta.read.segment {
            self.sync_owed = true;
            ignore(self.fs.remove_file(&self.files.segment(left)));
        }
        self.check_tail();
    }

    /// Renames the segment that could not be read, over an earlier one of that name, and goes on
    /// with the next; where it was the write segment, writing goes on behind it too.
    fn put_aside(&mut self) {
        let bad = self.meta.read.segment;
        if bad == self.meta.write.segment {
            self.begin_segment();
        }
        let (source, target) = (self.files.segment(bad), self.files.bad_segment(bad));
        ignore(self.fs.rename(&source, &target));
        self.meta.read.segment = bad.wrapping_add(1);
        self.meta.read.position = 0;
        self.next_read = self.meta.read;
        self.sync_owed = true;
        self.check_tail();
    }

    /// Where reading has caught up with writing, a depth other than zero is forced to zero; where
    /// it has overtaken writing, all is dropped.
    fn check_tail(&mut self) {
        let (read, write) = (self.meta.read, self.meta.write);
        if read.segment < write.segment || read.position < write.position {
            return;
        }
        if self.meta.depth != 0 {
            self.meta.depth = 0;
            self.sync_owed = true;
        }
        if read != write {
            ignore(self.skip_to_next_segment());
            self.sync_owed = true;
        }
    }
}
