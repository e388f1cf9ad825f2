//! A segment that lost its end: where its records end now, and what is left of their sums.
//!
//! The sums that are left vouch for the records that are left, and tell of no others.

use super::count::open;
use super::error::Error;
use super::frame_reader::FrameReader;
use super::noted::open_sums;
use super::store::Store;
use crate::fs::{OpenMode, SyncKind, read_up_to, write_all_at};
use crate::records::frame::{Frame, record_bytes};
use crate::records::sums::{Salt, SumsBlock, parse_block, write_blocks};

/// Where the records from `offset` on end, in a segment of `size` bytes: by their sums, where these
/// know of them, else by their lengths.
pub(super) fn end_of_records(
    store: &mut Store,
    salt: Salt,
    mut offset: u64,
    size: u64,
) -> Result<u64, Error> {
    let segment = salt.segment();
    let mut reader = FrameReader::default();
    if !open(store, &mut reader, segment, &[])? {
        return Ok(offset);
    }
    let mut sums = open_sums(store, salt, 0)?;
    loop {
        let frame = reader
            .at(offset)
            .map_err(|error| store.segment_error("read", segment, error))?;
        let known = sums
            .entry_at(offset)
            .map_err(|error| store.sums_error("read", segment, error))?;
        let length = match (known, frame) {
            (Some(entry), _) => entry.length,
            (None, Frame::Record { length }) => length,
            (None, Frame::End | Frame::Broken) => return Ok(offset),
        };
        let next = offset.saturating_add(record_bytes(length));
        if next > size {
            return Ok(offset);
        }
        offset = next;
    }
}

/// Leaves the sums of the records that end at `end` or before.
pub(super) fn cut_sums(store: &mut Store, salt: &Salt, end: u64) -> Result<(), Error> {
    let segment = salt.segment();
    let Some(file) = store.find_sums_as(segment, OpenMode::Write)? else {
        return Ok(());
    };
    let whole = file.size().and_then(|size| {
        let mut bytes = vec![0; usize::try_from(size).unwrap_or(usize::MAX)];
        let count = read_up_to(file.as_ref(), 0, &mut bytes)?;
        bytes.truncate(count);
        Ok(bytes)
    });
    let bytes = whole.map_err(|error| store.sums_error("read", segment, error))?;
    let (kept, last) = what_stays(salt, end, &bytes);
    if kept == 0 && last.is_empty() {
        return store.remove_sums(segment);
    }
    // The new block first: a crash between the two leaves bytes behind it that are no block.
    write_all_at(file.as_ref(), kept, &last)
        .and_then(|()| file.set_size(kept + last.len() as u64))
        .and_then(|()| file.sync(SyncKind::Data))
        .map_err(|error| store.sums_error("cut", segment, error))
}

/// How many bytes stay as they are, and the block that comes behind them.
fn what_stays(salt: &Salt, end: u64, bytes: &[u8]) -> (u64, Vec<u8>) {
    let mut kept = 0;
    let mut last = Vec::new();
    let mut entries = Vec::new();
    while let SumsBlock::Whole { offset, bytes } =
        parse_block(salt, bytes.get(kept..).unwrap_or_default(), &mut entries)
    {
        let mut place = offset;
        let before_end = entries.iter().take_while(|entry| {
            place = place.saturating_add(record_bytes(entry.length));
            place <= end
        });
        let count = before_end.count();
        if count == 0 || count < entries.len() {
            let records = entries.get(..count).unwrap_or_default();
            write_blocks(salt, offset, records, &mut last);
            break;
        }
        kept += bytes;
        entries.clear();
    }
    (kept as u64, last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::sums::Entry;

    #[test]
    fn sums_stay_up_to_the_last_record_that_is_left() {
        let salt = Salt::new(1, 2);
        let entries: Vec<Entry> = (0..70).map(|sum| Entry { length: 6, sum }).collect();
        let mut bytes = Vec::new();
        write_blocks(&salt, 0, &entries, &mut bytes);
        for records in [0, 1, 63, 64, 65, 69, 70] {
            for rest in [0, 9] {
                let (kept, last) = what_stays(&salt, records * 10 + rest, &bytes);
                let kept = usize::try_from(kept).unwrap();
                let left = [&bytes[..kept], &last].concat();
                let mut expected = Vec::new();
                let expected_entries = &entries[..usize::try_from(records).unwrap()];
                write_blocks(&salt, 0, expected_entries, &mut expected);
                assert_eq!(left, expected, "{records} records");
            }
        }
    }
}
