//! What is right of a segment's sums before a cut: whole blocks stay, and of the block in which
//! the cut lies the entries before it, under the generation that they were salted with.

use super::error::Error;
use super::position::Position;
use super::store::Store;
use super::sums_scan::SumsScan;
use super::sums_writer::SumsLeft;
use crate::records::frame::record_bytes;
use crate::records::sums::write_blocks;
use std::io;
use std::ops::RangeInclusive;

/// The sums of the records before `end` in its segment.
pub(super) fn sums_before(
    store: &Store,
    counting: RangeInclusive<u64>,
    end: &Position,
) -> Result<SumsLeft, Error> {
    let path = store.paths.sums(end.segment);
    let Some(file) = store.find(&path)?.filter(|_| end.position > 0) else {
        return Ok(SumsLeft::default());
    };
    let cut = || -> io::Result<SumsLeft> {
        let size = file.size()?;
        let mut scan = SumsScan::new(Some(file.as_ref()), end.segment, counting, (0, size));
        let mut left = SumsLeft::default();
        while let Some((block, entries)) = scan.next_block()? {
            let mut position = block.first;
            let mut before = 0;
            for entry in entries {
                position = position.saturating_add(record_bytes(entry.length));
                if position > end.position {
                    break;
                }
                before += 1;
            }
            // A seal has no entries, and an end before which it would stand is none.
            if before < entries.len() || entries.is_empty() || position > end.position {
                let kept = entries.get(..before).unwrap_or_default();
                write_blocks(&block.salt, block.first, kept, &mut left.blocks);
                break;
            }
            left.bytes = block.end;
        }
        Ok(left)
    };
    cut().map_err(|error| Error::io("read", &path, error))
}
