//! Finds the next message: in memory, or checked against its sum in its segment's file.

use super::count::open;
use super::damage::Damage;
use super::error::Error;
use super::position::Position;
use super::queue::DiskQueue;
use super::quirks::Quirk;
use super::reader::Located;
use super::recovery::end_of;
use super::store::Store;
use crate::records::frame::{self, Frame, record_bytes};
use crate::records::sums::{Entry, Salt};

/// What stands at the read position.
enum Found {
    Record(Located),
    /// The segment ends here.
    End,
    Damage(Damage),
}

impl Found {
    fn damage(to: u64, messages: Option<u64>) -> Self {
        Self::Damage(Damage {
            to,
            messages,
            is_counted_so: false,
        })
    }
}

impl DiskQueue {
    /// The next record, checked; `None` at the end of the log.
    pub(super) fn locate(&mut self) -> Result<Option<Located>, Error> {
        if let Some(located) = self.reader.located() {
            return Ok(Some(located));
        }
        loop {
            let position = self.reader.position();
            let end = self.writer.position();
            if position >= end {
                return Ok(None);
            }
            if position.segment == end.segment && position.offset >= self.writer.durable() {
                return Ok(self.locate_in_memory(position));
            }
            if !self.open_segment(position.segment)? {
                return Err(self.pass_missing(position));
            }
            match self.judge(position)? {
                Found::Record(located) => return Ok(Some(self.reader.set_located(located))),
                Found::End => self.go_to_next(position.segment),
                Found::Damage(damage) => return Err(self.pass_damage(position, &damage)?),
            }
        }
    }

    /// The next record where nothing has to be asked of a file or decided; what
    /// [`DiskQueue::locate`] finds there is the same.
    #[inline]
    pub(super) fn next_buffered(&mut self) -> Option<Located> {
        let located = self.reader.next_buffered()?;
        let is_refused = self.options.quirks.has(Quirk::LimitsOnStored)
            && self.options.check_message(located.length as usize).is_err();
        (!is_refused).then_some(located)
    }

    /// Unsynced bytes are read from memory: after a failed sync the file may not have them.
    fn locate_in_memory(&mut self, position: Position) -> Option<Located> {
        let at = usize::try_from(position.offset - self.writer.durable()).ok()?;
        let Frame::Record { length } = frame::first(self.writer.unsynced().get(at..)?) else {
            unreachable!("memory holds whole records from the durable offset on")
        };
        Some(self.reader.set_located(Located {
            offset: position.offset,
            length,
            is_in_memory: true,
        }))
    }

    /// Opens the read segment unless it is; `false` if it is not there.
    fn open_segment(&mut self, segment: u64) -> Result<bool, Error> {
        let is_last = segment == self.writer.position().segment;
        if self.reader.segment == Some(segment) {
            if is_last {
                let (limit, sums) = (self.writer.durable(), self.writer.sums_bytes());
                self.reader.extend(segment, limit, sums);
            }
            return Ok(true);
        }
        // How far the write segment and its sums reach is known; others are asked.
        let opened = if is_last {
            self.store.find_segment(segment).map(|file| {
                let found = file.is_some();
                if let Some(file) = file {
                    self.reader.frames.open(file, self.writer.durable());
                }
                found
            })
        } else {
            open(
                &mut self.store,
                &mut self.reader.frames,
                segment,
                &self.ends,
            )
        };
        match opened {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(_) if self.options.quirks.has(Quirk::OpenErrorIsCorruption) => {
                self.kept.push(segment);
                return Ok(false);
            }
            Err(error) => return Err(error),
        }
        let file = self.store.find_sums(segment)?;
        let limit = match &file {
            _ if is_last => self.writer.sums_bytes(),
            Some(file) => file
                .size()
                .map_err(|error| self.store.sums_error("stat", segment, error))?,
            None => 0,
        };
        let salt = Salt::new(self.generation, segment);
        self.reader.sums.open(file, salt, 0, limit);
        self.reader.segment = Some(segment);
        Ok(true)
    }

    /// Goes on to the next segment if the reader stands at the very end of a sealed one: then that
    /// is finished. What cannot be told now is told by the next read.
    pub(super) fn leave_finished(&mut self) {
        let Position { segment, offset } = self.reader.position();
        let is_sealed = segment < self.writer.position().segment;
        if !is_sealed || offset == 0 || self.reader.located().is_some() {
            return;
        }
        let is_open = self.open_segment(segment);
        if is_open.is_ok_and(|is_there| is_there)
            && self.reader.frames.limit() == offset
            && self
                .reader
                .sums
                .entry_at(offset)
                .is_ok_and(|beyond| beyond.is_none())
        {
            self.go_to_next(segment);
        }
    }

    /// Judges what stands at `position` of the open segment.
    fn judge(&mut self, Position { segment, offset }: Position) -> Result<Found, Error> {
        let reader = &mut self.reader;
        let frame = reader
            .frames
            .at(offset)
            .map_err(|error| self.store.segment_error("read", segment, error))?;
        let known = reader
            .sums
            .entry_at(offset)
            .map_err(|error| self.store.sums_error("read", segment, error))?;
        let limit = reader.frames.limit();
        if known.is_none()
            && reader
                .sums
                .sealed_at()
                .is_some_and(|end| (end..limit).contains(&offset))
        {
            // Bytes behind the end of a sealed segment: none of them was put.
            return Ok(Found::damage(limit, Some(0)));
        }
        if let Frame::Record { length } = frame {
            let record = reader.frames.record(offset, length);
            let is_right =
                known.is_none_or(|entry| reader.sums.salt().agrees(entry, offset, record));
            let is_refused = self.options.quirks.has(Quirk::LimitsOnStored)
                && self.options.check_message(length as usize).is_err();
            if is_right && !is_refused {
                return Ok(Found::Record(Located {
                    offset,
                    length,
                    is_in_memory: false,
                }));
            }
        }
        match (known, frame) {
            (Some(Entry { length, .. }), Frame::Record { .. } | Frame::Broken)
                if offset.saturating_add(record_bytes(length)) <= limit =>
            {
                Ok(Found::Damage(Damage {
                    to: offset + record_bytes(length),
                    messages: Some(1),
                    is_counted_so: frame == Frame::Record { length },
                }))
            }
            // The sums reach beyond the end: so many records are cut off.
            (Some(_), _) if self.may_be_cut(segment) => {
                let records =
                    reader_count(&mut self.store, &mut self.reader.sums, segment, offset)?;
                Ok(Found::damage(limit.max(offset), Some(records)))
            }
            (_, Frame::End) => Ok(Found::End),
            _ => Ok(Found::damage(limit.max(offset), None)),
        }
    }

    /// Whether the end of the open segment may be the work of damage: not where recovery set it.
    fn may_be_cut(&self, segment: u64) -> bool {
        end_of(&self.ends, segment).is_none()
    }

    /// The segment is read to its end.
    pub(super) fn go_to_next(&mut self, segment: u64) {
        let at = self.segments.partition_point(|number| *number <= segment);
        let next = self.segments.get(at).copied();
        let next = next.unwrap_or(self.writer.position().segment);
        self.reader.move_to(Position::start_of(next));
    }
}

fn reader_count(
    store: &mut Store,
    sums: &mut super::sums_reader::SumsReader,
    segment: u64,
    offset: u64,
) -> Result<u64, Error> {
    sums.count_from(offset)
        .map_err(|error| store.sums_error("read", segment, error))
}
