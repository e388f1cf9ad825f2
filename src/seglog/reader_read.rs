//! Reading and confirming.

use super::error::Error;
use super::quirks::Quirk;
use super::reader::LogReader;
use super::record_reader::Step;
use super::snapshot::Message;

/// What is confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Confirm {
    /// Everything that was read.
    AllRead,
    /// Everything before a virtual offset.
    UpTo {
        /// The offset.
        offset: u64,
        /// The count there; it may be left open at the read position.
        count: Option<u64>,
    },
}

impl LogReader {
    /// Reads the next message; `None` at the end.
    ///
    /// # Errors
    /// It is closed. Damage, which is passed: the next call goes on behind it; a reader that skips
    /// damage by itself goes on at once, confirms it where there is nothing unconfirmed before it,
    /// and tells of it with [`LogReader::take_losses`]. That of the filesystem, and then nothing
    /// changed.
    pub fn try_read_one(&mut self) -> Result<Option<Message>, Error> {
        self.begin()?;
        loop {
            let end = self.view.visible();
            match self.view.records.step(self.read, &end)? {
                Step::End => return Ok(None),
                Step::Record(record) => {
                    self.read = record.next;
                    self.last = Some(record);
                    return Ok(Some(Message {
                        offset: record.at.offset,
                        moved: record.next.offset - record.at.offset,
                        count_after: record.next.count,
                        bytes: self.view.records.body(&record).to_vec(),
                    }));
                }
                // The log was cut in the meantime.
                Step::Lost(..) if self.view.look()? => self.catch_up()?,
                Step::Lost(next, loss) => {
                    let is_all_confirmed = self.read == self.confirmed;
                    self.read = next;
                    self.last = None;
                    if self.options.auto_skip_damaged {
                        self.losses.meet([loss]);
                        if is_all_confirmed {
                            self.confirm(next);
                        }
                    } else if self.losses.is_new(&loss) {
                        return Err(Error::Damage { losses: vec![loss] });
                    }
                }
            }
        }
    }

    /// Confirms messages that were read. What is confirmed already is confirmed again without
    /// effect.
    ///
    /// # Errors
    /// It is closed; an offset behind the read position, inside a message, with another count, or
    /// without one anywhere but at the read position; that of the filesystem; then nothing changed.
    pub fn confirm_read(&mut self, confirm: Confirm) -> Result<(), Error> {
        self.begin()?;
        let Confirm::UpTo { offset, count } = confirm else {
            self.confirm(self.read);
            return Ok(());
        };
        if offset <= self.confirmed.offset {
            return Ok(());
        }
        let refused = |reason| Err(Error::Refused { reason });
        let takes_unread = self.options.quirks.has(Quirk::ConfirmTakesUnread);
        if self.read.offset < offset && !takes_unread {
            return refused("the offset lies behind what was read");
        }
        if self.read.offset == offset {
            if count.is_some_and(|count| count != self.read.count) {
                return refused("the count is not that of the read position");
            }
            self.confirm(self.read);
            return Ok(());
        }
        if count.is_none() {
            return refused("a place that is not the read position needs its count");
        }
        let end = match takes_unread {
            true => self.view.visible(),
            false => self.read,
        };
        let found = self.view.search.find(self.confirmed, offset, count, &end)?;
        match found {
            Some(way) => {
                self.confirm(way.to);
                Ok(())
            }
            None => refused("no message that was read ends there with this count"),
        }
    }
}
