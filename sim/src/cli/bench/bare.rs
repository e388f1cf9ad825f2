//! The bare system calls, and what the standard library buffers, that the engines are measured
//! beside.

use super::super::failure::Failure;
use super::tmpfs::{Folder, failed};
use crashline::fs::{Fs, FsFile, OpenMode, RealFs, SyncKind, read_up_to, write_all_at};
use std::io::{self, BufReader, BufWriter, Read, Write};

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

/// The buffer that an original has.
const BUFFER_BYTES: usize = 128 * 1024;

/// The bare calls behind a buffer: records at the end of a file.
pub(super) struct Buffered {
    writer: BufWriter<Cursor>,
    message: Vec<u8>,
}

impl Buffered {
    pub(super) fn new(folder: &Folder, size: usize) -> Result<Self, Failure> {
        let bare = Bare::new(folder, size, false)?;
        Ok(Self {
            writer: BufWriter::with_capacity(BUFFER_BYTES, Cursor::new(bare.file)),
            message: vec![7; size],
        })
    }

    pub(super) fn put(&mut self) -> Result<(), Failure> {
        let length = u32::try_from(self.message.len()).map_err(failed)?;
        let header = self.writer.write_all(&length.to_be_bytes());
        let written = header.and_then(|()| self.writer.write_all(&self.message));
        written.map_err(failed)
    }

    pub(super) fn sync(&mut self) -> Result<(), Failure> {
        self.writer.flush().map_err(failed)?;
        let file = &self.writer.get_ref().file;
        file.sync(SyncKind::Data).map_err(failed)
    }

    /// Goes over what was put.
    pub(super) fn scan(self) -> Result<Scan, Failure> {
        let cursor = self.writer.into_inner().map_err(failed)?;
        Ok(Scan {
            reader: BufReader::with_capacity(BUFFER_BYTES, Cursor::new(cursor.file)),
            message: Vec::new(),
        })
    }
}

/// Reads records one after the other, checking nothing.
pub(super) struct Scan {
    reader: BufReader<Cursor>,
    message: Vec<u8>,
}

impl Scan {
    pub(super) fn read(&mut self) -> Result<&[u8], Failure> {
        let mut header = [0; HEADER_BYTES];
        self.reader.read_exact(&mut header).map_err(failed)?;
        let length = u32::from_be_bytes(header);
        let size = usize::try_from(length).map_err(failed)?;
        self.message.resize(size, 0);
        self.reader.read_exact(&mut self.message).map_err(failed)?;
        Ok(&self.message)
    }
}

/// A file that is written or read from its start on.
struct Cursor {
    file: Box<dyn FsFile>,
    offset: u64,
}

impl Cursor {
    fn new(file: Box<dyn FsFile>) -> Self {
        Self { file, offset: 0 }
    }
}

impl Write for Cursor {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        write_all_at(self.file.as_ref(), self.offset, bytes)?;
        self.offset += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Cursor {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = read_up_to(self.file.as_ref(), self.offset, buffer)?;
        self.offset += count as u64;
        Ok(count)
    }
}
