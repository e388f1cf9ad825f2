//! The meta: three lines of text, replaced through a temporary file.

use super::files::Files;
use crate::originals::scan::Scan;
use crate::originals::temporary::{create_numbered, ignore};
use crashline::fs::{Fs, OpenMode, SyncKind, write_all_at};
use std::io;

/// Mode bits of every file of the queue.
pub(super) const PERMISSIONS: u32 = 0o600;

/// A place in the segments: a segment's number and a byte position in it. Signed, and whatever a
/// damaged meta says is taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Place {
    pub(super) segment: i64,
    pub(super) position: i64,
}

/// What the meta says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Meta {
    pub(super) depth: i64,
    pub(super) read: Place,
    pub(super) write: Place,
}

impl Meta {
    /// Loads the meta into `self`. On an error the numbers that were read before it stay taken
    /// over, all but the depth: the original scans straight into its live fields.
    pub(super) fn load(&mut self, fs: &dyn Fs, files: &Files) -> io::Result<()> {
        let file = fs.open(&files.meta(), OpenMode::Read, PERMISSIONS)?;
        let mut scan = Scan::new(file.as_ref());
        let mut depth = 0;
        scan.number(&mut depth)?;
        for place in [&mut self.read, &mut self.write] {
            scan.line_end()?;
            scan.number(&mut place.segment)?;
            scan.comma()?;
            scan.number(&mut place.position)?;
        }
        scan.line_end()?;
        self.depth = depth;
        Ok(())
    }

    /// Replaces the meta on disk. A failed write leaves the temporary file; a failed sync of it
    /// goes unnoticed; neither the temporary's nor the new name is made durable.
    ///
    /// `number` names the temporary file; it moves on while such files were left behind.
    pub(super) fn store(self, fs: &dyn Fs, files: &Files, number: &mut u64) -> io::Result<()> {
        let file = create_numbered(fs, number, PERMISSIONS, |number| {
            files.temporary_meta(number)
        })?;
        let Self { depth, read, write } = self;
        let text = format!(
            "{depth}\n{},{}\n{},{}\n",
            read.segment, read.position, write.segment, write.position
        );
        write_all_at(file.as_ref(), 0, text.as_bytes())?;
        ignore(file.sync(SyncKind::All));
        drop(file);
        fs.rename(&files.temporary_meta(*number), &files.meta())
    }
}
