//! What stands in a segment: records, each a length (4 bytes, big endian) and that many bytes.

use crate::oracle::{Item, Messages};

/// What a record adds to its message.
const HEADER_BYTES: u64 = 4;

/// The size of the record of a message.
pub(in crate::oracle) fn record_bytes(message_bytes: u32) -> u64 {
    u64::from(message_bytes) + HEADER_BYTES
}

/// The sizes of the messages in a segment, up to the first record that is not whole.
pub(super) fn sizes(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (length, behind) = rest.split_first_chunk::<4>()?;
        let length = u32::from_be_bytes(*length);
        rest = behind.get(usize::try_from(length).ok()?..)?;
        Some(length)
    })
}

/// Whether bytes are records of messages below a number, one behind the other, and nothing else.
pub(super) fn is_whole(bytes: &[u8], below: u32, messages: &Messages) -> bool {
    let mut rest = bytes;
    let mut count = 0;
    while let Some((length, behind)) = rest.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        let Some((body, behind)) = behind.split_at_checked(length) else {
            return false;
        };
        if !matches!(messages.identify(body), Item::Number(number) if number < below) {
            return false;
        }
        count += 1;
        rest = behind;
    }
    rest.is_empty() && count > 0
}
