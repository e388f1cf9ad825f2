//! Reads numbers out of text the way Go's formatted scan does, which is what loaders of originals
//! lean on: numbers are taken over one by one until the text stops to fit.
//!
//! Rules: spaces (Unicode ones, not line ends) may stand before a number and before a line end; a
//! number may carry a sign; the end of the text also counts as a line end; nothing may stand
//! before a comma; what does not fit i64 is an error.

use crashline::fs::{FsFile, read_up_to};
use std::io;

const CHUNK_BYTES: usize = 128;

/// A cursor over the text of a file, which is read as far as it is needed.
pub(super) struct Scan<'a> {
    file: &'a dyn FsFile,
    offset: u64,
    text: Vec<u8>,
    at: usize,
    ended: bool,
}

/// The text does not fit.
fn misfit() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "the meta does not fit its format",
    )
}

impl<'a> Scan<'a> {
    pub(super) fn new(file: &'a dyn FsFile) -> Self {
        Self {
            file,
            offset: 0,
            text: Vec::new(),
            at: 0,
            ended: false,
        }
    }

    /// Takes a number over into `value`; on an error `value` keeps what it had.
    pub(super) fn number(&mut self, value: &mut i64) -> io::Result<()> {
        self.skip_spaces()?;
        let mut token = String::new();
        if let Some(sign @ (b'+' | b'-')) = self.peek()? {
            token.push(char::from(sign));
            self.at += 1;
        }
        while let Some(digit @ b'0'..=b'9') = self.peek()? {
            token.push(char::from(digit));
            self.at += 1;
        }
        *value = token.parse().map_err(|_| misfit())?;
        Ok(())
    }

    /// Takes a comma.
    pub(super) fn comma(&mut self) -> io::Result<()> {
        if self.peek()? == Some(b',') {
            self.at += 1;
            Ok(())
        } else {
            Err(misfit())
        }
    }

    /// Takes a line of numbers with commas between them.
    pub(super) fn number_line<const N: usize>(&mut self, values: [&mut i64; N]) -> io::Result<()> {
        for (index, value) in values.into_iter().enumerate() {
            if index > 0 {
                self.comma()?;
            }
            self.number(value)?;
        }
        self.line_end()
    }

    /// Takes a line end, or the end of the text.
    pub(super) fn line_end(&mut self) -> io::Result<()> {
        self.skip_spaces()?;
        match self.peek()? {
            None => Ok(()),
            Some(b'\n') => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(misfit()),
        }
    }

    /// Takes the next bytes as they are: at most `bytes`, fewer where the file ends.
    pub(super) fn rest(&mut self, bytes: usize) -> io::Result<&[u8]> {
        self.fill(bytes)?;
        let end = self.text.len().min(self.at + bytes);
        let start = std::mem::replace(&mut self.at, end);
        Ok(self.text.get(start..end).unwrap_or_default())
    }

    fn skip_spaces(&mut self) -> io::Result<()> {
        while let Some(bytes) = self.space()? {
            self.at += bytes;
        }
        Ok(())
    }

    /// The size of the space that comes next, if one does.
    fn space(&mut self) -> io::Result<Option<usize>> {
        self.fill(4)?;
        let ahead = self.text.get(self.at..).unwrap_or_default();
        let Some(first) = ahead.first() else {
            return Ok(None);
        };
        let size = match first {
            b'\n' => return Ok(None),
            0..0x80 => 1,
            0x80..0xe0 => 2,
            _ => 3,
        };
        let space = ahead
            .get(..size)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .is_some_and(|text| text.chars().all(char::is_whitespace));
        Ok(space.then_some(size))
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        self.fill(1)?;
        Ok(self.text.get(self.at).copied())
    }

    /// Sees to it that `bytes` bytes lie ahead, unless the file ends before.
    fn fill(&mut self, bytes: usize) -> io::Result<()> {
        if self.ended || self.text.len() - self.at >= bytes {
            return Ok(());
        }
        self.text.drain(..self.at);
        self.at = 0;
        let kept = self.text.len();
        self.text.resize(kept + CHUNK_BYTES, 0);
        let ahead = self.text.get_mut(kept..).unwrap_or_default();
        let count = read_up_to(self.file, self.offset, ahead)?;
        self.text.truncate(kept + count);
        self.offset += count as u64;
        self.ended = count < CHUNK_BYTES;
        Ok(())
    }
}
