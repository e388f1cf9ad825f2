//! A reader's meta: the counts at confirmed position and end, the two places, and the seal.

use super::error::LogError;
use super::names::PERMISSIONS;
use super::sealed::{break_seal, check_seal, write_sealed};
use super::sequential::SequentialFile;
use crate::originals::scan::Scan;
use crate::originals::temporary::ignore;
use crate::scenario::LogPosition;
use crashline::fs::{Fs, OpenMode};
use std::io;
use std::path::Path;

/// What a reader saves.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ReaderMeta {
    pub(super) confirmed: LogPosition,
    pub(super) end: LogPosition,
}

/// Loads a meta of either version, which differ in nothing but their names and the seal.
pub(super) fn load(fs: &dyn Fs, path: &Path) -> Result<ReaderMeta, LogError> {
    let file = fs.open(path, OpenMode::Read, PERMISSIONS)?;
    let mut scan = Scan::new(file.as_ref());
    let mut meta = ReaderMeta::default();
    let ReaderMeta { confirmed, end } = &mut meta;
    scan.number(&mut confirmed.count)?;
    scan.line_end()?;
    scan.number(&mut end.count)?;
    scan.line_end()?;
    for place in [confirmed, end] {
        scan.number_line([&mut place.segment, &mut place.position, &mut place.offset])?;
    }
    check_seal(&mut scan)?;
    Ok(meta)
}

/// Stores a meta; a failed sync goes unnoticed.
pub(super) fn store(fs: &dyn Fs, path: &Path, meta: &ReaderMeta, fsync: bool) -> io::Result<()> {
    let ReaderMeta { confirmed, end } = meta;
    let mut text = format!("{}\n{}\n", confirmed.count, end.count);
    for place in [confirmed, end] {
        let LogPosition {
            segment,
            position,
            offset,
            ..
        } = place;
        text.push_str(&format!("{segment},{position},{offset}\n"));
    }
    let mut file = SequentialFile::open(fs, path, OpenMode::Create)?;
    break_seal(&mut file)?;
    write_sealed(&mut file, &text)?;
    if fsync {
        ignore(file.sync());
    }
    Ok(())
}
