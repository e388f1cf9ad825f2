//! A snapshot: a cursor of its own between a start and an end, which leaves nothing on disk.

use super::error::{Error, Loss};
use super::position::{End, Position};
use super::quirks::Quirks;
use super::reader_changes::Changes;
use super::reader_losses::Losses;
use super::reader_view::{View, check_position};
use super::record_reader::Step;
use crate::fs::Fs;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

/// A message, and where it was read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Message {
    /// The virtual offset of its record.
    pub offset: u64,
    /// The size of its record in bytes.
    pub moved: u64,
    /// The count behind it.
    pub count_after: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A cursor over a log. Dropping it is closing it.
///
/// Calls that go on behind damage tell of it with [`Snapshot::take_losses`].
#[derive(Debug)]
pub struct Snapshot {
    pub(super) view: View,
    /// Where it stands.
    pub(super) place: Position,
    /// The last boundary at or before that.
    pub(super) boundary: Position,
    /// The generation of the log that both were corrected for.
    since: u64,
    pub(super) losses: Losses,
}

impl Snapshot {
    /// Opens a snapshot of the log from `start` to `end`; it stands at the start.
    ///
    /// # Errors
    /// A name or a place that cannot be, a start behind the end; that of the filesystem.
    pub fn open(
        fs: Arc<dyn Fs>,
        directory: &Path,
        log: &OsStr,
        start: Position,
        end: End,
    ) -> Result<Self, Error> {
        check_position(&start)?;
        if end.position.offset < start.offset {
            return Err(Error::Refused {
                reason: "the start lies behind the end",
            });
        }
        let mut view = View::open(fs, directory, log, end, Quirks::default())?;
        view.start = start;
        Ok(Self {
            place: start,
            boundary: start,
            since: view.end.generation,
            losses: Losses::default(),
            view,
        })
    }

    /// The place of the next read. Its count is that of the last message border before it.
    #[must_use]
    pub fn position(&self) -> Position {
        self.place
    }

    /// The end that it was told last, or what is left of it where the log was cut since.
    #[must_use]
    pub fn queue_end(&self) -> End {
        self.view.end
    }

    /// Where it begins.
    #[must_use]
    pub fn queue_start(&self) -> Position {
        self.view.start
    }

    /// Losses that calls met which succeeded all the same, since the last time this was asked.
    #[must_use]
    pub fn take_losses(&mut self) -> Vec<Loss> {
        self.losses.take()
    }

    /// Looks at the writer's meta from now on only when a writer in the same process tells of a
    /// change. It has to tell of all.
    pub fn follow(&mut self, changes: &Changes) {
        self.view.follow(changes);
    }

    /// Tells it where the log ends; a position behind that, or behind the lowest place that the
    /// log was cut to since, moves there. The answer is whether anything changed: an end of an
    /// earlier generation, or one before the log's start, changes nothing.
    ///
    /// # Errors
    /// A place that cannot be; that of the filesystem; then nothing changed.
    pub fn update_queue_end(&mut self, end: End) -> Result<bool, Error> {
        check_position(&end.position)?;
        self.begin()?;
        let old = self.view.end;
        let is_refused = end == old
            || end.generation < old.generation
            || end.position.offset < self.view.start.offset;
        if is_refused {
            return Ok(false);
        }
        let kept = self.view.kept(self.boundary, self.since, &end)?;
        self.view.set_end(end)?;
        self.stand_at(kept, &end);
        self.stand_at_start()?;
        self.since = end.generation;
        Ok(true)
    }

    /// Moves forward to `offset`, which has so many messages before it, where that is given.
    ///
    /// # Errors
    /// A place before the position or the start, behind the end, inside a message, or with another
    /// count; that of the filesystem; then nothing changed.
    pub fn seek_to(&mut self, offset: u64, count: Option<u64>) -> Result<(), Error> {
        self.begin()?;
        if offset < self.place.offset {
            return Err(Error::Refused {
                reason: "the offset lies before the position",
            });
        }
        self.seek(offset, count)
    }

    /// As [`Snapshot::seek_to`], also backward.
    ///
    /// # Errors
    /// As [`Snapshot::seek_to`].
    pub fn reset_seek_to(&mut self, offset: u64, count: Option<u64>) -> Result<(), Error> {
        self.begin()?;
        self.seek(offset, count)
    }

