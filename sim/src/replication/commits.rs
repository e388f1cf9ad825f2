//! The commit log: which leader wrote up to which place, beside the data log.
//!
//! Format: records of [`RECORD_BYTES`] bytes, little-endian: epoch, virtual offset and count behind
//! what was written (8 bytes each), CRC-32C of these (4). A record that is torn, or goes backwards,
//! ends the file. Records are only appended, after the data that they speak of is durable; what
//! takes records away writes the file anew and renames it, and so does what follows a failed call:
//! nothing vouches for bytes that a failed sync should have covered.

use super::entry::Entry;
use crashline::fs::{Fs, FsFile, OpenMode, SyncKind, read_file, write_all_at};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const RECORD_BYTES: usize = 28;
/// No run has so many records.
const FILE_BYTES_MAX: usize = 1 << 20;
const PERMISSIONS: u32 = 0o644;

/// A commit log. What it shows is durable.
#[derive(Debug)]
pub(super) struct CommitLog {
    fs: Arc<dyn Fs>,
    directory: PathBuf,
    /// The file, while it holds exactly the entries.
    file: Option<Box<dyn FsFile>>,
    entries: Vec<Entry>,
}

impl CommitLog {
    /// Opens the commit log of a directory; a missing one is empty. Nothing is written yet.
    pub(super) fn open(fs: Arc<dyn Fs>, directory: &Path) -> io::Result<Self> {
        let bytes = match read_file(fs.as_ref(), &directory.join("commits"), FILE_BYTES_MAX) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        Ok(Self {
            fs,
            directory: directory.to_owned(),
            file: None,
            entries: entries_of(&bytes),
        })
    }

    /// All entries, in order.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Appends entries. After an error they are not there.
    pub(super) fn append(&mut self, more: &[Entry]) -> io::Result<()> {
        let Some(file) = self.file.take() else {
            let all = [self.entries.as_slice(), more].concat();
            return self.replace(all);
        };
        let at = self.entries.len() * RECORD_BYTES;
        write_all_at(file.as_ref(), at as u64, &bytes_of(more))?;
        file.sync(SyncKind::Data)?;
        self.file = Some(file);
        self.entries.extend_from_slice(more);
        Ok(())
    }

    /// Writes the file anew with these entries. After an error the old ones count.
    pub(super) fn replace(&mut self, entries: Vec<Entry>) -> io::Result<()> {
        self.file = None;
        let (aside, path) = (
            self.directory.join("commits.new"),
            self.directory.join("commits"),
        );
        let file = self.fs.open(&aside, OpenMode::Truncate, PERMISSIONS)?;
        write_all_at(file.as_ref(), 0, &bytes_of(&entries))?;
        file.sync(SyncKind::Data)?;
        self.fs.rename(&aside, &path)?;
        self.fs.sync_dir(&self.directory)?;
        self.file = Some(file);
        self.entries = entries;
        Ok(())
    }
}

fn bytes_of(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(entries.len() * RECORD_BYTES);
    for entry in entries {
        let from = bytes.len();
        for number in [entry.epoch, entry.offset, entry.count] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        let sum = crc32c::crc32c(bytes.get(from..).unwrap_or_default());
        bytes.extend_from_slice(&sum.to_le_bytes());
    }
    bytes
}

fn entries_of(bytes: &[u8]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for record in bytes.chunks_exact(RECORD_BYTES) {
        let number = |index: usize| {
            let bytes = record.get(8 * index..)?.first_chunk::<8>()?;
            Some(u64::from_le_bytes(*bytes))
        };
        let (body, sum) = record.split_at(RECORD_BYTES - 4);
        let (Some(epoch), Some(offset), Some(count)) = (number(0), number(1), number(2)) else {
            break;
        };
        let entry = Entry {
            epoch,
            offset,
            count,
        };
        let goes_on = entries
            .last()
            .is_none_or(|last| last.offset < offset && last.epoch <= epoch);
        if crc32c::crc32c(body).to_le_bytes() != *sum || !goes_on {
            break;
        }
        entries.push(entry);
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simfs::SimFs;

    fn entry(epoch: u64, offset: u64) -> Entry {
        Entry {
            epoch,
            offset,
            count: offset / 8,
        }
    }

    #[test]
    fn a_torn_tail_is_cut_wherever_it_is_torn() {
        let entries = [entry(1, 8), entry(1, 16), entry(2, 24)];
        let bytes = bytes_of(&entries);
        assert_eq!(entries_of(&bytes), entries);
        for size in 0..bytes.len() {
            assert_eq!(entries_of(&bytes[..size]), entries[..size / RECORD_BYTES]);
        }
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            assert_eq!(
                entries_of(&bytes),
                entries[..at / RECORD_BYTES],
                "byte {at}"
            );
        }
    }

    #[test]
    fn what_was_appended_and_cut_is_read_back() {
        let sim = SimFs::new();
        let fs: Arc<dyn Fs> = Arc::new(sim);
        let open = || CommitLog::open(Arc::clone(&fs), Path::new("/")).unwrap();
        let mut log = open();
        log.append(&[entry(1, 8)]).unwrap();
        log.append(&[entry(1, 16), entry(2, 24)]).unwrap();
        assert_eq!(open().entries(), [entry(1, 8), entry(1, 16), entry(2, 24)]);
        log.replace(vec![entry(1, 8)]).unwrap();
        log.append(&[entry(3, 9)]).unwrap();
        assert_eq!(open().entries(), [entry(1, 8), entry(3, 9)]);
    }
}
