//! What recovery writes: kept bytes are made durable, rejected ones quarantined and cut.

use super::error::Error;
use super::quarantine;
use super::queue::DiskQueue;
use super::recovery::{Reject, Span};
use super::store::Store;
use crate::fs::{FsFile, OpenMode, SyncKind, read_up_to, write_all_at};
use std::io;

const PIECE_BYTES: u64 = 1024 * 1024;

/// Makes the bytes of `span` durable.
pub(super) fn secure(store: &mut Store, span: &Span) -> Result<(), Error> {
    let file = store.open_segment(span.segment, OpenMode::Write)?;
    let rewritten = match span.rewrite {
        true => rewrite(file.as_ref(), span.from, span.to),
        false => Ok(()),
    };
    rewritten
        .and_then(|()| file.sync(SyncKind::Data))
        .map_err(|error| store.segment_error("sync", span.segment, error))
}

/// Writes what is there again: a failed sync may have left the system thinking it is durable.
fn rewrite(file: &dyn FsFile, from: u64, to: u64) -> io::Result<()> {
    let size = usize::try_from((to - from).min(PIECE_BYTES)).unwrap_or_default();
    let mut buffer = vec![0; size];
    let mut offset = from;
    while offset < to {
        let left = usize::try_from(to - offset).unwrap_or(usize::MAX);
        let room = buffer.get_mut(..size.min(left)).unwrap_or_default();
        let count = read_up_to(file, offset, room)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        write_all_at(file, offset, room.get(..count).unwrap_or_default())?;
        offset += count as u64;
    }
    Ok(())
}

impl DiskQueue {
    /// Quarantines everything that recovery rejected, and leaves the segment it was in.
    pub(super) fn discharge(&mut self) -> Result<(), Error> {
        let had_rejects = !self.rejects.is_empty();
        while let Some(reject) = self.rejects.last().copied() {
            self.discharge_one(reject)?;
            self.rejects.pop();
            self.ends.retain(|(segment, _)| *segment != reject.segment);
        }
        if had_rejects {
            // A later meta seals these segments: by then their rejected bytes must be gone.
            self.store.sync_directory()?;
        }
        if let Some(next) = self.new_segment {
            // Sums of rejected records would tell of a loss where there is none.
            self.writer.cut_sums(&mut self.store)?;
            self.move_writer(next);
            self.new_segment = None;
            self.noted_boot = self.boot;
            self.meta_owed = true;
        }
        Ok(())
    }

    fn discharge_one(&mut self, reject: Reject) -> Result<(), Error> {
        let Reject { segment, from, to } = reject;
        let read = self.reader.position();
        let holds_unread =
            read.segment <= segment && (read.segment < segment || read.offset < from);
        if from == to {
            if from == 0 {
                self.store.remove_segment(segment)?;
                self.segments.retain(|number| *number != segment);
            }
            return Ok(());
        }
        if from == 0 || !holds_unread {
            quarantine::keep_segment(&mut self.store, segment)?;
            self.segments.retain(|number| *number != segment);
            if read.segment == segment {
                self.reader.close();
            }
            return Ok(());
        }
        let file = self.store.open_segment(segment, OpenMode::Write)?;
        let path = self.store.paths.segment(segment).to_owned();
        quarantine::keep_range(&self.store, file.as_ref(), &path, from, to)?;
        file.set_size(from)
            .and_then(|()| file.sync(SyncKind::Data))
            .map_err(|error| Error::io("cut", &path, error))
    }
}
