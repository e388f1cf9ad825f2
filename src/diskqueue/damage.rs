//! Goes on behind what cannot be read: the bytes are kept aside, the loss is told, the depth
//! corrected.

use super::count::count;
use super::error::{Error, Loss, LossKind};
use super::position::Position;
use super::quarantine;
use super::queue::{Access, DiskQueue};
use super::quirks::Quirk;
use crate::records::frame;

/// Bytes that are not delivered.
pub(super) struct Damage {
    /// Where the next record may be.
    pub(super) to: u64,
    /// How many messages are in it, where known.
    pub(super) messages: Option<u64>,
    /// Whether lengths that follow one another count just as many, and go on there.
    pub(super) is_counted_so: bool,
}

impl DiskQueue {
    /// Goes on behind a segment that is not there, and corrects the depth.
    pub(super) fn pass_missing(&mut self, position: Position) -> Error {
        let path = self.store.paths.segment(position.segment);
        let loss = Loss::new(LossKind::Damaged, path, position.offset, 0);
        self.segments.retain(|number| *number != position.segment);
        if position.segment == self.writer.position().segment {
            let end = self.writer.durable();
            self.reader.move_to(Position::new(position.segment, end));
        } else {
            self.go_to_next(position.segment);
        }
        self.damaged(loss, false)
    }

    /// Quarantines the damage at `position`, goes on behind it, and corrects the depth.
    pub(super) fn pass_damage(
        &mut self,
        position: Position,
        damage: &Damage,
    ) -> Result<Error, Error> {
        let Position { segment, offset } = position;
        let to = damage.to;
        if self.access == Access::Full && offset < to {
            self.keep_damage(segment, offset, to)?;
        }
        let path = self.store.paths.segment(segment);
        let mut loss = Loss::new(LossKind::Damaged, path, offset, to - offset);
        loss.messages = damage.messages;
        let is_cut = to >= self.reader.frames.limit();
        if is_cut && segment != self.writer.position().segment {
            self.go_to_next(segment);
        } else {
            self.reader.move_to(Position::new(segment, to));
        }
        Ok(self.damaged(loss, damage.is_counted_so))
    }

    fn keep_damage(&mut self, segment: u64, from: u64, to: u64) -> Result<(), Error> {
        let path = self.store.paths.segment(segment).to_owned();
        let Some(file) = self.reader.frames.file() else {
            return Ok(());
        };
        match quarantine::keep_range(&self.store, file, &path, from, to) {
            Err(error) if error.is_full_disk() => {
                // No space for a copy: the segment itself is kept when it is finished.
                self.kept.push(segment);
                Ok(())
            }
            result => result,
        }
    }

    /// Corrects the depth for a loss and makes it an error. Where the depth was counted by lengths
    /// alone, less what is lost it is right only if they say the same.
    fn damaged(&mut self, loss: Loss, is_counted_so: bool) -> Error {
        if !self.options.quirks.has(Quirk::DepthIsACounter) {
            let fits = is_counted_so || !self.is_depth_counted;
            let known = loss.messages.filter(|_| fits);
            let known = known.filter(|count| *count <= self.depth);
            // Where counting fails, the next damage or open corrects what is left.
            self.depth = match known {
                Some(count) => self.depth - count,
                None => self.count_left().unwrap_or(self.depth.saturating_sub(1)),
            };
        }
        Error::Damage { losses: vec![loss] }
    }

    fn count_left(&mut self) -> Result<u64, Error> {
        let end = self.writer.position();
        let durable = Position::new(end.segment, self.writer.durable());
        self.is_depth_counted = true;
        let from = self.reader.position();
        let mut memory = self.writer.unsynced();
        if from.segment == end.segment && from > durable {
            let skipped = usize::try_from(from.offset - durable.offset).unwrap_or(usize::MAX);
            memory = memory.get(skipped..).unwrap_or_default();
        }
        let in_memory = frame::count(memory);
        let (segments, ends) = (&self.segments, &self.ends);
        Ok(in_memory + count(&mut self.store, segments, ends, from, durable)?)
    }
}
