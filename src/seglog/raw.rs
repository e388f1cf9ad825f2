//! Putting a batch of records as they are on disk, as replication does.

use super::error::Error;
use super::quirks::Quirk;
use super::writer::{LogWriter, Put};
use crate::records::frame::{Frame, first, record_bytes};

impl LogWriter {
    /// Puts `records`, which must be exactly `count` whole records of at least one byte each. They
    /// go into one segment, however large they are.
    ///
    /// # Errors
    /// [`Error::Refused`] if they are anything else; else as [`LogWriter::put`].
    pub fn put_raw(&mut self, records: &[u8], count: u64) -> Result<Put, Error> {
        self.begin()?;
        let whole = count_whole(records);
        let is_any = whole.is_some() && self.store.has(Quirk::RawCountUnchecked);
        if whole != Some(count) && !is_any {
            return Err(Error::Refused {
                reason: "the bytes of a batch are not exactly that many whole records",
            });
        }
        if count > 0 {
            self.make_room(records.len() as u64, count)?;
        }
        let offset = self.segment.end().offset;
        self.segment.push_raw(records);
        Ok(self.finish_put(offset))
    }
}

/// How many records these bytes are, if they are nothing else.
fn count_whole(mut records: &[u8]) -> Option<u64> {
    let mut count = 0;
    while !records.is_empty() {
        let Frame::Record { length } = first(records) else {
            return None;
        };
        let size = usize::try_from(record_bytes(length)).ok()?;
        records = records.get(size..).filter(|_| length > 0)?;
        count += 1;
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_whole_records_and_nothing_else() {
        assert_eq!(count_whole(&[]), Some(0));
        assert_eq!(count_whole(&[0, 0, 0, 1, 9]), Some(1));
        assert_eq!(count_whole(&[0, 0, 0, 1, 9, 0, 0, 0, 2, 8, 7]), Some(2));
        assert_eq!(count_whole(&[0, 0, 0, 1, 9, 0]), None);
        assert_eq!(count_whole(&[0, 0, 0, 2, 9]), None);
        assert_eq!(count_whole(&[0, 0, 0, 0]), None);
        assert_eq!(count_whole(&[0x80, 0, 0, 1, 9]), None);
    }
}