    /// Moves to the end.
    ///
    /// # Errors
    /// That of the filesystem; then nothing changed.
    pub fn seek_to_end(&mut self) -> Result<(), Error> {
        self.begin()?;
        self.go_to(self.view.visible());
        Ok(())
    }

    /// Moves to the start of the next segment.
    ///
    /// # Errors
    /// There is none before the end; that of the filesystem; then nothing changed.
    pub fn skip_to_next(&mut self) -> Result<(), Error> {
        self.begin()?;
        let end = self.view.visible();
        if end.segment <= self.place.segment {
            return Err(Error::Refused {
                reason: "the end lies in this segment",
            });
        }
        let way = self.view.search.next_segment(self.boundary, &end)?;
        self.losses.meet(way.losses);
        self.go_to(way.to);
        Ok(())
    }

    fn seek(&mut self, offset: u64, count: Option<u64>) -> Result<(), Error> {
        let (start, end) = (self.view.start, self.view.visible());
        let reason = if end.offset < offset {
            "the offset lies behind the end"
        } else if offset < start.offset {
            "the offset lies before the start"
        } else {
            let from = if self.boundary.offset <= offset {
                self.boundary
            } else {
                start
            };
            match self.view.search.find(from, offset, count, &end)? {
                Some(way) => {
                    self.losses.meet(way.losses);
                    self.go_to(way.to);
                    return Ok(());
                }
                None => "there is no message border of this offset and count",
            }
        };
        Err(Error::Refused { reason })
    }

    /// Looks what became of the log.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        self.view.look()?;
        self.catch_up()
    }

    /// Follows the end where the log was cut, and the start where that moved.
    fn catch_up(&mut self) -> Result<(), Error> {
        let end = self.view.end;
        if end.generation != self.since {
            let kept = self.view.kept(self.boundary, self.since, &end)?;
            self.stand_at(kept, &end);
        }
        self.stand_at_start()?;
        // Not before that: what is below the start was left in an earlier generation.
        self.since = end.generation;
        Ok(())
    }

    /// Stands at what is left of its border under an end, or inside the message behind it still.
    fn stand_at(&mut self, kept: Option<Position>, end: &End) {
        let boundary = kept.unwrap_or(self.view.start);
        let is_kept = boundary == self.boundary && self.place.offset <= end.position.offset;
        self.boundary = boundary;
        if !is_kept {
            self.place = boundary;
        }
    }

    fn stand_at_start(&mut self) -> Result<(), Error> {
        let start = self.view.start;
        if self.place.offset == start.offset {
            self.go_to(start);
        }
        if self.place.offset < start.offset {
            let loss = self.view.lost_before_start(&self.place, self.since)?;
            self.losses.meet(loss);
            self.go_to(start);
        }
        Ok(())
    }

    pub(super) fn go_to(&mut self, to: Position) {
        if to.offset < self.boundary.offset {
            self.view.records.forget();
        }
        self.place = to;
        self.boundary = to;
    }

    /// Reads the next message; `None` at the end.
    ///
    /// # Errors
    /// Damage, which is passed; a position inside a message, to which raw reading may have led;
    /// that of the filesystem, and then nothing changed.
    pub fn read_one(&mut self) -> Result<Option<Message>, Error> {
        self.begin()?;
        if self.place != self.boundary {
            return Err(Error::Refused {
                reason: "the position lies inside a message",
            });
        }
        loop {
            let end = self.view.visible();
            match self.view.records.step(self.boundary, &end)? {
                Step::End => return Ok(None),
                Step::Record(record) => {
                    let message = Message {
                        offset: record.at.offset,
                        moved: record.next.offset - record.at.offset,
                        count_after: record.next.count,
                        bytes: self.view.records.body(&record).to_vec(),
                    };
                    self.go_to(record.next);
                    return Ok(Some(message));
                }
                Step::Lost(next, loss) => self.pass(next, loss)?,
            }
        }
    }

    /// Goes on behind what is lost, unless that is because the log was cut in the meantime.
    pub(super) fn pass(&mut self, next: Position, loss: Loss) -> Result<(), Error> {
        if self.view.look()? {
            return self.catch_up();
        }
        self.go_to(next);
        if self.losses.is_new(&loss) {
            return Err(Error::Damage { losses: vec![loss] });
        }
        Ok(())
    }
}
