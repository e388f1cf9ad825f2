//! Reading bytes as they are on disk, across messages and segments.

use super::error::Error;
use super::record_reader::Step;
use super::snapshot::Snapshot;

impl Snapshot {
    /// Reads the next `size` bytes as they are on disk, lengths and bodies. Fewer come where damage
    /// follows them: the next call tells of it.
    ///
    /// # Errors
    /// There are not so many bytes before the end; at the end, any number is too many. Damage,
    /// which is passed. That of the filesystem, and then nothing changed.
    pub fn read_raw(&mut self, size: u32) -> Result<Vec<u8>, Error> {
        self.begin()?;
        loop {
            let end = self.view.visible();
            let left = end.offset.saturating_sub(self.place.offset);
            if left == 0 || left < u64::from(size) {
                return Err(Error::Refused {
                    reason: "there are not so many bytes before the end",
                });
            }
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            if let Some(bytes) = self.read_up_to(size)? {
                return Ok(bytes);
            }
        }
    }

    /// `None` where damage that was told before was passed.
    fn read_up_to(&mut self, size: usize) -> Result<Option<Vec<u8>>, Error> {
        let end = self.view.visible();
        let (mut place, mut boundary) = (self.place, self.boundary);
        let mut bytes = Vec::new();
        while bytes.len() < size {
            let record = match self.view.records.step(boundary, &end)? {
                Step::Record(record) => record,
                Step::Lost(next, loss) if bytes.is_empty() => {
                    self.pass(next, loss)?;
                    return Ok(None);
                }
                Step::Lost(..) | Step::End => break,
            };
            let whole = self.view.records.whole(&record);
            // Raw reading may have begun inside this record.
            let skipped = place.offset.saturating_sub(record.at.offset);
            let rest = usize::try_from(skipped)
                .ok()
                .and_then(|skipped| whole.get(skipped..))
                .unwrap_or_default();
            let taken = rest.get(..size - bytes.len()).unwrap_or(rest);
            bytes.extend_from_slice(taken);
            if taken.len() == rest.len() {
                boundary = record.next;
                place = record.next;
            } else {
                boundary = record.at;
                place = record.at.moved(skipped + taken.len() as u64, 0);
            }
        }
        self.place = place;
        self.boundary = boundary;
        Ok(Some(bytes))
    }
}
