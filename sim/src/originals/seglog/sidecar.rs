//! What is kept beside a finished segment: `COUNT\nSTART,END\n`, the count behind it and the
//! virtual offsets of its start and end.

use super::names::{Names, PERMISSIONS};
use super::sequential::SequentialFile;
use crate::originals::scan::Scan;
use crate::originals::temporary::ignore;
use crate::scenario::LogPosition;
use crashline::fs::{Fs, OpenMode};
use std::io;

/// A segment's place in the log.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sidecar {
    pub(super) count: i64,
    pub(super) start: i64,
    pub(super) end: i64,
}

impl Sidecar {
    pub(super) fn load(fs: &dyn Fs, names: &Names, segment: i64) -> io::Result<Self> {
        let file = fs.open(&names.sidecar(segment), OpenMode::Read, PERMISSIONS)?;
        let mut scan = Scan::new(file.as_ref());
        let mut sidecar = Self::default();
        scan.number(&mut sidecar.count)?;
        scan.line_end()?;
        scan.number_line([&mut sidecar.start, &mut sidecar.end])?;
        Ok(sidecar)
    }

    /// The start of the segment behind this one.
    pub(super) fn next_start(&self, segment: i64) -> LogPosition {
        LogPosition {
            segment,
            position: 0,
            offset: self.end,
            count: self.count,
        }
    }

    /// Stores the sidecar of the segment that ends at `end`; failures go unnoticed.
    pub(super) fn store(fs: &dyn Fs, names: &Names, end: &LogPosition) {
        ignore(try_store(fs, names, end));
    }
}

fn try_store(fs: &dyn Fs, names: &Names, end: &LogPosition) -> io::Result<()> {
    let path = names.sidecar(end.segment);
    let mut file = SequentialFile::open(fs, &path, OpenMode::Truncate)?;
    let start = end.offset.wrapping_sub(end.position);
    let text = format!("{}\n{start},{}\n", end.count, end.offset);
    file.write_all(text.as_bytes()).1?;
    file.sync()
}
