//! The bare system calls that the engine is measured beside.

use super::super::failure::Failure;
use super::tmpfs::{Folder, failed};
use crashline::fs::{Fs, FsFile, OpenMode, RealFs, SyncKind, write_all_at};

/// Bytes of a record before its message.
pub(super) const HEADER_BYTES: usize = 4;
/// Puts between syncs, where there are any.
pub(super) const PUTS_PER_SYNC: usize = 2_500;

/// The bare calls: the same bytes at the end of a file.
pub(super) struct Bare {
    pub(super) file: Box<dyn FsFile>,
    record: Vec<u8>,
    end: u64,
    written: usize,
    syncs: bool,
}

impl Bare {
    pub(super) fn new(folder: &Folder, size: usize, syncs: bool) -> Result<Self, Failure> {
        let path = folder.path().join("bare");
        let file = RealFs.open(&path, OpenMode::CreateNew, 0o600);
        Ok(Self {
            file: file.map_err(failed)?,
            record: vec![7; HEADER_BYTES + size],
            end: 0,
            written: 0,
            syncs,
        })
    }

    pub(super) fn put(&mut self) -> Result<(), Failure> {
        write_all_at(self.file.as_ref(), self.end, &self.record).map_err(failed)?;
        self.end += self.record.len() as u64;
        self.written += 1;
        if self.syncs && self.written.is_multiple_of(PUTS_PER_SYNC) {
            self.file.sync(SyncKind::Data).map_err(failed)?;
        }
        Ok(())
    }
}
